"""Small tables for tests: dimensions, schemas and plans without a file."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sudare.facts.cube import Dimension, Tier
from sudare.facts.schema import Schema, make_schema
from sudare.facts.table_plan import TablePlan


def flat(size: int, name: str = "d") -> Dimension:
    return Dimension((Tier(name, tuple(f"{name}{place}" for place in range(size))),))


def tree(*children: tuple[int, ...], name: str = "t") -> Dimension:
    """A dimension from the sizes of its groups, coarse to fine: tree((2, 3)) has two groups."""
    tiers = []
    for depth, sizes in enumerate(children):
        labels = tuple(f"{name}{depth}.{place}" for place in range(len(sizes)))
        tiers.append(Tier(f"{name}{depth}", labels, sizes))
    count = sum(children[-1])
    leaves = tuple(f"{name}{len(children)}.{place}" for place in range(count))
    return Dimension((*tiers, Tier(f"{name}{len(children)}", leaves)))


def schema(*sizes: int, relation: str = "add-remove", rows: int = 1, **more: Any) -> Schema:
    """Categories c0, c1, … with values v0, v1, …"""
    unit = {} if rows == 1 else {"unit": "id", "max_rows_per_unit": rows}
    columns: dict[str, Any] = {
        f"c{axis}": {"type": "category", "values": [f"v{value}" for value in range(size)]}
        for axis, size in enumerate(sizes)
    }
    return make_schema(
        {
            "table": {"name": "t", "neighbours": relation, **unit},
            "budget": {"epsilon": 100.0, "delta": 1e-6},
            "columns": {"id": {"type": "key"}, **columns},
            **more,
        }
    )


def plan(
    *by: str, epsilon: str = "1", margins: str = "all", mechanism: Any = "laplace", **more: Any
) -> TablePlan:
    delta = Fraction("1e-9") if mechanism == "gaussian" else Fraction(0)
    return TablePlan(by, Fraction(epsilon), margins, delta=delta, mechanism=mechanism, **more)


def every(*sizes: int) -> tuple[str, ...]:
    return tuple(f"c{axis}" for axis in range(len(sizes)))

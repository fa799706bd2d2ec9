"""Small tables whose rows stand at the corners of their declared bounds, with their neighbours, and
the public functions of the jobs, each giving what leaves the house without identifiers and times.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sudare.engines.open import open_source
from sudare.facts.plan import Plan
from sudare.facts.release import Release
from sudare.facts.schema import Schema, make_schema
from sudare.publish.ask import ask
from sudare.queries.compile import compile_question
from support.bits import CountedBits

Row = tuple[Any, ...]
NAMES = ("id", "a", "b", "c", "u", "v")
TYPES = (pa.string(), pa.int64(), pa.int64(), pa.string(), pa.string(), pa.string())
# Both ends of every bound. Besides, a person may lack all, or lie outside of all.
ENDS: dict[str, list[Any]] = {"a": [0, 4], "b": [-2, 2], "c": ["x", "y"]}
EDGES = [("n1", "n2"), ("n2", "n3"), ("n1", "n3")]
COPIES = 500
OUTSIDE: Row = (99, -99, "elsewhere", "n1", "nowhere")


def schema(relation: str = "add-remove", rows: int = 1, **table: Any) -> Schema:
    """`rows`: how many a person may have."""
    unit = {} if rows == 1 else {"unit": "id", "max_rows_per_unit": rows}
    nodes = {"type": "category", "values": ["n1", "n2", "n3"]}
    return make_schema(
        {
            "table": {
                "name": "corners",
                "neighbours": relation,
                "expected_rows": 60,
                **unit,
                **table,
            },
            "budget": {"epsilon": 1e9, "delta": 0.1},
            "columns": {
                "id": {"type": "key"},
                "a": {"type": "integer", "min": 0, "max": 4},
                "b": {"type": "integer", "min": -2, "max": 2},
                "c": {"type": "category", "values": ["x", "y"]},
                "u": nodes,
                "v": nodes,
            },
        }
    )


def people(rows: Sequence[Row], each: int = 1) -> pa.Table:
    """A table; every person has the own row `each` times."""
    known = [(f"p{place}", *row) for place, row in enumerate(rows) for _ in range(each)]
    columns = zip(*known, strict=True) if known else ((),) * len(NAMES)
    arrays = [pa.array(list(column), kind) for column, kind in zip(columns, TYPES, strict=True)]
    return pa.table(arrays, names=list(NAMES))


BASE: list[Row] = [
    (0, -2, "x", "n1", "n2"),
    (1, 1, "y", "n2", "n3"),
    (3, -1, "x", "n1", "n3"),
    (4, 2, "y", "n1", "n2"),
] * 2
CORNERS: list[Row] = [
    *((*row, *EDGES[place % 3]) for place, row in enumerate(itertools.product(*ENDS.values()))),
    (None, None, "x", None, "n2"),
    OUTSIDE,
]
# Every corner may take their place; the other pairs are these, turned around.
REPLACED = [CORNERS[0], CORNERS[4]]


def neighbours(relation: str, each: int = 1) -> list[tuple[pa.Table, list[pa.Table]]]:
    """Tables, each with those that differ from it by one person at a corner."""
    if relation == "add-remove":
        return [
            (people(rest, each), [people([*rest, row], each) for row in CORNERS])
            for rest in (BASE, [])
        ]
    return [
        (people([*BASE, mine], each), [people([*BASE, row], each) for row in CORNERS])
        for mine in REPLACED
    ]


@dataclass(frozen=True)
class Asking:
    """`ask`, which pays from a fresh ledger of a large cap each time."""

    folder: Path
    schema: Schema
    plan: Plan
    label: str

    def __call__(self, table: pa.Table) -> Any:
        release = self.release(table)
        return release.answers, release.guarantee, release.spent

    def release(self, table: pa.Table) -> Release:
        return ask(
            table,
            self.schema,
            self.plan,
            ledger=fresh(self.folder),
            bits=CountedBits(self.label),
        )


def fresh(folder: Path) -> Path:
    """A ledger that nobody has used."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{len(list(folder.iterdir()))}.ledger"


class Held:
    """An open source whose exact aggregates are remembered: a plan with a thousand copies of a
    question looks at the table once. No bound on the rows of a person: the run key changes
    nothing."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self._known: dict[Any, Any] = {}

    def moments(self, requests: Sequence[Any], key: bytes) -> list[Any]:
        for request in dict.fromkeys(requests):
            if request not in self._known:
                (self._known[request],) = self._source.moments([request], key)
        return [self._known[request] for request in requests]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)


@contextmanager
def held(table: pa.Table, given: Schema, columns: frozenset[str]) -> Iterator[None]:
    """`ask` meets this source, opened once."""
    with open_source(table, given, columns) as source, pytest.MonkeyPatch.context() as patch:
        one = Held(source)
        patch.setattr("sudare.publish.ask.open_source", lambda *_: nullcontext(one))
        yield


def drawn(
    table: pa.Table,
    given: Schema,
    question: str,
    epsilon: Fraction | None,
    delta: Fraction,
    size: int,
    folder: Path,
    label: str,
) -> list[Any]:
    """`size` answers to one question, each at the whole ε: plans of five hundred copies."""
    columns = compile_question(question, given).used_columns()
    found: list[Any] = []
    with held(table, given, columns):
        for start in range(0, size, COPIES):
            copies = min(COPIES, size - start)
            total = None if epsilon is None else epsilon * copies
            plan = Plan((question,) * copies, total, delta)
            release = ask(
                table, given, plan, ledger=fresh(folder), bits=CountedBits(f"{label} {start}")
            )
            found += release.answers
    return found

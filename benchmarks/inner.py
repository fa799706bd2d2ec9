"""What do the engine's own choices cost? The figures of docs/decisions/0005-engines.md.

    .venv/bin/python benchmarks/inner.py [--json out.json]

- writing a question as SQL (a count by a category, a sum);
- 100 labels in every query against the same labels in a small table;
- a filter of many comparisons with its column cleaned in place against cleaned once before;
- choosing two rows of every unit by a keyed hash, for each row of a unit over its limit.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow as pa
from rich.console import Console
from rich.table import Table

from sudare.engines.duck import DuckSource, open_duck
from sudare.engines.sql import category, moments, once
from sudare.facts.aggregate import MomentsRequest
from sudare.facts.query import Any_, Comparison
from sudare.facts.schema import Schema, make_schema
from sudare.queries.compile import compile_question

ROWS = 1_000_000
REPEATS = 3
KEY = bytes(32)
LABELS = tuple(f"group {number:02d}" for number in range(100))
TWELVE = LABELS[:12]
RESULTS = Path(__file__).parent / "results" / "inner.json"


def schema(**table: object) -> Schema:
    return make_schema(
        {
            "table": {"name": "t", **table},
            "columns": {
                "who": {"type": "key"},
                "x": {"type": "integer", "min": 0, "max": 100},
                "g": {"type": "category", "values": LABELS},
                "c": {"type": "category", "values": TWELVE},
            },
        }
    )


def people() -> pa.Table:
    """Made rows; the draws are for the benchmark alone. Every unit has eight rows."""
    rng = np.random.default_rng(7)
    return pa.table(
        {
            "who": rng.permutation(np.arange(ROWS) // 8),
            "x": rng.integers(0, 101, ROWS),
            "g": pa.array(LABELS).take(pa.array(rng.integers(0, 100, ROWS))),
            "c": pa.array(TWELVE).take(pa.array(rng.integers(0, 12, ROWS))),
        }
    )


def best(call: Callable[[], object]) -> float:
    """Milliseconds, the best of several."""
    found = float("inf")
    for _ in range(REPEATS):
        start = perf_counter()
        call()
        found = min(found, (perf_counter() - start) * 1e3)
    return found


def query_of(source: DuckSource, request: MomentsRequest, stored: bool) -> str:
    """The SQL of a request, its labels in a table of their own or written into it."""
    codes = source._codes if stored else category.code_table
    shape = moments.shape_of(request)
    tree = moments.moments_query(shape, request.measures, source._layout, "rows", codes)
    return tree.sql("duckdb")


def rendering(source: DuckSource) -> list[tuple[str, float]]:
    asked = {"histogram(g)": True, "sum(x)": True}
    return [
        (
            f"writing {question} as SQL",
            best(lambda q=question: query_of(source, compile_question(q, schema()).request, True)),  # type: ignore[misc]
        )
        for question in asked
    ]


def labels(source: DuckSource) -> list[tuple[str, float]]:
    request = compile_question("histogram(g)", schema()).request
    return [
        (
            f"100 labels {place}, whole query",
            best(
                lambda s=stored: source._connection.execute(  # type: ignore[misc]
                    query_of(source, request, s)
                ).fetchall()
            ),
        )
        for place, stored in (("in the query", False), ("in a table", True))
    ]


def filters(source: DuckSource) -> list[tuple[str, float]]:
    found, few = [], once._FEW
    for count in (8, 16, 32):
        tests = tuple(Comparison("c", "<=", TWELVE[number % 12]) for number in range(count))
        request = MomentsRequest(where=Any_(tests))
        for way, limit in (("in place", 10**9), ("once before", few)):
            once._FEW = limit
            took = best(lambda: source.moments([request], KEY))  # noqa: B023
            found.append((f"{count} comparisons, column cleaned {way}", took))
    once._FEW = few
    return found


def choosing(table: pa.Table) -> list[tuple[str, float]]:
    facts = schema(unit="who", max_rows_per_unit=2)
    request = compile_question("sum(x)", facts).request

    def ask() -> None:
        with open_duck(table, facts, {"x"}) as source:
            source.moments([request], KEY)

    return [("choosing 2 of 8 rows of a unit, a million rows in all", best(ask))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    table = people()
    with open_duck(table, schema(), {"x", "g", "c"}) as source:
        found = rendering(source) + labels(source) + filters(source)
    found += choosing(table)
    shown = Table(title=f"Inner costs of the engine, {ROWS:,} rows in memory")
    shown.add_column("what")
    shown.add_column("ms", justify="right")
    for what, took in found:
        shown.add_row(what, f"{took:.2f}")
    Console(width=100).print(shown)
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    facts = {"machine": platform.machine(), "rows": ROWS, "ms": dict(found)}
    asked.json.write_text(json.dumps(facts, indent=2))


if __name__ == "__main__":
    main()

"""What do clipping, grids and declared groups cost over the bare query?

    .venv/bin/python benchmarks/queries.py [--rows 10000000] [--json out.json]

Times engine and noise (`Source.moments`, then `Measurement.answer`) against DuckDB's own query on
the same source in the same run, in rounds of turns: a Parquet file and a table in memory. A ratio
is the median of the rounds' own ratios, because a shared machine is now faster and now slower, by
more than is to be found out, but hardly so within a round; times are medians too. Goal: at most
1.25 times the bare query for a count, a sum, a histogram of 100 groups and a two-way table. Two
harder sums are shown beside: one with values above the bound, and one of a real column, which has
to be put on its grid. The ledger's two durable writes, which do not depend on the query, are timed
apart.
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import perf_counter

import duckdb
import numpy as np
import pyarrow as pa
from pyarrow import parquet
from rich.console import Console
from rich.table import Table

from sudare.engines.open import open_source
from sudare.facts.cost import Cost
from sudare.facts.relation import Relation
from sudare.facts.schema import Schema, make_schema
from sudare.ledger.charge import Cap, Charge, Reservation
from sudare.ledger.ledger import Ledger
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from sudare.randomness.bits import SystemBits, run_key

ROWS = 10_000_000
WARM = 3
REPEATS = 25
GOAL = 1.25
ONE = Fraction(1)
RESULTS = Path(__file__).parent / "results" / "queries.json"
GROUPS = tuple(f"group {number:02d}" for number in range(100))
REGIONS = tuple(f"region {number}" for number in range(12))
JOBS = tuple(f"job {number}" for number in range(8))


@dataclass(frozen=True)
class Case:
    """A question, the bare SQL that it stands for, and whether the goal applies to it."""

    question: str
    bare: str
    goal: bool = True
    note: str = ""


@dataclass(frozen=True)
class Row:
    """Best times in milliseconds."""

    source: str
    query: str
    bare_ms: float
    engine_ms: float
    noisy_ms: float
    ratio: float
    goal: float | None


def schema() -> Schema:
    return make_schema(
        {
            "table": {"name": "town"},
            "columns": {
                "income": {"type": "integer", "min": 0, "max": 20_000_000},
                "wealth": {"type": "integer", "min": 0, "max": 50_000_000},
                "hours": {"type": "real", "min": 0, "max": 80},
                "g": {"type": "category", "values": GROUPS},
                "a": {"type": "category", "values": REGIONS},
                "b": {"type": "category", "values": JOBS},
            },
        }
    )


def cases() -> list[Case]:
    return [
        Case("count()", "SELECT count(*) FROM t"),
        Case("sum(income)", "SELECT sum(income) FROM t"),
        Case("histogram(g)", "SELECT g, count(*) FROM t GROUP BY g"),
        Case("count() by (a, b)", "SELECT a, b, count(*) FROM t GROUP BY a, b"),
        Case("sum(wealth)", "SELECT sum(wealth) FROM t", False, ", 1 % clipped"),
        Case("sum(hours)", "SELECT sum(hours) FROM t", False, ", real"),
    ]


def people(rows: int) -> pa.Table:
    """A made town; the draws are for the benchmark alone."""
    rng = np.random.default_rng(7)

    def labels(names: tuple[str, ...]) -> pa.Array:
        return pa.array(names).take(pa.array(rng.integers(0, len(names), rows)))

    return pa.table(
        {
            "income": rng.integers(0, 20_000_001, rows),
            "wealth": np.exp(rng.normal(15.4, 1.0, rows)).astype(np.int64),
            "hours": np.clip(rng.normal(35, 12, rows), 0, 80),
            "g": labels(GROUPS),
            "a": labels(REGIONS),
            "b": labels(JOBS),
        }
    )


def in_turns(calls: list[Callable[[], object]]) -> list[list[float]]:
    """Milliseconds of each call in rounds of one turn each; the first rounds warm up."""
    rounds: list[list[float]] = []
    for _ in range(WARM + REPEATS):
        rounds.append([])
        for call in calls:
            start = perf_counter()
            call()
            rounds[-1].append((perf_counter() - start) * 1e3)
    return rounds[WARM:]


def compared(
    source: str,
    case: Case,
    bare: Callable[[], object],
    engine: Callable[[], object],
    noisy: Callable[[], object],
) -> Row:
    """One question against its bare query."""
    rounds = in_turns([bare, engine, noisy])
    bare_ms, engine_ms, noisy_ms = (median(times) for times in zip(*rounds, strict=True))
    ratio = median(last / first for first, _, last in rounds)
    goal = GOAL if case.goal else None
    return Row(source, case.question + case.note, bare_ms, engine_ms, noisy_ms, ratio, goal)


def measure(name: str, data: object, bare: duckdb.DuckDBPyConnection) -> list[Row]:
    return [measure_one(name, data, bare, case) for case in cases()]


def measure_one(name: str, data: object, bare: duckdb.DuckDBPyConnection, case: Case) -> Row:
    job, bits, share = (
        compile_question(case.question, schema()),
        SystemBits(),
        Share("laplace", ONE),
    )
    with open_source(data, schema(), job.request.used_columns()) as source:

        def noisy() -> None:
            job.answer(source.moments([job.request], run_key(bits))[0], share, 1.0, bits)

        return compared(
            name,
            case,
            lambda: bare.execute(case.bare).fetchall(),
            lambda: source.moments([job.request], run_key(bits)),
            noisy,
        )


def ledger_ms(folder: str) -> float:
    """Reserve and commit, both on the disk before they return."""
    cost = Cost(1, 0, 1, Relation.ADD_REMOVE)
    charge = Charge("town", "row", cost, Cap(10**9), plan_hash="0" * 64)
    path = Path(folder) / "town.ledger"
    with Ledger.open(path, create=True, relation=Relation.ADD_REMOVE) as ledger:

        def pay() -> None:
            reserved = ledger.reserve(charge)
            assert isinstance(reserved, Reservation)
            ledger.commit(reserved, b"{}" * 500)

        return median(ms for (ms,) in in_turns([pay]))


def over_parquet(table: pa.Table, folder: str) -> list[Row]:
    path = Path(folder) / "town.parquet"
    parquet.write_table(table, path)
    with duckdb.connect(":memory:") as bare:
        bare.execute(f"CREATE VIEW t AS SELECT * FROM read_parquet('{path}')")
        return measure("Parquet", path, bare)


def over_memory(table: pa.Table) -> list[Row]:
    with duckdb.connect(":memory:") as bare:
        bare.register("t", table)
        return measure("memory", table, bare)


def shown(rows: list[Row], count: int) -> Table:
    table = Table(title=f"Engine against bare DuckDB, {count:,} rows")
    for column in ("source", "query"):
        table.add_column(column)
    for column in ("bare ms", "engine ms", "with noise ms", "ratio", "goal"):
        table.add_column(column, justify="right")
    for row in rows:
        goal = "" if row.goal is None else f"≤ {row.goal}"
        missed = row.goal is not None and row.ratio > row.goal
        ratio = f"[red]{row.ratio:.2f}[/]" if missed else f"{row.ratio:.2f}"
        times = (f"{row.bare_ms:.2f}", f"{row.engine_ms:.2f}", f"{row.noisy_ms:.2f}")
        table.add_row(row.source, row.query, *times, ratio, goal)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    table = people(asked.rows)
    # The folder of the benchmark's own made data; the engine itself writes none.
    with tempfile.TemporaryDirectory() as folder:
        rows = over_parquet(table, folder) + over_memory(table)
        paid = ledger_ms(folder)
    console = Console(width=100)
    console.print(shown(rows, asked.rows))
    console.print(f"The ledger's reserve and commit, both synced to disk: {paid:.2f} ms a release.")
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    facts: dict[str, object] = {
        "rows": asked.rows,
        "machine": platform.machine(),
        "duckdb": duckdb.__version__,
    }
    facts["ledger_ms"] = paid
    asked.json.write_text(json.dumps({**facts, "queries": [asdict(row) for row in rows]}, indent=2))


if __name__ == "__main__":
    main()

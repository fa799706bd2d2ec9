"""What do clipping, grids and declared groups cost over the bare query on Spark?

    .venv/bin/python benchmarks/spark.py [--rows 10000000] [--json out.json]

Writes the made town of queries.py as Parquet files, starts Spark on this machine (local[2]), and
times engine and noise against the bare SQL in the same session, turn by turn, best of several.
Goal: at most 1.25 times the bare query for a count, a sum, a histogram of 100 groups and a two-way
table. Harder sums are shown beside.
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet
from rich.console import Console

import queries
from queries import GOAL, ONE, Case, Row, best_of, people, schema, shown
from sudare.engines.spark import session
from sudare.engines.spark.open import open_spark
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from sudare.randomness.bits import SystemBits, run_key

ROWS = 10_000_000
FILES = 10
MASTER = "local[2]"
# A query on Spark takes a second where DuckDB takes some milliseconds.
REPEATS = 7
RESULTS = Path(__file__).parent / "results" / "spark.json"


def write(table: pa.Table, folder: str) -> str:
    size = -(-table.num_rows // FILES)
    for number in range(FILES):
        part = table.slice(number * size, size)
        parquet.write_table(part, Path(folder) / f"{number}.parquet")
    return str(Path(folder) / "*.parquet")


def measure(pattern: str, case: Case) -> Row:
    job, bits = compile_question(case.question, schema()), SystemBits()
    leased = session.lease(None, MASTER)
    bare = leased.session
    bare.read.parquet(pattern).createOrReplaceTempView("t")
    with open_spark(pattern, schema(), job.request.used_columns(), MASTER) as source:

        def noisy() -> None:
            found = source.moments([job.request], run_key(bits))[0]
            job.answer(found, Share("laplace", ONE), 1.0, bits)

        bare_ms, engine_ms, noisy_ms = best_of(
            [
                lambda: bare.sql(case.bare).collect(),
                lambda: source.moments([job.request], run_key(bits)),
                noisy,
            ]
        )
    leased.close()
    goal = GOAL if case.goal else None
    query = case.question + case.note
    return Row("Spark", query, bare_ms, engine_ms, noisy_ms, noisy_ms / bare_ms, goal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    queries.REPEATS = REPEATS
    with tempfile.TemporaryDirectory() as folder:
        pattern = write(people(asked.rows), folder)
        rows = [measure(pattern, case) for case in queries.cases()]
    session.stop()
    table = shown(rows, asked.rows)
    table.title = f"Engine against bare Spark, {asked.rows:,} rows, {MASTER}"
    Console(width=100).print(table)
    facts = {"rows": asked.rows, "machine": platform.machine(), "master": MASTER}
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    asked.json.write_text(json.dumps({**facts, "queries": [asdict(row) for row in rows]}, indent=2))


if __name__ == "__main__":
    main()

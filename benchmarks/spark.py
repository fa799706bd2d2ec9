"""What do clipping, grids and declared groups cost over the bare query, on Spark?

    .venv/bin/python benchmarks/spark.py [--rows 10000000] [--json out.json]

As benchmarks/queries.py: engine and noise against Spark's own query on the same Spark (local[2]),
over the same Parquet file, in rounds of turns. Goal: at most 1.25 times the bare query for every
one of them, harder sums, a mean, variances and a covariance among them.
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

import pyspark
from pyarrow import parquet
from rich.console import Console

from queries import ONE, ROWS, Case, Row, cases, compared, people, schema, shown
from sudare.engines.spark.open import open_spark
from sudare.engines.spark.session import Lease, lease
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from sudare.randomness.bits import SystemBits, run_key

MASTER = "local[2]"
RESULTS = Path(__file__).parent / "results" / "spark.json"
MATRIX = "SELECT var_pop(hours), covar_pop(hours, income), var_pop(income) FROM t"
MORE = [
    Case("mean(hours)", "SELECT avg(hours) FROM t", note=", real"),
    Case("variance(hours)", "SELECT var_pop(hours) FROM t", note=", real"),
    Case("variance(hours) by g", "SELECT g, var_pop(hours) FROM t GROUP BY g"),
    Case("covariance(hours, income)", MATRIX),
]


def measure(path: Path, bare: Lease, case: Case) -> Row:
    job, bits, share = (
        compile_question(case.question, schema()),
        SystemBits(),
        Share("laplace", ONE),
    )
    with open_spark(path, schema(), job.request.used_columns(), MASTER) as source:

        def noisy() -> None:
            job.answer(source.moments([job.request], run_key(bits))[0], share, 1.0, bits)

        return compared(
            "Parquet",
            case,
            lambda: bare.session.sql(case.bare).collect(),
            lambda: source.moments([job.request], run_key(bits)),
            noisy,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "town.parquet"
        parquet.write_table(people(asked.rows), path)
        bare = lease(None, MASTER)
        bare.session.read.parquet(str(path)).createOrReplaceTempView("t")
        # DuckDB's goal leaves out the harder sums; Spark's does not.
        asked_of = [*(replace(case, goal=True) for case in cases()), *MORE]
        rows = [measure(path, bare, case) for case in asked_of]
        bare.close()
    table = shown(rows, asked.rows)
    table.title = f"Engine against bare Spark on {MASTER}, {asked.rows:,} rows"
    Console(width=100).print(table)
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    facts = {"rows": asked.rows, "machine": platform.machine(), "pyspark": pyspark.__version__}
    found = {**facts, "master": MASTER, "queries": [asdict(row) for row in rows]}
    asked.json.write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()

"""What do clipping, grids and declared groups cost over the bare query inside PostgreSQL?

    .venv/bin/python benchmarks/postgres.py [--rows 2000000] [--json out.json]

Starts a throw-away server on loopback, loads the made town of queries.py, and times engine and
noise against the bare SQL on the same server in the same run, in rounds as queries.py does. Goal:
at most 1.25 times the bare query for counts, sums, a histogram of 100 groups and a two-way table.
Statistics of real columns, variances and a covariance stand against two statements: the plain one,
which neither clips nor rounds and sums doubles, and the same statistic of the values between the
declared bounds as one writes it by hand (`by hand`), which is held to the goal too. A bound on the
rows of a unit and the stream of batches are shown beside.
"""

from __future__ import annotations

import argparse
import io
import json
import platform
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

import pyarrow as pa
import pyarrow.csv
from rich.console import Console

from queries import ONE, Case, Row, compared, people, schema, shown
from sudare.engines.postgres.open import open_postgres
from sudare.facts.schema import Schema, make_schema
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from sudare.randomness.bits import SystemBits, run_key

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support import postgres

ROWS = 2_000_000
VISITS_A_PERSON = 4
HOURS, AGE = "least(greatest(hours, 0), 80)", "least(greatest(age, 0), 90)"
MATRIX = "SELECT var_pop({0}), covar_pop({0}, {1}), var_pop({1}) FROM t"
BY_HAND = ", by hand"
RESULTS = Path(__file__).parent / "results" / "postgres.json"
TABLE = """
CREATE TABLE town (
    income bigint, wealth bigint, hours double precision, g text, a text, b text
)
"""
FILL = "COPY town (income, wealth, hours, g, a, b) FROM STDIN (FORMAT csv)"
MORE = f"""
CREATE TABLE t AS
SELECT income, wealth, hours, g, a, b, (income % 100)::integer AS age,
       (row_number() OVER () / {VISITS_A_PERSON})::integer AS who
FROM town
"""


def cases() -> list[Case]:
    return [
        Case("count()", "SELECT count(*) FROM t"),
        Case("sum(income)", "SELECT sum(income) FROM t"),
        Case("histogram(g)", "SELECT g, count(*) FROM t GROUP BY g"),
        Case("count() by (a, b)", "SELECT a, b, count(*) FROM t GROUP BY a, b"),
        Case("sum(wealth)", "SELECT sum(wealth) FROM t", note=", 1 % clipped"),
        Case("sum(age)", "SELECT sum(age) FROM t", note=", 4 bytes"),
        *both("sum(hours)", "SELECT sum({0}) FROM t", ", real"),
        *both("mean(hours)", "SELECT avg({0}) FROM t", ", real"),
        *both("variance(hours)", "SELECT var_pop({0}) FROM t", ", real"),
        *both("variance(age)", "SELECT var_pop({1}) FROM t", ", 4 bytes"),
        *both("variance(hours) by g", "SELECT g, var_pop({0}) FROM t GROUP BY g"),
        *both("covariance(hours, age)", MATRIX),
    ]


def both(question: str, statement: str, note: str = "") -> tuple[Case, Case]:
    """A question against the plain statement, and against the one that clips as declared."""
    plain, clipped = statement.format("hours", "age"), statement.format(HOURS, AGE)
    return Case(question, plain, False, note), Case(question, clipped, True, note + BY_HAND)


def with_age(bounded: bool = False) -> Schema:
    """The schema of queries.py with an age; `bounded` protects persons, of at most 3 rows each."""
    facts: dict[str, Any] = schema().model_dump(exclude_defaults=True)
    facts["columns"]["age"] = {"type": "integer", "min": 0, "max": 90}
    facts["columns"]["who"] = {"type": "key"}
    if bounded:
        facts["table"] |= {"unit": "who", "max_rows_per_unit": VISITS_A_PERSON - 1}
    return make_schema(facts)


def load(url: str, table: pa.Table) -> None:
    import psycopg

    buffer = io.BytesIO()
    pyarrow.csv.write_csv(table, buffer, pyarrow.csv.WriteOptions(include_header=False))
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(TABLE)
        with db.cursor() as cursor, cursor.copy(FILL) as copy:
            copy.write(buffer.getvalue())
        for statement in (MORE, "DROP TABLE town", "VACUUM ANALYZE t"):
            db.execute(statement)


def measure(url: str, case: Case, facts: Schema) -> Row:
    import psycopg

    job, bits = compile_question(case.question, facts), SystemBits()
    columns = job.request.used_columns()
    with (
        psycopg.connect(url, autocommit=True) as bare,
        open_postgres(f"{url}#public.t", facts, columns) as source,
    ):

        def noisy() -> None:
            found = source.moments([job.request], run_key(bits))[0]
            job.answer(found, Share("laplace", ONE), 1.0, bits)

        return compared(
            "PostgreSQL",
            case,
            lambda: bare.execute(case.bare).fetchall(),  # type: ignore[arg-type]
            lambda: source.moments([job.request], run_key(bits)),
            noisy,
        )


def bounded_seconds(url: str) -> float:
    """A sum under a bound that every unit exceeds: each row is hashed and ranked."""
    request = compile_question("sum(income)", with_age(bounded=True)).request
    with open_postgres(f"{url}#public.t", with_age(bounded=True), {"income"}) as source:
        start = perf_counter()
        source.moments([request], bytes(32))
        return perf_counter() - start


def streamed(url: str, rows: int) -> float:
    """Rows a second through batches of 100,000, five columns each."""
    columns = ["income", "hours", "g", "a", "b"]
    with open_postgres(f"{url}#public.t", with_age(), columns) as source:
        start = perf_counter()
        counted = sum(batch.num_rows for batch in source.batches(columns, bytes(32)))
        seconds = perf_counter() - start
    assert counted == rows
    return rows / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    missing = postgres.missing()
    if missing is not None:
        sys.exit(missing)
    with tempfile.TemporaryDirectory() as folder, postgres.private(Path(folder)) as server:
        with server.connect() as admin:
            # The table is to fit, as it would on a server of its size.
            admin.execute("ALTER SYSTEM SET shared_buffers = '1GB'")
            (version,) = admin.execute("SHOW server_version").fetchone()
        server.restart("fast")
        with server.database() as url:
            load(url, people(asked.rows))
            rows = [measure(url, case, with_age()) for case in cases()]
            seconds, rate = bounded_seconds(url), streamed(url, asked.rows)
    console = Console(width=100)
    table = shown(rows, asked.rows)
    table.title = f"Engine against bare PostgreSQL, {asked.rows:,} rows"
    console.print(table)
    console.print(f"A sum in which every unit is over its limit: {seconds:.1f} s.")
    console.print(f"Batches: {rate:,.0f} rows of five columns a second.")
    facts = {"rows": asked.rows, "machine": platform.machine(), "postgresql": version}
    facts |= {
        "bounded_seconds": seconds,
        "batch_rows_a_second": rate,
        "queries": [asdict(row) for row in rows],
    }
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    asked.json.write_text(json.dumps(facts, indent=2))


if __name__ == "__main__":
    main()

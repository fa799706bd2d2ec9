"""A run that dies between paying and answering: on PostgreSQL and on Spark the charge stays, its
key stays closed, and no noise is drawn twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from sudare.facts.errors import BudgetRefused
from sudare.facts.plan import Plan, read_epsilon
from sudare.facts.schema import Schema, make_schema
from sudare.ledger.entries import Reserved
from sudare.ledger.ledger import Ledger
from sudare.ledger.stores import is_there
from sudare.publish.ask import ask
from support import spark

FACTS = {
    "table": {"name": "people"},
    "budget": {"epsilon": 3.0},
    "columns": {"age": {"type": "integer", "min": 0, "max": 120}},
}
SCHEMA: Schema = make_schema(FACTS)
PLAN = Plan(("sum(age)",), read_epsilon("1"))
RUN = f"""
import sys
from sudare.facts.engine import EngineChoice
from sudare.facts.plan import Plan, read_epsilon
from sudare.facts.schema import make_schema
from sudare.publish.ask import ask

data, ledger, engine = sys.argv[1:]
ask(data, make_schema({FACTS!r}), Plan(("sum(age)",), read_epsilon("1")), ledger=ledger,
    key="monday", engine=EngineChoice(engine))
"""
PATIENCE_SECONDS = 120


def is_charged(place: str) -> bool:
    if not is_there(place):
        return False
    with Ledger.open(place) as ledger:
        return any(isinstance(entry.body, Reserved) for entry in ledger.entries())


def killed_after_reserve(data: str, place: str, engine: str) -> None:
    """Run the question in a child and kill it the moment its charge is in the ledger."""
    child = subprocess.Popen(
        [sys.executable, "-c", RUN, data, place, engine],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    end = time.monotonic() + PATIENCE_SECONDS
    try:
        while not is_charged(place):
            assert child.poll() is None, child.stderr.read().decode()  # type: ignore[union-attr]
            assert time.monotonic() < end
            time.sleep(0.02)
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def check_what_is_left(place: str, again: Callable[[str], object]) -> None:
    with Ledger.open(place) as ledger:
        assert ledger.balance("people").spent.epsilon == 1
        assert ledger.verify().ok
    with pytest.raises(BudgetRefused, match="has not finished"):
        again("monday")
    again("tuesday")
    with Ledger.open(place) as ledger:
        assert ledger.balance("people").spent.epsilon == 2
        assert ledger.verify().ok


@pytest.fixture
def people(postgres_url: str) -> str:
    """A table, and a view of it that takes for ever, but only once its rows are asked for."""
    import psycopg

    with psycopg.connect(postgres_url) as db:
        db.execute("CREATE TABLE people AS SELECT i % 100 AS age FROM generate_series(1, 100) i")
        db.execute(
            "CREATE VIEW slow AS SELECT age FROM people, LATERAL "
            f"(SELECT pg_sleep({PATIENCE_SECONDS} / 100.0 + age * 0)) AS s"
        )
    return postgres_url


@pytest.mark.parametrize("ledger", ["sqlite", "postgresql"])
def test_the_driver_dies_while_postgresql_computes(
    ledger: str, people: str, tmp_path: Path
) -> None:
    place = people if ledger == "postgresql" else str(tmp_path / "people.ledger")
    killed_after_reserve(f"{people}#slow", place, "auto")
    check_what_is_left(
        place, lambda key: ask(f"{people}#people", SCHEMA, PLAN, ledger=place, key=key)
    )


@pytest.mark.integration
def test_the_driver_dies_while_spark_computes(tmp_path: Path) -> None:
    reason = spark.missing()
    if reason is not None:
        pytest.skip(reason)
    data, place = str(tmp_path / "people.parquet"), str(tmp_path / "people.ledger")
    parquet.write_table(pa.table({"age": [i % 100 for i in range(1000)]}), data)
    killed_after_reserve(data, place, "spark")
    check_what_is_left(place, lambda key: ask(data, SCHEMA, PLAN, ledger=place, key=key))

"""The kind of data decides which engine reads it, unless the user has chosen."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from sudare.engines.choose import beside, engine_of, is_spark_frame
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import UsageError

TABLE = "postgresql://analyst:secret@localhost/db#public.people"


class DataFrame:
    """Looks like Spark's, as far as names go."""


DataFrame.__module__ = "pyspark.sql.classic.dataframe"


@pytest.mark.parametrize(
    ("data", "choice", "engine"),
    [
        ("people.csv", AUTO, "duckdb"),
        (Path("people.parquet"), AUTO, "duckdb"),
        (pa.table({"v": [1]}), AUTO, "duckdb"),
        ("people/*.parquet", EngineChoice("duckdb"), "duckdb"),
        ("people/*.parquet", EngineChoice("spark"), "spark"),
        (pa.table({"v": [1]}), EngineChoice("spark", "local[2]"), "spark"),
        ("s3a://bucket/people/*.parquet", EngineChoice("spark"), "spark"),
        (TABLE, AUTO, "postgresql"),
        (TABLE, EngineChoice("postgresql"), "postgresql"),
        (DataFrame(), AUTO, "spark"),
        (DataFrame(), EngineChoice("spark"), "spark"),
    ],
)
def test_data_and_choice_go_together(data: object, choice: EngineChoice, engine: str) -> None:
    assert engine_of(data, choice) == engine


@pytest.mark.parametrize(
    ("data", "choice"),
    [
        (TABLE, EngineChoice("spark")),
        (TABLE, EngineChoice("duckdb")),
        (DataFrame(), EngineChoice("duckdb")),
        ("people.csv", EngineChoice("postgresql")),
        ("s3a://key:secret@bucket/people/*.parquet", AUTO),
        ("hdfs://host/secret/people.parquet", EngineChoice("duckdb")),
    ],
)
def test_what_does_not_go_together_is_refused(data: object, choice: EngineChoice) -> None:
    with pytest.raises(UsageError) as refusal:
        engine_of(data, choice)
    assert "secret" not in str(refusal.value) + refusal.value.hint


@pytest.mark.parametrize(
    ("data", "chosen", "engine"),
    [
        ("people.csv", "postgresql", "duckdb"),
        ("people.csv", "duckdb", "duckdb"),
        ("people.csv", "spark", "spark"),
        (TABLE, "spark", "postgresql"),
        (TABLE, "duckdb", "postgresql"),
        (DataFrame(), "duckdb", "spark"),
    ],
)
def test_what_is_read_beside_the_data_may_lie_elsewhere(
    data: object, chosen: str, engine: str
) -> None:
    assert engine_of(data, beside(data, EngineChoice(chosen))) == engine


def test_other_frames_are_not_taken_for_sparks() -> None:
    assert not is_spark_frame(pa.table({"v": [1]}))
    assert not is_spark_frame("DataFrame")


@pytest.mark.parametrize(
    "facts", [("sparc", None, None), ("auto", "local[*]", None), ("duckdb", None, object())]
)
def test_a_choice_that_makes_no_sense_is_refused(facts: tuple[str, str | None, object]) -> None:
    with pytest.raises(UsageError):
        EngineChoice(*facts)  # type: ignore[arg-type]

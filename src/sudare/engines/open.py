"""Open a table for one run: the structure is checked here, before anything is charged."""

from __future__ import annotations

from collections.abc import Collection

from sudare.engines.choose import engine_of
from sudare.engines.source import Source
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.schema import Schema


def open_source(
    data: object, schema: Schema, columns: Collection[str], choice: EngineChoice = AUTO
) -> Source:
    """Check the structure of `data` and prepare to read what `columns` (and the unit column) need.

    `data` is a path (.csv, .tsv, either with .gz, .parquet), a pattern of Parquet files, the
    address of a table in PostgreSQL, a Spark DataFrame, or an object with __arrow_c_stream__.
    """
    for name in columns:
        schema.column(name)
    # An engine is imported when it is needed: none of the three is light.
    match engine_of(data, choice):
        case "postgresql":
            from sudare.engines.postgres.open import open_postgres

            return open_postgres(str(data), schema, columns)
        case "spark":
            from sudare.engines.spark.open import open_spark

            return open_spark(data, schema, columns, choice.master, choice.session)
        case "duckdb":
            from sudare.engines.duck import open_duck

            return open_duck(data, schema, columns)

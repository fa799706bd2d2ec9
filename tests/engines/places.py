"""Where the tables of the one engine suite are laid, and how they are opened there.

`place(engine, request)` is a context manager that gives a function from a table in Arrow, a schema
and columns to an opened `Source`. Whatever the engine needs is started once for all of them; an
engine that is not installed skips the test and says why. Spark's place is `spark_place.place`.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pyarrow as pa
import pytest

from sudare.engines.duck import open_duck
from sudare.engines.source import Source
from sudare.facts.schema import Schema

OpenAt = Callable[[pa.Table, Schema, Collection[str]], Source]
ENGINES = ("duckdb", "postgresql", "spark")
_SIMPLE = {
    pa.bool_(): "boolean",
    pa.int8(): "smallint",
    pa.int16(): "smallint",
    pa.int32(): "integer",
    pa.int64(): "bigint",
    pa.uint8(): "smallint",
    pa.uint16(): "integer",
    pa.uint32(): "bigint",
    pa.uint64(): "numeric(20, 0)",
    pa.float32(): "real",
    pa.float64(): "double precision",
    pa.date32(): "date",
    pa.string(): "text",
    pa.large_string(): "text",
    pa.null(): "text",
}


def place(engine: str, request: pytest.FixtureRequest) -> AbstractContextManager[OpenAt]:
    """Where an engine's tables are; what is missing skips the test."""
    if engine == "spark":
        module = pytest.importorskip(
            "engines.spark_place", reason="there is no Spark in these tests"
        )
        found: AbstractContextManager[OpenAt] = module.place(request)
        return found
    return {"duckdb": _duckdb, "postgresql": _postgresql}[engine](request)


@contextmanager
def _duckdb(request: pytest.FixtureRequest) -> Iterator[OpenAt]:
    yield open_duck


@contextmanager
def _postgresql(request: pytest.FixtureRequest) -> Iterator[OpenAt]:
    server = request.getfixturevalue("postgres_server")
    from sudare.engines.postgres.open import open_postgres

    numbers = itertools.count()
    with server.database() as url:

        def open_at(table: pa.Table, schema: Schema, columns: Collection[str]) -> Source:
            name = f"t{next(numbers)}"
            load(url, name, table)
            return open_postgres(f"{url}#public.{name}", schema, columns)

        yield open_at


def load(url: str, name: str, table: pa.Table, kinds: dict[str, str] | None = None) -> None:
    """Lay a table down in PostgreSQL, in the types nearest to Arrow's unless `kinds` says other."""
    import psycopg
    from psycopg import sql

    columns = [
        sql.SQL("{} {}").format(
            sql.Identifier(field.name),
            sql.SQL((kinds or {}).get(field.name) or postgres_type(field.type)),  # type: ignore[arg-type]
        )
        for field in table.schema
    ]
    target = sql.Identifier(name)
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(sql.SQL("CREATE TABLE {} ({})").format(target, sql.SQL(", ").join(columns)))
        copy = sql.SQL("COPY {} FROM STDIN").format(target)
        with db.cursor() as cursor, cursor.copy(copy) as writer:
            for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
                writer.write_row([_plain(value) for value in row])


def postgres_type(kind: pa.DataType) -> str:
    """PostgreSQL's name for an Arrow type."""
    if pa.types.is_dictionary(kind):
        return postgres_type(kind.value_type)
    if pa.types.is_decimal(kind):
        return f"numeric({kind.precision}, {kind.scale})"
    if pa.types.is_timestamp(kind):
        return "timestamp" if kind.tz is None else "timestamptz"
    return "uuid" if isinstance(kind, pa.UuidType) else _SIMPLE[kind]


def _plain(value: Any) -> Any:
    """Instants in their own zone; psycopg would ask for a zone database."""
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        return value.astimezone(dt.UTC)
    return value

"""What the tests of PostgreSQL share: statements, and tables made of SQL."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from engines.tables import KEY
from sudare.engines.postgres.open import open_postgres
from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.schema import Schema


def execute(url: str, *statements: str) -> list[tuple[Any, ...]]:
    """Run statements as the owner of the database; the rows of the last."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as db:
        for statement in statements:
            cursor = db.execute(statement)  # type: ignore[arg-type]
        return cursor.fetchall() if cursor.description else []


def ask(place: str, schema: Schema, *requests: MomentsRequest, key: bytes = KEY) -> list[Moments]:
    """Open, ask and close."""
    columns = frozenset().union(*(request.used_columns() for request in requests))
    with open_postgres(place, schema, columns) as source:
        return source.moments(requests, key)


def count(place: str, schema: Schema) -> int:
    return ask(place, schema, MomentsRequest())[0].rows[0][0]


def cleaned(place: str, schema: Schema, columns: Collection[str] = ("v",)) -> list[Any]:
    """The cleaned values of one column, or rows of several, in the order of the table's heap."""
    names = list(columns)
    with open_postgres(place, schema, names) as source:
        rows = [row for batch in source.batches(names, KEY) for row in batch.to_pylist()]
    return [tuple(row.values()) if len(names) > 1 else row[names[0]] for row in rows]

"""Spark's place in the one engine suite."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

import pyarrow as pa
import pytest

from engines.places import OpenAt
from sudare.engines.source import Source
from sudare.engines.spark.open import open_spark
from sudare.facts.schema import Schema


@contextmanager
def place(request: pytest.FixtureRequest) -> Iterator[OpenAt]:
    master = request.getfixturevalue("spark_master")

    def open_at(table: pa.Table, schema: Schema, columns: Collection[str]) -> Source:
        return open_spark(table, schema, columns, master)

    yield open_at

"""Which engine reads a piece of data: the kind of data decides unless the user has chosen."""

from __future__ import annotations

import os
import re
from typing import Literal

from sudare.facts.address import check_place, is_address
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import UsageError

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
Name = Literal["duckdb", "postgresql", "spark"]


def engine_of(data: object, choice: EngineChoice) -> Name:
    """The engine for `data`, or the refusal where data and choice do not go together."""
    if isinstance(data, (str, os.PathLike)):
        check_place(data)
    if isinstance(data, str) and is_address(data):
        _agree(choice, "postgresql", "A table in PostgreSQL is read by PostgreSQL itself.")
        return "postgresql"
    if is_spark_frame(data):
        _agree(choice, "spark", "A Spark DataFrame is read by Spark itself.")
        return "spark"
    if choice.name == "postgresql":
        raise UsageError(
            "PostgreSQL reads its own tables only.",
            "Name one: postgresql://user@host/database#schema.table.",
        )
    if choice.name == "spark":
        return "spark"
    if isinstance(data, str) and is_remote(data) and not os.path.exists(data):
        raise UsageError("Files at an address are read by Spark.", "Add --engine spark.")
    return "duckdb"


def is_remote(name: str) -> bool:
    """Whether this is the address of files, such as s3a://… or hdfs://…"""
    return _ADDRESS.match(name) is not None


def beside(data: object, choice: EngineChoice) -> EngineChoice:
    """The choice for what a job reads beside its data. That may lie elsewhere, so its own kind
    decides, unless the user chose Spark, which reads everything but tables in PostgreSQL."""
    is_table = isinstance(data, str) and is_address(data)
    return choice if choice.name == "spark" and not is_table else AUTO


def is_spark_frame(data: object) -> bool:
    """Whether this is a DataFrame of Spark, told without importing Spark."""
    kinds = [kind for kind in type(data).__mro__ if kind.__module__.startswith("pyspark.sql")]
    return any(kind.__name__ == "DataFrame" for kind in kinds)


def _agree(choice: EngineChoice, engine: str, why: str) -> None:
    if choice.name not in ("auto", engine):
        raise UsageError(why, f"Leave the engine out, or choose {engine}.")

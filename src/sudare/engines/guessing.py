"""The type of each column of a file: from its storage, or for text files from whether all of its
values parse. Nothing but the type leaves this module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from sudare.engines.border import gave_up, guarded
from sudare.engines.connection import ROWS, attach, connect
from sudare.engines.duck_types import physical_of
from sudare.engines.inputs.csv_input import CsvInput
from sudare.engines.inputs.find import Input
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell, Physical
from sudare.engines.sql.verdicts import FINE, verdict
from sudare.facts.schema import Column, ColumnType

if TYPE_CHECKING:
    import duckdb

BY_STORAGE: dict[str, ColumnType] = {
    "null": "text",
    "boolean": "boolean",
    "integer": "integer",
    "float": "real",
    "decimal": "real",
    "date": "date",
    "timestamp": "date",
    "text": "category",
    "other": "text",
}
# In this order: 0 and 1 are whole numbers first, and every whole number is a real one.
_TRIED: tuple[ColumnType, ...] = ("integer", "real", "date", "boolean")


def guess_types(source: Input) -> dict[str, ColumnType | None]:
    """A type for every column; None for storage that no type can read."""
    with connect() as connection:
        attached = attach(connection, source, range(len(source.names)), types_only=True)
        if isinstance(source, CsvInput):
            guesses = [_parsed(connection, f"c{n}") for n in range(len(source.names))]
        else:
            guesses = [_stored(kind) for kind in attached.types]
    return dict(zip(source.names, guesses, strict=True))


def _stored(kind: str) -> ColumnType | None:
    physical = physical_of(kind)
    return None if physical is None else BY_STORAGE[physical.kind]


def _parsed(connection: duckdb.DuckDBPyConnection, alias: str) -> ColumnType | None:
    """The first type that all values of a text column have; text if there is no value at all."""
    tests = [sql.named(_all_are(each, alias), each) for each in _TRIED]
    blank = sql.named(exp.LogicalAnd(this=_is(alias, "category", "missing")), "blank")
    query = sql.select(blank, *tests).from_(exp.to_table(ROWS), copy=False).sql("duckdb")
    row = guarded(lambda: connection.execute(query).fetchall()[0], gave_up())
    if row[0] is not False:
        return "text"
    return next((kind for kind, holds in zip(_TRIED, row[1:], strict=True) if holds), "category")


def _all_are(kind: ColumnType, alias: str) -> Sql:
    either = exp.or_(_is(alias, kind, FINE), _is(alias, kind, "missing"))
    return exp.LogicalAnd(this=either)


def _is(alias: str, kind: ColumnType, wanted: str) -> Sql:
    cell = Cell(alias, Column(type=kind), Physical("text"), alias)
    return sql.equal(verdict(cell), sql.text(wanted))

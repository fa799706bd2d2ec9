"""Columns of a file as codes, through the values that the schema cleans.

Numbers with declared bounds become grid indices, categories their labels, and everything else, as
well as every column of a file without a schema, the stored value as text without blanks around it.
Only distinct values are looked at one by one; the rows stay in Arrow. The order of the rows is
kept, so that the owner can be told their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
from sqlglot import exp

from sudare.engines.border import gave_up, guarded
from sudare.engines.choose import engine_of
from sudare.engines.classes_code import Coded, coded
from sudare.engines.connection import ROWS, attach, connect
from sudare.engines.duck_types import physical_of
from sudare.engines.inputs.find import find_input
from sudare.engines.layout import layout_of
from sudare.engines.open import open_source
from sudare.engines.sql import category, clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.physical import Cell, Physical
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidFile, InvalidPlan, UnknownColumn, UsageError
from sudare.facts.schema import NUMERIC, Column, Schema, Table


def read_coded(
    data: object,
    names: Sequence[str],
    schema: Schema | None,
    choice: EngineChoice = AUTO,
    people: str | None = None,
) -> list[Coded]:
    """The named columns as codes; those of a file or a dataframe in the order of its rows. The
    column that names people comes last, if it is not named among the others, and as what it is: a
    name, not a number within bounds, so that no two people become one."""
    if people is not None and people not in names:
        names, schema = [*names, people], _named_people(people, schema)
    if engine_of(data, choice) == "duckdb":
        cells, columns = _from_file(data, names, schema, people)
    else:
        cells, columns = _from_elsewhere(data, names, schema, choice)
    if not columns or len(columns[0]) == 0:
        raise InvalidFile("The data has no rows.", "Check that this is the right file.")
    return [coded(cell, column) for cell, column in zip(cells, columns, strict=True)]


def _named_people(people: str, schema: Schema | None) -> Schema | None:
    if schema is None:
        return None
    columns = {**schema.columns, people: Column(type="key")}
    return schema.model_copy(update={"columns": columns})


def _absent(name: str, people: str | None) -> InvalidPlan:
    if name == people:
        return InvalidPlan(
            f"The data has no column '{name}', which says whose record each is.",
            "Name another with --unit, or --unit row if every record is another person's.",
        )
    return InvalidPlan(
        f"The data has no column '{name}'.",
        "Check the spelling in the header, capitals and blanks included.",
    )


def _from_file(
    data: object, names: Sequence[str], schema: Schema | None, people: str | None
) -> tuple[list[Cell], list[pa.ChunkedArray]]:
    table = Table(name="?") if schema is None else schema.table
    source = find_input(data, table.encoding, table.delimiter)
    for name in names:
        if name not in source.names:
            raise _absent(name, people)
    with connect() as connection:
        attached = attach(connection, source, [source.names.index(name) for name in names])
        physical = [physical_of(kind) for kind in attached.types]
        layout = layout_of(_lenient(names, schema), names, physical)
        cells = [layout[name] for name in names]
        shown = [sql.named(_value(cell), f"v{place}") for place, cell in enumerate(cells)]
        query = sql.select(*shown).from_(exp.to_table(ROWS), copy=False).sql("duckdb")
        found = guarded(lambda: connection.sql(query).to_arrow_table(), gave_up())
    return cells, found.columns


def _from_elsewhere(
    data: object, names: Sequence[str], schema: Schema | None, choice: EngineChoice
) -> tuple[list[Cell], list[pa.ChunkedArray]]:
    """A table of PostgreSQL or Spark, cleaned over there; its rows have no numbers."""
    if schema is None:
        raise InvalidPlan(
            "A table of PostgreSQL or Spark needs a schema.", "Name one with --schema."
        )
    every_row = schema.table.model_copy(update={"unit": "row", "max_rows_per_unit": None})
    cleaned = _lenient(names, schema).model_copy(update={"table": every_row})
    # All rows are kept, so the key that would choose among them has no part in the result.
    with open_source(data, cleaned, names, choice) as source:
        batches = list(source.batches(names, bytes(32)))
    cells = [Cell(name, cleaned.columns[name], Physical("index"), "") for name in names]
    columns = pa.Table.from_batches(batches).columns if batches else []
    return cells, [
        column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
        for column in columns
    ]


def _lenient(names: Sequence[str], schema: Schema | None) -> Schema:
    """The schema of these columns; what is not declared to the end is text."""
    plain = Column(type="key")
    if schema is None:
        bare_table = Table(name="?")
        return Schema(table=bare_table, columns=dict.fromkeys(names, plain))
    columns = {}
    for name in names:
        if name not in schema.columns:
            raise UnknownColumn(name, tuple(schema.columns))
        column = schema.columns[name]
        is_bare = column.min is None if column.type in NUMERIC else not column.values
        is_whole = column.type == "boolean" or not is_bare
        # A draft is good enough for its steward's own eyes.
        columns[name] = column.model_copy(update={"confirmed": True}) if is_whole else plain
    return schema.model_copy(update={"columns": columns})


def _value(cell: Cell) -> sql.Sql:
    if cell.physical.kind == "null":
        return sql.null("TEXT")
    if cell.column.type in NUMERIC:
        return sql.cast(clean.index(cell, cell.raw), "BIGINT")
    if cell.column.type == "category":
        return category.comparable(cell, cell.raw)
    return exp.Nullif(this=category.as_name(cell, cell.raw), expression=sql.text(""))


def column_names(data: object, table: Table | None, choice: EngineChoice = AUTO) -> tuple[str, ...]:
    """The names of the columns of a file or a table elsewhere; a dataframe can be read once only,
    so it is not asked."""
    if not isinstance(data, (str, Path)):
        raise UsageError(
            "Records are compared with a file or a table.", "Name a CSV or Parquet file."
        )
    if engine_of(data, choice) == "postgresql":
        from sudare.engines.postgres.steward import table_types

        return tuple(table_types(str(data))[1])
    if engine_of(data, choice) == "spark" and "://" in str(data):
        from sudare.engines.spark.steward import stored_types

        return tuple(stored_types(data, choice))
    facts = table or Table(name="?")
    return find_input(data, facts.encoding, facts.delimiter).names

"""Cleaned rows as records: indices for numbers, labels for categories, text for the rest."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from sqlglot import exp

from sudare.engines.sql import category, clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell
from sudare.facts.schema import NUMERIC


def records_query(cells: Sequence[Cell], table: str) -> exp.Select:
    """One column a cell: BIGINT indices and codes of labels, or text without empty texts."""
    query = sql.select().from_(exp.to_table(table), copy=False)
    for number, cell in enumerate(cells):
        alias = f"d{number}"
        values = category.code_table(cell, cell.column.values, alias) if _coded(cell) else None
        if values is not None:
            query = category.joined(query, cell, column_of(cell, table), values, alias)
        shown = sql.named(_shown(cell, table, alias, values is not None), f"o{number}")
        query = query.select(shown, copy=False)
    return query


def column_of(cell: Cell, table: str) -> Sql:
    """The raw column with its table, since a joined table stands beside it."""
    return sql.column(cell.alias, table)


def _coded(cell: Cell) -> bool:
    return cell.column.type == "category"


def _shown(cell: Cell, table: str, alias: str, joined: bool) -> Sql:
    raw = column_of(cell, table)
    if cell.column.type in NUMERIC:
        return sql.cast(clean.index(cell, raw), "BIGINT")
    if not _coded(cell):
        write = category.as_name if cell.column.type == "key" else category.as_text
        return exp.Nullif(this=write(cell, raw), expression=sql.text(""))
    code = sql.column("code", alias) if joined else sql.null("BIGINT")
    if cell.column.other is None:
        return sql.cast(code, "BIGINT")
    return sql.cast(sql.coalesce(code, sql.integer(len(cell.column.values))), "BIGINT")


# The labels of each column whose codes are to be replaced; None for the others.
Labels = tuple[tuple[str, ...] | None, ...]


def with_labels(batch: pa.RecordBatch, cells: Sequence[Cell]) -> pa.RecordBatch:
    """The batch under the names of the schema, codes replaced by their labels."""
    return labelled(batch, [cell.name for cell in cells], labels_of(cells))


def labels_of(cells: Sequence[Cell]) -> Labels:
    return tuple(_labels(cell) if _coded(cell) else None for cell in cells)


def _labels(cell: Cell) -> tuple[str, ...]:
    other = () if cell.column.other is None else (cell.column.other,)
    return (*cell.column.values, *other)


def labelled(batch: pa.RecordBatch, names: Sequence[str], labels: Labels) -> pa.RecordBatch:
    """As `with_labels`, from plain values, which go where no schema is."""
    arrays = [
        array
        if known is None
        else pa.DictionaryArray.from_arrays(array, pa.array(known, pa.string()))
        for array, known in zip(batch.columns, labels, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, list(names))

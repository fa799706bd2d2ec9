"""Where the declared columns lie in the view `rows`, and whether their storage can be read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sudare.engines.sql.physical import READABLE, Cell, Layout, Physical
from sudare.facts.errors import InvalidFile
from sudare.facts.schema import Schema


def wanted_columns(schema: Schema, columns: Collection[str]) -> tuple[str, ...]:
    """The columns to read, in the order of c0, c1, ...: those asked for, and the unit's."""
    units = () if schema.table.unit == "row" else (schema.table.unit,)
    return tuple(dict.fromkeys((*sorted(columns), *units)))


def layout_of(schema: Schema, names: Sequence[str], stored: Sequence[Physical | None]) -> Layout:
    """The cells c0, c1, ... of `rows`, or the refusal for a column whose storage does not fit its
    type."""
    cells = zip(names, stored, strict=False)
    return {
        name: _cell(schema, name, f"c{number}", physical)
        for number, (name, physical) in enumerate(cells)
    }


def _cell(schema: Schema, name: str, alias: str, physical: Physical | None) -> Cell:
    column = schema.columns[name]
    if physical is None or physical.kind not in READABLE[column.type]:
        raise InvalidFile(
            f"Column '{name}' is declared {column.type}, but the data stores it as another type.",
            f"Change type under [columns] in the schema, or store it as {column.type}.",
        )
    return Cell(name, column, physical, alias)

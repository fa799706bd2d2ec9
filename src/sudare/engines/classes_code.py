"""A column of cleaned values as codes, by Arrow's dictionary encoding.

Only distinct values are looked at one by one. Codes follow the order of the values: numbers and
text ascending, labels as they are declared, `other` after them; missing has the last code.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.engines.sql import category
from sudare.engines.sql.physical import Cell
from sudare.facts.coded import CodedColumn, Integers
from sudare.facts.schema import EPOCH, NUMERIC, Column


@dataclass(frozen=True)
class Coded:
    """One column: a code a row, and what the codes stand for (missing has the last, without a
    value). Values are grid indices of numbers and text of the rest."""

    column: CodedColumn
    codes: pa.Array
    values: pa.Array
    declared: Column

    def labels(self) -> list[str]:
        """The codes in words; missing is the empty text."""
        shown = [self._label(value) for value in self.values.to_pylist()]
        return shown + [""] * self.column.has_missing

    def _label(self, value: Any) -> str:
        match self.declared.type:
            case "boolean":
                return "true" if value else "false"
            case "date":
                return (EPOCH + dt.timedelta(days=value)).isoformat()
            case "real":
                # The step as it is written, so that 3 · 0.1 is 0.3; every digit, so that no two
                # values share a label.
                step = Fraction(str(self.declared.grid(self.column.name).step))
                return repr(float(value * step)).removesuffix(".0")
            case _:
                return str(value)


def coded(cell: Cell, column: pa.ChunkedArray) -> Coded:
    """The codes of a column of cleaned values."""
    encoded = column.dictionary_encode().combine_chunks()
    values = _values(cell, encoded)
    missing = len(values)
    places = pa.array(_places(cell, encoded.dictionary, values), pa.int32())
    # NULL is `other` where a category declares it, as in every other reading.
    other = cell.column.other
    filled = missing if other is None else values.to_pylist().index(other)
    codes = pc.fill_null(places.take(encoded.indices), filled)
    has_missing = bool(pc.max(codes).as_py() == missing)
    ordered = cell.column.type in NUMERIC and cell.column.type != "boolean"
    described = CodedColumn(cell.name, missing + has_missing, ordered, has_missing)
    return Coded(described, codes, values, cell.column)


def _values(cell: Cell, encoded: pa.DictionaryArray) -> pa.Array:
    """The value of each code: declared labels in their order, `other` after them; the rest
    ascending. A label that does not occur has no code."""
    if not _is_labelled(cell):
        return encoded.dictionary.take(pc.sort_indices(encoded.dictionary))
    shown = set(_shown(cell, encoded.dictionary))
    # An `other` that no row shows is kept: a NULL may need it, and a code may stay empty.
    other = [] if cell.column.other is None else [cell.column.other]
    present = [label for label in cell.column.values if label in shown]
    return pa.array([*present, *other], pa.string())


def _places(cell: Cell, dictionary: pa.Array, values: pa.Array) -> Integers:
    """The code of each entry of a dictionary; a label that is not declared is missing."""
    if not _is_labelled(cell):
        codes = np.empty(len(dictionary), np.int64)
        codes[pc.sort_indices(dictionary).to_numpy()] = np.arange(len(dictionary))
        return codes
    places = {label: place for place, label in enumerate(values.to_pylist())}
    shown = [places.get(label, len(values)) for label in _shown(cell, dictionary)]
    return np.array(shown, np.int64)


def _is_labelled(cell: Cell) -> bool:
    return cell.column.type == "category"


def _shown(cell: Cell, dictionary: pa.Array) -> list[str | None]:
    labels: dict[Any, str] = {}
    for label in cell.column.values:
        # What is clean already holds the labels themselves, blanks around them and all.
        is_clean = cell.physical.kind == "index"
        stored = label if is_clean else category.stored(cell, label)
        if stored is not None:
            labels.setdefault(_comparable(cell, stored), label)
    return [labels.get(value, cell.column.other) for value in dictionary.to_pylist()]


def _comparable(cell: Cell, stored: category.Stored) -> Any:
    match cell.physical.kind:
        case "integer":
            return int(str(stored))
        case "decimal":
            return Decimal(str(stored))
        case _:
            return stored

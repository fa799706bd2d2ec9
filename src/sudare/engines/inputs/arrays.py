"""Named arrays as a table, and columns of a dataframe as one array of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.engines.border import guarded
from sudare.engines.inputs.frame_input import open_frame
from sudare.engines.inputs.names import places_of
from sudare.facts.errors import InvalidFile, UsageError


def table_of(arrays: Mapping[str, NDArray[np.generic]], frame: object = None) -> object:
    """A table of these columns, after those of `frame` if one is given."""
    mixed = InvalidFile("An array mixes types.", "Give it one type: numbers, text or booleans.")
    uneven = UsageError("The columns differ in length.", "Give one value a row in each of them.")
    columns = {name: guarded(partial(pa.array, values), mixed) for name, values in arrays.items()}
    if frame is not None:
        reader = open_frame(frame)
        before = reader.table(range(len(reader.names)))
        columns = {name: before.column(name) for name in before.schema.names} | columns
    return guarded(lambda: pa.table(columns), uneven)


def numbers_of(frame: object, names: Sequence[str]) -> NDArray[np.float64]:
    """These columns of a dataframe, one row a row; what is missing is NaN."""
    reader = open_frame(frame)
    table = reader.table(places_of(names, reader.names))
    words = InvalidFile("A column of the rows holds no numbers.", "Give numbers for every column.")
    return np.column_stack([guarded(partial(_numbers, column), words) for column in table.columns])


def _numbers(column: pa.ChunkedArray) -> NDArray[np.float64]:
    if pa.types.is_date32(column.type):
        column = column.cast(pa.int32())
    found: NDArray[np.float64] = column.cast(pa.float64()).to_numpy()
    return found

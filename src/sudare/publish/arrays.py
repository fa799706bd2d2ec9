"""Arrays for the Python API: into a table that can be asked, and rows out of a dataframe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray


def as_table(arrays: Mapping[str, NDArray[np.generic]], frame: object = None) -> object:
    """A table of named arrays, beside the columns of `frame` if one is given."""
    from sudare.engines.inputs.arrays import table_of

    return table_of(arrays, frame)


def as_numbers(frame: object, names: Sequence[str]) -> NDArray[np.float64]:
    """Columns of a dataframe (pandas, polars, Arrow) as floats; what is missing is NaN."""
    from sudare.engines.inputs.arrays import numbers_of

    return numbers_of(frame, names)

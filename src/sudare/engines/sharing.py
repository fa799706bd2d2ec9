"""Different people by value and by cell, of rows in memory.

Claim    a person is counted once wherever any of their rows is. Rows without a value in the column
         that says whose they are count as one person's, which is never too many.
Needs    all rows at once (`held`): numbers of different people in parts do not add up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.engines.crossing import Leveled, Tally, level_codes
from sudare.engines.held import HeldRows
from sudare.engines.mapped import MISSING
from sudare.facts.sharing import Floats, Holders, Ints


def holders(held: HeldRows, tallies: Mapping[str, Tally]) -> dict[str, Holders]:
    """Who has which of the values of each tally."""
    return {name: _holders(held, name, found) for name, found in tallies.items()}


def _holders(held: HeldRows, name: str, found: Tally) -> Holders:
    values = held.columns[name]
    there = values != MISSING
    whole = (values[there] >> found.shift) << found.shift
    return Holders.of(np.searchsorted(found.values, whole), held.who[there])


def people_by_cell(
    held: HeldRows, columns: Sequence[Leveled], pairs: Sequence[tuple[int, int]]
) -> tuple[list[Floats], dict[tuple[int, int], Floats]]:
    """How many people each level of each column has, and each cell of the tables of `pairs`."""
    codes = [_codes(held, each) for each in columns]
    levels = [
        _counted(code.astype(np.int64), held.who, each.size)
        for code, each in zip(codes, columns, strict=True)
    ]
    cells = {}
    for a, b in pairs:
        left, right = columns[a].size, columns[b].size
        found = _counted(codes[a].astype(np.int64) * right + codes[b], held.who, left * right)
        cells[a, b] = found.reshape(left, right)
    return levels, cells


def _codes(held: HeldRows, each: Leveled) -> NDArray[np.int32]:
    values = held.columns[each.name]
    array = pa.array(values, pa.int64(), mask=values == MISSING)
    return level_codes(each, array).astype(np.int32)


def _counted(places: Ints, who: Ints, size: int) -> Floats:
    found = np.bincount(Holders.of(places, who).places, minlength=size)
    return found.astype(np.float64)

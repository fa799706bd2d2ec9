"""Two-way tables: the average error of their cells and the total variation.

Source   Okada et al. 2017, equation (4): Σ_{a1} Σ_{a2} Σ_i |c − c'| / (|A|² |C^(a1,a2)|), over all
         ordered pairs, a column with itself among them. Their table 4 seems to show the mean over
         all cells of all pairs instead, so both are given, in %.
Symbols  c, c' are shares of all rows. The total variation of a table is Σ_i |c − c'| / 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.compared import CrossErrors, CrossTable, Marginal, PairError
from sudare.facts.microdata import Floats
from sudare.risk.compare.cells import Cells

# A table of more cells is counted by its occupied cells alone.
_DENSE = 2**21
# A table of more cells cannot be read as a picture.
_SHOWN = 30
WORST = 3


def cross_errors(columns: Sequence[Cells], worst: int = WORST) -> CrossErrors:
    """The errors of all two-way tables over these columns; zeros where there are none."""
    if not columns:
        return CrossErrors(0.0, 0.0, 0.0, 0.0, 0.0, (), (), ())
    marginals = tuple(_marginal(cells) for cells in columns)
    pairs = [_pair(one, two) for place, one in enumerate(columns) for two in columns[place + 1 :]]
    # A column with itself: its marginal on the diagonal, nothing beside it.
    within = [(2 * each.total_variation, len(each.labels) ** 2) for each in marginals]
    twice = [(2 * each.total_variation, each.cells) for each in pairs] * 2
    sums, sizes = (np.array(each, float) for each in zip(*within, *twice, strict=True))
    variations = [each.total_variation for each in pairs] or [0.0]
    pairs.sort(key=lambda each: -each.total_variation)
    return CrossErrors(
        float(100 * (sums / sizes).sum() / len(columns) ** 2),
        float(100 * sums.sum() / sizes.sum()),
        float(np.mean([each.total_variation for each in marginals])),
        float(np.mean(variations)),
        float(np.max(variations)),
        marginals,
        tuple(pairs),
        _worst(columns, pairs, worst),
    )


def shares(codes: NDArray[Any], size: int) -> Floats:
    """The share of each cell; zeros where there are no rows."""
    found: Floats = np.bincount(codes, minlength=size) / max(len(codes), 1)
    return found


def _marginal(cells: Cells) -> Marginal:
    real, synthetic = shares(cells.real, cells.size), shares(cells.synthetic, cells.size)
    return Marginal(
        cells.name,
        cells.type,
        cells.labels,
        tuple(real.tolist()),
        tuple(synthetic.tolist()),
        float(np.abs(real - synthetic).sum() / 2),
    )


def _pair(one: Cells, two: Cells) -> PairError:
    size = one.size * two.size
    off = _difference(one, two) if size <= _DENSE else _sparse_difference(one, two)
    return PairError((one.name, two.name), size, 100 * off / size, off / 2)


def _difference(one: Cells, two: Cells) -> float:
    real, synthetic = table_of(one, two)
    return float(np.abs(real - synthetic).sum())


def table_of(one: Cells, two: Cells) -> tuple[Floats, Floats]:
    """Both tables of two columns, as shares."""
    size = one.size * two.size
    real = shares(one.real * np.int32(two.size) + two.real, size)
    synthetic = shares(one.synthetic * np.int32(two.size) + two.synthetic, size)
    return real, synthetic


def _sparse_difference(one: Cells, two: Cells) -> float:
    """The same sum without a place for cells that are empty in both tables."""
    joint = [
        a.astype(np.int64) * two.size + b
        for a, b in ((one.real, two.real), (one.synthetic, two.synthetic))
    ]
    found, codes = np.unique(np.concatenate(joint), return_inverse=True)
    real, synthetic = np.split(codes, [len(joint[0])])
    return float(np.abs(shares(real, len(found)) - shares(synthetic, len(found))).sum())


def _worst(columns: Sequence[Cells], pairs: list[PairError], worst: int) -> tuple[CrossTable, ...]:
    """The worst tables that are small enough to be shown."""
    named = {cells.name: cells for cells in columns}
    readable = [each for each in pairs if max(named[name].size for name in each.columns) <= _SHOWN]
    return tuple(_table(named[a.columns[0]], named[a.columns[1]]) for a in readable[:worst])


def _table(one: Cells, two: Cells) -> CrossTable:
    real, synthetic = (each.reshape(one.size, two.size) for each in table_of(one, two))
    return CrossTable(
        (one.name, two.name),
        (one.labels, two.labels),
        tuple(map(tuple, real.tolist())),
        tuple(map(tuple, synthetic.tolist())),
        float(np.abs(real - synthetic).sum() / 2),
    )

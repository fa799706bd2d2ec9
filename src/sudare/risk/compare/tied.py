"""AveSpearCorr to the letter, where values of equal frequency share a rank.

Source   Okada et al. 2017, equation (5): every value is replaced by the rank of its frequency
         inside its attribute. Of values that are equally frequent the paper says nothing; here they
         share a rank, so that a column of which no value occurs twice is constant and has
         correlation 0 with all others. `ranks` breaks such ties by value, which puts an order back
         that frequencies do not have.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.microdata import Floats, LabelColumn, MicroColumn, Microdata
from sudare.risk.compare.ranks import correlations


def tied_spearman(real: Microdata, synthetic: Microdata) -> float:
    """The mean over all ordered pairs of the columns of `real`."""
    one, two = (
        correlations([frequency_ranks(table[name]) for name in real.names])
        for table in (real, synthetic)
    )
    return float(np.abs(one - two).mean())


def frequency_ranks(column: MicroColumn) -> Floats:
    """Centred mean ranks of the rows by the frequency of their value."""
    codes = column.codes if isinstance(column, LabelColumn) else column.values
    _, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return _middle(counts[places])


def _middle(frequencies: NDArray[np.int64]) -> Floats:
    """Rows with equal frequencies share the mean of their ranks."""
    _, places, counts = np.unique(frequencies, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2 - (len(frequencies) + 1) / 2
    return np.asarray(middle[places], np.float64)

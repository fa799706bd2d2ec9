"""Rank correlations of all pairs of columns, and how far they are off.

Source   Okada et al. 2017, equation (5): the mean over |A|² ordered pairs of the difference of
         Spearman's correlations, "after every value is converted to the rank of its frequency
         inside its attribute".
Choice   Labels are ranked by their frequency, the most frequent first and equal ones in the order
         of their labels; numbers, dates and booleans by their value, because a rank by frequency
         throws their order away. The second figure ranks labels by the frequencies of the real
         rows in both tables, so that two labels of nearly equal frequency that change places do
         not count as an error. The third is the sentence to the letter: every value, numbers too,
         by its frequency in its own table; the paper's table 5 is nearest to it.
Symbols  Rows with equal ranks share their mean. A missing label is a label; a missing number has
         the mean rank. A column with itself has correlation 1, a constant one with others 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.compared import RankErrors
from sudare.facts.microdata import Codes, Floats, LabelColumn, Microdata, NumberColumn
from sudare.risk.compare.cells import merged

BLOCK = 65_536


@dataclass(frozen=True, eq=False)
class _Ranked:
    """Centred ranks of one column, for each figure: of the real and of the synthetic rows."""

    chosen: tuple[Floats, Floats]
    shared: Floats
    printed: tuple[Floats, Floats]


def rank_errors(real: Microdata, synthetic: Microdata) -> RankErrors:
    """AveSpearCorr over the columns of `real`."""
    if not real.columns:
        return RankErrors(0.0, 0.0, 0.0, 0.0, (), (), ())
    ranked = [_ranked(real, synthetic, name) for name in real.names]
    one, two = (correlations([each.chosen[side] for each in ranked]) for side in (0, 1))
    shared = correlations([each.shared for each in ranked])
    printed = [correlations([each.printed[side] for each in ranked]) for side in (0, 1)]
    return RankErrors(
        float(np.abs(one - two).mean()),
        float(np.abs(one - shared).mean()),
        float(np.abs(printed[0] - printed[1]).mean()),
        float(np.abs(one - two).max()),
        real.names,
        tuple(map(tuple, one.tolist())),
        tuple(map(tuple, two.tolist())),
    )


def _ranked(real: Microdata, synthetic: Microdata, name: str) -> _Ranked:
    one, two = real[name], synthetic[name]
    if isinstance(one, NumberColumn) and isinstance(two, NumberColumn):
        (by_value, by_count), (by_value2, by_count2) = _of_numbers(one), _of_numbers(two)
        return _Ranked((by_value, by_value2), by_value2, (by_count, by_count2))
    if isinstance(one, LabelColumn) and isinstance(two, LabelColumn):
        labels, codes = merged(one, two)
        order, own = (order_of(each, len(labels)) for each in (one.codes, codes))
        both = ranks_of_labels(one.codes, order), ranks_of_labels(codes, own)
        return _Ranked(both, ranks_of_labels(codes, order), both)
    raise ValueError(f"column '{name}' is a number in one table and a label in the other")


def order_of(codes: Codes, labels: int) -> NDArray[np.int64]:
    """Labels from the most to the least frequent, missing as the last of equals."""
    counts = np.bincount(np.where(codes < 0, labels, codes), minlength=labels + 1)
    return np.argsort(-counts, kind="stable")


def ranks_of_labels(codes: Codes, order: NDArray[np.int64]) -> Floats:
    """The mean rank of the rows with the same label, less the mean of all ranks."""
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    # The code -1 of what is missing looks up the last entry, which is its own.
    return _middle_ranks(place[codes], len(order))


def _of_numbers(column: NumberColumn) -> tuple[Floats, Floats]:
    """Ranks by value and by frequency; 0, the mean, where a value is missing."""
    present = ~column.missing
    found, codes = np.unique(column.values[present], return_inverse=True)
    values = codes.astype(np.int32)
    both = _middle_ranks(codes, len(found)), ranks_of_labels(values, order_of(values, len(found)))
    if present.all():
        return both
    by_value, by_count = np.zeros(len(column)), np.zeros(len(column))
    by_value[present], by_count[present] = both
    return by_value, by_count


def _middle_ranks(codes: NDArray[np.int64], size: int) -> Floats:
    counts = np.bincount(codes, minlength=size)
    middle = np.cumsum(counts) - (counts - 1) / 2 - (len(codes) + 1) / 2
    return np.asarray(middle[codes], np.float64)


def correlations(columns: Sequence[Floats]) -> Floats:
    """Correlations of centred columns: 1 with itself, 0 with a constant one."""
    total = np.zeros((len(columns), len(columns)))
    for start in range(0, len(columns[0]), BLOCK):
        block = np.stack([column[start : start + BLOCK] for column in columns])
        total += block @ block.T
    spread = np.sqrt(np.diag(total))
    scale = np.where(spread > 0, spread, np.inf)
    found: Floats = total / np.outer(scale, scale)
    np.fill_diagonal(found, 1.0)
    return found

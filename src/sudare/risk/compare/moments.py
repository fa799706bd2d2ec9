"""Means and covariances of the numbers: how far the synthetic rows are off.

Source   Okada et al. 2017, equations (2) AveMean and (3) AveCov, over the numeric columns; dates
         count in days, booleans as 0 and 1.
Symbols  μ is the mean of the values that are present. σ_jk is the mean over all rows of
         (x_j − μ_j)(x_k − μ_k), in which a missing value counts as its mean, hence as 0; ddof = 0.
         A scaled figure is divided by s_j, or by s_j s_k: the standard deviation of the real
         column, or the size of its mean where it is constant, or 1 where that is 0 too.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.compared import ColumnMoments, MomentErrors
from sudare.facts.microdata import Floats, Microdata, NumberColumn

# So many rows are centred at a time, to bound the memory that a copy takes.
BLOCK = 65_536


def moment_errors(real: Microdata, synthetic: Microdata) -> MomentErrors:
    """AveMean and AveCov over the numbers of `real`; zeros where there are none."""
    numbers = [column for column in real.columns if isinstance(column, NumberColumn)]
    others = [_number(synthetic, column.name) for column in numbers]
    if not numbers:
        return MomentErrors(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, ())
    (mean, cov), (mean2, cov2) = moments_of(numbers), moments_of(others)
    scale = _scale(mean, np.sqrt(np.diag(cov)))
    off_mean, off_cov = np.abs(mean - mean2), np.abs(cov - cov2)
    scaled, scaled_cov = off_mean / scale, off_cov / np.outer(scale, scale)
    columns = tuple(
        ColumnMoments(
            column.name,
            column.type,
            (float(mean[j]), float(mean2[j])),
            (float(np.sqrt(cov[j, j])), float(np.sqrt(cov2[j, j]))),
            float(scaled[j]),
        )
        for j, column in enumerate(numbers)
    )
    return MomentErrors(
        float(off_mean.mean()),
        float(off_cov.mean()),
        float(scaled.mean()),
        float(scaled_cov.mean()),
        float(scaled.max()),
        float(scaled_cov.max()),
        columns,
    )


def moments_of(columns: list[NumberColumn]) -> tuple[Floats, Floats]:
    """Mean vector and covariance matrix; the mean of a column without values is 0."""
    rows = len(columns[0])
    mean = np.array([_mean(column) for column in columns])
    total = np.zeros((len(columns), len(columns)))
    for start in range(0, rows, BLOCK):
        block = np.stack([column.values[start : start + BLOCK] for column in columns])
        block -= mean[:, None]
        np.nan_to_num(block, copy=False, nan=0.0)
        total += block @ block.T
    return mean, total / max(rows, 1)


def _mean(column: NumberColumn) -> float:
    present = column.values[~column.missing] if column.missing.any() else column.values
    if not len(present):
        return 0.0
    # Around a value of the column, so that dates and large sums lose no digits.
    origin = float(present[0])
    return origin + float((present - origin).mean())


def _number(data: Microdata, name: str) -> NumberColumn:
    column = data[name]
    if not isinstance(column, NumberColumn):
        raise ValueError(f"column '{name}' is a number in one table and a label in the other")
    return column


def _scale(mean: Floats, deviation: Floats) -> Floats:
    # The spread of a constant column is rounding alone.
    is_constant = deviation <= 1e-12 * np.abs(mean)
    size = np.where(mean != 0, np.abs(mean), 1.0)
    return np.where(is_constant | (deviation == 0), size, deviation)

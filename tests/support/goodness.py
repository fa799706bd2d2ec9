"""Does a sample follow a law? Chi-square tests that raise a false alarm once in a million."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

FALSE_ALARM = 1e-6
# Cells that expect fewer are pooled, since the chi-square law is off for small counts.
SMALLEST_CELL = 25


def fits(sample: NDArray[Any], law: Mapping[int, float]) -> bool:
    """Whether the sample is compatible with `law`; values that `law` leaves out are one cell."""
    values, tallies = np.unique(sample.astype(np.int64), return_counts=True)
    seen = dict(zip(values.tolist(), tallies.tolist(), strict=True))
    cells = [(seen.get(v, 0), p * len(sample)) for v, p in law.items()]
    kept = [cell for cell in cells if cell[1] >= SMALLEST_CELL]
    rest = (len(sample) - sum(o for o, _ in kept), len(sample) - sum(e for _, e in kept))
    if rest[1] >= SMALLEST_CELL:
        kept.append(rest)
    elif rest[0] > 0 and stats.poisson.sf(rest[0] - 1, max(rest[1], 1e-9)) < FALSE_ALARM:
        return False
    if len(kept) < 2:
        return True
    statistic = sum((observed - expected) ** 2 / expected for observed, expected in kept)
    return bool(stats.chi2.sf(statistic, len(kept) - 1) >= FALSE_ALARM)


def same_law(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two samples of equal size may come from one law."""
    assert len(one) == len(other)
    values = np.union1d(one, other)
    table = np.array([np.bincount(np.searchsorted(values, s), minlength=len(values))
                      for s in (one, other)])  # fmt: skip
    large = table.sum(axis=0) >= 2 * SMALLEST_CELL
    pooled = np.column_stack([table[:, large], table[:, ~large].sum(axis=1)])
    pooled = pooled[:, pooled.sum(axis=0) > 0]
    statistic = ((pooled[0] - pooled[1]) ** 2 / pooled.sum(axis=0)).sum()
    return bool(stats.chi2.sf(statistic, pooled.shape[1] - 1) >= FALSE_ALARM)

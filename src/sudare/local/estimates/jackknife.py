"""Standard errors by the delete-a-group jackknife.

Claim    for a smooth function of means over n independent rows `spread` estimates its standard
         error; relative error about 1/√(2·GROUPS) = 6 % of itself.
Source   Quenouille 1956, Tukey 1958; groups: Kott 2001 ("The Delete-a-Group Jackknife").
Symbols  θ -> values[0], from all rows; θ_(g) -> values[g], from all rows but group g.
Needs    groups that have nothing to do with the data. A row's group is a hash of its number.
Gaps     the error covers the draw of the people and the randomisation. It does not cover a bias
         that stays as n grows, such as that of smoothing. For the very people in the file, rather
         than the population they stand for, it is a little too large.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

GROUPS = 128
# Of Student's distribution with GROUPS − 1 degrees of freedom: 95 % lie within.
REACH = 1.979


def group_of(first: int, count: int) -> NDArray[np.int64]:
    """The groups of `count` rows from row number `first` on, by splitmix64: fixed, so that a file
    always gives the same errors, and without any pattern that a sorted file could share."""
    word = np.arange(first, first + count, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((word ^ (word >> np.uint64(31))) % np.uint64(GROUPS)).astype(np.int64)


def replicates(sums: Values) -> Values:
    """Sums by group become the total, then the total without each group."""
    total = sums.sum(axis=0, keepdims=True)
    return np.concatenate([total, total - sums])


def spread(values: Values) -> Values:
    """The standard error of values[0]."""
    away, groups = values[1:] - values[:1], len(values) - 1
    found: Values = np.sqrt((groups - 1) / groups * (away**2).sum(axis=0))
    return found


def debiased(values: Values) -> Values:
    """values[0] without its bias of order 1/n, which squares of noisy numbers have."""
    found: Values = values[0] - (GROUPS - 1) * (values[1:].mean(axis=0) - values[0])
    return found

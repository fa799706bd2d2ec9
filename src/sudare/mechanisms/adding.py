"""Adding integer noise to integer answers without ever wrapping around."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.randomness.digits import Integers

_LOWEST, _HIGHEST = -(2**63), 2**63 - 1


def add(values: Sequence[int], noise: Integers) -> list[int]:
    """The exact sums, as Python integers of any length."""
    if noise.dtype == np.object_:
        return [int(value) + drawn for value, drawn in zip(values, noise, strict=True)]
    # Python keeps small integers in a cache and makes the others anew, which takes longer: noise
    # below -5 showed in the time of a draw. Shifted by 2^63 all noise is equally long.
    shifted = (noise.view(np.uint64) + np.uint64(2**63)).tolist()
    return [int(value) - 2**63 + drawn for value, drawn in zip(values, shifted, strict=True)]


def add_array(values: NDArray[np.int64], noise: Integers) -> NDArray[np.int64]:
    """The exact sums, then clamped to what int64 can hold; clamping is post-processing."""
    if noise.dtype == np.object_:
        sums = add(values.tolist(), noise)
        return np.array([min(max(each, _LOWEST), _HIGHEST) for each in sums], dtype=np.int64)
    total: NDArray[np.int64] = values + noise
    # Adding a negative number makes smaller and any other does not, unless the sum wrapped.
    wrapped = (total < values) != (noise < 0)
    if wrapped.any():
        total[wrapped] = np.where(values[wrapped] < 0, _LOWEST, _HIGHEST)
    return total

"""The smallest principal part of a correlation matrix that is not positive semidefinite.

Claim    The part that is returned is indefinite and none of its columns can be left out; it has the
         fewest columns possible where the search by size ended within its effort.
Source   If all smaller parts are positive definite, no entry can be left out either: a matrix that
         lacks one entry outside the diagonal can be completed (Grone, Johnson, Sá, Wolkowicz 1984,
         its graph is chordal), and a large enough variance makes any row definite.
Needs    a symmetric matrix with ones on its diagonal, pairs within -1 to 1.
Gaps     entries that are not stated are not completed: only parts that are stated as a whole count.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from math import comb

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats
from sudare.synthesis.contradictions.comparing import RELATIVE

Part = tuple[int, ...]
# So many parts are tried for one size, in batches, before columns are left out one by one instead.
EFFORT = 200_000
_BATCH = 10_000


def smallest_indefinite(matrix: Floats, known: NDArray[np.bool_]) -> Part | None:
    whole = tuple(range(len(matrix)))
    if len(whole) < 3 or (known.all() and _least(matrix, np.array([whole]))[0] >= -3 * RELATIVE):
        return None
    for size in range(3, len(whole) + 1):
        if comb(len(whole), size) > EFFORT:
            break
        found = _first(matrix, known, size)
        if found is not None:
            return found
    return min((_thinned(matrix, part) for part in _stated(known, matrix)), key=len, default=None)


def _first(matrix: Floats, known: NDArray[np.bool_], size: int) -> Part | None:
    """The first part of a size that is indefinite."""
    every = combinations(range(len(matrix)), size)
    while batch := list(islice(every, _BATCH)):
        parts = np.array(batch)
        parts = parts[known[parts[:, :, None], parts[:, None, :]].all((1, 2))]
        bad = parts[_least(matrix, parts) < -size * RELATIVE] if len(parts) else parts
        if len(bad):
            return tuple(int(each) for each in bad[0])
    return None


def _stated(known: NDArray[np.bool_], matrix: Floats) -> Iterator[Part]:
    """Large parts without an unknown entry, one grown from every column, that are indefinite."""
    seen: set[Part] = set()
    for start in range(len(known)):
        part = [start]
        for other in range(len(known)):
            if other != start and known[other, part].all() and known[other, other]:
                part.append(other)
        whole = tuple(sorted(part))
        if whole not in seen and _is_indefinite(matrix, whole):
            yield whole
        seen.add(whole)


def _thinned(matrix: Floats, part: Part) -> Part:
    """Columns are left out as long as the rest is still indefinite."""
    for column in part:
        rest = tuple(each for each in part if each != column)
        if len(rest) >= 2 and _is_indefinite(matrix, rest):
            part = rest
    return part


def _is_indefinite(matrix: Floats, part: Part) -> bool:
    return bool(_least(matrix, np.array([part]))[0] < -len(part) * RELATIVE)


def _least(matrix: Floats, parts: NDArray[np.int64]) -> Floats:
    """The least eigenvalue of every part."""
    return np.asarray(np.linalg.eigvalsh(matrix[parts[:, :, None], parts[:, None, :]])[:, 0])

"""Implications without exception in one two-way table: "these rows, so none of those columns".

A row set is one level of a category, all lower or all higher levels of a number, or missing. What
it excludes are labels, one or both ends of a number, every present value, or missing. A rule that
is written as a comparison says nothing of missing values, so they are excluded by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sudare.synthesis.rules.levels import ColumnLevels, NumberLevels
from sudare.synthesis.rules.truth import Mask

Floats = NDArray[np.float64]
Kind = Literal["values", "null", "present"]
# A list of labels that is longer than this is no rule that anyone would confirm.
LONGEST_LIST = 8


@dataclass(frozen=True, eq=False)
class Implication:
    """`given` levels of one column exclude `excluded` levels of the other; `gain` rows that no
    stronger proposal explains would be expected there."""

    given: Mask
    excluded: Mask
    kind: Kind
    gain: float


def strongest(
    counts: Floats,
    expected: Floats,
    unexplained: Floats,
    a: ColumnLevels,
    b: ColumnLevels,
    minimum: float,
) -> Iterator[Implication]:
    """For each kind of conclusion the implication from a to b that explains most."""
    sets = _given(a)
    if not len(sets):
        return
    seen, wanted = sets @ counts, sets @ expected
    for kind, excluded in _excluded(seen, wanted, b, minimum):
        gains = np.einsum("ij,ij->i", excluded, sets @ unexplained)
        place = int(np.argmax(gains))
        if gains[place] >= minimum:
            given = _widened(place, excluded, gains, a) if _is_listed(a, place) else sets[place]
            gain = float(unexplained[np.ix_(given, excluded[place])].sum())
            yield Implication(given, excluded[place], kind, gain)


def _given(levels: ColumnLevels) -> Mask:
    """The row sets, one a row."""
    present, size = levels.present, levels.size
    if not _is_ordered(levels):
        return np.eye(size, dtype=np.bool_)
    below = np.tri(present - 1, size, dtype=np.bool_)
    above = ~below
    above[:, present:] = False
    missing = np.eye(size, dtype=np.bool_)[present:]
    return np.concatenate([below, above, missing])


def _is_ordered(levels: ColumnLevels) -> bool:
    return isinstance(levels, NumberLevels) and levels.type != "boolean"


def _excluded(
    seen: Floats, wanted: Floats, levels: ColumnLevels, minimum: float
) -> Iterator[tuple[Kind, Mask]]:
    """For each row set and kind of conclusion, the levels that it excludes."""
    present = levels.present
    empty = seen < 0.5
    here = np.zeros(seen.shape, dtype=np.bool_)
    find = _ends if _is_ordered(levels) else _cells
    here[:, :present] = find(empty[:, :present], wanted[:, :present], minimum)
    yield "values", here
    if levels.has_missing:
        none = np.zeros(seen.shape, dtype=np.bool_)
        enough = wanted[:, :present].sum(axis=1) >= minimum
        none[:, :present] = (empty[:, :present].all(axis=1) & enough)[:, None]
        yield "null", none
        some = np.zeros(seen.shape, dtype=np.bool_)
        some[:, present] = empty[:, present] & (wanted[:, present] >= minimum)
        yield "present", some


def _cells(empty: Mask, wanted: Floats, minimum: float) -> Mask:
    """Labels that are never seen though each alone is expected often enough."""
    found = empty & (wanted >= minimum)
    for place in np.flatnonzero(_listed(found) > LONGEST_LIST):
        likely = np.argsort(-np.where(found[place], wanted[place], -1.0))
        found[place, likely[LONGEST_LIST:]] = False
    # A comparison that no label satisfies would be read as "is null", which is its own kind.
    found[found.all(axis=1)] = False
    return found


def _listed(found: Mask) -> NDArray[np.intp]:
    """How many labels the shorter way of writing lists."""
    many = np.count_nonzero(found, axis=1)
    return np.asarray(np.minimum(many, found.shape[1] - many))


def _ends(empty: Mask, wanted: Floats, minimum: float) -> Mask:
    """The empty lower and upper ends of a number, each if it is expected often enough."""
    lower = np.logical_and.accumulate(empty, axis=1)
    upper = np.logical_and.accumulate(empty[:, ::-1], axis=1)[:, ::-1]
    found = np.zeros(empty.shape, dtype=np.bool_)
    for end in (lower, upper):
        enough = (wanted * end).sum(axis=1) >= minimum
        found |= end & enough[:, None]
    found[found.all(axis=1)] = False
    return found


def _is_listed(levels: ColumnLevels, place: int) -> bool:
    return not _is_ordered(levels) and place < levels.present


def _widened(place: int, excluded: Mask, gains: Floats, levels: ColumnLevels) -> Mask:
    """The label together with all others that exclude as much, or those that explain most."""
    alike = ~(excluded[place] & ~excluded).any(axis=1)
    alike[levels.present :] = False
    if _listed(alike[None, : levels.present])[0] > LONGEST_LIST:
        alike[np.argsort(-np.where(alike, gains, -1.0))[LONGEST_LIST:]] = False
    return np.asarray(alike, dtype=np.bool_)

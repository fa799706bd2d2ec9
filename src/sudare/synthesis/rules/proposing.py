"""Rules that exact two-way tables suggest, for the steward to confirm or drop.

Claim    every proposal holds without exception in the tables, although `expected` of its rows
         would break it if the two columns were independent, and at least `minimum_expected` of
         them are not already excluded by a stronger proposal. Were the columns independent, a
         given proposal would arise with a chance of at most exp(−minimum_expected): the count of
         the excluded cells is hypergeometric, and each excluded label or end of a range has that
         much expected by itself, so that rare labels do not add up to a find.
Needs    exact counts. Under differential privacy this must not be called: a zero of the data
         would leave without noise, and zeros of noisy tables mean nothing.
Gaps     only implications between two columns, each side one label (or labels that imply the same),
         a range at one end, or missing. Where a range ends is where the data end. A rule that
         follows from two others is not recognised as surplus.
"""

from __future__ import annotations

import heapq
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.rules import Proposal
from sudare.synthesis.rules.implications import Floats, Implication, strongest
from sudare.synthesis.rules.levels import AllLevels
from sudare.synthesis.rules.phrases import condition, outside, spelled

# Two columns that are codes of each other would fill the list with one rule a code.
MOST_PER_PAIR = 4


class _Pair:
    """The table of two columns, and what of it no proposal explains yet."""

    def __init__(self, a: str, b: str, table: Floats) -> None:
        self.names = (a, b)
        self.counts = table
        total = max(float(table.sum()), 1.0)
        self.expected: Floats = np.outer(table.sum(axis=1), table.sum(axis=0)) / total
        self.unexplained = self.expected.copy()
        self.taken = 0

    def best(self, levels: AllLevels, minimum: float) -> tuple[Implication, bool] | None:
        """The implication that explains most, and whether it runs from the second column to the
        first; of equals, the one that is written more shortly."""
        found: list[tuple[float, int, Implication, bool]] = []
        for turned in (False, True):
            turn = np.transpose if turned else np.asarray
            a, b = (levels[name] for name in (self.names[::-1] if turned else self.names))
            tables = (turn(self.counts), turn(self.expected), turn(self.unexplained))
            for each in strongest(*tables, a, b, minimum):
                length = len("".join(self.texts(each, turned, levels)))
                found.append((-round(each.gain, 6), length, each, turned))
        if not found:
            return None
        _, _, each, turned = min(found, key=lambda one: one[:2])
        return each, turned

    def texts(self, each: Implication, turned: bool, levels: AllLevels) -> tuple[str, str]:
        a, b = self.names[::-1] if turned else self.names
        then = {"null": f"{spelled(b)} is null", "present": f"{spelled(b)} is not null"}.get(
            each.kind
        ) or outside(b, levels[b], each.excluded)
        return condition(a, levels[a], each.given), then

    def take(self, each: Implication, turned: bool, levels: AllLevels) -> Proposal:
        """Write an implication down and count its cells as explained."""
        cells = np.outer(each.given, each.excluded)
        cells = cells.T if turned else cells
        self.unexplained[cells] = 0.0
        self.taken += 1
        if_, then = self.texts(each, turned, levels)
        names = self.names[::-1] if turned else self.names
        return Proposal(if_, then, names, float(self.expected[cells].sum()))


def proposed(
    pairs: NDArray[Any], levels: AllLevels, *, minimum_expected: float = 20.0, most: int = 20
) -> tuple[Proposal, ...]:
    """The strongest implications first. `pairs` holds the counts of every pair of levels, the
    columns in the order of `levels`; blocks on the diagonal are not read."""
    found: list[Proposal] = []
    queue: list[tuple[float, int]] = []
    tables = _pairs(np.asarray(pairs, dtype=np.float64), levels)
    best = [pair.best(levels, minimum_expected) for pair in tables]
    for place, each in enumerate(best):
        if each:
            heapq.heappush(queue, (-each[0].gain, place))
    while queue and len(found) < most:
        _, place = heapq.heappop(queue)
        pair, each = tables[place], best[place]
        if each is None:
            continue
        found.append(pair.take(*each, levels))
        best[place] = again = (
            pair.best(levels, minimum_expected) if pair.taken < MOST_PER_PAIR else None
        )
        if again:
            heapq.heappush(queue, (-again[0].gain, place))
    return tuple(sorted(found, key=lambda proposal: -proposal.expected))


def _pairs(pairs: Floats, levels: AllLevels) -> list[_Pair]:
    ends = np.cumsum([0, *(each.size for each in levels.values())]).tolist()
    if pairs.shape != (ends[-1], ends[-1]):
        raise ValueError("the pairs have another size than the levels together")
    spans = {name: slice(*span) for name, span in zip(levels, pairwise(ends), strict=True)}
    return [_Pair(a, b, pairs[spans[a], spans[b]]) for a, b in combinations(levels, 2)]

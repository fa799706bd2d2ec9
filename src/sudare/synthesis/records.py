"""Drawn level codes that break no rule: broken rows exchange values, first inside their component.

A pair of numbers whose Σ(x − min)(y − min) is 0 in exact statistics excludes itself: no row has
both above their minimum (a gain and a loss). That is published knowledge, not a rule of the schema,
and without it exact moments and bounds could contradict each other.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Statistics
from sudare.randomness.bits import RandomBits
from sudare.randomness.floats import uniforms
from sudare.synthesis.drawing import Ints, draw_components, draw_levels
from sudare.synthesis.mixture import Mixture
from sudare.synthesis.rules.possible import possible_record
from sudare.synthesis.rules.rules import Rules

_TRIES = 120
Codes = dict[str, Ints]


class Forbidden:
    """What no record may be: broken rules, and numbers that exclude each other."""

    def __init__(self, statistics: Statistics, rules: Rules) -> None:
        self.rules = rules
        self.exclusive = exclusive_pairs(statistics)
        ruled = rules.columns | {name for pair in self.exclusive for name in pair}
        self.columns = tuple(name for name in statistics.names if name in ruled)

    def broken(self, codes: Mapping[str, Ints]) -> NDArray[np.bool_]:
        rows = len(next(iter(codes.values())))
        found = np.zeros(rows, np.bool_)
        if self.rules.columns:
            found |= self.rules.broken({name: codes[name] for name in self.rules.columns})
        for a, b in self.exclusive:
            found |= (codes[a] > 0) & (codes[b] > 0)
        return found

    def alike(
        self, codes: Mapping[str, Ints], column: str, one: Ints, two: Ints
    ) -> NDArray[np.bool_]:
        """Rows that may give each other their values of a column, if no rule is broken by it."""
        return np.ones(len(one), np.bool_)


def exclusive_pairs(statistics: Statistics) -> tuple[tuple[str, str], ...]:
    """Pairs of complete numbers of which one is always at its minimum, a level of its own."""
    moments = statistics.moments
    if statistics.origin != "exact" or moments is None:
        return ()
    usable = [(place, statistics.marginal(name)) for place, name in enumerate(moments.columns)]
    usable = [
        (place, each)
        for place, each in usable
        if not each.may_miss and not each.is_constant and each.levels > 1
        and each.level_starts()[1] == each.low + 1
    ]  # fmt: skip
    found = []
    for number, (i, a) in enumerate(usable):
        for j, b in usable[number + 1 :]:
            if not moments.known[i, j]:
                continue
            above = (moments.mean[i] - a.low * a.step), (moments.mean[j] - b.low * b.step)
            product = moments.covariance[i, j] + above[0] * above[1]
            if min(above) > 0 and abs(product) <= 1e-7 * above[0] * above[1]:
                found.append((a.name, b.name))
    return tuple(found)


def draw_records(
    mixture: Mixture, statistics: Statistics, forbidden: Forbidden, rows: int, bits: RandomBits
) -> Codes:
    """Level codes of every column."""
    components = draw_components(mixture.weights, rows, bits)
    codes = {
        name: draw_levels(mixture, place, components, bits)
        for place, name in enumerate(statistics.names)
    }
    return possible_records(codes, components, statistics, forbidden, bits)


def possible_records(
    codes: Codes, components: Ints, statistics: Statistics, forbidden: Forbidden, bits: RandomBits
) -> Codes:
    """Drawn codes without broken rows; `components` are ascending."""
    if not forbidden.columns:
        return codes
    for number in range(_TRIES):
        bad = np.flatnonzero(forbidden.broken(codes))
        if not len(bad):
            return codes
        near = components if number < _TRIES // 2 else np.zeros_like(components)
        _mend(codes, bad, near, forbidden, bits)
    return _filled(codes, statistics, forbidden, bits)


def _mend(codes: Codes, bad: Ints, groups: Ints, forbidden: Forbidden, bits: RandomBits) -> None:
    """Give each bad row the value that another row of its group has in one column, and that row
    its own, where fewer rows are bad after it. Inside a component columns are independent, so
    that such an exchange leaves the distribution, and all histograms, as they were."""
    first = np.searchsorted(groups, groups[bad])
    sizes = np.searchsorted(groups, groups[bad], side="right") - first
    partners = first + (uniforms(bits, len(bad)) * sizes).astype(np.int64)
    _, once = np.unique(partners, return_index=True)
    single = np.zeros(len(bad), np.bool_)
    single[once] = True
    single &= ~np.isin(partners, bad)
    column = forbidden.columns[int(uniforms(bits, 1)[0] * len(forbidden.columns))]
    one, two = bad[single], partners[single]
    alike = forbidden.alike(codes, column, one, two)
    one, two = one[alike], two[alike]
    if not len(one):
        return
    mine = {name: codes[name][one] for name in forbidden.columns}
    theirs = {name: codes[name][two] for name in forbidden.columns}
    mine[column], theirs[column] = theirs[column], mine[column]
    good = ~forbidden.broken(mine) & ~forbidden.broken(theirs)
    one, two = one[good], two[good]
    held = codes[column]
    held[one], held[two] = held[two], held[one]


def _filled(codes: Codes, statistics: Statistics, forbidden: Forbidden, bits: RandomBits) -> Codes:
    """What no exchange could mend takes the place of a good row, or of the one record that is known
    to be possible."""
    broken = forbidden.broken(codes)
    bad, good = np.flatnonzero(broken), np.flatnonzero(~broken)
    if len(bad) and len(good):
        chosen = good[(uniforms(bits, len(bad)) * len(good)).astype(np.int64)]
        for name in statistics.names:
            codes[name][bad] = codes[name][chosen]
    elif len(bad):
        record = possible_record(forbidden.rules)
        for name in forbidden.columns:
            codes[name][bad] = record.get(name, 0)
    return codes

"""Noisy statistics split where rules turn, so that no level holds values that a rule tells apart.

Claim    post-processing only, and nothing is lost: parts that are added up again give the bins,
         levels and tables as they were.
Method   a bin that a rule cuts is split by the widths of its parts, as if its values lay evenly in
         it, which is how rows are drawn inside bins; a level by the counts of its bins or labels;
         rows and columns of two-way tables, and sums within labels, in the shares of their levels.
         Noise is the root mean square over cells, so it falls with the mean square of the shares.
Needs    bins that were fixed before the rules were known: those of reports, or of a file under ε.
         Exact statistics are made anew with the rules instead, which assumes nothing.
Gaps     the parts of a level are told apart by the rules alone; in all else they are alike.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sudare.facts.rules import CompiledRule
from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.synthesis.rules.cutting import cuts_of, label_atoms

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Split:
    """A column's new marginal; of every new bin the share of its old bin, of every new level the
    old level and the share of it."""

    marginal: Marginal
    of_bins: Floats
    origin: Ints
    of_levels: Floats


def split_at(statistics: Statistics, rules: Sequence[CompiledRule]) -> Statistics:
    """The same statistics over levels that `rules` can be bound to."""
    cuts = cuts_of(rules)
    found = {
        each.name: _number(each, cuts.get(each.name, ()))
        if each.is_number
        else _labels(each, label_atoms(rules, each.name, each.labels))
        for each in statistics.marginals
    }
    tables = {
        (a, b): table[np.ix_(found[a].origin, found[b].origin)]
        * np.outer(found[a].of_levels, found[b].of_levels)
        for (a, b), table in statistics.crosses.items()
    }
    shifts = {
        (number, other): sums[found[other].origin] * found[other].of_levels
        for (number, other), sums in statistics.shifts.items()
    }
    return replace(
        statistics,
        marginals=tuple(each.marginal for each in found.values()),
        crosses=tables,
        shifts=shifts,
        noise={pair: noise * _scale(found, *pair) for pair, noise in statistics.noise.items()},
        errors={
            pair: error * (_size(found[pair[1]].of_levels) if pair in shifts else 1.0)
            for pair, error in statistics.errors.items()
        },
    )


def _number(each: Marginal, cuts: Collection[int]) -> _Split:
    inside = {cut for cut in cuts if each.low < cut <= each.high}
    starts = np.array(sorted({*each.starts, *inside}), np.int64)
    old = np.searchsorted(each.starts, starts, side="right") - 1
    widths = np.diff(np.append(starts, each.high + 1)).astype(np.float64)
    share = widths / np.bincount(old, widths)[old]
    begins = (np.diff(each.level_of[old], prepend=-1) > 0) | np.isin(starts, list(inside))
    means = None
    if each.means is not None:
        means = np.where(share < 1.0, starts + (widths - 1) / 2, each.means[old])
    new = replace(
        each,
        counts=each.counts[old] * share,
        level_of=np.cumsum(begins) - 1,
        starts=tuple(starts.tolist()),
        means=means,
    )
    return _split(each, new, old, share, widths)


def _labels(each: Marginal, atoms: Sequence[Sequence[str]]) -> _Split:
    atom_of = {label: place for place, atom in enumerate(atoms) for label in atom}
    pairs = [
        (level, atom_of[label])
        for label, level in zip(each.labels, each.level_of.tolist(), strict=True)
    ]
    ordered = sorted(dict.fromkeys(pairs), key=lambda pair: pair[0])
    level_of = {pair: place for place, pair in enumerate(ordered)}
    new = replace(each, level_of=np.array([level_of[pair] for pair in pairs], np.int64))
    whole = np.ones(each.bins)
    return _split(each, new, np.arange(each.bins), whole, whole)


def _split(old: Marginal, new: Marginal, bins: Ints, share: Floats, sizes: Floats) -> _Split:
    """Of what every new level comes; by `sizes` where an old level holds nobody."""
    origin = np.empty(new.present_levels, np.int64)
    origin[new.level_of] = old.level_of[bins]
    held = np.bincount(new.level_of, np.maximum(new.counts, 0.0))
    spread = np.bincount(new.level_of, sizes)
    total, width = (np.bincount(origin, each)[origin] for each in (held, spread))
    of_levels = np.where(total > 0, held / np.maximum(total, 1e-300), spread / width)
    if new.may_miss:
        origin = np.append(origin, old.present_levels)
        of_levels = np.append(of_levels, 1.0)
    return _Split(new, share, origin, of_levels)


def _scale(found: dict[str, _Split], a: str, b: str) -> float:
    """What splitting does to the noise of a histogram (of a column with itself) or a table."""
    if a == b:
        return _size(found[a].of_bins)
    return _size(found[a].of_levels) * _size(found[b].of_levels)


def _size(shares: Floats) -> float:
    return float(np.sqrt(np.mean(shares**2)))

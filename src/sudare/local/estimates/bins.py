"""Bins of a number: where they lie, and their shares by iterative Bayes."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sudare.facts.randomized import Item, NumberDomain
from sudare.local.estimates.bayes import best_smoothing, fitted, less
from sudare.local.estimates.channels import Scores
from sudare.local.estimates.jackknife import REACH, replicates, spread
from sudare.local.estimates.shares import Shares
from sudare.local.estimates.sums import Sums

_EPOCH = dt.date(1970, 1, 1)
# More bins are taken together before they are fitted: a fit of a thousand bins takes minutes, and
# what it would show beyond this is noise.
_MOST_FITTED = 128
# Replicates of a smoothed histogram.
_FEWER = 16
_HARDLY = 1e-9


@dataclass(frozen=True)
class Bins:
    """The bins of a column that starts at the places `starts` of `count` equal parts."""

    domain: NumberDomain
    count: int
    starts: tuple[int, ...]

    @classmethod
    def of(cls, domain: NumberDomain, item: Item, *, fitted: bool) -> Bins:
        count = int(item.parameters["values"])
        step = -(-count // _MOST_FITTED) if fitted else 1
        return cls(domain, count, tuple(range(0, count, step)))

    @property
    def ends(self) -> tuple[int, ...]:
        return (*self.starts, self.count)

    @property
    def widths(self) -> Scores:
        """Shares of an even distribution."""
        return np.diff(self.ends) / self.count

    @property
    def middles(self) -> Scores:
        """In units of x."""
        ends = np.array(self.ends, np.float64)
        return (ends[1:] + ends[:-1]) / self.count - 1

    def law(self, law: Scores) -> Scores:
        """P(report | bin), for values that lie evenly in a bin."""
        found: Scores = np.add.reduceat(law, self.starts, axis=1) / np.diff(self.ends)
        return found

    def edges(self) -> tuple[float | str, ...]:
        """The ends of the bins in the column's own units; dates as dates."""
        domain = self.domain
        ends = [domain.middle + domain.half * (2 * end / self.count - 1) for end in self.ends]
        if domain.type != "date":
            return tuple(ends)
        return tuple((_EPOCH + dt.timedelta(days=math.ceil(end))).isoformat() for end in ends)

    def names(self) -> tuple[str, ...]:
        """What stands in each bin: its first and its last value where they are whole numbers or
        dates, else its ends."""
        domain, span = self.domain, self.domain.high - self.domain.low
        if domain.type == "real":
            return tuple(f"{a:.6g} – {b:.6g}" for a, b in pairwise(self.edges()))
        # Where the bins meet the last value belongs to the last bin.
        firsts = [domain.low + math.ceil(start * span / self.count) for start in self.starts]
        return spans(domain, firsts)


def spans(domain: NumberDomain, firsts: Sequence[int]) -> tuple[str, ...]:
    """The first and the last value of bins that start at these grid indices."""
    ends = pairwise([*firsts, domain.high + 1])
    return tuple(_span(domain, first, after - 1) for first, after in ends)


def _span(domain: NumberDomain, first: int, last: int) -> str:
    names = [_name(domain, value) for value in (first, last)]
    return names[0] if first >= last else f"{names[0]} – {names[1]}"


def _name(domain: NumberDomain, value: int) -> str:
    if domain.type == "date":
        return (_EPOCH + dt.timedelta(days=value)).isoformat()
    return f"{value * domain.step:.6g}" if domain.type == "real" else str(value)


def fit_bins(sums: Sums, item: Item, law: Scores) -> Shares:
    """Shares of bins. They are smoothed, because their inverse would be far noisier. Beside the
    noise, the errors hold what clearly less smoothing changes in a bin and its neighbours."""
    found, smoothing = bin_shares(sums, item, law)
    rougher = fitted(_told(sums, item)[:1], law, found[:1], less(smoothing))[0]
    moved = np.pad((rougher - found[0]) ** 2, 1, mode="edge")
    near = (moved[:-2] + moved[1:-1] + moved[2:]) / 3
    errors = np.sqrt(spread(found) ** 2 + near)
    return Shares(found[0], found[0], _at_bounds(found[0], law, sums.people[item.name], errors))


def _at_bounds(shares: Scores, law: Scores, people: Scores, errors: Scores) -> Scores:
    """The errors, where a share near 0 or 1 has no less than its reports leave open. Such a share
    stays at its bound in every replicate, so their spread says nothing of how far it may be."""
    least = _least_errors(shares, law, float(people.sum()))
    is_near = np.minimum(shares, 1 - shares) < REACH * least
    found: Scores = np.where(is_near, np.maximum(errors, least), errors)
    return found


def _least_errors(shares: Scores, law: Scores, people: float) -> Scores:
    """The standard error that each share would have if it alone were unknown and all others kept
    their proportions: 1/√(Fisher information), the bound of Cramér and Rao."""
    # Of a share of exactly 1 there would be no others.
    mixed = (1 - _HARDLY) * shares + _HARDLY / len(shares)
    told = law @ mixed
    turned = (law - told[:, np.newaxis]) / (1 - mixed)
    found: Scores = 1 / np.sqrt(people * (turned**2 / told[:, np.newaxis]).sum(axis=0))
    return found


def bin_shares(sums: Sums, item: Item, law: Scores) -> tuple[Scores, float]:
    """Replicates of the smoothed shares of bins, R × v, and how much they are smoothed. Each fit
    takes its time, so groups are taken together for fewer replicates."""
    smoothing = best_smoothing(sums.cells[item.name], law)
    told = _told(sums, item)
    best = fitted(told[:1], law, np.full((1, law.shape[1]), 1 / law.shape[1]), smoothing)
    return fitted(told, law, np.repeat(best, len(told), axis=0), smoothing), smoothing


def _told(sums: Sums, item: Item) -> Scores:
    """Replicates of the shares of reports."""
    cells = sums.cells[item.name]
    counts = replicates(cells.reshape(_FEWER, -1, cells.shape[1]).sum(axis=1))
    found: Scores = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return found

"""How many exact statistics the rows bear: their degrees of freedom, and coarser shapes of them.

Claim    `freedom` counts the independent numbers in two-way tables, covariances and sums within
         categories; histograms, whose bins hold `minimum` people, are not counted.
Symbols  A table of a × b filled levels has (a − 1)(b − 1). The capacity is people × columns, the
         values that there are to describe.
Why      Tables of more cells than people determine the rows, and a mixture fitted to them gives the
         rows back. What share of the capacity may be used was chosen by trials (docs/decisions/
         0013-synthesis.md) and proves nothing: the nearness test decides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from sudare.facts.sharing import Holders
from sudare.facts.statistics import Floats, Marginal, Statistics

# Shares of the capacity: of full statistics, of coarser tables, of moments in place of the tables
# of numbers, and of the strongest of these alone.
FULL = 0.3
TABLES = (0.15, 0.07, 0.03)
MOMENTS = 0.05
STRONGEST = (0.02, 0.008)
# Where the moments of numbers replace their tables, so many times as many people share a bin, and
# a column has about so many bins at most.
LOOSE_BINS, MOST_BINS = 3, 32
_LEVELS = (24, 16, 12, 8, 6, 5, 4)
_FEW_LEVELS = (16, 8, 4, 3)
Pair = tuple[str, str]


@dataclass(frozen=True)
class Shape:
    """How coarse statistics are: levels a column has at most, whether numbers are crossed or
    described by their moments, and how many pairs of columns are kept. Where `gathers`, labels of
    few people are stated together."""

    most: int | None = None
    tables: bool = True
    pairs: int | None = None
    gathers: bool = False

    @property
    def is_whole(self) -> bool:
        return not self.gathers

    @property
    def is_loose(self) -> bool:
        """Whether rows only come near to the moments."""
        return self.gathers and not self.tables

    def fewest(self, minimum: int, rows: int) -> int:
        """People of a bin, where `minimum` would do if all were stated."""
        return max(LOOSE_BINS * minimum, rows // MOST_BINS) if self.is_loose else minimum


WHOLE = Shape()


def freedom(statistics: Statistics) -> int:
    """The degrees of freedom of everything that is stated of two columns."""
    return sum(_costs(statistics).values())


def capacity(people: int, statistics: Statistics) -> int:
    return people * len(statistics.marginals)


def shapes(statistics: Statistics, people: int, tables: bool) -> Iterator[Shape]:
    """From the finest to the coarsest that so many people may bear; the full one, if it is among
    them, first. `statistics` are full ones."""
    room = capacity(people, statistics)
    if freedom(statistics) <= FULL * room:
        yield Shape(tables=tables)
    known = set(_costs(statistics))
    tried = 0
    for share in TABLES if tables else ():
        most = _finest(statistics.marginals, known, share * room, _LEVELS, True)
        if most is not None and most != tried:
            tried = most
            yield Shape(most, gathers=True)
    most = _finest(statistics.marginals, known, MOMENTS * room, _FEW_LEVELS, False)
    if most is not None:
        yield Shape(most, False, gathers=True)
    least = _FEW_LEVELS[-1]
    cost = _cost_at(statistics.marginals, known, least, False) / max(len(known), 1)
    for share in STRONGEST:
        pairs = int(share * room / max(cost, 1.0))
        if 0 < pairs < len(known):
            yield Shape(least, False, pairs, gathers=True)


def thinned(statistics: Statistics, pairs: int | None) -> Statistics:
    """Only so many pairs of columns, those that depend on each other most."""
    if pairs is None:
        return statistics
    strengths = _strengths(statistics)
    kept = set(sorted(strengths, key=lambda pair: -strengths[pair])[:pairs])
    moments = statistics.moments
    if moments is not None:
        known = moments.known & np.eye(len(moments.columns), dtype=np.bool_)
        for i, j in combinations(range(len(moments.columns)), 2):
            if _ordered(statistics, moments.columns[i], moments.columns[j]) in kept:
                known[i, j] = known[j, i] = moments.known[i, j]
        covariance = np.where(known, moments.covariance, 0.0)
        moments = replace(moments, known=known, covariance=covariance)
    return replace(
        statistics,
        crosses={pair: table for pair, table in statistics.crosses.items() if pair in kept},
        shifts={
            pair: sums
            for pair, sums in statistics.shifts.items()
            if _ordered(statistics, *pair) in kept
        },
        moments=moments,
    )


def gathered(
    counts: Floats,
    minimum: int,
    apart: Collection[int] = (),
    holders: Holders | None = None,
) -> tuple[Floats, list[int]]:
    """Labels of few people, with the next rarest until they are `minimum` together, share their
    rows evenly: none says how many it has. The new counts, and the labels. Where people have
    several rows, `holders` say who has which label; otherwise `counts` are people."""
    labels = len(counts)
    people = counts if holders is None else holders.people(np.arange(labels), labels)
    order = [place for place in np.argsort(people, kind="stable").tolist() if place not in apart]
    rare = [place for place in order if people[place] < minimum]
    for place in order[len(rare) :]:
        if not rare or _together(counts, rare, holders) >= minimum:
            break
        rare.append(place)
    found = counts.astype(np.float64)
    if rare and float(counts[rare].sum()) > 0:
        found[rare] = float(counts[rare].sum()) / len(rare)
    return found, sorted(rare)


def _together(counts: Floats, labels: Sequence[int], holders: Holders | None) -> float:
    if holders is None:
        return float(counts[labels].sum())
    are_in = np.zeros(len(counts), np.int64)
    are_in[labels] = 1
    return float(holders.people(are_in, 2)[1])


def _costs(statistics: Statistics) -> dict[Pair, int]:
    """Degrees of freedom by pair of columns, in the order of the columns."""
    found = {pair: _free(table.sum(1)) * _free(table.sum(0))
             for pair, table in statistics.crosses.items()}  # fmt: skip
    for pair, sums in statistics.shifts.items():
        key = _ordered(statistics, *pair)
        found.setdefault(key, max(len(sums) - 1, 0))
    moments = statistics.moments
    for i, j in combinations(range(0 if moments is None else len(moments.columns)), 2):
        assert moments is not None
        if moments.known[i, j]:
            key = _ordered(statistics, moments.columns[i], moments.columns[j])
            found[key] = found.get(key, 0) + 1
    return found


def _free(counts: Floats) -> int:
    return max(int((counts > 0).sum()) - 1, 0)


def _ordered(statistics: Statistics, one: str, two: str) -> Pair:
    names = statistics.names
    return (one, two) if names.index(one) < names.index(two) else (two, one)


def _finest(
    marginals: Sequence[Marginal],
    known: set[Pair],
    room: float,
    levels: Sequence[int],
    tables: bool,
) -> int | None:
    widest = max((each.levels for each in marginals if tables or not each.is_number), default=1)
    for most in levels:
        is_coarser = most < widest or most == levels[-1] or not tables
        if is_coarser and _cost_at(marginals, known, most, tables) <= room:
            return most
    return None


def _cost_at(marginals: Sequence[Marginal], known: set[Pair], most: int, tables: bool) -> int:
    """What these pairs would cost if no column had more levels than `most`."""
    free = {each.name: min(each.levels, most + int(each.may_miss)) - 1 for each in marginals}
    is_number = {each.name: each.is_number for each in marginals}
    total = 0
    for one, two in known:
        numbers = is_number[one] + is_number[two]
        if tables or not numbers:
            total += free[one] * free[two] + int(numbers == 2)
        else:
            total += 1 if numbers == 2 else free[two if is_number[one] else one]
    return total


def _strengths(statistics: Statistics) -> dict[Pair, float]:
    """Twice the log-likelihood that dependence wins over independence, less what it would win by
    its degrees of freedom alone."""
    found: dict[Pair, float] = {}
    for pair, table in statistics.crosses.items():
        total = max(float(table.sum()), 1.0)
        even = np.outer(table.sum(1), table.sum(0)) / total
        cells = table > 0
        gain = 2 * float((table[cells] * np.log(table[cells] / even[cells])).sum())
        found[pair] = gain - _free(table.sum(1)) * _free(table.sum(0))
    moments = statistics.moments
    spread = np.ones(0) if moments is None else np.diagonal(moments.covariance)
    for pair, sums in statistics.shifts.items():
        assert moments is not None
        place = moments.columns.index(pair[0])
        counts = np.maximum(statistics.marginal(pair[1]).level_counts, 1e-9)
        between = float(((sums / counts - moments.mean[place]) ** 2 @ counts) / counts.sum())
        part = between / spread[place] if spread[place] > 0 else 0.0
        key = _ordered(statistics, *pair)
        found.setdefault(key, _gain(statistics.rows, part) - max(len(sums) - 1, 0))
    for i, j in combinations(range(len(spread)), 2):
        assert moments is not None
        if not moments.known[i, j]:
            continue
        both = spread[i] * spread[j]
        part = float(moments.covariance[i, j] ** 2 / both) if both > 0 else 0.0
        key = _ordered(statistics, moments.columns[i], moments.columns[j])
        found[key] = max(found.get(key, -np.inf), _gain(statistics.rows, part) - 1)
    return found


def _gain(rows: float, explained: float) -> float:
    return -rows * float(np.log1p(-min(explained, 1 - 1e-12)))

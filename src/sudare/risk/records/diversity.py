"""ℓ-diversity, t-closeness and what a class tells of its members, for one sensitive column.

Claim    for classes c with shares q of the sensitive values, p those of all records:
         distinct ℓ = min_c #{q > 0}; entropy ℓ = min_c exp(H(q)); recursive (c, ℓ): it holds for
         every c above max_c r_1/(r_ℓ + r_{ℓ+1} + …), r the counts in descending order;
         t = max_c ½ Σ|q − p| for categories, and for m numbers in ascending order
         max_c 1/(m−1) Σ_i |Σ_{j≤i} (q_j − p_j)|.
Source   Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam 2007; Li, Li, Venkatasubramanian 2007.
Units    classes count people where they may have several rows. Whoever has a value counts for it,
         once, so that a value is certain where all have it; a person weighs 1 in q (and in p),
         divided evenly among the values that the person has in the class (in the table).
         Distinct ℓ is the least number of values that could cover the class: the least m for which
         the m commonest counts add up to its people. No m − 1 values do, so nobody can name m − 1
         of which everybody has one; where everybody has one value, m is the number of values.
Needs    a missing value counts as a value of its own, the last one where values have an order.
Gaps     floating point: about 1e-12.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sudare.facts.coded import Integers, Reals, Spread

MOST_RECURSIVE = 5
NEARLY_CERTAIN = 0.9


@dataclass(frozen=True)
class Classes:
    """Per class: number of units, distinct ℓ, how many values occur, and the units that have the
    commonest; and the share of every value that occurs among all."""

    records: Integers
    distinct: Integers
    present: Integers
    commonest: Integers
    overall: Reals

    def failing(self, k: int, diversity: int) -> npt.NDArray[np.bool_]:
        """Classes of fewer than k units or of a distinct ℓ below what is wanted."""
        return (self.records < k) | (self.distinct < diversity)


@dataclass(frozen=True)
class Diversity:
    """Everything said of one sensitive column. `certain` are units of whom a value is known to
    whoever knows their class, `nearly` those with one value in nine of ten, `excluded` those for
    whom some value of the table is ruled out; `best_guess` is the mean chance of guessing a value
    with the classes, `blind_guess` without."""

    values: int
    distinct: int
    entropy: float
    recursive: tuple[tuple[int, float], ...]
    t: float
    ordered: bool
    certain_classes: int
    certain: int
    nearly: int
    excluded: int
    zero_cells: int
    best_guess: float
    blind_guess: float
    greatest_ratio: float


def classes_of(spread: Spread) -> Classes:
    """The classes of a spread, in the order of their owners."""
    starts, records = spread.starts(), spread.sizes()
    present = np.diff(np.append(starts, len(spread.owner)))
    return Classes(
        records=records,
        distinct=present if spread.members is None else _covering(spread, records),
        present=present,
        commonest=np.maximum.reduceat(spread.count, starts),
        overall=_overall(spread)[1],
    )


def diversity(spread: Spread) -> Diversity:
    """All measures of one sensitive column over classes."""
    found = classes_of(spread)
    certain = found.commonest == found.records
    nearly = found.commonest >= NEARLY_CERTAIN * found.records
    excluded = found.present < len(found.overall)
    whole = spread.whole
    return Diversity(
        values=len(found.overall),
        distinct=int(found.distinct.min()),
        entropy=float(np.exp(_entropies(spread, found).min())),
        recursive=_recursive(spread, found),
        t=float(distances(spread).max()),
        ordered=spread.ordered,
        certain_classes=int(certain.sum()),
        certain=spread.inside(certain),
        nearly=spread.inside(nearly),
        excluded=spread.inside(excluded),
        zero_cells=int((len(found.overall) - found.present).sum()),
        best_guess=int(found.commonest.sum()) / int(found.records.sum()),
        blind_guess=float(found.overall.max()) if whole is None else whole.commonest,
        greatest_ratio=_greatest_ratio(spread),
    )


def distances(spread: Spread, overall: Reals | None = None) -> Reals:
    """The distance of each class from the whole: t-closeness is the largest. `overall` (a share
    for every code) stands for the records themselves where they are a part of a larger table."""
    if overall is None:
        present, shares = _overall(spread)
        place = np.zeros(spread.codes, np.int64)
        place[present] = np.arange(len(present))
        places = place[spread.code]
    else:
        places, shares = spread.code, overall
    return _ordered(spread, places, shares) if spread.ordered else _equal(spread, places, shares)


def _overall(spread: Spread) -> tuple[Integers, Reals]:
    """The codes that occur, and their shares among all."""
    if spread.whole is not None:
        shares = spread.whole.shares
    else:
        shares = np.bincount(spread.code, spread.count, spread.codes) / spread.count.sum()
    present = np.flatnonzero(shares).astype(np.int64)
    return present, shares[present]


def _covering(spread: Spread, records: Integers) -> Integers:
    """Distinct ℓ: the least number of values whose counts add up to the class."""
    order = np.lexsort((-spread.count, spread.owner))
    starts, counts = spread.starts(), spread.count[order]
    before = np.cumsum(counts) - counts
    before -= np.repeat(before[starts], np.diff(np.append(starts, len(order))))
    # A value is needed where those before it do not add up to the class yet.
    needed = before < records[spread.owner[order]]
    return np.asarray(np.add.reduceat(needed.astype(np.int64), starts))


def _whole(spread: Spread) -> Reals:
    """The units of the class of each entry."""
    starts = spread.starts()
    return np.repeat(spread.sizes(), np.diff(np.append(starts, len(spread.owner)))).astype(
        np.float64
    )


def _entropies(spread: Spread, found: Classes) -> Reals:
    weights = spread.weights
    weighted = np.add.reduceat(weights * np.log(weights), spread.starts())
    return np.asarray(np.log(found.records) - weighted / found.records)


def _recursive(spread: Spread, found: Classes) -> tuple[tuple[int, float], ...]:
    """For each ℓ from 2: the c above which recursive (c, ℓ)-diversity holds."""
    order = np.lexsort((-spread.count, spread.owner))
    starts = spread.starts()
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    weights, least = spread.weights[order], int(found.distinct.min())
    result = []
    for wanted in range(2, min(least, MOST_RECURSIVE) + 1):
        tail = np.add.reduceat(np.where(rank >= wanted - 1, weights, 0.0), starts)
        result.append((wanted, float((found.commonest / tail).max())))
    return tuple(result)


def _equal(spread: Spread, places: Integers, shares: Reals) -> Reals:
    """½ Σ|q − p|; a value that a class lacks adds its p, so only the others are gone through."""
    own = shares[places]
    inside = np.add.reduceat(np.abs(spread.weights / _whole(spread) - own) - own, spread.starts())
    return np.asarray((inside + shares.sum()) / 2)


def _ordered(spread: Spread, places: Integers, shares: Reals) -> Reals:
    """1/(m−1) Σ_i |Q_i − P_i|. Between two values of a class Q stays the same while P rises, so
    each stretch is split where P passes Q and added up from prefix sums of P."""
    starts, last = spread.starts(), len(shares)
    if last == 1:
        return np.zeros(len(starts))
    whole_p = np.minimum(np.cumsum(shares), 1.0)
    prefix = np.concatenate([[0.0], np.cumsum(whole_p)])
    weights = spread.weights
    running = np.cumsum(weights)
    before = np.repeat(running[starts] - weights[starts], np.diff(np.append(starts, len(running))))
    level = (running - before) / _whole(spread)
    begin, end = places, np.append(places[1:], last)
    end[np.append(starts[1:], len(running)) - 1] = last
    middle = np.clip(np.searchsorted(whole_p, level), begin, end)
    lower = level * (middle - begin) - (prefix[middle] - prefix[begin])
    upper = (prefix[end] - prefix[middle]) - level * (end - middle)
    inside = np.add.reduceat(lower + upper, starts)
    # Before a class's first value Q is 0.
    return np.asarray((inside + prefix[places[starts]]) / (last - 1))


def _greatest_ratio(spread: Spread) -> float:
    """How many times likelier some value is in some class than among all records."""
    present, shares = _overall(spread)
    whole = np.zeros(spread.codes)
    whole[present] = shares
    ratio = float((spread.weights / _whole(spread) / whole[spread.code]).max())
    return ratio if math.isfinite(ratio) else 0.0

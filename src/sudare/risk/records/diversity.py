"""ℓ-diversity, t-closeness and what a class tells of its members, for one sensitive column.

Claim    for classes c with shares q of the sensitive values, p those of all records:
         distinct ℓ = min_c #{q > 0}; entropy ℓ = min_c exp(H(q)); recursive (c, ℓ): it holds for
         every c above max_c r_1/(r_ℓ + r_{ℓ+1} + …), r the counts in descending order;
         t = max_c ½ Σ|q − p| for categories, and for m numbers in ascending order
         max_c 1/(m−1) Σ_i |Σ_{j≤i} (q_j − p_j)|.
Source   Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam 2007; Li, Li, Venkatasubramanian 2007.
Needs    a missing value counts as a value of its own, the last one where values have an order.
Gaps     floating point: about 1e-12.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sudare.facts.coded import Integers, Spread

Reals = npt.NDArray[np.float64]
MOST_RECURSIVE = 5
NEARLY_CERTAIN = 0.9


@dataclass(frozen=True)
class Classes:
    """Per class: number of records, of distinct values, and the count of the commonest; and the
    share of every value that occurs among all records."""

    records: Integers
    distinct: Integers
    commonest: Integers
    overall: Reals

    def failing(self, k: int, diversity: int) -> npt.NDArray[np.bool_]:
        """Classes of fewer than k records or fewer than ℓ distinct values."""
        return (self.records < k) | (self.distinct < diversity)


@dataclass(frozen=True)
class Diversity:
    """Everything said of one sensitive column. `certain` are records whose value is known to
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
    starts = _starts(spread)
    return Classes(
        records=np.add.reduceat(spread.count, starts),
        distinct=np.diff(np.append(starts, len(spread.owner))),
        commonest=np.maximum.reduceat(spread.count, starts),
        overall=_overall(spread)[1],
    )


def diversity(spread: Spread) -> Diversity:
    """All measures of one sensitive column over classes."""
    found = classes_of(spread)
    certain = found.distinct == 1
    nearly = found.commonest >= NEARLY_CERTAIN * found.records
    excluded = found.distinct < len(found.overall)
    total = int(found.records.sum())
    return Diversity(
        values=len(found.overall),
        distinct=int(found.distinct.min()),
        entropy=float(np.exp(_entropies(spread, found).min())),
        recursive=_recursive(spread, found),
        t=float(distances(spread).max()),
        ordered=spread.ordered,
        certain_classes=int(certain.sum()),
        certain=int(found.records[certain].sum()),
        nearly=int(found.records[nearly].sum()),
        excluded=int(found.records[excluded].sum()),
        zero_cells=int((len(found.overall) - found.distinct).sum()),
        best_guess=int(found.commonest.sum()) / total,
        blind_guess=float(found.overall.max()),
        greatest_ratio=_greatest_ratio(spread, found),
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


def _starts(spread: Spread) -> Integers:
    return np.flatnonzero(np.diff(spread.owner, prepend=-1)).astype(np.int64)


def _overall(spread: Spread) -> tuple[Integers, Reals]:
    """The codes that occur, and their shares among all records."""
    counts = np.bincount(spread.code, spread.count, spread.codes)
    present = np.flatnonzero(counts).astype(np.int64)
    return present, counts[present] / spread.count.sum()


def _sizes(spread: Spread, starts: Integers) -> tuple[Integers, Integers]:
    """The records of each class, and of the class of each entry."""
    records = np.add.reduceat(spread.count, starts)
    return records, np.repeat(records, np.diff(np.append(starts, len(spread.owner))))


def _entropies(spread: Spread, found: Classes) -> Reals:
    weighted = np.add.reduceat(spread.count * np.log(spread.count), _starts(spread))
    return np.asarray(np.log(found.records) - weighted / found.records)


def _recursive(spread: Spread, found: Classes) -> tuple[tuple[int, float], ...]:
    """For each ℓ from 2: the c above which recursive (c, ℓ)-diversity holds."""
    order = np.lexsort((-spread.count, spread.owner))
    starts = _starts(spread)
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    counts, least = spread.count[order], int(found.distinct.min())
    result = []
    for wanted in range(2, min(least, MOST_RECURSIVE) + 1):
        tail = np.add.reduceat(np.where(rank >= wanted - 1, counts, 0), starts)
        result.append((wanted, float((found.commonest / tail).max())))
    return tuple(result)


def _equal(spread: Spread, places: Integers, shares: Reals) -> Reals:
    """½ Σ|q − p|; a value that a class lacks adds its p, so only the others are gone through."""
    starts = _starts(spread)
    _, whole = _sizes(spread, starts)
    own = shares[places]
    inside = np.add.reduceat(np.abs(spread.count / whole - own) - own, starts)
    return np.asarray((inside + shares.sum()) / 2)


def _ordered(spread: Spread, places: Integers, shares: Reals) -> Reals:
    """1/(m−1) Σ_i |Q_i − P_i|. Between two values of a class Q stays the same while P rises, so
    each stretch is split where P passes Q and added up from prefix sums of P."""
    starts, last = _starts(spread), len(shares)
    if last == 1:
        return np.zeros(len(starts))
    whole_p = np.minimum(np.cumsum(shares), 1.0)
    prefix = np.concatenate([[0.0], np.cumsum(whole_p)])
    _, whole = _sizes(spread, starts)
    running = np.cumsum(spread.count)
    before = np.repeat(
        running[starts] - spread.count[starts], np.diff(np.append(starts, len(running)))
    )
    level = (running - before) / whole
    begin, end = places, np.append(places[1:], last)
    end[np.append(starts[1:], len(running)) - 1] = last
    middle = np.clip(np.searchsorted(whole_p, level), begin, end)
    lower = level * (middle - begin) - (prefix[middle] - prefix[begin])
    upper = (prefix[end] - prefix[middle]) - level * (end - middle)
    inside = np.add.reduceat(lower + upper, starts)
    # Before a class's first value Q is 0.
    return np.asarray((inside + prefix[places[starts]]) / (last - 1))


def _greatest_ratio(spread: Spread, found: Classes) -> float:
    """How many times likelier some value is in some class than among all records."""
    present, shares = _overall(spread)
    whole = np.zeros(spread.codes)
    whole[present] = shares
    _, sizes = _sizes(spread, _starts(spread))
    ratio = float((spread.count / sizes / whole[spread.code]).max())
    return ratio if math.isfinite(ratio) else 0.0

"""The smooth bounds on every small table: at least the local sensitivity, smooth, and the least.

Tables of up to five rows in four cells (a missing value is a row that is not there) with all their
neighbours under both relations, one or two rows a unit.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from sudare.queries.smooth_trimmed import kept_of, window
from sudare.queries.smooth_windows import LEAST_LOG, Ranks, as_bound, log_window, ranks_of

CELLS = 4
MOST = 5
DECAY = Fraction(1, 3)
Table = tuple[int, ...]
Statistic = Callable[[Ranks], int]
Bound = Callable[[Ranks, int], float]


@cache
def tables() -> list[Table]:
    """All tables as sorted cells."""
    return [
        rows
        for n in range(MOST + 1)
        for rows in itertools.combinations_with_replacement(range(CELLS), n)
    ]


@cache
def ranks(table: Table) -> Ranks:
    return ranks_of(np.bincount(np.array(table, dtype=int), minlength=CELLS))


def steps(table: Table, replacing: bool) -> Iterator[Table]:
    """All tables that differ by one row: come or gone, or also changed."""
    gone = {table[:i] + table[i + 1 :] for i in range(len(table))}
    yield from gone
    bases = [table, *(gone if replacing else ())]
    for base in bases:
        yield from (tuple(sorted((*base, cell))) for cell in range(CELLS))


@cache
def neighbours(table: Table, k: int, replacing: bool) -> frozenset[Table]:
    """All tables that differ by one unit of at most k rows; they are kept to MOST rows."""
    found = {table}
    for _ in range(k):
        found |= {t for one in found for t in steps(one, replacing) if len(t) <= MOST}
    return frozenset(found)


def quantile(level: Fraction) -> tuple[Statistic, Bound]:
    def rank(of: Ranks) -> int:
        return math.ceil(level * of.rows)

    return (
        lambda of: of.value(rank(of)),
        lambda of, k: log_window(of, rank(of), rank(of), DECAY, k),
    )


def distance() -> tuple[Statistic, Bound]:
    low, high = quantile(Fraction(1, 4)), quantile(Fraction(3, 4))
    return (
        lambda of: high[0](of) - low[0](of),
        lambda of, k: float(np.logaddexp(low[1](of, k), high[1](of, k))),
    )


def trimmed(cut: Fraction, rows: int) -> tuple[Statistic, Bound]:
    """The sum behind a trimmed mean once the (noisy) number of rows is known."""
    kept = kept_of(rows, cut)
    return (
        lambda of: of.total(*window(of.rows, kept)),
        lambda of, k: math.log(k) + log_window(of, *window(of.rows, kept), DECAY, k),
    )


STATISTICS = {
    "median": quantile(Fraction(1, 2)),
    "upper decile": quantile(Fraction(9, 10)),
    "lower quartile": quantile(Fraction(1, 4)),
    "range": distance(),
    "trimmed mean of 4": trimmed(Fraction(1, 4), 4),
    "trimmed mean of 9": trimmed(Fraction(1, 5), 9),
    "trimmed mean of 1": trimmed(Fraction(1, 5), 1),
}


@pytest.mark.parametrize("replacing", [False, True], ids=["add-remove", "replace-one"])
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("name", STATISTICS)
def test_bounds_hold_and_are_smooth(name: str, k: int, replacing: bool) -> None:
    statistic, bound = STATISTICS[name]
    value = {t: statistic(ranks(t)) for t in tables()}
    log = {t: bound(ranks(t), k) for t in tables()}
    size = {t: as_bound(log[t]) for t in tables()}
    smooth = Fraction(math.exp(DECAY))
    attained = 0.0
    for table in tables():
        for other in neighbours(table, k, replacing):
            assert abs(value[table] - value[other]) <= size[table]
            assert size[table] <= smooth * size[other]
            assert log[table] - log[other] <= DECAY
            attained = max(attained, log[table] - log[other])
    # Some pair uses (nearly) all of the claim, but for a window that no small table fills.
    assert attained > 0.99 * float(DECAY) or name == "trimmed mean of 9"


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_search_finds_what_the_definition_says(k: int) -> None:
    generator = np.random.Generator(np.random.PCG64(7))
    for _ in range(60):
        counts = generator.integers(0, 4, size=30) * (generator.random(30) < 0.5)
        of = ranks_of(counts.astype(np.int64))
        low = int(generator.integers(0, of.rows + 2))
        high = low + int(generator.integers(0, 4))
        decay = Fraction(int(generator.integers(1, 40)), 100)
        slowly = max(
            math.log(of.value(j) - of.value(i))
            - float(decay) * max((low - i + j - high) / k - 1, 0)
            for i in range(low, -2, -1)
            for j in range(high, max(high, of.rows) + 4)
            if of.value(j) > of.value(i)
        )
        assert log_window(of, low, high, decay, k) == pytest.approx(slowly, abs=1e-6)


def test_the_median_of_a_fixed_number_of_rows_has_the_least_smooth_bound() -> None:
    """S*(x) = max over y of LS(y)·e^(-β·d(x, y)): the definition, over all tables of five rows."""
    rows, rank = 5, 3
    whole = [t for t in tables() if len(t) == rows]
    local = {
        t: max(
            (abs(t[rank - 1] - o[rank - 1]) for o in neighbours(t, 1, True) if len(o) == rows),
        )
        for t in whole
    }

    def apart(one: Table, other: Table) -> int:
        shared = sum(min(one.count(c), other.count(c)) for c in range(CELLS))
        return rows - shared

    for table in whole:
        least = max(local[o] * math.exp(-float(DECAY) * apart(table, o)) for o in whole)
        found = math.exp(log_window(ranks(table), rank, rank, DECAY, 1))
        assert found == pytest.approx(least, rel=1e-7)


def test_both_ends_of_a_range_move_together_where_rows_are_fixed() -> None:
    """One row changed, none missing: the larger of the two bounds holds for the distance."""
    low, high = quantile(Fraction(1, 4)), quantile(Fraction(3, 4))
    for table in (t for t in tables() if len(t) == MOST):
        of = ranks(table)
        larger = max(as_bound(bound(of, 1)) for _, bound in (low, high))
        for other in neighbours(table, 1, True):
            if len(other) == MOST:
                near = ranks(other)
                moved = (high[0](of) - low[0](of)) - (high[0](near) - low[0](near))
                assert abs(moved) <= larger


def test_ranks_are_padded_by_the_bounds() -> None:
    of = ranks_of(np.array([0, 2, 0, 1, 0], dtype=np.int64))
    assert [of.value(rank) for rank in range(-1, 6)] == [0, 0, 1, 1, 3, 4, 4]
    assert of.total(-1, 5) == 0 + 0 + 1 + 1 + 3 + 4 + 4


def test_extremes_have_a_bound() -> None:
    """No row, one cell, a crowd at one place, and a decay too small to be of use."""
    nothing = ranks_of(np.zeros(11, dtype=np.int64))
    assert log_window(nothing, 0, 0, DECAY, 1) == pytest.approx(math.log(10))
    constant = ranks_of(np.array([5], dtype=np.int64))
    assert log_window(constant, 3, 3, DECAY, 1) == pytest.approx(LEAST_LOG)
    crowd = np.zeros(1000, dtype=np.int64)
    crowd[500] = 10**9
    assert log_window(ranks_of(crowd), 5 * 10**8, 5 * 10**8, DECAY, 1) == pytest.approx(LEAST_LOG)
    tiny = log_window(ranks_of(crowd), 5 * 10**8, 5 * 10**8, Fraction(1, 10**9), 1)
    assert tiny == pytest.approx(math.log(999))

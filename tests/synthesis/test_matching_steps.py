"""Swaps, whole steps and shifts, each by itself: what they keep, and what they close."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sudare.synthesis.matching.goal import Goal, gap_of
from sudare.synthesis.matching.moving import move, settle
from sudare.synthesis.matching.shifting import Room, shift
from sudare.synthesis.matching.swapping import swap_all
from sudare.synthesis.matching.tied import narrowed, ties_of
from support.bits import CountedBits

ROWS = 3_000


def columns(label: int, correlation: float) -> np.ndarray:
    """Whole numbers between 0 and 40, 0 and 1, and 0 and 100,000."""
    draw = np.random.default_rng(label)
    a = draw.normal(size=ROWS)
    b, c = (correlation * a + np.sqrt(1 - correlation**2) * draw.normal(size=ROWS) for _ in "bc")
    return np.column_stack(
        [
            np.clip(np.rint(20 + 6 * a), 0, 40),
            (b > 0.3).astype(float),
            np.clip(np.rint(40_000 + 15_000 * c), 0, 100_000),
        ]
    )


def goal_of(wanted: np.ndarray) -> Goal:
    covariance = np.cov(wanted.T, ddof=0)
    deviation = np.sqrt(np.diagonal(covariance))
    return Goal(
        wanted.mean(axis=0),
        deviation,
        covariance / np.outer(deviation, deviation),
        np.ones((3, 3), bool),
        np.ones(3, bool),
        np.zeros(3),
        np.array([40.0, 1.0, 100_000.0]),
    )


PRESENT = np.ones((ROWS, 3), bool)
NOTHING_HELD = np.zeros_like(PRESENT)


def room(goal: Goal) -> Room:
    return Room(np.tile(goal.low, (ROWS, 1)), np.tile(goal.high, (ROWS, 1)))


def test_swaps_keep_histograms_and_close_covariances() -> None:
    wanted, held = columns(1, 0.6), columns(1, 0.6)
    goal = goal_of(wanted)
    draw = np.random.default_rng(0)
    for place in range(3):
        held[:, place] = draw.permutation(held[:, place])
    before = gap_of(goal.standard(held, PRESENT), goal).largest
    sorted_before = np.sort(held, axis=0)
    told: list[int] = []
    swap_all(
        held,
        PRESENT,
        goal,
        lambda column, one, two: (one % 7 > 0) & (two % 7 > 0),
        lambda column, one, two: told.extend([*one.tolist(), *two.tolist()]),
        CountedBits("swap"),
    )
    assert np.array_equal(np.sort(held, axis=0), sorted_before)
    after = gap_of(goal.standard(held, PRESENT), goal).products
    assert before > 0.3
    assert np.abs(after).max() < 0.02
    # Rows that may not be swapped were not.
    assert told
    assert all(row % 7 for row in told)


def test_whole_steps_meet_coarse_moments() -> None:
    goal, held = goal_of(columns(2, 0.3)), columns(3, 0.25)
    found = move(held, PRESENT, goal, room(goal), 3e-7, CountedBits("move"))
    assert np.array_equal(found, np.rint(found))
    assert (found >= goal.low).all()
    assert (found <= goal.high).all()
    # The fine column is left alone, and so is what is at a bound of the wide ones.
    assert np.array_equal(found[:, 2], held[:, 2])
    ends = (held[:, 0] == 0) | (held[:, 0] == 40)
    assert np.array_equal(found[ends, 0], held[ends, 0])
    gap = gap_of(goal.standard(found, PRESENT), goal)
    assert gap.among(~goal.fine) <= 5e-5
    assert gap_of(goal.standard(held, PRESENT), goal).among(~goal.fine) > 1e-2


@pytest.mark.parametrize("short", [-1, 1])
def test_a_sum_that_is_short_of_a_long_step_is_met_too(short: int) -> None:
    """Steps of 3 round a gap of one away; the variance about the wanted mean is met already."""
    held = ((np.arange(600) * 37) % 90).astype(float)[:, None]
    held[np.argmax(held == 44), 0] += short
    mean = np.array([44.5])
    assert held.sum() == 44.5 * 600 + short
    deviation = np.sqrt(((held - mean) ** 2).mean(axis=0))
    one, yes = np.ones((1, 1)), np.ones(1, bool)
    goal = Goal(mean, deviation, one, one > 0, yes, np.zeros(1), np.full(1, 99.0))
    small = Room(np.zeros_like(held), np.full_like(held, 99.0))
    there = np.ones_like(held, bool)
    settle(held, there, goal, small, 0, np.arange(1), 3e-7, CountedBits("short"))
    assert held.sum() == 44.5 * 600
    assert gap_of(goal.standard(held, there), goal).largest <= 3e-7


def test_shifts_close_what_concerns_the_fine_columns() -> None:
    goal, held = goal_of(columns(4, 0.3)), columns(5, 0.25)
    found = shift(held, PRESENT, goal, room(goal), goal.fine, NOTHING_HELD, CountedBits("shift"))
    assert np.array_equal(found[:, :2], held[:, :2])
    gap = gap_of(goal.standard(found, PRESENT), goal)
    assert np.abs(gap.sums[2]) <= 1e-9
    assert np.abs(gap.products[2]).max() <= 1e-8
    assert found[:, 2].min() >= 0
    assert found[:, 2].max() <= 100_000


def test_what_is_missing_stays_where_it_was() -> None:
    goal, held = goal_of(columns(6, 0.3)), columns(7, 0.25)
    present = PRESENT.copy()
    present[::5, 2] = present[::7, 0] = False
    for found in (
        move(held, present, goal, room(goal), 1e-6, CountedBits("m")),
        shift(held, present, goal, room(goal), goal.fine, np.zeros_like(present), CountedBits("s")),
    ):
        assert np.array_equal(found[~present], held[~present])


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_so_few_rows_that_there_is_no_neighbour(rows: int) -> None:
    goal = goal_of(columns(8, 0.3))
    held, present = columns(9, 0.3)[:rows], PRESENT[:rows]
    small = Room(np.tile(goal.low, (rows, 1)), np.tile(goal.high, (rows, 1)))
    found = move(held, present, goal, small, 1e-6, CountedBits("few"))
    assert (found >= goal.low).all()
    assert (found <= goal.high).all()


def test_ties_are_found_where_whole_numbers_allow_them() -> None:
    x = columns(10, 0)[:, 0]
    goal = goal_of(np.column_stack([x, 2 * x + 1, 100 - 1.5 * x]))
    assert ties_of(goal, np.zeros(3, bool)) == []
    (tie,) = ties_of(goal, np.ones(3, bool))
    assert (tie.child, tie.parent, tie.slope, tie.offset) == (1, 0, 2.0, 1.0)
    real = replace(goal, whole=np.array([True, True, False]))
    slopes = {each.child: each.slope for each in ties_of(real, np.ones(3, bool))}
    assert slopes == pytest.approx({1: 2.0, 2: -1.5})
    # 2x + 1 between 0 and 1 leaves x = 0 alone.
    bounded = narrowed(goal, [tie])
    assert (bounded.low[0], bounded.high[0]) == (0, 0)

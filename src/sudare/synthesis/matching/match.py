"""The exact step as a whole: swap, move what is coarse, shift what is fine, round.

Coarse whole numbers come first and only among themselves; then the fine columns, which can meet any
number, close what is left with them. Rounding of fine whole numbers is last, and both figures,
before and after it, are kept for the report.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import frexp

import numpy as np
from numpy.typing import NDArray

from sudare.facts.grid import DEFAULT_STEPS
from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.randomness.bits import RandomBits
from sudare.synthesis.drawing import Ints
from sudare.synthesis.matching.goal import FINE, Gap, Goal, gap_of
from sudare.synthesis.matching.moving import move, settle
from sudare.synthesis.matching.shifting import Room, shift
from sudare.synthesis.matching.swapping import swap_all
from sudare.synthesis.matching.tied import narrowed, ties_of
from sudare.synthesis.records import Codes, Forbidden
from sudare.synthesis.rules.cutting import cuts_of

TOLERANCE = 3e-7
# In squared steps: a variance below this is none.
_DEVIATION = 1e-12
# A single value that this share of the people have is one that a reader looks for.
_SPIKE = 0.002


@dataclass(frozen=True, eq=False)
class Matched:
    """Grid indices by column, and the gaps (in standard units, a row) as drawn, before and after
    rounding to whole numbers; `mean`, `deviation` and correlations that were `wanted`, in the units
    of the data."""

    indices: dict[str, Floats]
    drawn: Gap
    before: Gap
    after: Gap
    mean: Floats
    deviation: Floats
    wanted: Floats


def match(
    statistics: Statistics,
    indices: dict[str, Floats],
    codes: Codes,
    forbidden: Forbidden,
    bits: RandomBits,
) -> Matched | None:
    """None where no moments are known, or no number varies; `indices` have been `settled`."""
    names = _varying(statistics)
    if statistics.moments is None or not names:
        return None
    marginals = [statistics.marginal(name) for name in names]
    goal = _goal(statistics, marginals)
    matrix = np.array([indices[name] for name in names]).T
    present = np.array([codes[m.name] < m.present_levels for m in marginals]).T
    first = gap_of(goal.standard(matrix, present), goal)
    free = [not each.may_miss and each.name not in forbidden.columns for each in marginals]
    ties = ties_of(goal, np.array(free))
    own = np.setdiff1d(np.arange(len(names)), [each.child for each in ties])
    whole = matrix.copy()
    matrix[:, own], whole[:, own] = _closed(
        matrix[:, own],
        present[:, own],
        narrowed(goal, ties).only(own),
        [marginals[place] for place in own.tolist()],
        codes,
        forbidden,
        bits,
    )
    for each in ties:
        matrix[:, each.child] = each.value(matrix)
        whole[:, each.child] = each.value(whole)
    before = gap_of(goal.standard(matrix, present), goal)
    rounded = np.clip(np.where(goal.whole, np.rint(whole), whole), goal.low, goal.high)
    after = gap_of(goal.standard(rounded, present), goal)
    found = {name: rounded[:, place] for place, name in enumerate(names)}
    steps = np.array([each.step for each in marginals])
    return Matched(
        found, first, before, after, goal.mean * steps, goal.deviation * steps, goal.wanted
    )


def _closed(
    matrix: Floats,
    present: NDArray[np.bool_],
    goal: Goal,
    marginals: list[Marginal],
    codes: Codes,
    forbidden: Forbidden,
    bits: RandomBits,
) -> tuple[Floats, Floats]:
    """New indices of the columns, their gap closed as far as swaps, steps and shifts can, and the
    same rounded to whole numbers and mended once more by steps."""
    names = [each.name for each in marginals]
    held = {name: codes[name] for name in {*forbidden.columns, *names}}
    matrix = np.where(present, np.clip(matrix, goal.low, goal.high), matrix)
    swap_all(
        matrix,
        present,
        goal,
        lambda column, one, two: _allowed(forbidden, held, names[column], one, two),
        lambda column, one, two: _exchange(held, names[column], one, two),
        bits,
    )
    room = _room(marginals, goal, matrix, forbidden)
    matrix = move(matrix, present, goal, room, TOLERANCE, bits)
    held_spikes = _at_spikes(marginals, goal, matrix)
    matrix = shift(matrix, present, goal, room, goal.fine, held_spikes, bits)
    whole = np.where(goal.whole, np.rint(matrix), matrix)
    every = np.arange(len(marginals))
    for column in np.flatnonzero(goal.whole & goal.fine).tolist():
        settle(whole, present, goal, room, column, every, TOLERANCE, bits)
    return matrix, whole


def settled(statistics: Statistics, indices: dict[str, Floats], codes: Codes) -> dict[str, Floats]:
    """Numbers that do not vary stand at their mean, in the rows whose level has it."""
    moments, found = statistics.moments, {}
    for place, name in enumerate(() if moments is None else moments.columns):
        each = statistics.marginal(name)
        if moments is None or each.is_constant or not moments.known[place, place]:
            continue
        if moments.covariance[place, place] <= _DEVIATION * each.step**2:
            value = np.rint(moments.mean[place] / each.step)
            level = np.searchsorted(each.level_starts(), value, side="right") - 1
            found[name] = np.where(codes[name] == level, value, indices[name])
    return found


def _varying(statistics: Statistics) -> list[str]:
    """Numbers whose variance is known and above zero."""
    moments = statistics.moments
    if moments is None:
        return []
    spread = np.diagonal(moments.covariance)
    return [
        name
        for place, name in enumerate(moments.columns)
        if moments.known[place, place]
        and spread[place] > _DEVIATION * statistics.marginal(name).step ** 2
        and not statistics.marginal(name).is_constant
    ]  # fmt: skip


def _goal(statistics: Statistics, marginals: list[Marginal]) -> Goal:
    moments = statistics.moments
    assert moments is not None
    places = [moments.columns.index(each.name) for each in marginals]
    steps = np.array([each.step for each in marginals])
    covariance = moments.covariance[np.ix_(places, places)] / np.outer(steps, steps)
    deviation = np.sqrt(np.diagonal(covariance))
    return Goal(
        moments.mean[places] / steps,
        deviation,
        covariance / np.outer(deviation, deviation),
        moments.known[np.ix_(places, places)],
        # A real column of few steps, or of steps that somebody declared, stays on them too: half
        # hours and cents, not 7.31 halves.
        np.array([not _is_default(each) for each in marginals]) | (deviation * FINE < 1.0),
        *_support(marginals),
    )


def _is_default(each: Marginal) -> bool:
    """Whether a real column has the step that a column gets where nobody declared one."""
    is_fine = each.high - each.low >= DEFAULT_STEPS - 1
    return each.type == "real" and is_fine and frexp(each.step)[0] == 0.5


def _support(marginals: list[Marginal]) -> tuple[Floats, Floats]:
    """From the first bin that holds people to the last: no value is moved to where nobody is."""
    low, high = [], []
    for each in marginals:
        held = np.flatnonzero(each.counts > 0)
        first, last = (held[0], held[-1]) if len(held) else (0, each.bins - 1)
        low.append(float(each.starts[first]))
        high.append(float(each.ends[last]))
    return np.array(low), np.array(high)


def _allowed(
    forbidden: Forbidden, held: Codes, name: str, one: Ints, two: Ints
) -> NDArray[np.bool_]:
    """Swaps after which neither row is forbidden."""
    if name not in forbidden.columns:
        return np.ones(len(one), np.bool_)
    found = np.ones(len(one), np.bool_)
    for mine, other in ((one, two), (two, one)):
        codes = {each: held[each][mine] for each in forbidden.columns}
        codes[name] = held[name][other]
        found &= ~forbidden.broken(codes)
    return found


def _exchange(held: Codes, name: str, one: Ints, two: Ints) -> None:
    codes = held[name]
    codes[one], codes[two] = codes[two], codes[one]


def _room(marginals: list[Marginal], goal: Goal, matrix: Floats, forbidden: Forbidden) -> Room:
    """A column that rules speak of stays between two places where one of them turns, the others
    inside their bounds."""
    low, high = np.empty_like(matrix), np.empty_like(matrix)
    cuts = cuts_of(forbidden.rules.compiled)
    for place, each in enumerate(marginals):
        turns = sorted(cut for cut in cuts.get(each.name, ()) if each.low < cut <= each.high)
        starts = np.array([each.low, *turns, each.high + 1])
        at = np.clip(np.searchsorted(starts, matrix[:, place], side="right") - 1, 0, None)
        ends = np.array([end - 1 for _, end in pairwise(starts.tolist())])
        at = np.minimum(at, len(ends) - 1)
        low[:, place], high[:, place] = starts[at], ends[at]
    _hold_apart(marginals, matrix, forbidden, low, high)
    return Room(np.maximum(low, goal.low), np.minimum(high, goal.high))


def _at_spikes(marginals: list[Marginal], goal: Goal, matrix: Floats) -> NDArray[np.bool_]:
    """Values of fine columns that many people share: they are to stay, if others can move."""
    found = np.zeros(matrix.shape, np.bool_)
    for place in np.flatnonzero(goal.fine).tolist():
        each = marginals[place]
        starts, ends = np.array(each.starts), np.array(each.ends)
        common = (starts == ends) & (each.counts >= _SPIKE * max(float(each.counts.sum()), 1.0))
        found[:, place] = np.isin(matrix[:, place], starts[common])
    return found


def _hold_apart(
    marginals: list[Marginal], matrix: Floats, forbidden: Forbidden, low: Floats, high: Floats
) -> None:
    """Of two numbers that exclude each other one is held where it is at its minimum; the other, the
    shorter, may leave its minimum where the first is at its own."""
    places = {each.name: place for place, each in enumerate(marginals)}
    for pair in forbidden.exclusive:
        if not set(pair) <= set(places):
            continue
        short, long = sorted((places[name] for name in pair), key=lambda p: _span(marginals[p]))
        at_least = matrix[:, long] <= marginals[long].low
        high[at_least, long] = marginals[long].low
        low[~at_least, long] = np.maximum(low[~at_least, long], marginals[long].low + 1)
        high[~at_least, short] = marginals[short].low


def _span(marginal: Marginal) -> tuple[int, str]:
    return marginal.high - marginal.low, marginal.name

"""Whole numbers with few values: steps up and down until their moments are met.

Every value is first moved by the least change of least.py, rounded up or down at random with the
right mean, which leaves the chance of that draw. Then, column by column, the steps are chosen that
close what is left (choosing.py). A step of size h (in standard units) of row r adds h to Σz_j,
h z_rk to Σ z_j z_k and 2h z_rj + h² to Σ z_j². The column of the longest step comes first and is
matched with itself, each next one with those before it: what two columns have in common is left to
the one that can move more finely. What that one cannot do, because its values have no room, is
asked of the other in further passes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats
from sudare.randomness.bits import RandomBits
from sudare.randomness.floats import uniforms
from sudare.synthesis.matching.choosing import choose_steps
from sudare.synthesis.matching.goal import Goal, gap_of
from sudare.synthesis.matching.least import least_change
from sudare.synthesis.matching.shifting import Room

_DRAWS = 4
_FEW = 16
_KINDS = 64
_LOOKS = 4
_PASSES = 4
_GOOD = 3.0
_STALLED = 0.7
_LONG = 10.0
_LOOKED_AT = 3_000


def move(
    indices: Floats,
    present: NDArray[np.bool_],
    goal: Goal,
    room: Room,
    tolerance: float,
    bits: RandomBits,
) -> Floats:
    """New indices of the coarse columns; their moments among each other are met to `tolerance` a
    row, as far as whole numbers can."""
    coarse = np.flatnonzero(~goal.fine)
    if not len(coarse) or not len(indices):
        return indices
    found = indices.copy()
    least = gap_of(goal.standard(found, present), goal).among(~goal.fine)
    share = 1.0
    for _ in range(_DRAWS):
        drawn = _drawn(found, present, goal, room, coarse, share, bits)
        left = gap_of(goal.standard(drawn, present), goal).among(~goal.fine)
        # A step that goes too far, because many values met their bounds, is taken by half.
        share = 1.0 if left < least else share / 2
        if left < least:
            found, least = drawn, left
        if least <= 30 * tolerance or share < 0.1:
            break
    order = coarse[np.argsort(goal.deviation[coarse], kind="stable")]
    last = np.inf
    for number in range(_PASSES):
        for place, column in enumerate(order.tolist()):
            with_columns = order if number else order[: place + 1]
            settle(found, present, goal, room, column, with_columns, tolerance, bits)
        products = gap_of(goal.standard(found, present), goal).products[np.ix_(order, order)]
        largest = float(np.max(np.abs(products)))
        # Columns of few values cannot come nearer than the effect of one of their steps.
        if largest <= _GOOD * tolerance or largest > _STALLED * last:
            break
        last = largest
    return found


def settle(
    indices: Floats,
    present: NDArray[np.bool_],
    goal: Goal,
    room: Room,
    column: int,
    with_columns: NDArray[np.intp],
    tolerance: float,
    bits: RandomBits,
) -> None:
    """Close the gaps of one column with itself and others by steps; `indices` change in place."""
    # Of columns that are not known together with this one nothing is wanted.
    others = with_columns[goal.known[column, with_columns] & (with_columns != column)]
    for size in _sizes(float(goal.deviation[column])):
        for _ in range(_LOOKS):
            gap = _own_gap(indices, present, goal, column, others)
            step = size / float(goal.deviation[column])
            # A sum of whole numbers moves by whole steps; a part of one is not asked for.
            gap[0] = np.rint(gap[0] / step) * step
            # Met in long steps is not yet met in short ones, which ask for parts of a long one.
            if float(np.max(np.abs(gap))) <= tolerance * len(indices):
                break
            if not _step(indices, present, goal, room, column, others, size, gap, bits):
                break


def _step(
    indices: Floats,
    present: NDArray[np.bool_],
    goal: Goal,
    room: Room,
    column: int,
    others: NDArray[np.intp],
    size: float,
    gap: Floats,
    bits: RandomBits,
) -> bool:
    """Choose and take steps of one size among some rows; whether less is left after them."""
    rows = np.flatnonzero(_movable(indices, present, goal, room, column))
    if len(rows) > _LOOKED_AT:
        rows = _telling(indices, present, goal, rows, np.append(others, column), bits)
    held = indices[rows, column]
    above = held + size <= room.high[rows, column]
    below = held - size >= room.low[rows, column]
    # A row is asked for one direction only: both together would be no step at all.
    rises = np.where(above & below, uniforms(bits, len(rows)) < 0.5, above)
    up, down = np.flatnonzero(above & rises), np.flatnonzero(below & ~rises)
    z = goal.standard(indices[rows], present[rows])
    step = size / float(goal.deviation[column])
    effects = np.vstack(
        [_effects(z[up], column, others, step), _effects(z[down], column, others, -step)]
    )
    scale = np.ones(len(gap))
    scale[0] = step
    taken = choose_steps(effects, gap, scale)
    left = gap - effects[taken].sum(axis=0)
    if np.max(np.abs(left / scale)) >= np.max(np.abs(gap / scale)):
        return False
    moves = np.zeros(len(rows))
    np.add.at(moves, up[taken[: len(up)]], size)
    np.add.at(moves, down[taken[len(up) :]], -size)
    indices[rows, column] = held + moves
    return True


def _telling(
    indices: Floats,
    present: NDArray[np.bool_],
    goal: Goal,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    bits: RandomBits,
) -> NDArray[np.intp]:
    """Some of the rows, each with a chance that grows with its size and with how rare its own value
    (the last column's) is: without rare values some moments do not move at all, and among rows that
    are taken alike there would hardly be any."""
    part = np.ix_(rows, columns)
    z = np.where(present[part], (indices[part] - goal.mean[columns]) / goal.deviation[columns], 0.0)
    weight = 1.0 + (z**2).sum(axis=1)
    _, alike, counts = np.unique(z[:, -1], return_inverse=True, return_counts=True)
    if len(counts) <= _KINDS:
        weight *= len(rows) / counts[alike]
    key = -np.log1p(-uniforms(bits, len(rows))) / weight
    return rows[np.argpartition(key, _LOOKED_AT)[:_LOOKED_AT]]


def _effects(z: Floats, column: int, others: NDArray[np.intp], step: float) -> Floats:
    """What one step adds to Σz_j, Σz_j² and every Σ z_j z_k."""
    own = 2.0 * step * z[:, column] + step**2
    return np.column_stack([np.full(len(z), step), own, step * z[:, others]])


def _sizes(deviation: float) -> tuple[float, ...]:
    """Steps in indices, the last of them 1."""
    return tuple(dict.fromkeys((max(1.0, float(round(deviation / _LONG))), 1.0)))


def _drawn(
    indices: Floats,
    present: NDArray[np.bool_],
    goal: Goal,
    room: Room,
    coarse: NDArray[np.intp],
    share: float,
    bits: RandomBits,
) -> Floats:
    z = goal.standard(indices, present)
    gap = gap_of(z, goal)
    held = indices[:, coarse]
    ends = _at_bound(held, goal, coarse)
    give = np.where(present[:, coarse] & ~ends, 1.0, 0.0)
    inner = goal.known & np.outer(~goal.fine, ~goal.fine)
    change = least_change(z, give, coarse, gap.sums, gap.products, inner, len(z))
    steps = share * change * goal.deviation[coarse]
    chance = uniforms(bits, steps.size).reshape(steps.shape)
    found = indices.copy()
    moved = np.floor(held + steps + chance)
    low, high = room.low[:, coarse], room.high[:, coarse]
    found[:, coarse] = np.where(give > 0, np.clip(moved, low, high), held)
    return found


def _at_bound(held: Floats, goal: Goal, coarse: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Values at a declared bound stay there: many of them mean something ("none")."""
    found: NDArray[np.bool_] = (held <= goal.low[coarse]) | (held >= goal.high[coarse])
    # A column of few values has hardly anything but bounds.
    return found & ((goal.high - goal.low)[coarse] > _FEW)


def _movable(
    indices: Floats, present: NDArray[np.bool_], goal: Goal, room: Room, column: int
) -> NDArray[np.bool_]:
    """Values that may go somewhere: present, not held at a bound, with room."""
    held = indices[:, [column]]
    found: NDArray[np.bool_] = (
        present[:, column]
        & ~_at_bound(held, goal, np.array([column]))[:, 0]
        & (room.high[:, column] > room.low[:, column])
    )
    return found


def _own_gap(
    indices: Floats,
    present: NDArray[np.bool_],
    goal: Goal,
    column: int,
    others: NDArray[np.intp],
) -> Floats:
    """What is to be added to Σz_j, Σz_j² and every Σ z_j z_k of one column."""
    columns = np.concatenate([[column], others]).astype(np.intp)
    z = np.where(
        present[:, columns],
        (indices[:, columns] - goal.mean[columns]) / goal.deviation[columns],
        0.0,
    )
    products = goal.wanted[column, columns] * len(z) - z[:, 0] @ z
    products[0] = products[0] if goal.known[column, column] else 0.0
    return np.concatenate([[-z[:, 0].sum()], products])

"""A first non-negative table, made from coarse margins to fine ones.

Claim    every margin A is the positive part of its unbiased estimate plus one shift for each cell
         of the next coarser margins, shifts chosen so that it adds up to those margins: by turns,
         each turn exact for one of them.
Source   Hildreth 1957: cyclic coordinate ascent on the dual of the nearest non-negative point; one
         turn is the projection on a simplex in every group (here by Newton steps on the shift).
Needs    noisy numbers and public ones alone: this is post-processing and costs nothing.
Gaps     A fixed number of turns; the margins met in the last turn are exact, the others nearly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sudare.facts.cube import Array, Dimension, Margin, every_margin, finest, summed
from sudare.tables.algebra import sums

_TURNS = 8
_STEPS = 5


def leveled(estimate: Array, dimensions: Sequence[Dimension]) -> Array:
    """The shifted estimate: its positive part is the table, its negative part says how strongly a
    cell is held at 0."""
    unbiased = sums(estimate, dimensions)
    fitted: dict[Margin, Array] = {}
    shifted = estimate
    for margin in sorted(every_margin(dimensions), key=sum):
        shifted = unbiased.pop(margin)
        if margin == finest(dimensions):
            shifted = shifted.copy()
        for _ in range(_TURNS if sum(level > 0 for level in margin) > 1 else 1):
            for axis, dimension in enumerate(dimensions):
                if margin[axis]:
                    coarser = (*margin[:axis], margin[axis] - 1, *margin[axis + 1 :])
                    children = dimension.children(margin[axis] - 1)
                    _meet(shifted, fitted[coarser], axis, children)
        fitted[margin] = np.maximum(shifted, 0.0)
    return shifted


def _meet(shifted: Array, target: Array, axis: int, children: Sequence[int]) -> None:
    """Shift every group, in place, until its positive part adds up to the target."""
    sizes = np.array(children, dtype=np.float64)
    shape = [1] * shifted.ndim
    shape[axis] = -1
    for _ in range(_STEPS):
        positive = shifted > 0
        held = summed(np.where(positive, shifted, 0.0), axis, children)
        count = summed(positive.astype(np.float64), axis, children)
        step = (target - held) / np.maximum(count, 1.0)
        empty = (count == 0) & (target > 0)
        if empty.any():
            # Nothing is positive where something should be: lift the mean first.
            lifted = (target - summed(shifted, axis, children)) / sizes.reshape(shape)
            step = np.where(empty, lifted, step)
        step[(count == 0) & ~empty] = 0.0
        shifted += step if len(children) == 1 else np.repeat(step, children, axis=axis)

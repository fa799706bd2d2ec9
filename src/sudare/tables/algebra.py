"""Sums over margins and their way back, in time that grows with the cells of the table.

Symbols  Π_A x -> every finest cell replaced by the mean of its cell of margin A; E_B, the
         component of B, is Π_B less all that coarser margins explain: per axis Π_b − Π_(b−1), and
         the Kronecker product of these over the axes.
Claim    the E_B are orthogonal projections that add up to the identity (levels are nested, so the
         Π of an axis commute), and Σ f_B E_B = Σ c_A Π_A with c the differences of f along every
         axis: c_A = f_A − f_(A+1), f = 0 beyond the finest level.
Needs    nested levels. Groups may be of unequal size.
Gaps     none known.

One pass upwards makes all margins by successive sums along one axis, one pass downwards brings
all of them back to the finest cells; each touches an axis once, so that neither is repeated for
every margin.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.facts.cube import Array, Dimension, Margin, finest, summed

Pyramid = dict[Margin, Array]
Factors = NDArray[np.float64]


def sums(values: Array, dimensions: Sequence[Dimension], top: Margin | None = None) -> Pyramid:
    """All margins of a table that stands at margin `top` (the finest by default)."""
    level = top if top is not None else finest(dimensions)
    found: Pyramid = {level: values}
    for axis, dimension in enumerate(dimensions):
        for margin, array in list(found.items()):
            for coarse in range(level[axis] - 1, -1, -1):
                array = summed(array, axis, dimension.children(coarse))
                found[_at(margin, axis, coarse)] = array
    return found


def spread(parts: Pyramid, dimensions: Sequence[Dimension]) -> Array:
    """Σ over margins of each array repeated over its finest cells; `parts` is used up."""
    for axis, dimension in enumerate(dimensions):
        rests = {_at(margin, axis, 0) for margin in parts}
        for rest in rests:
            array: Array | None = None
            for level in range(dimension.depth + 1):
                # One value for the whole axis stays one value; adding spreads it out.
                if array is not None and level > 1 and array.shape[axis] > 1:
                    array = np.repeat(array, dimension.children(level - 1), axis=axis)
                own = parts.pop(_at(rest, axis, level), None)
                array = _added(own, array)
            if array is not None:
                parts[_at(rest, axis, dimension.depth)] = array
    (found,) = parts.values()
    shape = tuple(d.size(d.depth) for d in dimensions)
    # A margin that was never met by a finer one still has axes of length 1.
    return found if found.shape == shape else np.broadcast_to(found, shape).copy()


def _added(one: Array | None, other: Array | None) -> Array | None:
    if one is None or other is None:
        return other if one is None else one
    if one.shape == np.broadcast_shapes(one.shape, other.shape):
        one += other
        return one
    return one + other


def means(pyramid: Mapping[Margin, Array], dimensions: Sequence[Dimension]) -> Pyramid:
    """Sums divided by the number of finest cells below each cell."""
    return {margin: _divided(array, dimensions, margin) for margin, array in pyramid.items()}


def _divided(array: Array, dimensions: Sequence[Dimension], margin: Margin) -> Array:
    scale = np.ones((1,) * len(margin))
    for axis, (dimension, level) in enumerate(zip(dimensions, margin, strict=True)):
        if level < dimension.depth:
            shape = [1] * len(margin)
            shape[axis] = -1
            scale = scale * (1.0 / dimension.leaves(level)).reshape(shape)
    divided: Array = array * scale
    return divided


def differences(factors: Factors) -> Factors:
    """c_A = f_A − f_(A+1) along every axis; `factors` has one axis a dimension, its levels."""
    found = factors
    for axis in range(factors.ndim):
        shifted = np.zeros_like(found)
        ahead = [slice(None)] * factors.ndim
        behind = [slice(None)] * factors.ndim
        ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
        shifted[tuple(behind)] = found[tuple(ahead)]
        found = found - shifted
    return found


def combined(values: Array, factors: Factors, dimensions: Sequence[Dimension]) -> Array:
    """(Σ f_B E_B) x for a table of finest cells."""
    coefficients = differences(factors)
    wanted = [margin for margin in _margins(factors) if coefficients[margin] != 0]
    if not wanted:
        return np.zeros_like(values)
    averages = means({m: a for m, a in sums(values, dimensions).items() if m in set(wanted)},
                     dimensions)  # fmt: skip
    parts = {margin: averages[margin] * coefficients[margin] for margin in wanted}
    return spread(parts, dimensions)


def _margins(factors: Factors) -> list[Margin]:
    return list(itertools.product(*(range(size) for size in factors.shape)))


def _at(margin: Margin, axis: int, level: int) -> Margin:
    return (*margin[:axis], level, *margin[axis + 1 :])

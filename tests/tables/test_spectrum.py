"""h and k against traces of plain matrices."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest

from sudare.facts.cube import Dimension
from sudare.tables.spectrum import spectrum
from support.cubes import flat, tree

CASES = [(flat(3), flat(4)), (tree((2, 2)), flat(3)), (tree((1, 3, 2)), flat(2))]


def sums_of(dimension: Dimension, level: int) -> np.ndarray:
    """P: the finest members into the groups of a level."""
    held = dimension.leaves(level)
    groups = np.repeat(np.arange(len(held)), held)
    return (np.arange(len(held))[:, None] == groups[None, :]).astype(float)


def projector(dimension: Dimension, level: int) -> np.ndarray:
    matrix = sums_of(dimension, level)
    return matrix.T @ np.diag(1 / matrix.sum(axis=1)) @ matrix


def component(dimensions: tuple[Dimension, ...], margin: tuple[int, ...]) -> np.ndarray:
    parts = [
        projector(d, level) - (projector(d, level - 1) if level else 0)
        for d, level in zip(dimensions, margin, strict=True)
    ]
    return reduce(np.kron, parts)


@pytest.mark.parametrize("dimensions", CASES)
def test_h_and_k_are_traces(dimensions: tuple[Dimension, ...]) -> None:
    found = spectrum(dimensions)
    for row, a in enumerate(found.margins):
        p = reduce(np.kron, [sums_of(d, level) for d, level in zip(dimensions, a, strict=True)])
        back = p.T @ np.diag(1 / p.sum(axis=1))
        for column, b in enumerate(found.margins):
            if any(x > y for x, y in zip(b, a, strict=True)):
                assert found.h[row, column] == found.k[row, column] == 0
                continue
            e = component(dimensions, b)
            rank = round(float(np.trace(e)))
            assert found.h[row, column] == pytest.approx(np.trace(e @ back @ back.T) / rank)
            assert found.k[row, column] == pytest.approx(np.trace(p @ e @ p.T) / len(p))


def test_even_groups_give_the_plain_formula() -> None:
    dimensions = (tree((2, 2, 2)), flat(5))
    found = spectrum(dimensions)
    for row, a in enumerate(found.margins):
        cells = np.prod([d.size(level) for d, level in zip(dimensions, a, strict=True)])
        below = found.h[row] > 0
        np.testing.assert_allclose(found.h[row][below], cells / 30)

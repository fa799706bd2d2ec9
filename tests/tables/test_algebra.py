"""Margins, components and their way back, against plain matrices."""

from __future__ import annotations

import itertools
from functools import reduce

import numpy as np
import pytest

from sudare.facts.cube import Dimension, every_margin, finest, margin_of
from sudare.tables.algebra import combined, differences, spread, sums
from support.cubes import flat, tree

CASES = [
    (flat(4),),
    (flat(2), flat(3)),
    (tree((2, 1, 3)), flat(2)),
    (flat(2), tree((1, 2), (2, 3, 1))),
    (tree((2, 2)), tree((3, 3)), flat(2)),
]


def projection(dimension: Dimension, level: int) -> np.ndarray:
    """Π of one axis as a matrix: means within the groups of a level."""
    held = dimension.leaves(level)
    groups = np.repeat(np.arange(len(held)), held)
    return (groups[:, None] == groups[None, :]) / held[groups][:, None]


def component(dimension: Dimension, level: int) -> np.ndarray:
    below = projection(dimension, level - 1) if level else 0.0
    return projection(dimension, level) - below


def kron(parts: list[np.ndarray]) -> np.ndarray:
    return reduce(np.kron, parts)


def table(dimensions: tuple[Dimension, ...]) -> np.ndarray:
    shape = [each.size(each.depth) for each in dimensions]
    return (np.arange(np.prod(shape)) * 37 % 101).astype(float).reshape(shape)


@pytest.mark.parametrize("dimensions", CASES)
def test_sums_are_the_margins(dimensions: tuple[Dimension, ...]) -> None:
    values = table(dimensions)
    found = sums(values, dimensions)
    assert set(found) == set(every_margin(dimensions))
    for margin, array in found.items():
        np.testing.assert_allclose(array, margin_of(values, dimensions, margin))
        assert array.sum() == pytest.approx(values.sum())


@pytest.mark.parametrize("dimensions", CASES)
def test_combinations_of_components_are_what_matrices_say(
    dimensions: tuple[Dimension, ...],
) -> None:
    values = table(dimensions)
    shape = tuple(each.depth + 1 for each in dimensions)
    factors = (np.arange(np.prod(shape)) * 7 % 5 + 0.5).reshape(shape)
    matrix = sum(
        factors[margin]
        * kron([component(d, level) for d, level in zip(dimensions, margin, strict=True)])
        for margin in every_margin(dimensions)
    )
    found = combined(values, factors, dimensions)
    np.testing.assert_allclose(found.ravel(), matrix @ values.ravel(), atol=1e-9)


@pytest.mark.parametrize("dimensions", CASES)
def test_components_are_orthogonal_and_add_up_to_everything(
    dimensions: tuple[Dimension, ...],
) -> None:
    parts = [
        kron([component(d, level) for d, level in zip(dimensions, margin, strict=True)])
        for margin in every_margin(dimensions)
    ]
    np.testing.assert_allclose(sum(parts), np.eye(len(parts[0])), atol=1e-12)
    for one, other in itertools.combinations(parts, 2):
        np.testing.assert_allclose(one @ other, 0, atol=1e-12)


@pytest.mark.parametrize("dimensions", CASES)
def test_spreading_one_margin_repeats_it(dimensions: tuple[Dimension, ...]) -> None:
    values = table(dimensions)
    for margin in every_margin(dimensions):
        array = margin_of(values, dimensions, margin)
        spread_out = spread({margin: array.copy()}, dimensions)
        assert spread_out.shape == values.shape
        held = reduce(
            np.multiply.outer,
            [d.leaves(level) for d, level in zip(dimensions, margin, strict=True)],
        )
        found = margin_of(spread_out, dimensions, margin)
        np.testing.assert_allclose(found, array * held.reshape(array.shape))
    assert finest(dimensions) == margin


def test_differences_undo_running_sums() -> None:
    factors = np.array([[3.0, 1.0], [2.0, 5.0]])
    assert differences(factors).tolist() == [[3 - 1 - 2 + 5, 1 - 5], [2 - 5, 5]]

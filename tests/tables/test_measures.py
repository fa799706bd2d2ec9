"""The declared sensitivities of margins and residuals against every pair of small neighbours.

Each claim must hold for all pairs and be attained by one: a claim that is too small fails the
first half, one that is too large the second.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from sudare.facts.cube import Dimension, every_margin, margin_of
from sudare.facts.relation import Relation
from sudare.tables.measures import Setting, is_even, residual, residual_scale
from support.cubes import flat, tree

CASES: list[tuple[Dimension, ...]] = [
    (flat(3),),
    (flat(2), flat(3)),
    (flat(3), flat(4)),
    (tree((2, 2)), flat(2)),
]


def unit_tables(dimensions: tuple[Dimension, ...], k: int) -> list[np.ndarray]:
    """All tables of at most k rows; fewer stand for rows that lack a value or are filtered out."""
    shape = [each.size(each.depth) for each in dimensions]
    places = list(itertools.product(*(range(size) for size in shape)))
    found = []
    for size in range(k + 1):
        for rows in itertools.combinations_with_replacement(places, size):
            table = np.zeros(shape, dtype=np.int64)
            for place in rows:
                table[place] += 1
            found.append(table)
    return found


def changes(dimensions: tuple[Dimension, ...], relation: Relation, k: int) -> Iterator[np.ndarray]:
    tables = unit_tables(dimensions, k)
    others = tables[:1] if relation is Relation.ADD_REMOVE else tables
    for one, other in itertools.product(tables, others):
        yield one - other


@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("dimensions", CASES)
def test_claims_hold_and_are_attained(
    dimensions: tuple[Dimension, ...], k: int, relation: Relation
) -> None:
    setting = Setting(dimensions, relation, k)
    margins = every_margin(dimensions)
    l1, l2, left = (dict.fromkeys(margins, 0) for _ in range(3))
    for change in changes(dimensions, relation, k):
        for margin in margins:
            moved = margin_of(change, dimensions, margin)
            l1[margin] = max(l1[margin], int(np.abs(moved).sum()))
            l2[margin] = max(l2[margin], int((moved**2).sum()))
            rest = residual(moved, dimensions, margin)
            left[margin] = max(left[margin], int((rest**2).sum()))
    assert is_even(dimensions)
    assert l1 == {m: setting.margin_l1(m) for m in margins}
    assert l2 == {m: setting.margin_l2_squared(m) for m in margins}
    for margin in margins:
        # Residuals of members that share no siblings do not meet; the claim covers all cases.
        claim = setting.residual_l2_squared(margin)
        flat_axes = all(level <= 1 for level in margin)
        assert left[margin] == claim if flat_axes else left[margin] <= claim


def test_a_residual_is_the_scaled_component() -> None:
    dimensions = (flat(3), flat(4))
    values = np.arange(12).reshape(3, 4) ** 2
    found = residual(values, dimensions, (1, 1)) / residual_scale(dimensions, (1, 1))
    rows, columns = values.mean(axis=1, keepdims=True), values.mean(axis=0, keepdims=True)
    np.testing.assert_allclose(found, values - rows - columns + values.mean(), atol=1e-9)
    assert not found.sum(axis=0).round(9).any()


def test_uneven_groups_are_known_as_such() -> None:
    assert not is_even((tree((1, 2)),))
    assert not is_even((tree((1, 1)),))
    assert is_even((tree((3, 3)), flat(2)))

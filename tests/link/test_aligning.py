"""Rows of all organisations in one order that does not depend on how they arrived."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile
from sudare.link.aligning import align


def pseudonyms(*numbers: int) -> NDArray[np.uint8]:
    """The number stands first, so that zeros at the end are the rule."""
    return np.array([list(n.to_bytes(2, "big")) + [0] * 30 for n in numbers], np.uint8).reshape(
        -1, 32
    )


def test_common_rows_stand_beside_each_other() -> None:
    found = align({"A": pseudonyms(9, 256, 3, 0), "B": pseudonyms(0, 3, 256, 7)})
    assert found.count == 3
    pairs = zip(found.rows["A"].tolist(), found.rows["B"].tolist(), strict=True)
    assert set(pairs) == {(3, 0), (2, 1), (1, 2)}


def test_the_order_of_arrival_does_not_matter() -> None:
    draw = np.random.default_rng(5)
    sets = {n: draw.permutation(1000)[: 600 + 50 * i] for i, n in enumerate("ABC")}
    shuffled = {name: draw.permutation(numbers) for name, numbers in sets.items()}
    one = align({name: pseudonyms(*numbers.tolist()) for name, numbers in sets.items()})
    two = align({name: pseudonyms(*numbers.tolist()) for name, numbers in shuffled.items()})
    assert one.digest == two.digest
    common = set.intersection(*(set(n.tolist()) for n in sets.values()))
    orders = []
    for numbers, found in ((sets, one), (shuffled, two)):
        words = {name: each.astype(np.uint64)[:, np.newaxis] for name, each in numbers.items()}
        rows = found.together(words).tolist()
        assert all(len(set(row)) == 1 for row in rows)
        assert sorted(row[0] for row in rows) == sorted(common)
        orders.append(rows)
    assert orders[0] == orders[1]


def test_other_rows_have_another_digest() -> None:
    one, two = (align({"A": pseudonyms(1, n), "B": pseudonyms(1, n)}) for n in (2, 3))
    assert one.digest != two.digest


def test_nothing_in_common() -> None:
    found = align({"A": pseudonyms(1), "B": pseudonyms()})
    assert found.count == 0
    words = {"A": np.zeros((1, 2), np.uint64), "B": np.zeros((0, 3), np.uint64)}
    assert found.together(words).shape == (0, 5)


def test_damaged_pseudonyms_are_refused() -> None:
    with pytest.raises(InvalidFile, match="twice"):
        align({"A": pseudonyms(1, 2, 1), "B": pseudonyms(1)})

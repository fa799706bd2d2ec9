"""A hierarchy of items is a tree, or it is not built."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.facts.errors import InvalidFile
from sudare.facts.item_tree import Hierarchy, tops


def tree(*parent: int, names: str = "abcdefgh") -> Hierarchy:
    return Hierarchy(tuple(names[: len(parent)]), np.array(parent, np.int32))


def test_a_long_branch_is_a_tree() -> None:
    assert tree(*range(1, 7), -1).root == 6
    assert tree(-1).root == 0
    assert tops(np.array([1, -1, 3, -1], np.int32)).tolist() == [1, 1, 3, 3]


@pytest.mark.parametrize(
    "parent",
    [(), (-1, -1), (0,), (1, 0), (2, -1, 0), (1, 2, 0, -1), (5, -1), (-2, -1), (1, 1)],
)
def test_what_is_no_tree_is_refused(parent: tuple[int, ...]) -> None:
    with pytest.raises(InvalidFile, match="not a tree"):
        tree(*parent)


def test_names_are_different_and_as_many_as_nodes() -> None:
    with pytest.raises(InvalidFile, match="not a tree"):
        tree(1, -1, names="aa")
    with pytest.raises(InvalidFile, match="not a tree"):
        Hierarchy(("a",), np.array([1, -1], np.int32))

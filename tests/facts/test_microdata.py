"""Rows in memory are what they say."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.facts.microdata import Microdata, label_column, number_column


def test_rows_and_columns() -> None:
    data = Microdata((number_column("n", [1, 2, np.nan]), label_column("c", ["b", None, "a"])))
    assert (data.rows, data.names) == (3, ("n", "c"))
    part = data.taken(np.array([2, 0])).only(["c"])
    assert part.names == ("c",)
    assert part["c"].codes.tolist() == [0, 1]  # type: ignore[union-attr]
    assert data["n"].missing.tolist() == [False, False, True]
    assert data["c"].missing.tolist() == [False, True, False]
    assert label_column("c", ["x", "a"], ["a"]).codes.tolist() == [-1, 0]


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="length"):
        Microdata((number_column("a", [1.0]), number_column("b", [1.0, 2.0])))
    with pytest.raises(ValueError, match="twice"):
        Microdata((number_column("a", [1.0]), number_column("a", [1.0])))

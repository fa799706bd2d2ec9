"""Rank correlations by frequency, where equal frequencies share a rank."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.facts.microdata import Microdata, label_column, number_column
from sudare.risk.compare.tied import frequency_ranks, tied_spearman


def test_rows_are_ranked_by_how_frequent_their_value_is() -> None:
    # b occurs once, c once, a twice: ranks 1.5, 1.5 and 3.5, 3.5 with the mean 2.5 taken off.
    found = frequency_ranks(label_column("c", ["a", "b", "a", "c"]))
    assert found.tolist() == [1.0, -1.0, 1.0, -1.0]
    same = frequency_ranks(number_column("x", np.array([7.0, 7.0, 1.0, 2.0])))
    assert same.tolist() == [1.0, 1.0, -1.0, -1.0]


def test_numbers_that_occur_once_have_no_rank_and_so_no_correlation() -> None:
    x = np.repeat([1.0, 2.0, 2.0, 3.0, 3.0, 3.0], 10)
    real = Microdata((number_column("x", x), number_column("y", x)))
    once = np.arange(60.0)
    synthetic = Microdata((number_column("x", once), number_column("y", once)))
    assert tied_spearman(real, real) == 0.0
    # Of four pairs the two off the diagonal are wrong by one.
    assert tied_spearman(real, synthetic) == pytest.approx(0.5)

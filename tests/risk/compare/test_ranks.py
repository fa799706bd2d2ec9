"""AveSpearCorr, by hand and against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import spearmanr

from sudare.facts.microdata import Microdata, label_column, number_column
from sudare.risk.compare.ranks import rank_errors

ROOT = math.sqrt(0.75)


def test_numbers_by_hand() -> None:
    real = Microdata((number_column("x", [1, 2, 3]), number_column("y", [1, 3, 2])))
    made = Microdata((number_column("x", [5, 6, 9]), number_column("y", [5, 6, 9])))
    found = rank_errors(real, made)
    # Spearman is 1/2 against 1, for two of the four ordered pairs.
    assert found.ave_spearman == pytest.approx(1 / 4)
    assert found.max_spearman == pytest.approx(1 / 2)
    assert found.real[0] == pytest.approx((1, 1 / 2))


def test_labels_by_frequency_by_hand() -> None:
    real = Microdata((label_column("c", ["a", "a", "b"]), number_column("y", [1, 2, 3])))
    made = Microdata((label_column("c", ["b", "b", "a"]), number_column("y", [1, 2, 3])))
    found = rank_errors(real, made)
    # The frequent label is the first in either table: no difference. Under the real order the
    # synthetic correlation has the other sign.
    assert found.real[0][1] == pytest.approx(ROOT)
    assert found.ave_spearman == pytest.approx(0)
    assert found.ave_spearman_shared == pytest.approx(2 * 2 * ROOT / 4)


def test_every_value_by_frequency_by_hand() -> None:
    real = Microdata((number_column("x", [9, 9, 1]), number_column("y", [1, 2, 2])))
    found = rank_errors(real, real)
    assert found.ave_spearman_printed == 0
    made = Microdata((number_column("x", [9, 9, 1]), number_column("y", [2, 1, 1])))
    # By frequency x has ranks 1, 1, 2 and y has 2, 1, 1 in both tables; by value y turns round.
    assert rank_errors(real, made).ave_spearman_printed == pytest.approx(0)
    assert rank_errors(real, made).ave_spearman == pytest.approx(2 * 1.0 / 4)


def test_against_scipy() -> None:
    values = np.arange(40)
    x, y = values * 7 % 11, values * values % 13
    labels = np.array(["a", "b", "c", "d"])[np.minimum(values % 7, 3)]
    data = Microdata(
        (number_column("x", x), number_column("y", y), label_column("c", list(labels)))
    )
    places = {"d": 1, "a": 2, "b": 3, "c": 4}
    wanted = spearmanr(np.column_stack([x, y, [places[label] for label in labels]])).statistic
    np.testing.assert_allclose(rank_errors(data, data).real, wanted, atol=1e-12)


def test_constant_and_missing_columns() -> None:
    real = Microdata(
        (
            number_column("year", [94.0] * 4),
            number_column("x", [1, 2, 3, math.nan]),
            label_column("c", ["a", None, None, "a"]),
        )
    )
    found = rank_errors(real, real)
    assert found.ave_spearman == 0
    assert found.real[0] == (1, 0, 0)
    assert not np.isnan(found.real).any()
    # Ranks of x are -1, 0, 1, 0 around the mean; a and missing are equally frequent, a first.
    assert found.real[1][2] == pytest.approx((1 + 1) / math.sqrt(2 * 4))

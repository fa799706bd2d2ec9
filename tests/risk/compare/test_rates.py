"""Shares, risks and areas under the curve, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.facts.compared import Estimate
from sudare.risk.compare.rates import auc, risk, share

SQUARE = 1.959963984540054**2


def test_wilson_by_hand() -> None:
    assert share(0, 10) == Estimate(0.0, 0.0, pytest.approx(SQUARE / (10 + SQUARE)))
    assert share(10, 10) == Estimate(1.0, pytest.approx(10 / (10 + SQUARE)), 1.0)
    half = share(5, 10)
    assert half.low + half.high == pytest.approx(1)
    width = 1.959963984540054 / (1 + SQUARE / 10) * (0.25 / 10 + SQUARE / 400) ** 0.5
    assert half.high - half.low == pytest.approx(2 * width)
    assert share(0, 0) == Estimate(0.0, 0.0, 1.0)


def test_risk_is_what_the_control_leaves() -> None:
    found = risk(Estimate(0.6, 0.5, 0.7), Estimate(0.2, 0.1, 0.3))
    assert found.value == pytest.approx(0.5)
    # Errors of 0.1 each: 0.1 / 0.8 and 0.1 × 0.4 / 0.64.
    half = ((0.1 / 0.8) ** 2 + (0.1 * 0.4 / 0.64) ** 2) ** 0.5
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half))
    assert risk(Estimate(0.1, 0.0, 0.2), Estimate(0.5, 0.4, 0.6)).value == 0
    assert risk(Estimate(1.0, 0.9, 1.0), Estimate(1.0, 0.9, 1.0)).value == 0


def test_auc_counts_pairs() -> None:
    scores = np.array([0.9, 0.4, 0.4, 0.1])
    found = auc(scores, np.array([True, True, False, False]))
    # Of four pairs three are in order and one is tied.
    assert found.value == pytest.approx(3.5 / 4)
    assert found.low < found.value < found.high <= 1
    assert auc(scores, np.array([False] * 4)) == Estimate(0.5, 0.0, 1.0)

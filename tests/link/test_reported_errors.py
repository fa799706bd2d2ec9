"""Predicted errors of reports against those that estimates of such reports state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudare.facts.estimated import Wanted
from sudare.facts.reported import Batch, Column
from sudare.link.reported_errors import Reported, Spread
from sudare.local.estimates.estimate import estimate
from sudare.local.randomizer import Randomizer
from support.bits import CountedBits
from support.randomized import autoregressive, item, numbers, one_statistic, randomized

ROWS = 40_000
NAMES = ("a", "b")
DRAWN = autoregressive(ROWS, 2, 0.6, "reported") * 0.6 + np.array([0.3, -0.1])
INDICES = np.rint(np.clip(DRAWN, -1, 1) * 100).astype(np.int64)
DATA = INDICES / 100
TRUTH = np.cov(DATA, rowvar=False, bias=True)
WAYS: dict[str, tuple[list[Any], int]] = {
    "values": ([item("value", [n], "piecewise", 2.0) for n in NAMES], 2),
    "one of two values": ([item("value", [n], "piecewise", 4.0) for n in NAMES], 1),
    "values and squares": (
        [item(kind, [n], "hybrid", 2.0) for kind in ("value", "square") for n in NAMES],
        2,
    ),
    "one moment": (one_statistic(NAMES, "piecewise", 4.0), 1),
    "a cell": ([item("cell", NAMES, "grr", 3.0, 9)], 1),
    "a cell of two places": (
        [item("cell", NAMES, "grr", 3.0, 4), *(item("square", [n], "hybrid", 3.0) for n in NAMES)],
        1,
    ),
}
# The jackknife's error of an error is 6 %, and numbers cut at ±1 are not quite normal.
CLOSE = 0.3


@pytest.mark.parametrize("name", WAYS)
def test_predictions_are_what_estimates_state(name: str) -> None:
    items, asked = WAYS[name]
    facts = randomized(items, numbers(NAMES), asked)
    columns: dict[str, Column] = {n: (INDICES[:, i], None) for i, n in enumerate(NAMES)}
    told = Randomizer(facts, lambda: CountedBits(name))(columns, ROWS)
    wanted = Wanted(frozenset({"mean", "covariance"}))
    found = estimate(facts, [Batch(ROWS, told)], wanted)
    spreads = {n: Spread(float(DATA[:, i].mean()), float(TRUTH[i, i])) for i, n in enumerate(NAMES)}
    made = Reported(facts, spreads)
    assert found.covariance is not None
    for i, one in enumerate(NAMES):
        mean = found.means[i].mean.standard_error
        assert mean is not None
        # Domains have a half range of 100.
        assert root(made.mean(one)) == pytest.approx(mean / 100, rel=CLOSE)
        for j, two in enumerate(NAMES[: i + 1]):
            stated = found.covariance.entries[i][j].standard_error
            whole = made.variance(one) if i == j else made.covariance(one, two, TRUTH[i, j])
            assert (whole is None) == (stated is None)
            if stated is not None:
                assert root(whole) == pytest.approx(stated / 100**2, rel=CLOSE)


def root(whole: float | None) -> float:
    assert whole is not None
    return float(np.sqrt(whole / ROWS))


def test_what_is_not_reported_is_not_told() -> None:
    spreads = {n: Spread(0.0, 0.2) for n in NAMES}
    facts = randomized([item("value", ["a"], "two-point", 1.0)], numbers(NAMES))
    made = Reported(facts, spreads)
    assert made.mean("a") is not None
    assert made.mean("b") is made.variance("a") is made.variance("b") is None
    assert made.covariance("a", "b", 0.1) is None

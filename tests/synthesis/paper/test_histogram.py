"""Algorithm 2 by hand."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.facts.statistics import Marginal, Statistics
from sudare.synthesis.paper.histogram import fix_histogram, inverse
from support.bits import CountedBits, ScriptedBits
from support.paper_statistics import people, statistics_of


def script(*uniform: float) -> ScriptedBits:
    return ScriptedBits(b"".join((int(u * 2**53) << 11).to_bytes(8, "little") for u in uniform))


def test_the_inverse_of_a_histogram() -> None:
    bins, parts = inverse(np.array([1.0, 0.0, 3.0]), np.array([0.0, 0.2, 0.25, 0.625, 0.999]))
    assert bins.tolist() == [0, 0, 2, 2, 2]
    assert parts == pytest.approx([0.0, 0.8, 0.0, 0.5, 0.999 / 0.75 - 1 / 3])


def test_nothing_is_drawn_from_an_empty_bin_at_the_end() -> None:
    bins, _ = inverse(np.array([0.1] * 10 + [0.0]), np.array([1 - 2.0**-53]))
    assert bins.tolist() == [9]


def test_numbers_are_continuous_in_a_bin_unless_it_is_one_value() -> None:
    # Values 10 to 19 in one bin, 20 alone, the step is a half; then a category that may miss.
    number = Marginal(
        "x", "real", np.array([2.0, 2.0]), np.array([0, 1]), starts=(10, 20), high=20, step=0.5
    )
    label = Marginal("c", "category", np.array([1.0, 2.0]), np.array([0, 1]), 1.0, True, ("a", "b"))
    statistics = Statistics("t", "exact", 4.0, (number, label), {})
    drawn = fix_histogram(statistics, 3, script(0.0, 0.25, 0.75, 0.1, 0.5, 0.9))
    assert drawn.values["x"].tolist() == [5.0, (10 + 4.5) / 2, 10.0]
    assert drawn.labels["c"].tolist() == [0, 1, 2]
    assert drawn.missing["c"].tolist() == [False, False, True]


def test_the_histogram_is_met() -> None:
    columns = people()
    drawn = fix_histogram(statistics_of(columns), 60_000, CountedBits("histogram"))
    for value in (1, 2, 3):
        share = float((columns["grade"] == value).mean())
        # Six standard deviations: a false alarm is rarer than 1e-6.
        slack = 6 * np.sqrt(share * (1 - share) / 60_000)
        assert abs(float((drawn.values["grade"] == value).mean()) - share) < slack
    assert set(drawn.values["year"]) == {95.0}

"""Figures: intervals hold what is published and can be; marks agree with what is published."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.facts.randomized import NumberDomain
from sudare.local.estimates.correlations import Correlations
from sudare.local.estimates.figures import figure, in_units
from sudare.local.estimates.matrices import correlation_matrix
from sudare.local.estimates.moments import Moments
from sudare.local.estimates.tables import _table

REACH = 1.979


def one(raw: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([raw])


@pytest.mark.parametrize(
    ("raw", "published", "error"),
    [(-0.0031, 1.8e-6, 0.0014), (1.2, None, 0.05), (0.5, 0.1, 0.01), (0.5, 0.9, 0.01), (-3, 0, 1)],
)
def test_an_interval_holds_the_published_value_and_has_a_width(
    raw: float, published: float | None, error: float
) -> None:
    found = figure(one(raw), published=published, low=0, high=1, error=error)
    assert found.interval95 is not None
    low, high = (float(end) for end in found.interval95)
    assert 0 <= low <= float(found.value or 0) <= high <= 1
    assert high - low >= REACH * error * 0.999 or (low, high) == (0, 1)


def test_an_interval_reaches_no_less_than_around_the_unbiased_number() -> None:
    for raw in (-0.5, -0.1, 0.02, 0.5, 0.97, 1.3):
        low, high = figure(one(raw), low=0, high=1, error=0.1).interval95 or (1, 0)
        assert float(low) <= max(0, min(1, raw - REACH * 0.1))
        assert float(high) >= min(1, max(0, raw + REACH * 0.1))


def test_a_number_that_was_moved_to_the_guess_is_not_told_from_it() -> None:
    assert not figure(one(-0.5), trivial=0, low=0, high=1, error=0.1).distinguishable
    assert not figure(one(0.5), published=0.0, error=0.1).distinguishable
    assert not figure(one(0.5), published=-0.2, error=0.1).distinguishable
    assert figure(one(0.5), published=0.2, error=0.1).distinguishable


def test_a_number_at_its_bound_stays_a_number_with_digits() -> None:
    """A whole 0 would be shown with a whole error."""
    assert isinstance(figure(one(-0.2), low=0, high=1, error=0.01).value, float)


def test_the_interval_of_a_date_is_never_less_than_a_day() -> None:
    domain = NumberDomain("date", 0, 1000, 1.0, True)
    found = in_units(figure(one(0.1234), low=-1, high=1, error=1e-5), domain)
    assert found.interval95 == ("1971-07-16", "1971-07-17")
    assert found.value in found.interval95


def test_cells_of_a_table_that_say_what_their_margins_say_are_not_marked() -> None:
    """The third row is below zero by chance, and is cut off with its margin."""
    raw = np.array([[0.4, 0.15], [0.1, 0.4], [-0.04, -0.01]])
    cells = np.repeat(raw[np.newaxis], 129, axis=0)
    found = _table(("a", "b"), (("x", "y", "z"), ("u", "v")), cells, lambda errors: errors)
    assert [[cell.distinguishable for cell in row] for row in found.shares] == [
        [True, True],
        [True, True],
        [False, False],
    ]
    assert found.shares[2][0].value == found.shares[2][0].trivial == 0


def test_the_interval_of_a_correlation_holds_what_is_not_known_of_the_deviations() -> None:
    raw = np.repeat(np.array([[[1.0, 0.5], [0.5, 1.0]]]), 129, axis=0)
    errors = np.array([[0.0, 0.1], [0.1, 0.0]])
    moments = Moments(("a", "b"), np.zeros((129, 2)), raw)
    made = Correlations(("a", "b"), np.ones(2), raw, errors, raw)
    entry = correlation_matrix(moments, made).entries[0][1]
    assert entry.standard_error == 0.1
    assert entry.interval95 == pytest.approx((0.5 - REACH * 0.1, 0.5 + REACH * 0.1))

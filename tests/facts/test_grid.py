"""The public grid: rounding, and numbers of a question put where the data are put."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.facts.grid import exact_inverse, grid_index, real_grid, unit_grid

STEPS = [0.1, 0.25, 2.0**-18, 3.0, 100.0]


@pytest.mark.parametrize(
    ("value", "index"),
    [(0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (-2.5, -2), (-0.0, 0), (5e-324, 0)],
)
def test_a_middle_goes_to_the_even_side(value: float, index: int) -> None:
    assert grid_index(value, 1.0) == index
    assert grid_index(value / 4, 0.25) == index


def test_just_below_a_middle_is_below_it() -> None:
    """Adding a half and cutting would give 1."""
    assert grid_index(math.nextafter(0.5, 0), 1.0) == 0


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9), st.sampled_from(STEPS))
def test_rounding_keeps_the_order(one: float, two: float, step: float) -> None:
    low, high = sorted((one, two))
    assert grid_index(low, step) <= grid_index(high, step)


@given(st.floats(-1e9, 1e9), st.sampled_from(STEPS))
def test_rounding_moves_by_half_a_step_at_most(value: float, step: float) -> None:
    quotient = Fraction(value / step)
    assert abs(grid_index(value, step) - quotient) <= Fraction(1, 2)


@given(st.integers(-(2**60), 2**60))
def test_multiplying_by_an_exact_inverse_is_dividing(mantissa: int) -> None:
    for step in (0.25, 2.0**-18, 64.0):
        inverse = exact_inverse(step)
        assert inverse is not None
        assert float(mantissa) * inverse == float(mantissa) / step
    assert exact_inverse(0.1) is None


def test_an_edge_falls_where_a_value_written_like_it_does() -> None:
    grid = real_grid(0.0, 10.0, 0.5)
    for edge in (Fraction(1, 4), Fraction(3, 4), Fraction(5, 4), Fraction(2)):
        assert grid.first_index(edge) == grid_index(float(edge), 0.5)
        assert grid.on_grid(edge) == grid.first_index(edge) * Fraction(1, 2)
    assert unit_grid(0, 9).first_index(Fraction(5, 2)) == 3

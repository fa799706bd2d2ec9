"""Certain digits of e^-x and e^-x / (1 + e^-x), against mpmath far beyond the asked precision."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.randomness.chances import Chance, exp_bounds
from support.tiers import examples

exponents = st.builds(
    lambda top, bottom, shift: Fraction(top, bottom) * Fraction(2) ** shift,
    st.integers(1, 10**6),
    st.integers(1, 10**6),
    st.integers(-120, 20),
)


def oracle(chance: Chance, words: int) -> int:
    """floor(p * 2^(32 words)) with 2,000 binary digits to spare."""
    with mpmath.workprec(32 * words + 2000):
        value = mpmath.exp(-mpmath.mpf(chance.exponent.numerator) / chance.exponent.denominator)
        if chance.logistic:
            value = value / (1 + value)
        return int(mpmath.floor(mpmath.ldexp(value, 32 * words)))


@examples(300)
@given(exponents, st.booleans(), st.integers(1, 6))
def test_leading_digits_are_those_of_the_probability(
    exponent: Fraction, logistic: bool, words: int
) -> None:
    chance = Chance(exponent, logistic)
    assert chance.leading(words) == oracle(chance, words)


@examples(200)
@given(exponents, st.integers(1, 300))
def test_bounds_hold_and_are_narrow(exponent: Fraction, precision: int) -> None:
    low, high = exp_bounds(exponent, precision)
    with mpmath.workprec(precision + 2000):
        exact = mpmath.exp(-mpmath.mpf(exponent.numerator) / exponent.denominator)
        scaled = mpmath.ldexp(exact, precision)
        assert low <= scaled <= high
    assert high - low <= 2


def test_digits_are_the_words_of_the_leading_integer() -> None:
    chance = Chance(Fraction(1, 3), logistic=True)
    first, second, third = (chance.digit(index) for index in range(3))
    assert chance.leading(3) == first << 64 | second << 32 | third


@pytest.mark.parametrize(
    ("exponent", "logistic", "first"),
    [
        (Fraction(1, 2**200), False, 2**32 - 1),  # a hair below 1
        (Fraction(1, 2**200), True, 2**31 - 1),  # a hair below 1/2
        (Fraction(2**200), False, 0),
        (Fraction(2**200), True, 0),
    ],
)
def test_extreme_exponents(exponent: Fraction, logistic: bool, first: int) -> None:
    assert Chance(exponent, logistic).leading(1) == first


def test_digits_are_given_only_when_certain() -> None:
    """x just above ln 2 puts p within 2^-90 of 1/2, where 64 binary digits cannot decide."""
    with mpmath.workprec(400):
        above = int(mpmath.ceil(mpmath.ldexp(mpmath.log(2), 90)))
    low, high = exp_bounds(Fraction(above, 2**90), 64)
    assert low < 2**63 <= high
    assert Chance(Fraction(above, 2**90)).leading(1) == 2**31 - 1
    assert Chance(Fraction(above - 1, 2**90)).leading(1) == 2**31


def test_a_chance_of_one_is_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        Chance(Fraction(0))

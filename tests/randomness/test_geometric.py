"""Geometric numbers: scripted digit by digit, and against the law."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from sudare.randomness.chances import Chance
from sudare.randomness.geometric import BLOCK, geometric
from support.bits import CountedBits, OutOfBits, ScriptedBits, words
from support.goodness import fits
from support.laws import geometric_law

RATE = Fraction(1)
DIGITS = 6  # 2^6 >= 45 > 2^5
YES, NO = 0, 2**32 - 1
TAIL = Chance(RATE * 2**DIGITS)


def test_digits_stand_for_powers_of_two() -> None:
    bits = ScriptedBits(words(YES, NO, YES, YES, NO, NO, NO))
    assert geometric(bits, RATE, 1).tolist() == [0b001101]
    assert bits.left == 0


def test_numbers_lie_side_by_side_in_the_stream() -> None:
    script = words(YES, NO, *[NO, YES] * 4, NO, NO, NO, NO)
    assert geometric(ScriptedBits(script), RATE, 2).tolist() == [1, 30]


def test_a_tie_is_settled_by_the_next_digits() -> None:
    digit = Chance(RATE * 4, logistic=True)
    script = [NO, NO, digit.digit(0), NO, NO, NO, NO]
    assert geometric(ScriptedBits(words(*script, digit.digit(1) - 1)), RATE, 1).tolist() == [4]
    assert geometric(ScriptedBits(words(*script, digit.digit(1) + 1)), RATE, 1).tolist() == [0]


def test_a_digit_too_rare_for_one_word_is_drawn_too() -> None:
    """The digit of weight 32 has chance 1.3e-14 < 2^-32: its first word can only tie, at 0."""
    rare = Chance(RATE * 32, logistic=True)
    assert rare.digit(0) == 0 < rare.digit(1)
    script = words(*[NO] * 5, 0, NO, rare.digit(1) - 1)
    assert geometric(ScriptedBits(script), RATE, 1).tolist() == [32]


def tail_of(rounds: int) -> list[int]:
    """Words that make the tail coin land heads `rounds` times: zeros down to its first digit."""
    depth = next(index for index in range(9) if TAIL.digit(index) > 0)
    return [*[0] * (depth + 1)] * rounds


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_tail_is_drawn_and_not_cut(rounds: int) -> None:
    # The first word of the tail coin stands in its row; the words after it settle the tie.
    bits = ScriptedBits(words(YES, *[NO] * (DIGITS - 1), *tail_of(rounds), NO))
    assert geometric(bits, RATE, 1).tolist() == [1 + rounds * 2**DIGITS]
    assert bits.left == 0


def test_the_tail_is_rarer_than_two_to_the_minus_64() -> None:
    for rate in (Fraction(1, 1000), Fraction(1, 3), RATE, Fraction(44), Fraction(1000)):
        bits = CountedBits("tail")
        geometric(bits, rate, 1)
        drawn = bits.taken // 4 - 1
        assert rate * 2**drawn > 64 * math.log(2)
        assert drawn == 0 or rate * 2 ** (drawn - 1) < 45


def test_every_number_costs_the_same_words() -> None:
    taken, seen = set(), set()
    for label in range(300):
        bits = CountedBits(f"work {label}")
        seen.update(geometric(bits, Fraction(1, 10), 7).tolist())
        taken.add(bits.taken)
    assert len(taken) == 1
    assert {0, 1, 20} < seen


@pytest.mark.parametrize("rate", [Fraction(3), RATE, Fraction(1, 10), Fraction(1, 40)])
def test_the_law(rate: Fraction) -> None:
    """False-alarm rate 1e-6; rates 5 % to either side must be rejected."""
    sample = geometric(CountedBits(f"geometric {rate}"), rate, 400_000)
    assert fits(sample, geometric_law(float(rate)))
    for twin in (0.95, 1.05):
        assert not fits(sample, geometric_law(float(rate) * twin))


def test_blocks_join_without_a_seam() -> None:
    sample = geometric(CountedBits("blocks"), RATE, 2 * BLOCK + 5)
    whole = CountedBits("blocks")
    parts = [geometric(whole, RATE, size) for size in (BLOCK, BLOCK, 5)]
    assert sample.tolist() == np.concatenate(parts).tolist()


def test_a_vast_rate_gives_zeros_from_the_tail_coin_alone() -> None:
    bits = CountedBits("vast")
    assert not geometric(bits, Fraction(1000), 5000).any()
    assert bits.taken == 4 * 5000


def test_tiny_rates_give_python_integers() -> None:
    """At mean 2^100 the low digits are fair and X / mean is exponential (false alarm 1e-6)."""
    mean = 2**100
    sample = geometric(CountedBits("tiny"), Fraction(1, mean), 100_000)
    assert sample.dtype == np.object_
    assert all(type(value) is int for value in sample)
    assert fits(sample % 16, dict.fromkeys(range(16), 1 / 16))
    tenths = np.array([value * 10 // mean for value in sample])
    assert fits(tenths, geometric_law(0.1))
    assert not fits(np.array([value * 21 // (2 * mean) for value in sample]), geometric_law(0.1))


def test_nothing_and_nonsense() -> None:
    assert geometric(ScriptedBits(b""), RATE, 0).tolist() == []
    with pytest.raises(ValueError, match="positive"):
        geometric(ScriptedBits(b""), Fraction(0), 1)
    with pytest.raises(OutOfBits):
        geometric(ScriptedBits(b""), RATE, 1)

"""Power coins, uniform indices and permutations."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from sudare.randomness.chances import Chance
from sudare.randomness.choice import flip_powers, permutation, uniform_below, uniform_index
from support.bits import CountedBits, ScriptedBits, words
from support.goodness import fits

NO = 2**32 - 1


def test_only_the_digits_of_the_exponent_count() -> None:
    """Exponent 5 = 1 + 4: heads on the coins of weight 1 and 4 suffice, the others may fail."""
    heads, script = words(0, NO, 0), words(*[NO] * 61)
    assert flip_powers(ScriptedBits(heads + script), Fraction(1, 8), np.array([5])).all()
    missed = words(0, 0, NO)
    assert not flip_powers(ScriptedBits(missed + script), Fraction(1, 8), np.array([5])).any()


def test_a_tie_is_settled_by_the_next_digits() -> None:
    coin = Chance(Fraction(1, 4))  # the coin of weight 2 at rate 1/8
    script = words(NO, coin.digit(0), *[NO] * 62)
    for step, heads in ((-1, True), (1, False)):
        bits = ScriptedBits(script + words(coin.digit(1) + step))
        assert flip_powers(bits, Fraction(1, 8), np.array([2])).tolist() == [heads]
        assert bits.left == 0


def test_exponent_zero_always_lands_heads() -> None:
    bits = ScriptedBits(words(*[NO] * 128))
    assert flip_powers(bits, Fraction(1), np.array([0, 0])).all()


@pytest.mark.parametrize("exponent", [1, 7, 40])
def test_the_law_of_powers(exponent: int) -> None:
    """False-alarm rate 1e-6; a rate 5 % off must be rejected."""
    rate, size = Fraction(1, 20), 300_000
    bits = CountedBits(f"powers {exponent}")
    heads = flip_powers(bits, rate, np.full(size, exponent))
    for factor, accepted in ((1.0, True), (0.95, False), (1.05, False)):
        p = math.exp(-exponent / 20 * factor)
        assert fits(heads, {0: 1 - p, 1: p}) is accepted


def test_long_exponents_follow_the_same_law() -> None:
    p = math.exp(-1)
    heads = flip_powers(
        CountedBits("long"), Fraction(1, 2**80), np.array([2**80] * 30_000, dtype=np.object_)
    )
    assert fits(heads, {0: 1 - p, 1: p})
    assert not fits(heads, {0: 1 - p**1.05, 1: p**1.05})


def test_the_work_does_not_depend_on_the_exponent() -> None:
    taken = set()
    for exponent in (0, 1, 2**40, 2**63 - 1):
        bits = CountedBits("work")
        flip_powers(bits, Fraction(1, 2**50), np.full(100, exponent))
        taken.add(bits.taken)
    assert taken == {100 * 64 * 4}


def test_negative_exponents_are_refused() -> None:
    with pytest.raises(ValueError, match="not negative"):
        flip_powers(ScriptedBits(b""), Fraction(1), np.array([-1]))


def test_an_index_is_the_word_modulo_n() -> None:
    word = (10**15 + 7).to_bytes(8, "little")
    assert uniform_index(ScriptedBits(word), 10) == 7
    assert uniform_index(ScriptedBits(word), 1) == 0


@pytest.mark.parametrize("n", [3, 10, 2**63 - 1])
def test_the_incomplete_stretch_is_drawn_again(n: int) -> None:
    """2^64 = n * whole + left; the last `left` words would favour the first indices."""
    first_bad = 2**64 - 2**64 % n
    script = first_bad.to_bytes(8, "little") + (2**64 - 1).to_bytes(8, "little")
    bits = ScriptedBits(script + (n + 2).to_bytes(8, "little"))
    assert uniform_index(bits, n) == 2
    last_good = ScriptedBits((first_bad - 1).to_bytes(8, "little"))
    assert uniform_index(last_good, n) == n - 1


def test_powers_of_two_reject_nothing() -> None:
    assert uniform_index(ScriptedBits(b"\xff" * 8), 2**62) == 2**62 - 1


def test_indices_are_uniform() -> None:
    """False-alarm rate 1e-6; an index that is 5 % too frequent must be seen."""
    drawn = uniform_below(CountedBits("uniform"), np.full(300_000, 12))
    assert fits(drawn, dict.fromkeys(range(12), 1 / 12))
    assert not fits(drawn, {0: 1.05 / 12, **dict.fromkeys(range(1, 12), (1 - 1.05 / 12) / 11)})


def test_no_index_to_choose_from() -> None:
    with pytest.raises(ValueError, match="at least one"):
        uniform_index(ScriptedBits(b""), 0)


def test_a_permutation_sorts_the_keys() -> None:
    keys = [5, 2, 9]
    script = b"".join(key.to_bytes(8, "little") for key in keys)
    assert permutation(ScriptedBits(script), 3).tolist() == [1, 0, 2]


def test_equal_keys_are_drawn_again() -> None:
    script = b"".join((key << 8).to_bytes(8, "little") for key in (5, 5, 9, 3, 2, 1))
    assert permutation(ScriptedBits(script), 3).tolist() == [2, 1, 0]


def test_permutations_are_uniform() -> None:
    """All 24 orders of four (false-alarm rate 1e-6 for each of the two checks).

    The twin leaves the first of the four in its place 5 % too often.
    """
    orders = {order: k for k, order in enumerate(itertools.permutations(range(4)))}
    bits = CountedBits("orders")
    drawn = np.array([orders[tuple(permutation(bits, 4).tolist())] for _ in range(60_000)])
    assert fits(drawn, dict.fromkeys(range(24), 1 / 24))
    stays = drawn < 6
    assert fits(stays, {0: 3 / 4, 1: 1 / 4})
    assert not fits(stays, {0: 1 - 1.05 / 4, 1: 1.05 / 4})


def test_small_permutations() -> None:
    assert permutation(ScriptedBits(b""), 0).tolist() == []
    assert permutation(ScriptedBits(bytes(8)), 1).tolist() == [0]

"""Coins: exact comparison with the stream, word by word."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from sudare.randomness.chances import Chance
from sudare.randomness.coins import STEP, Coins, settle
from support.bits import CountedBits, OutOfBits, ScriptedBits, words
from support.goodness import fits

HALF_ISH = Chance(Fraction(7, 10))  # p = 0.4966
FIRST, SECOND, THIRD = (HALF_ISH.digit(index) for index in range(3))


@pytest.mark.parametrize(
    ("script", "heads"),
    [
        ((FIRST - 1,), True),
        ((FIRST + 1,), False),
        ((0,), True),
        ((2**32 - 1,), False),
        ((FIRST, SECOND - 1), True),
        ((FIRST, SECOND + 1), False),
        ((FIRST, SECOND, THIRD - 1), True),
        ((FIRST, SECOND, THIRD + 1), False),
    ],
)
def test_heads_means_that_the_stream_is_below_the_probability(
    script: tuple[int, ...], heads: bool
) -> None:
    bits = ScriptedBits(words(*script))
    assert Coins([HALF_ISH]).flip(bits, 1).tolist() == [[heads]]
    assert bits.left == 0


def test_a_tie_reads_on_and_never_guesses() -> None:
    with pytest.raises(OutOfBits):
        Coins([HALF_ISH]).flip(ScriptedBits(words(FIRST, SECOND, THIRD)), 1)


def test_rows_are_read_in_order_and_ties_after_their_step() -> None:
    other = Chance(Fraction(1, 10))
    first = other.digit(0)
    script = words(FIRST, FIRST + 1, first - 1, first, SECOND - 1, other.digit(1) + 1)
    bits = ScriptedBits(script)
    assert Coins([HALF_ISH, other]).flip(bits, 2).tolist() == [[True, False], [True, False]]
    assert bits.left == 0


def test_settle_from_the_first_word_is_a_whole_coin() -> None:
    assert settle(ScriptedBits(words(FIRST - 1)), HALF_ISH, index=0)
    assert not settle(ScriptedBits(words(FIRST, SECOND + 1)), HALF_ISH, index=0)


@pytest.mark.parametrize("count", [1, 3, STEP // 2, STEP + 1])
def test_steps_do_not_change_what_is_read(count: int) -> None:
    """However the rows are cut into steps, the answer is the plain comparison of the stream."""
    chances = [Chance(Fraction(k, 5)) for k in range(1, 6)]
    stream = np.frombuffer(CountedBits("steps").take(4 * 5 * count), "<u4").reshape(5, count)
    wanted = [[bool(w < c.leading(1)) for w in row] for c, row in zip(chances, stream, strict=True)]
    assert Coins(chances).flip(CountedBits("steps"), count).tolist() == wanted


def test_frequencies() -> None:
    """False-alarm rate 1e-6; a coin whose exponent is 5 % off must be seen."""
    heads = Coins([Chance(Fraction(1)), Chance(Fraction(1), logistic=True)]).flip(
        CountedBits("coins"), 200_000
    )
    for row, p in zip(heads, (math.exp(-1), 1 / (1 + math.e)), strict=True):
        assert fits(row, {0: 1 - p, 1: p})
    twin = math.exp(-1.05)
    assert not fits(heads[0], {0: 1 - twin, 1: twin})
    assert not fits(heads[1], {0: 1 / (1 + twin), 1: twin / (1 + twin)})

"""Rounded Student's t: integers alone where it matters, its law, and a twin that is caught."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from sudare.randomness.student import _settled, _short, _size, student
from support.bits import CountedBits, ScriptedBits
from support.goodness import fits

SCALES = [Fraction(1, 3), Fraction(7, 2), Fraction(40)]


def law(scale: float, reach: int) -> dict[int, float]:
    """P[Z = z] from the closed form of the law of |T|."""

    def beyond(k: int) -> float:
        t = (k - 0.5) / scale
        return 1.0 if k == 0 else 1 - t / math.sqrt(2 + t * t)

    chances = {0: 1 - beyond(1)}
    for k in range(1, reach):
        chances[k] = chances[-k] = (beyond(k) - beyond(k + 1)) / 2
    return chances


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_the_law_is_right_and_five_percent_less_is_noticed(scale: Fraction) -> None:
    sample = student(CountedBits(f"student {scale}"), scale, 200_000)
    assert fits(sample, law(float(scale), 400))
    narrow = student(CountedBits(f"narrow {scale}"), scale * Fraction(95, 100), 200_000)
    assert not fits(narrow, law(float(scale), 400))


@pytest.mark.parametrize("scale", [*SCALES, Fraction(10**9, 7), Fraction(1, 2**70)], ids=str)
def test_the_short_way_agrees_with_the_integers(scale: Fraction) -> None:
    leading = np.frombuffer(CountedBits("words").take(8 * 2000), dtype="<u8").copy()
    leading[:4] = [0, 1, 2**64 - 1, 2**64 - 2]
    sizes, certain = _short(leading, scale)
    assert certain[4:].mean() > 0.9 or scale > 10**6
    for word, size in zip(leading[certain].tolist(), sizes[certain].tolist(), strict=True):
        assert size == _size(word, 64, scale)
        assert size == _size((word << 64) + 2**64 - 1, 128, scale)


def test_more_bits_are_read_until_both_ends_agree() -> None:
    """V = 1 - 2^-64 and more: the first word leaves the size open, the next one settles it."""
    bits = ScriptedBits(b"\x00" * 8 + b"\xff" * 8)
    size = _settled(bits, Fraction(1, 2**30), 2**64 - 1)
    assert bits.left == 8
    assert size == _size((2**64 - 1) << 64, 128, Fraction(1, 2**30)) > 0


def test_a_boundary_is_not_decided_by_rounding() -> None:
    """s|T| = 1/2 at V = 1/3 for s = 1: words just below and above it give 0 and 1."""
    third = 2**64 // 3
    assert _size(third, 64, Fraction(1)) == 0
    assert _size(third + 1, 64, Fraction(1)) == 1
    _, certain = _short(np.array([third], dtype=np.uint64), Fraction(1))
    assert not certain[0]
    assert _settled(ScriptedBits(b"\x00" * 8), Fraction(1), third) == 0
    assert _settled(ScriptedBits(b"\xff" * 8), Fraction(1), third) == 1


def test_tails_may_pass_any_integer_type() -> None:
    found = student(ScriptedBits(b"\x01" + b"\xff" * 8 + b"\x00" * 64), Fraction(2**80), 1)
    assert found[0] < -(2**100)
    assert student(ScriptedBits(b""), Fraction(1), 0).size == 0
    with pytest.raises(ValueError, match="positive"):
        student(ScriptedBits(b""), Fraction(0), 1)

"""Uniform floats: the upper 53 bits of a word."""

from __future__ import annotations

import numpy as np

from sudare.randomness.floats import uniforms
from support.bits import CountedBits, ScriptedBits


def test_a_word_becomes_its_upper_53_bits() -> None:
    script = [0, 2**63, 2**64 - 1, 2**11, 2**11 - 1]
    bits = ScriptedBits(b"".join(word.to_bytes(8, "little") for word in script))
    found = uniforms(bits, len(script))
    assert found.tolist() == [0.0, 0.5, 1 - 2.0**-53, 2.0**-53, 0.0]
    assert bits.left == 0


def test_they_fill_the_interval_evenly() -> None:
    found = uniforms(CountedBits("uniforms"), 100_000)
    counts = np.bincount((found * 20).astype(int), minlength=20)
    # Chi-square with 19 degrees of freedom passes 70 with a probability below 1e-6.
    assert ((counts - 5000) ** 2 / 5000).sum() < 70
    tilted = np.bincount((found**1.05 * 20).astype(int), minlength=20)
    assert ((tilted - 5000) ** 2 / 5000).sum() > 70

"""Expansion of a shared secret: the same words for all who hold it, and no others."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from sudare.randomness.bits import BYTES_PER_KEY
from sudare.randomness.expansion import expanded_words
from support.goodness import fits

SECRET = bytes(range(32))


def test_words_are_aes_in_counter_mode_under_a_key_of_the_label() -> None:
    key = hashlib.blake2b(b"rows", key=SECRET, digest_size=32, person=b"sudare words").digest()
    stream = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor().update(bytes(80))
    assert expanded_words(SECRET, b"rows", 10).tobytes() == stream


def test_holders_agree_and_labels_differ() -> None:
    one = expanded_words(SECRET, b"a", 1000)
    assert (one == expanded_words(SECRET, b"a", 1000)).all()
    assert (one[:10] == expanded_words(SECRET, b"a", 10)).all()
    assert not (one == expanded_words(SECRET, b"b", 1000)).any()
    assert not (one == expanded_words(SECRET[::-1], b"a", 1000)).any()


def test_words_look_like_fair_coins() -> None:
    """False alarm 1e-6; every byte of a word."""
    drawn = expanded_words(SECRET, b"fair", 200_000).view(np.uint8)
    assert fits(drawn, dict.fromkeys(range(256), 1 / 256))
    assert not fits(drawn // 2 * 2, dict.fromkeys(range(256), 1 / 256))


def test_wrong_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        expanded_words(b"short", b"", 1)
    with pytest.raises(ValueError, match="too many"):
        expanded_words(SECRET, b"", BYTES_PER_KEY // 8 + 1)

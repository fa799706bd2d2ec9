"""Words that several holders of one secret can each make for themselves.

Claim    Whoever does not hold the secret, and cannot break BLAKE2b or AES-256, cannot tell the
         words from fair coins; words under other labels say nothing about them.
Source   keyed BLAKE2b as a pseudorandom function (RFC 7693); NIST SP 800-38A (counter mode).
Symbols  secret -> 32 bytes that were drawn from a bit stream; label -> what the words are for.
Needs    a label is used once: words mask what they are added to like a one-time pad.
Gaps     none known.

This draws nothing. A secret is made of fresh bits by one party and handed to another, so that both
have the same long masks after a message of 32 bytes. Noise never comes from here: samplers take a
bit stream, and this is none.
"""

from __future__ import annotations

import hashlib

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from numpy.typing import NDArray

from sudare.randomness.bits import BYTES_PER_KEY

SECRET_BYTES = 32


def expanded_words(secret: bytes, label: bytes, count: int) -> NDArray[np.uint64]:
    """`count` words of 64 bits, the same for everyone who has the secret."""
    if len(secret) != SECRET_BYTES:
        raise ValueError("a secret that is expanded has 32 bytes")
    if 8 * count > BYTES_PER_KEY:
        raise ValueError("too many words under one label")
    key = hashlib.blake2b(label, key=secret, digest_size=32, person=b"sudare words").digest()
    # The key belongs to this label alone, so that the counter may start at zero.
    stream = Cipher(AES(key), CTR(bytes(16))).encryptor()
    return np.frombuffer(stream.update(bytes(8 * count)), dtype="<u8")

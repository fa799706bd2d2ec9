"""Pseudonyms from a salt that all organisations share: fast, and weaker than exponents.

Claim    Whoever lacks `info` cannot tell the pseudonyms from random bytes (BLAKE2b keyed, as a
         pseudo-random function); two sessions' pseudonyms are unrelated.
Source   RFC 7693 section 2.9 (keyed hashing); paper 000, Protocol 1 (the shared Info).
Symbols  Info -> info, 32 secret bytes drawn once a session (randomness/keys.py).
Needs    info kept from the collector, and deleted afterwards by everyone who had it.
Gaps     Each organisation has `info`, so each can compute the pseudonym of any key it can think of:
         all telephone numbers of a country in minutes. See docs/link-keys.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WIDTH = 32
STRETCH = 2**14
_DOMAIN = b"sudare link salt"


def salted(keys: Sequence[bytes], info: bytes, session: bytes) -> NDArray[np.uint8]:
    """One pseudonym of 32 bytes a key, in the order of the keys."""
    if len(info) != WIDTH:
        raise ValueError("the shared salt has 32 bytes")
    prefix = hashlib.blake2b(session, digest_size=64, person=_DOMAIN).digest()
    # A copy of the keyed state is cheaper than a new one. The prefix makes the state take the
    # block of the salt in beforehand, so that a short key costs one block and not two.
    copy = hashlib.blake2b(prefix, digest_size=WIDTH, key=info, person=_DOMAIN).copy
    out = np.empty((len(keys), WIDTH), np.uint8)
    for start in range(0, len(keys), STRETCH):
        digests = []
        for key in keys[start : start + STRETCH]:
            state = copy()
            state.update(key)
            digests.append(state.digest())
        rows = np.frombuffer(b"".join(digests), np.uint8)
        out[start : start + STRETCH] = rows.reshape(-1, WIDTH)
    return out

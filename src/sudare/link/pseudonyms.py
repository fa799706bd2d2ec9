"""Pseudonyms that no organisation can compute alone: H(key) to the product of all exponents.

Claim    Under the decisional Diffie-Hellman assumption on ristretto255 and with H a random oracle,
         whoever lacks one of the exponents cannot tell the pseudonyms of unknown keys from random
         points, nor test a guess of a key; two sessions' pseudonyms are unrelated.
Source   Meadows 1986; Huberman, Franklin, Hogg 1999; RFC 9496 (ristretto255 and its one-way map).
Symbols  H(key) -> `hashed`, x^k -> `raised`; the order of the exponents does not matter.
Needs    exponents in 1 ... L-1 (randomness/keys.py), points that were checked on receipt.
Gaps     A party that raises one of its own guesses with the others' help learns as much as a row of
         its table tells it (docs/link-keys.md, "Planted keys").
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Sequence
from itertools import count, repeat

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile
from sudare.link.sodium import from_digest, is_valid, multiply, shared_out
from sudare.randomness.keys import ORDER

WIDTH, _DIGEST = 32, 64
WORKERS = 2
_DOMAIN = b"sudare link h2g1"

Points = NDArray[np.uint8]


def hashed(keys: Sequence[bytes], session: bytes, workers: int = WORKERS) -> Points:
    """One point a key: 64 bytes of BLAKE2b under the session, mapped to ristretto255."""
    points = np.empty((len(keys), WIDTH), np.uint8)
    copy = hashlib.blake2b(_prefix(session), digest_size=_DIGEST, person=_DOMAIN).copy
    out = points.ctypes.data

    def work(stretch: range) -> bool:
        digests = []
        for key in keys[stretch.start : stretch.stop]:
            state = copy()
            state.update(key)
            digests.append(state.digest())
        # The interpreter is held for all digests of the stretch at once and then hardly at all.
        # Taking turns at every key, two threads waited for each other longer than they worked.
        given = ctypes.create_string_buffer(b"".join(digests), _DIGEST * len(stretch))
        sources = count(ctypes.addressof(given), _DIGEST)
        return not any(map(from_digest, _places(out, stretch), sources))

    shared_out(len(keys), workers, work)
    return points


def _places(address: int, stretch: range) -> range:
    """The addresses of the rows of a stretch."""
    return range(address + WIDTH * stretch.start, address + WIDTH * stretch.stop, WIDTH)


def _prefix(session: bytes) -> bytes:
    # A digest has one length, so that no session with a key looks like another with another key.
    return hashlib.blake2b(session, digest_size=_DIGEST, person=_DOMAIN).digest()


def raised(points: Points, scalar: bytes, workers: int = WORKERS) -> Points:
    """Each point to the exponent `scalar`, in the same order; refuses what is no point.

    libsodium decodes each point before it multiplies, and says so if that fails or if the product
    is the identity, which for an exponent in 1 ... L-1 means that the point was.
    """
    if len(scalar) != WIDTH or not 0 < int.from_bytes(scalar, "little") < ORDER:
        raise ValueError("an exponent lies in 1 ... L-1")
    given = _rows(points)
    out = np.empty_like(given)
    exponent = ctypes.create_string_buffer(scalar, WIDTH)
    secret, source, target = ctypes.addressof(exponent), given.ctypes.data, out.ctypes.data

    def work(stretch: range) -> bool:
        return not any(
            map(multiply, _places(target, stretch), repeat(secret), _places(source, stretch))
        )

    fine = shared_out(len(given), workers, work)
    ctypes.memset(secret, 0, WIDTH)
    if not fine:
        raise _no_point()
    return out


def check_points(points: Points, workers: int = WORKERS) -> None:
    """Refuse points that are no valid encoding, or the identity; for who only receives them."""
    given = _rows(points)
    source = given.ctypes.data

    def work(stretch: range) -> bool:
        return all(map(is_valid, _places(source, stretch)))

    # The identity is the one valid encoding that is all zeros.
    if not given.any(axis=1).all() or not shared_out(len(given), workers, work):
        raise _no_point()


def _rows(points: Points) -> Points:
    if points.dtype != np.uint8 or points.ndim != 2 or points.shape[1] != WIDTH:
        raise _no_point()
    # libsodium 1.0.18, which rbcl 1.1 carries, reads over the highest bit, which RFC 9496 wants to
    # be 0: one point would have two encodings, by which a relay could mark a row.
    if (points[:, WIDTH - 1] >> 7).any():
        raise _no_point()
    return np.ascontiguousarray(points)


def _no_point() -> InvalidFile:
    return InvalidFile(
        "A received pseudonym is not a point of ristretto255, or is its identity.",
        "Its sender is broken or does not follow the protocol: end this session.",
    )

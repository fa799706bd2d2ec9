"""The stream of random bits, and the words that the samplers read from it.

Claim    Whoever cannot break AES-256 cannot tell `SystemBits` from fair coins.
Source   NIST SP 800-38A (counter mode), SP 800-90A 10.2.1 (limits between two keys).
Symbols  `take(count)` -> the next `count` bytes, never given out before.
Needs    an operating system whose `os.urandom` is sound.
Gaps     A copy of the whole running process (a snapshot of a virtual machine) repeats the stream
         until the next key; only a fork can be seen from inside.
"""

from __future__ import annotations

import os
from threading import Lock
from typing import Protocol

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from numpy.typing import NDArray

# With 2^26 blocks under one key the stream differs from fair coins by at most 2^52 / 2^129: AES
# permutes its blocks, so that they never repeat, whereas fair coins would repeat that rarely.
BYTES_PER_KEY = 2**30
_ZEROS = memoryview(bytes(2**17))


class RandomBits(Protocol):
    """What a sampler needs: fresh random bytes. Production passes `SystemBits`."""

    def take(self, count: int) -> bytes:
        """The next `count` bytes of the stream."""
        ...


class SystemBits:
    """AES-256 in counter mode, keyed by the operating system. There is no seed to set.

    A new key is taken after `BYTES_PER_KEY` bytes and in every forked child, which would
    otherwise repeat its parent's noise. Threads may share one object.
    """

    def __init__(self) -> None:
        self._start()

    def take(self, count: int) -> bytes:
        """The next `count` bytes of the stream."""
        # A child of a fork has a single thread, so nobody else can be inside this branch; the
        # inherited lock may be held by a thread that no longer exists and is replaced with it.
        if os.getpid() != self._process:
            self._start()
        with self._lock:
            if count <= self._left:
                return self._draw(count)
            pieces = []
            while count > 0:
                if self._left == 0:
                    self._rekey()
                pieces.append(self._draw(min(count, self._left)))
                count -= len(pieces[-1])
            return b"".join(pieces)

    def _start(self) -> None:
        self._lock = Lock()
        self._rekey()
        self._process = os.getpid()

    def _rekey(self) -> None:
        cipher = Cipher(AES(os.urandom(32)), CTR(os.urandom(16)))
        self._stream = cipher.encryptor()
        self._left = BYTES_PER_KEY

    def _draw(self, count: int) -> bytes:
        self._left -= count
        # Encrypting zeros yields the bare key stream.
        zeros = _ZEROS[:count] if count <= len(_ZEROS) else bytes(count)
        return self._stream.update(zeros)


def run_key(bits: RandomBits) -> bytes:
    """A key of 32 bytes for one run, handed to an engine that has to choose rows at random."""
    return bits.take(32)


def words32(bits: RandomBits, count: int) -> NDArray[np.uint32]:
    """`count` uniform words of 32 bits; little-endian, so that a script means the same anywhere."""
    return np.frombuffer(bits.take(4 * count), dtype="<u4")


def words64(bits: RandomBits, count: int) -> NDArray[np.uint64]:
    """`count` uniform words of 64 bits, little-endian."""
    return np.frombuffer(bits.take(8 * count), dtype="<u8")

"""Bit streams for tests: one that plays a script, and fixed ones that look random."""

from __future__ import annotations

import hashlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


class OutOfBits(Exception):
    """The code under test asked for more bits than the script holds."""


class ScriptedBits:
    """Plays `data` once, from the front; `left` tells how many bytes were not asked for."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def take(self, count: int) -> bytes:
        if count > len(self._data):
            raise OutOfBits(f"asked for {count} bytes, {len(self._data)} left")
        taken, self._data = self._data[:count], self._data[count:]
        return taken

    @property
    def left(self) -> int:
        return len(self._data)


class CountedBits:
    """AES-256-CTR keyed by a label: the same bytes in every run, and as good as random.

    Statistical tests draw from it, so they pass always or never. Each still states the rate at
    which it would raise a false alarm over random labels. `taken` counts the bytes given out.
    """

    def __init__(self, label: str) -> None:
        key = hashlib.sha256(label.encode()).digest()
        self._stream = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
        self.taken = 0

    def take(self, count: int) -> bytes:
        self.taken += count
        return self._stream.update(bytes(count))


def words(*values: int) -> bytes:
    """A script of words of 32 bits, in the order in which the samplers read them."""
    return b"".join(value.to_bytes(4, "little") for value in values)

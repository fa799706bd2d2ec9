"""Where a ledger's rows lie: the one small protocol behind which a database stands.

A store knows rows and transactions, nothing else. The hash chain, the budget and the idempotency
keys are worked out above it, so every database has the same proofs above it (stores.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Row:
    """One sealed entry: its place, its canonical payload and the hash that links it."""

    seq: int
    payload: bytes
    hash: bytes


class Store(Protocol):
    """An append-only list of rows, each of which may carry the bytes of a release."""

    def transaction(self) -> AbstractContextManager[None]:
        """Be the only writer until the block ends; then everything appended is on the disk, or,
        if the block raised, nothing is."""

    def append(self, row: Row, release: bytes | None = None) -> None:
        """Add a row; only inside a transaction."""

    def rows(self, since: int | None = None) -> Iterator[Row]:
        """The rows in order of seq, from `since` on (all of them by default)."""

    def release(self, seq: int) -> bytes | None:
        """The bytes that were appended with this row, if any."""

    def close(self) -> None:
        """Let go of the database."""

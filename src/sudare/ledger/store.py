"""Where a ledger's rows lie: the one small protocol behind which a database stands.

A store knows rows, transactions and how to find a row again. The hash chain, the budget and the
idempotency keys are worked out above it, so every database has the same proofs above it
(stores.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Marks:
    """By what a row is found again (marks.py): the hash of its idempotency key, and the number of
    the charge that it makes or releases."""

    keyed: bytes | None = None
    charge: int | None = None


@dataclass(frozen=True)
class Row:
    """One sealed entry: its place, its canonical payload and the hash that links it.

    Beside it, its marks, where they were read too; and, with some rows, the books as they stood
    after it (checkpoint.py).
    """

    seq: int
    payload: bytes
    hash: bytes
    marks: Marks | None = field(default=None, compare=False)
    checkpoint: bytes | None = None


class Store(Protocol):
    """An append-only list of rows, each of which may carry the bytes of a release."""

    def transaction(self) -> AbstractContextManager[None]:
        """Be the only writer until the block ends; then everything appended is on the disk, or,
        if the block raised, nothing is."""

    def append(self, row: Row, release: bytes | None = None) -> None:
        """Add a row with the marks that its payload has; only inside a transaction."""

    def rows(self, since: int | None = None, until: int | None = None) -> Iterator[Row]:
        """The rows in order of seq, from `since` to `until` (all of them by default). Their marks
        come only with all rows: to read them costs a walk past the bytes of each release."""

    def tail(self, count: int) -> list[Row]:
        """The last rows in order of seq; none where the store is too old to find rows again, so
        that whoever wants to begin there begins with the first row."""

    def keyed(self, key: bytes) -> list[int]:
        """The rows that are marked with this key, one for each analyst who used it."""

    def linked(self, prefix: bytes) -> list[int]:
        """The rows whose hash begins so."""

    def released(self, charge: int) -> int | None:
        """The first row after the charge that is marked with it."""

    def charges(self, count: int) -> list[tuple[int, int | None]]:
        """The last charges, latest first, each with the row that released it, if any did."""

    def release(self, seq: int) -> bytes | None:
        """The bytes that were appended with this row, if any."""

    def check(self) -> None:
        """Raise InvalidLedger if rows are there that the store itself would not find again."""

    def close(self) -> None:
        """Let go of the database."""

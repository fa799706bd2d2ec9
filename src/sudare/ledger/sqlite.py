"""A ledger's rows in one SQLite file, through apsw.

Claim    When a transaction has ended without an error its rows survive a crash of the process and
         a loss of power; when it has not ended, none of them is there.
Source   SQLite's write-ahead log with synchronous=FULL, which syncs the log at every commit
         (docs/decisions/0004-ledger.md).
Needs    a local disk that honours fsync, and a connection that stays in the process that made it.
Gaps     network file systems: SQLite's locks and shared memory are not dependable there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from sudare.facts.errors import InvalidLedger, UsageError
from sudare.ledger.sqlite_file import APPLICATION_ID, TABLE, VERSION, connect, create, place
from sudare.ledger.store import Row

_LOWEST = -(2**63)


class SqliteStore:
    """The store behind `people.ledger`."""

    def __init__(self, path: str | Path) -> None:
        self.path = place(path)
        self._pid = os.getpid()
        if self._identity() is None:
            raise InvalidLedger(
                f"There is no ledger at {self.path}.",
                "The first paid release creates it; if there was one, restore it from its backup.",
            )
        with self._plainly():
            self._db = connect(self.path)
            self._file = self._identity()
            try:
                # Nothing is written before this check: a file of another make stays as it is.
                self._check_make()
                self._keep_log()
            except BaseException:
                self._db.close()
                raise

    @staticmethod
    def create(path: str | Path, first: Row) -> None:
        """Make a ledger that holds its first row, unless there is one already."""
        create(place(path), first)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._check_process()
        with self._plainly():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._check_place()
                yield
                self._db.execute("COMMIT")
            finally:
                # Still inside after an error or an interrupt: nothing of it may stay.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def append(self, row: Row, release: bytes | None = None) -> None:
        with self._plainly():
            self._db.execute(
                "INSERT INTO entry VALUES (?, ?, ?, ?)", (row.seq, row.payload, row.hash, release)
            )

    def rows(self, since: int | None = None) -> Iterator[Row]:
        self._check_process()
        query = "SELECT seq, payload, hash FROM entry WHERE seq >= ? ORDER BY seq"
        with self._plainly():
            for row in self._db.execute(query, (_LOWEST if since is None else since,)):
                yield Row(*row)

    def release(self, seq: int) -> bytes | None:
        self._check_process()
        with self._plainly():
            found: bytes | None = self._db.execute(
                "SELECT release FROM entry WHERE seq = ?", (seq,)
            ).get
            return found

    def close(self) -> None:
        if self._pid == os.getpid():
            self._db.close()

    def _check_make(self) -> None:
        """The header and the tables are exactly ours; anything more, such as a trigger, could
        undo what is appended."""
        if self._db.pragma("application_id") != APPLICATION_ID:
            raise InvalidLedger(
                f"{self.path} is not a sudare ledger.", "Check --ledger; nothing was changed in it."
            )
        version = self._db.pragma("user_version")
        if version != VERSION:
            raise InvalidLedger(
                f"{self.path} has ledger format {version}; this sudare reads format {VERSION}.",
                "Use the version of sudare that wrote it.",
            )
        if self._db.execute("SELECT sql FROM sqlite_schema").fetchall() != [(TABLE,)]:
            raise InvalidLedger(
                f"The tables in {self.path} were changed.", "Restore the ledger from its backup."
            )

    def _keep_log(self) -> None:
        if self._db.pragma("journal_mode", "wal") != "wal":
            raise InvalidLedger(
                f"{self.path} lies where SQLite cannot keep a write-ahead log.",
                "Move the ledger to a local disk.",
            )

    def _check_process(self) -> None:
        if self._pid != os.getpid():
            raise UsageError(
                "A ledger was carried over into a forked process.", "Open it again in the child."
            )

    def _check_place(self) -> None:
        if self._identity() != self._file:
            raise InvalidLedger(
                f"{self.path} was replaced while it was in use.",
                "Put the ledger back, or restore it from its backup, then start again.",
            )

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except apsw.BusyError:
            raise InvalidLedger(
                f"{self.path} is held by another process.", "Wait for it to end, then try again."
            ) from None
        except (apsw.NotADBError, apsw.CorruptError, UnicodeDecodeError):
            raise InvalidLedger(
                f"{self.path} is damaged or not a sudare ledger.",
                "Restore it from its backup and compare with an exported head: "
                "`sudare ledger verify --head FILE`.",
            ) from None
        except apsw.Error as error:
            raise InvalidLedger(
                f"{self.path} cannot be read or written ({type(error).__name__}).",
                "Check its permissions, its folder's permissions and the free space of the disk.",
            ) from None

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
from sudare.ledger.marks import marks_of, paired
from sudare.ledger.sqlite_file import (
    APPLICATION_ID,
    TABLES,
    VERSION,
    connect,
    create,
    place,
    upgrade,
)
from sudare.ledger.store import Marks, Row
from sudare.ledger.unfinished import sweep

_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_HASH_BYTES = 32


class SqliteStore:
    """The store behind `people.ledger`."""

    def __init__(self, path: str | Path) -> None:
        self.path = place(path)
        self._pid = os.getpid()
        if self._identity() is None:
            raise InvalidLedger(
                f"There is no ledger at {self.path}.",
                "The first paid release creates it; if there was one, restore it from its backup.",
                place=self.path,
            )
        sweep(self.path)
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
                if self._format() != VERSION:
                    upgrade(self._db)
                yield
                self._db.execute("COMMIT")
            finally:
                # Still inside after an error or an interrupt: nothing of it may stay.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def append(self, row: Row, release: bytes | None = None) -> None:
        with self._plainly():
            marks = marks_of(row.payload)
            given = (row.seq, row.payload, row.hash, release, marks.keyed, marks.charge)
            query = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)"
            self._db.execute(query, (*given, row.checkpoint))

    def rows(self, since: int | None = None, until: int | None = None) -> Iterator[Row]:
        self._check_process()
        given = (_LOWEST if since is None else since, _HIGHEST if until is None else until)
        with self._plainly():
            marked = self._format() == VERSION
            columns = "seq, payload, hash" + (", checkpoint" if marked else "")
            if marked and since is None:
                columns += ", keyed, charge"
            query = f"SELECT {columns} FROM entry WHERE seq BETWEEN ? AND ? ORDER BY seq"
            for seq, payload, link, *more in self._db.execute(query, given):
                marks = Marks(*more[1:]) if len(more) > 1 else None
                yield Row(seq, payload, link, marks, more[0] if more else None)

    def tail(self, count: int) -> list[Row]:
        self._check_process()
        query = "SELECT seq, payload, hash, checkpoint FROM entry ORDER BY seq DESC LIMIT ?"
        with self._plainly():
            if self._format() != VERSION:
                return []
            found = self._db.execute(query, (count,)).fetchall()
        return [Row(seq, text, link, None, kept) for seq, text, link, kept in reversed(found)]

    def keyed(self, key: bytes) -> list[int]:
        self._check_process()
        query = "SELECT seq FROM entry WHERE keyed = ? ORDER BY seq"
        with self._plainly():
            return [seq for (seq,) in self._db.execute(query, (key,))]

    def linked(self, prefix: bytes) -> list[int]:
        self._check_process()
        query = "SELECT seq FROM entry WHERE hash BETWEEN ? AND ? ORDER BY seq"
        last = prefix.ljust(_HASH_BYTES, b"\xff")
        with self._plainly():
            return [seq for (seq,) in self._db.execute(query, (prefix, last))]

    def released(self, charge: int) -> int | None:
        query = "SELECT min(seq) FROM entry WHERE charge = ? AND seq > ?"
        return self._first(query, (charge, charge))

    def charges(self, count: int) -> list[tuple[int, int | None]]:
        self._check_process()
        query = "SELECT charge, seq FROM entry WHERE charge IS NOT NULL "
        query += "ORDER BY charge DESC, seq DESC LIMIT ?"
        with self._plainly():
            return paired(self._db.execute(query, (2 * count,)), count)

    def release(self, seq: int) -> bytes | None:
        self._check_process()
        with self._plainly():
            found: bytes | None = self._db.execute(
                "SELECT release FROM entry WHERE seq = ?", (seq,)
            ).get
            return found

    def check(self) -> None:
        self._check_process()
        with self._plainly():
            if self._db.execute("PRAGMA integrity_check(1)").get != "ok":
                raise InvalidLedger(
                    f"{self.path} is damaged: its indexes do not fit its rows.",
                    "Restore it from its backup.",
                    place=self.path,
                )

    def close(self) -> None:
        if self._pid == os.getpid():
            self._db.close()

    def _check_make(self) -> None:
        """The header and the tables are exactly ours; anything more, such as a trigger, could
        undo what is appended."""
        if self._db.pragma("application_id") != APPLICATION_ID:
            raise InvalidLedger(
                f"{self.path} is not a sudare ledger.",
                "Check --ledger; nothing was changed in it.",
                place=self.path,
            )
        # One look at both: another process may bring the file up to date in between.
        with self._db:
            tables = TABLES[self._format()]
            found = self._db.execute("SELECT sql FROM sqlite_schema").fetchall()
        if found != [(each,) for each in tables]:
            raise InvalidLedger(
                f"The tables in {self.path} were changed.",
                "Restore the ledger from its backup.",
                place=self.path,
            )

    def _format(self) -> int:
        version = self._db.pragma("user_version")
        if version not in TABLES:
            raise InvalidLedger(
                f"{self.path} has ledger format {version}; this sudare reads format {VERSION}.",
                "Use the version of sudare that wrote it.",
                place=self.path,
            )
        return int(version)

    def _first(self, query: str, given: tuple[object, ...]) -> int | None:
        self._check_process()
        with self._plainly():
            found: int | None = self._db.execute(query, given).get
            return found

    def _keep_log(self) -> None:
        if self._db.pragma("journal_mode", "wal") != "wal":
            raise InvalidLedger(
                f"{self.path} lies where SQLite cannot keep a write-ahead log.",
                "Move the ledger to a local disk.",
                place=self.path,
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
                place=self.path,
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
                f"{self.path} is held by another process.",
                "Wait for it to end, then try again.",
                place=self.path,
            ) from None
        except (apsw.NotADBError, apsw.CorruptError, UnicodeDecodeError):
            raise InvalidLedger(
                f"{self.path} is damaged or not a sudare ledger.",
                "Restore it from its backup and compare with an exported head: "
                "`sudare ledger verify --head FILE`.",
                place=self.path,
            ) from None
        except apsw.Error as error:
            raise InvalidLedger(
                f"{self.path} cannot be read or written ({type(error).__name__}).",
                "Check its permissions, its folder's permissions and the free space of the disk.",
                place=self.path,
            ) from None

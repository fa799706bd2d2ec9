"""A ledger's rows in a PostgreSQL server, for many machines at once.

Claim    When a transaction has ended without an error its rows survive a crash of either machine
         and a loss of power; when it has not ended, none of them is there.
Source   PostgreSQL's write-ahead log with fsync, full_page_writes and synchronous_commit on: the
         first two are checked at every transaction, the third is set
         (docs/decisions/0006-postgresql-ledger.md).
Rule     a writer holds the ledger's advisory lock until its transaction ends, so that others
         wait. Exactness does not rest on it: seq is a primary key, so of two writers who read
         the same tip only one can append.
Needs    a server that stays the same one. A fail-over to a standby that lags behind, or a
         restored backup, sets history back.
Gaps     the owner of the tables and superusers can change all of it; an exported head tells.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager

from sudare.facts.address import parse_address
from sudare.facts.errors import InvalidLedger, UsageError
from sudare.ledger import postgres_tables as tables
from sudare.ledger.postgres_link import Link
from sudare.ledger.postgres_session import Session
from sudare.ledger.store import Row

_PAGE = 5_000
_LOWEST = -(2**63)


class PostgresStore:
    """The store behind `postgresql://…#name`."""

    def __init__(self, place: str) -> None:
        """Connect; whether there is a ledger is a question for `open`, `create` and `is_made`."""
        self.address = parse_address(place)
        self.schema = tables.schema_of(self.address)
        self._pid: int | None = os.getpid()
        self._link = Link(self.address)
        self._session = Session(self._link, self.schema)

    @classmethod
    def open(cls, place: str) -> PostgresStore:
        """The ledger that is there, brought up to this sudare's format."""
        store = cls(place)
        try:
            store._check_make()
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def create(cls, place: str, first: Row) -> None:
        """Make a ledger that holds its first row, unless there is one already."""
        with closing(cls(place)) as store:
            if not store.is_made():
                with store.founding() as fresh:
                    if fresh:
                        store.append(first)

    def is_made(self) -> bool:
        self._check_usable()
        return self._session.ask(lambda: tables.is_made(self._link, self.schema))

    @contextmanager
    def founding(self) -> Iterator[bool]:
        """A transaction that makes the tables too; it yields False if they were there before."""
        self._check_usable()
        with self._session.transaction():
            fresh = not self.is_made()
            if fresh:
                self._session.ask(lambda: tables.make(self._link, self.schema))
            yield fresh

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._check_usable()
        with self._session.transaction():
            # Another machine may run a newer sudare and have brought the tables up to its format.
            if self._version() != tables.VERSION:
                raise tables.changed(self._link)
            yield

    def append(self, row: Row, release: bytes | None = None) -> None:
        self._check_usable()
        self._session.append(row, release)

    def rows(self, since: int | None = None) -> Iterator[Row]:
        self._check_usable()
        query = (
            f"SELECT seq, payload, hash FROM ONLY {self.schema}.entry WHERE seq >= %s "
            f"ORDER BY seq LIMIT {_PAGE}"
        )
        start = _LOWEST if since is None else since
        while page := self._session.run(query, (start,)):
            yield from (Row(*row) for row in page)
            if len(page) < _PAGE:
                return
            start = page[-1][0] + 1

    def release(self, seq: int) -> bytes | None:
        self._check_usable()
        query = f"SELECT release FROM ONLY {self.schema}.entry WHERE seq = %s"
        found: list[tuple[bytes | None]] = self._session.run(query, (seq,))
        return found[0][0] if found else None

    def close(self) -> None:
        if self._pid == os.getpid():
            self._pid = None
            self._link.close()

    def _version(self) -> int:
        return self._session.ask(lambda: tables.version_of(self._link, self.schema))

    def _check_make(self) -> None:
        if not self.is_made():
            raise InvalidLedger(
                f"There is no ledger at {self.address.shown}.",
                "The first paid release creates it; if there was one, restore it from its backup.",
            )
        if self._version() < tables.VERSION:
            with self._session.transaction():
                # Read again: another process may have done it while this one waited.
                version = self._version()
                self._session.ask(lambda: tables.migrate(self._link, self.schema, version))
        self._session.ask(lambda: tables.check_shape(self._link, self.schema))

    def _check_usable(self) -> None:
        if self._pid is None:
            raise UsageError("This ledger was closed.", "Open it again.")
        if self._pid != os.getpid():
            raise UsageError(
                "A ledger was carried over into a forked process.", "Open it again in the child."
            )

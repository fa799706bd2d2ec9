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
from typing import Any

from sudare.facts.address import parse_address
from sudare.facts.errors import InvalidLedger, UsageError
from sudare.ledger import postgres_tables as tables
from sudare.ledger.marks import paired
from sudare.ledger.postgres_link import Link
from sudare.ledger.postgres_session import Session
from sudare.ledger.store import Marks, Row

_PAGE = 5_000
_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_HASH_BYTES = 32


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

    def rows(self, since: int | None = None, until: int | None = None) -> Iterator[Row]:
        self._check_usable()
        columns = "seq, payload, hash, checkpoint" + (", keyed, charge" if since is None else "")
        query = (
            f"SELECT {columns} FROM ONLY {self.schema}.entry WHERE seq BETWEEN %s AND %s "
            f"ORDER BY seq LIMIT {_PAGE}"
        )
        start = _LOWEST if since is None else since
        while page := self._session.run(query, (start, _HIGHEST if until is None else until)):
            for seq, payload, link, kept, *marks in page:
                yield Row(seq, payload, link, Marks(*marks) if marks else None, kept)
            if len(page) < _PAGE:
                return
            start = page[-1][0] + 1

    def tail(self, count: int) -> list[Row]:
        found = self._found("seq, payload, hash, checkpoint", "true ORDER BY seq DESC", (), count)
        return [Row(seq, text, link, None, kept) for seq, text, link, kept in reversed(found)]

    def keyed(self, key: bytes) -> list[int]:
        found: list[tuple[int]] = self._session.run(
            f"SELECT seq FROM ONLY {self.schema}.entry WHERE keyed = %s ORDER BY seq", (key,)
        )
        return [seq for (seq,) in found]

    def linked(self, prefix: bytes) -> list[int]:
        given = (prefix, prefix.ljust(_HASH_BYTES, b"\xff"))
        return [seq for (seq,) in self._found("seq", "hash BETWEEN %s AND %s", given, _PAGE)]

    def released(self, charge: int) -> int | None:
        where = "charge = %s AND seq > %s ORDER BY seq"
        found = self._found("seq", where, (charge, charge), 1)
        return found[0][0] if found else None

    def charges(self, count: int) -> list[tuple[int, int | None]]:
        where = "charge IS NOT NULL ORDER BY charge DESC, seq DESC"
        found = self._found("charge, seq", where, (), 2 * count)
        return paired(((charge, seq) for charge, seq in found), count)

    def release(self, seq: int) -> bytes | None:
        self._check_usable()
        query = f"SELECT release FROM ONLY {self.schema}.entry WHERE seq = %s"
        found: list[tuple[bytes | None]] = self._session.run(query, (seq,))
        return found[0][0] if found else None

    def check(self) -> None:
        """Indexes are the server's own, which answers for them."""
        self._check_usable()

    def close(self) -> None:
        if self._pid == os.getpid():
            self._pid = None
            self._link.close()

    def _found(
        self, columns: str, where: str, given: tuple[object, ...], count: int
    ) -> list[tuple[Any, ...]]:
        self._check_usable()
        query = f"SELECT {columns} FROM ONLY {self.schema}.entry WHERE {where} LIMIT %s"
        return self._session.run(query, (*given, count))

    def _version(self) -> int:
        return self._session.ask(lambda: tables.version_of(self._link, self.schema))

    def _check_make(self) -> None:
        if not self.is_made():
            raise InvalidLedger(
                f"There is no ledger at {self.address.shown}.",
                "The first paid release creates it; if there was one, restore it from its backup.",
                place=self.address.shown,
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

"""Transactions over a connection that may break: what was begun happens once, or not at all.

Claim    A transaction that ends without an error is on the server's disk. One that ends with
         "before anything was recorded" is not there and never will be. Only if the server stays
         away is the outcome unknown, and then the error says so.
Rule     a broken connection is made anew only while nothing is written. If it breaks under a
         COMMIT, the ledger's lock is taken again, which is had only after that transaction has
         ended, and the row that it wrote is looked for.
Source   decision 0006. xmin, the number of the transaction that wrote a row, tells our row from
         an equal one of somebody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from sudare.facts.errors import EngineUnavailable, InvalidLedger, SudareError
from sudare.ledger.marks import marks_of
from sudare.ledger.postgres_link import Given, Link, Lost
from sudare.ledger.postgres_tables import lock_key
from sudare.ledger.store import Row

LOCK_SECONDS = 60
_ATTEMPTS = 3
# READ COMMITTED, so that what is read after the wait for the lock is what was there after it. A
# writer that hangs inside a transaction is cut off, for it keeps all others out. A limit on
# statements would count the wait for the lock, which has its own.
_BEGIN = """
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SET LOCAL synchronous_commit = on;
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = '{seconds}s';
SET LOCAL idle_in_transaction_session_timeout = '300s';
SELECT pg_advisory_xact_lock({key});
SELECT current_setting('fsync'), current_setting('full_page_writes')
"""
Result = TypeVar("Result")


class Session:
    """The link of one ledger, with its lock and its last written row."""

    def __init__(self, link: Link, schema: str) -> None:
        self.link = link
        self.schema = schema
        self._inside = False
        self._last: tuple[int, bytes, str] | None = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Be the only writer until the block ends."""
        try:
            # Nothing is under way yet, so a connection that broke, for instance while it idled
            # between reserve and commit, may be made anew.
            self.ask(self._enter)
            self._inside, self._last = True, None
            yield
            self._end()
        finally:
            self._inside = False
            self.link.rollback()

    def append(self, row: Row, release: bytes | None) -> None:
        insert = f"INSERT INTO {self.schema}.entry VALUES (%s, %s, %s, %s, %s, %s, %s) "
        insert += "RETURNING xmin::text"
        marks = marks_of(row.payload)
        given = (row.seq, row.payload, row.hash, release, marks.keyed, marks.charge)
        ((transaction,),) = self.run(insert, (*given, row.checkpoint))
        self._last = (row.seq, row.hash, transaction)

    def run(self, query: str, given: Given) -> list[tuple[Any, ...]]:
        return self.ask(lambda: self.link.run(query, given))

    def ask(self, question: Callable[[], Result]) -> Result:
        """The answer; outside a transaction the question is asked again if the link breaks."""
        for _ in range(1 if self._inside else _ATTEMPTS):
            try:
                return question()
            except Lost:
                pass
            if not self._inside:
                self.link.renew()
        raise self._cut_off()

    def _enter(self) -> None:
        begin = _BEGIN.format(seconds=LOCK_SECONDS, key=lock_key(self.schema))
        if self.link.run(begin) != [("on", "on")]:
            raise InvalidLedger(
                f"The server of {self._place} runs with fsync or full_page_writes off.",
                "A loss of power could undo charges there: turn both on, or use another server.",
                place=self._place,
            )

    def _end(self) -> None:
        try:
            self.link.commit()
            return
        except Lost:
            self._inside = False
        recorded = self._was_recorded()
        if recorded is None:
            raise EngineUnavailable(
                f"The connection to {self._place} broke while an entry was being written, and the "
                "server does not come back to say whether it was.",
                "Count it as spent. Once the server is back, run the same again with the same "
                "idempotency key: no second noise is drawn; `sudare ledger show` lists the charge.",
                place=self._place,
            )
        if not recorded:
            raise self._cut_off()

    def _was_recorded(self) -> bool | None:
        """Whether the transaction whose COMMIT was on its way has happened; None: nobody tells."""
        if self._last is None:
            return False
        found = f"SELECT 1 FROM ONLY {self.schema}.entry "
        found += "WHERE seq = %s AND hash = %s AND xmin::text = %s"
        try:
            self.ask(self._enter)
            return len(self.link.run(found, self._last)) == 1
        except (Lost, SudareError):
            return None

    @property
    def _place(self) -> str:
        return self.link.address.shown

    def _cut_off(self) -> EngineUnavailable:
        return EngineUnavailable(
            f"The connection to {self._place} broke before anything was recorded.",
            "Nothing was written by this step; run the same again.",
            place=self._place,
        )

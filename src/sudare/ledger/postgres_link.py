"""One connection to a PostgreSQL server, and the border at which psycopg's words stop.

psycopg's messages quote addresses, statements and rows, so an error of its is dropped and one of
sudare's is raised in its place, after the handler has ended: not even `__context__` leads back.
A connection that breaks is not an error of that kind: whoever used it knows what was under way,
and gets `Lost` to decide on.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sudare.facts.address import Address
from sudare.facts.errors import EngineUnavailable, InvalidLedger, SudareError
from sudare.facts.extras import needs
from sudare.facts.unreachable import hint_for

if TYPE_CHECKING:
    import psycopg

# How long a server may be away, for example to be restarted, before we stop asking for it.
PATIENCE_SECONDS = 20.0
_PAUSE_SECONDS = 0.1
# Whoever gives these in the URL is heard. They bound how long a dead peer is waited for.
_DEFAULTS = {
    "connect_timeout": "10",
    "application_name": "sudare",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
# A fixed path, so that no name in our statements can be led elsewhere. The keepalives are the
# server's side of the same bound: a writer that vanished lets go of its lock.
_SESSION = """
SET search_path = pg_catalog, pg_temp;
SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3
"""


Given = Sequence[object] | Mapping[str, object]


class Lost(Exception):
    """The connection broke while a statement was under way."""


class Link:
    """A connection in autocommit mode: transactions are begun and ended in so many words."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._db = self._connected()

    def run(self, statements: str, given: Given | None = None) -> list[tuple[Any, ...]]:
        """Run statements in one journey; the rows of the last, if it has any."""
        import psycopg

        state: str | None = None
        try:
            cursor = self._db.execute(statements, given)
            while cursor.nextset():
                pass
            return cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            state = error.sqlstate or type(error).__name__
        if self._db.closed:
            raise Lost
        raise self._said(state)

    def commit(self) -> None:
        """End the transaction, and be sure that it was not quietly rolled back instead."""
        import psycopg

        try:
            if self._db.execute("COMMIT").statusmessage == "COMMIT":
                return
        except psycopg.Error:
            pass
        if self._db.closed:
            raise Lost
        raise self._said("rolled back")

    def rollback(self) -> None:
        """Leave no transaction open; a connection that cannot even do that is given up."""
        import psycopg

        try:
            if not self._db.closed and self._db.info.transaction_status:
                self._db.execute("ROLLBACK")
        except psycopg.Error:
            self._db.close()

    def renew(self) -> None:
        """Connect again, waiting a while for a server that is being restarted."""
        self._db.close()
        give_up = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                self._db = self._connected()
                return
            except EngineUnavailable:
                if time.monotonic() > give_up:
                    raise
            time.sleep(_PAUSE_SECONDS)

    def close(self) -> None:
        self._db.close()

    def _connected(self) -> psycopg.Connection[tuple[Any, ...]]:
        with needs("postgres"):
            import psycopg
            from psycopg.conninfo import conninfo_to_dict
        db, said = None, ""
        try:
            given: dict[str, Any] = _DEFAULTS | conninfo_to_dict(self.address.url)
            db = psycopg.connect(autocommit=True, prepare_threshold=None, **given)
            db.execute(_SESSION)
            return db
        except psycopg.Error as error:
            said = str(error)
        if db is not None:
            db.close()
        raise EngineUnavailable(
            f"The ledger {self.address.shown} cannot be reached.",
            hint_for(said),
            place=self.address.shown,
        )

    def _said(self, state: str | None) -> SudareError:
        place = self.address.shown
        if state == "55P03":
            return InvalidLedger(
                f"{place} is held by another process.",
                "Wait for it to end, then try again.",
                place=place,
            )
        if state == "42501":
            return InvalidLedger(
                f"{place} may not be read, written or made by this user.",
                "Ask its owner for the rights that docs/ledger.md lists.",
                place=place,
            )
        if state == "25006":
            return InvalidLedger(
                f"{place} is on a server that may only be read.",
                "Connect to the primary server: add ?target_session_attrs=read-write to the URL.",
                place=place,
            )
        if state in ("3F000", "42P01", "42703"):
            return InvalidLedger(
                f"The tables in {place} were changed.",
                "Restore the ledger from its backup.",
                place=place,
            )
        return InvalidLedger(
            f"{place} cannot be read or written ({state}).",
            "Look the code up among PostgreSQL's error codes and check the server's log and disk.",
            place=place,
        )

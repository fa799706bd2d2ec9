"""One connection, one read-only transaction: every request of a run sees the same snapshot.

Claim    nothing is written, and what other sessions commit meanwhile is not seen (READ ONLY,
         REPEATABLE READ). The server's settings do not change what a query means: every setting
         that could is fixed for the transaction. psycopg's messages quote addresses and values, so
         they end here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from sudare.engines.border import guarded
from sudare.facts.address import Address, located
from sudare.facts.errors import EngineUnavailable, SudareError
from sudare.facts.extras import needs
from sudare.facts.unreachable import hint_for

if TYPE_CHECKING:
    import psycopg
    from psycopg.rows import TupleRow

    Connection = psycopg.Connection[TupleRow]

# trim_scale came with version 13; older versions are not maintained any more.
_LEAST_VERSION = 13
# Whoever gives these in the URL is heard, but for the name, by which an operator knows us. They
# bound how long a dead server is waited for.
_DEFAULTS = {
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
}
_FIXED = {"application_name": "sudare", "client_encoding": "UTF8"}
# What a date, a double and a quoted text are; which functions a name means; and that a stream of
# rows is planned to be read to its end.
_SETTINGS = """
SET LOCAL search_path = pg_catalog, pg_temp;
SET LOCAL TimeZone = 'UTC';
SET LOCAL DateStyle = 'ISO, YMD';
SET LOCAL extra_float_digits = 1;
SET LOCAL standard_conforming_strings = on;
SET LOCAL cursor_tuple_fraction = 1.0
"""


class Link:
    """A connection inside its one transaction."""

    def __init__(self, address: Address) -> None:
        self._db = _connected(address)

    def run(
        self, statement: str, given: Sequence[object] = (), error: SudareError | None = None
    ) -> list[tuple[Any, ...]]:
        """The rows of a statement with parameters $1, $2, …, or the error."""
        return guarded(lambda: self._db.execute(statement, given).fetchall(), error or gave_up())

    def describe(self, statement: str, error: SudareError) -> list[tuple[int, int]]:
        """Type and modifier of each column of a statement's result, or the error."""
        result = guarded(lambda: self._db.execute(statement).pgresult, error)
        assert result is not None
        return [(result.ftype(place), result.fmod(place)) for place in range(result.nfields)]

    def settle(self) -> None:
        """Fix the settings; before that, names are looked up along the user's own search path."""
        for setting in _SETTINGS.split(";"):
            guarded(partial(self._db.execute, setting), gave_up())

    def stream(
        self, statement: str, given: Sequence[object], rows: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a statement, so many at a time, through a cursor in the server."""
        import psycopg

        with psycopg.RawServerCursor(self._db, "sudare") as cursor:
            guarded(lambda: cursor.execute(statement, given, binary=True), gave_up())
            while found := guarded(lambda: cursor.fetchmany(rows), gave_up()):
                yield found

    @property
    def end(self) -> str:
        """Where the connection leads, as an address in one spelling."""
        info = self._db.info
        host = info.host if info.host.startswith("/") else info.hostaddr or info.host
        parts = {"host": host, "port": str(info.port), "dbname": info.dbname}
        return located(f"postgresql://?{urlencode(parts)}")

    def close(self) -> None:
        self._db.close()


def gave_up() -> EngineUnavailable:
    """The error for a statement that failed after the structure of the table had been checked."""
    return EngineUnavailable(
        "PostgreSQL could not finish a query.",
        "The server's log says why: a broken connection, a time limit, its disk or its memory, or "
        "an expression of a view that fails on a row.",
    )


def _connected(address: Address) -> Connection:
    with needs("postgres"):
        import psycopg
        from psycopg.conninfo import conninfo_to_dict

    def connect() -> Connection:
        given: dict[str, Any] = _DEFAULTS | conninfo_to_dict(address.url) | _FIXED
        db = psycopg.connect(prepare_threshold=None, cursor_factory=psycopg.RawCursor, **given)
        db.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        db.read_only = True
        return db

    db = said = None
    try:
        db = connect()
    except Exception as error:
        said = str(error)
    if db is None:
        raise EngineUnavailable(
            f"{address.database} cannot be reached.", hint_for(said or ""), place=address.database
        )
    if db.info.server_version >= _LEAST_VERSION * 10_000:
        return db
    db.close()
    raise EngineUnavailable(
        f"{address.database} is older than PostgreSQL {_LEAST_VERSION}.",
        "Upgrade the server.",
        place=address.database,
    )

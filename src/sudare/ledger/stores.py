"""Which store keeps a ledger: an address is PostgreSQL's, every other place is a SQLite file."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from sudare.facts.address import check_place, is_address
from sudare.ledger.postgres import PostgresStore
from sudare.ledger.sqlite import SqliteStore
from sudare.ledger.store import Row, Store


def open_store(place: str | Path) -> Store:
    """The store of the ledger that is there."""
    check_place(place)
    return PostgresStore.open(str(place)) if is_address(place) else SqliteStore(place)


def create_store(place: str | Path, first: Row) -> None:
    """Make a ledger that holds its first row, unless there is one already."""
    check_place(place)
    if is_address(place):
        PostgresStore.create(str(place), first)
    else:
        SqliteStore.create(place, first)


def is_there(place: str | Path) -> bool:
    """Whether something stands where the ledger would be; what it is, opening it tells."""
    if not is_address(place):
        # A name that no file can have is the name of no ledger.
        return os.path.isfile(place)
    with closing(PostgresStore(str(place))) as store:
        return store.is_made()

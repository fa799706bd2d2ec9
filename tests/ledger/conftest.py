"""The ledgers that tests are given: in memory, in a SQLite file and in PostgreSQL."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.support import ADD_REMOVE, ListStore
from sudare.ledger.ledger import Ledger
from support import postgres

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def ledger_database(postgres_server: postgres.Server) -> Iterator[str]:
    """One database a module; each test has a ledger of its own name in it."""
    with postgres_server.database() as url:
        yield url


@pytest.fixture
def ledger_url(ledger_database: str) -> str:
    """Where a ledger may be made: a name that no test had before."""
    return f"{ledger_database}#test_{next(_NUMBERS)}"


@pytest.fixture
def clerk(postgres_server: postgres.Server) -> Iterator[str]:
    """A user who owns nothing; ask for it before the database, which goes first when all ends."""
    # Users are the whole server's, and the other worker may want one at the same time.
    name = f"clerk_{os.getpid()}"
    with postgres_server.connect() as admin:
        admin.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'pencil'")
        yield name
        admin.execute(f"DROP ROLE {name}")


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> str:
    """Where a ledger may be made, once for every store that outlives a process."""
    return _place(request)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def ledger(request: pytest.FixtureRequest) -> Iterator[Ledger]:
    """An empty ledger, once for every store."""
    if request.param == "memory":
        yield Ledger(ListStore())
        return
    with Ledger.open(_place(request), create=True, relation=ADD_REMOVE) as opened:
        yield opened


def _place(request: pytest.FixtureRequest) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("ledger_url"))
    folder: Path = request.getfixturevalue("tmp_path")
    return str(folder / "l.ledger")

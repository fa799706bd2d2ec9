"""Servers that tests share: started once a run, at the first test that asks."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from support import postgres


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[postgres.Server]:
    """The PostgreSQL of this run. Never restart it: the other worker uses it too."""
    reason = postgres.missing()
    if reason is not None:
        pytest.skip(reason)
    base = tmp_path_factory.getbasetemp()
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with postgres.shared(common) as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: postgres.Server) -> Iterator[str]:
    """A fresh, empty database."""
    with postgres_server.database() as url:
        yield url


@pytest.fixture(scope="module")
def postgres_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[postgres.Server]:
    """A second PostgreSQL that only this module uses, to be restarted at will."""
    reason = postgres.missing()
    if reason is not None:
        pytest.skip(reason)
    with postgres.private(tmp_path_factory.mktemp("postgres")) as server:
        yield server

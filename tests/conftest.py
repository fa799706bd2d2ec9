"""Servers that tests share: started once a run, at the first test that asks."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import postgres, spark, tiers

tiers.register_profiles()

# Ledgers of tests are remembered in a folder of this run, never in the home of whoever runs it;
# the key that signs their certificates lies there too.
_STATE = tempfile.TemporaryDirectory(prefix="sudare-state-")
os.environ["XDG_STATE_HOME"] = os.environ["XDG_DATA_HOME"] = _STATE.name
# xdist gives its workers the width of its own terminal; texts are compared as a file has them.
os.environ.pop("COLUMNS", None)
os.environ.pop("SUDARE_STATE", None)
os.environ.pop("SUDARE_KEY", None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort tests into tiers before `-m` chooses among them."""
    tiers.sort_into_tiers(items)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> tiers.Together | None:
    """One worker a server, and one a module."""
    return tiers.Together(config, log) if config.getvalue("dist") == "loadgroup" else None


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


@pytest.fixture(scope="session")
def spark_master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The master of a Spark on this machine alone; it starts when a table is opened there."""
    reason = spark.missing()
    if reason is not None:
        pytest.skip(reason)
    from sudare.engines.spark import session

    with spark.environment(tmp_path_factory.mktemp("spark")):
        yield spark.LOCAL
        session.stop()


@pytest.fixture(scope="module")
def spark_cluster(
    spark_master: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[spark.Cluster]:
    """The cluster of this run: a master and two workers that do not know sudare. It is this
    module's alone until the module ends."""
    from sudare.engines.spark import session

    base = tmp_path_factory.getbasetemp()
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    python = spark.worker_python(Path(tmp_path_factory.mktemp("workers")))
    with spark.shared(common) as cluster, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", str(python))
        yield cluster
        session.stop()

"""The Spark that answers: one of ours, started once a process, or one that is there already.

A session of ours shows nothing and leaves nothing: no page, no event log, no messages; what it
spills and shuffles is encrypted with a key that ends with it. Of a session that is not ours a
fresh one is derived, with settings of its own, so that nobody else's change.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sudare.engines.spark.border import gave_up, guarded
from sudare.engines.spark.master import Master
from sudare.facts.errors import EngineUnavailable, UsageError

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

# How long a cluster may take to give us somebody to work for us.
PATIENCE = 60.0
_OWN = {
    "spark.app.name": "sudare",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.eventLog.enabled": "false",
    "spark.io.encryption.enabled": "true",
    "spark.log.level": "OFF",
    "spark.executor.syncLogLevel.enabled": "true",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}
# What our queries mean depends on these, so every session of ours has them.
SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.groupByOrdinal": "true",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.legacy.parquet.nanosAsLong": "true",
    # What a footer claims must not stand in for the values.
    "spark.sql.parquet.aggregatePushdown": "false",
    # Bounding keeps few rows of a unit before they travel, however many may be kept.
    "spark.sql.optimizer.windowGroupLimitThreshold": str(2**31 - 1),
}


@dataclass
class _Running:
    """Our own Spark, and how many opened tables use it."""

    context: SparkContext
    master: str
    users: int = 0


@dataclass
class Lease:
    """A session for one opened table; nobody else's settings or views are in it."""

    session: SparkSession
    _running: _Running | None = field(default=None, repr=False)
    _ends: list[Callable[[], object]] = field(default_factory=list, repr=False)

    def at_end(self, action: Callable[[], object]) -> None:
        """Do this when the table is closed, if Spark still runs."""
        self._ends.append(action)

    def close(self) -> None:
        while self._ends:
            action = self._ends.pop()
            with contextlib.suppress(EngineUnavailable):
                guarded(action, gave_up())
        if self._running is not None:
            self._running.users -= 1
            self._running = None


_ours: _Running | None = None
_lock = threading.Lock()


def lease(session: object, master: str | None) -> Lease:
    """A session derived from `session`, or from one that runs here, or from a new one of ours."""
    _imported()
    if session is not None:
        return Lease(_derived(_classic(session)))
    with _lock:
        return _leased(Master.of(master), chosen=master is not None)


def _imported() -> None:
    missing = EngineUnavailable("PySpark is not installed.", "Run: pip install 'sudare[spark]'.")

    def load() -> None:
        with warnings.catch_warnings():
            # It warns of versions of pandas, which is not used here.
            warnings.simplefilter("ignore")
            import pyspark.sql.pandas.functions
            import pyspark.sql.pandas.types  # noqa: F401

    guarded(load, missing)


def _classic(session: object) -> SparkSession:
    from pyspark.sql.session import SparkSession

    if isinstance(session, SparkSession):
        return session
    raise UsageError(
        "This is not a session of classic Spark.",
        "Give a pyspark.sql.SparkSession of this process; Spark Connect is not supported.",
    )


def _leased(master: Master, chosen: bool) -> Lease:
    from pyspark import SparkContext

    global _ours
    running = SparkContext._active_spark_context
    if _ours is not None and _ours.context is not running:
        _ours = None
    if running is not None and _ours is None:
        return _borrowed(running, master if chosen else None)
    if _ours is not None and _ours.master != master.name:
        _let_go(_ours)
    if _ours is None:
        _ours = _Running(_started(master), master.name)
        atexit.register(stop)
    _ours.users += 1
    return Lease(_derived(_session(_ours.context)), _ours)


def _borrowed(running: SparkContext, master: Master | None) -> Lease:
    if master is not None and running.master != master.name:
        raise UsageError(
            "Spark runs in this process already, with another master.",
            "Leave the master out, or stop that Spark first.",
        )
    return Lease(_derived(_session(running)))


def _let_go(ours: _Running) -> None:
    if ours.users:
        raise UsageError(
            "Spark is in use in this process, with another master.",
            "Close the tables that are open there first.",
        )
    stop()


def _session(context: SparkContext) -> SparkSession:
    from pyspark.sql.session import SparkSession

    return guarded(lambda: SparkSession.getActiveSession() or SparkSession(context), gave_up())


def stop() -> None:
    """Stop our own Spark, if it runs; what is not ours is left alone."""
    global _ours
    ours, _ours = _ours, None
    if ours is not None:
        guarded(ours.context.stop, gave_up())


def _started(master: Master) -> SparkContext:
    master.check()
    context = guarded(lambda: _launched(master), master.unavailable())
    if not master.is_local:
        try:
            _await_workers(context)
        except EngineUnavailable:
            guarded(context.stop, gave_up())
            raise
    return context


def _launched(master: Master) -> SparkContext:
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway

    conf = SparkConf(loadDefaults=False).setAll([*_OWN.items(), *master.settings.items()])
    gateway = SparkContext._gateway
    if gateway is None:
        # Java would write its messages beside ours.
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        gateway = launch_gateway(None, silent)  # type: ignore[no-untyped-call]
    context = SparkContext(conf=conf, gateway=gateway)
    if master.is_local and "PYSPARK_PYTHON" not in os.environ:
        # Its workers are on this machine and run what we run.
        context.pythonExec = sys.executable
    return context


def _await_workers(context: SparkContext) -> None:
    """Run the smallest job; a cluster without free workers would let every job wait for ever."""
    session, done = _session(context), threading.Event()

    def work() -> None:
        with contextlib.suppress(EngineUnavailable):
            guarded(lambda: session.range(1).count(), gave_up())
            done.set()

    threading.Thread(target=work, daemon=True).start()
    if not done.wait(PATIENCE):
        raise EngineUnavailable(
            "The Spark cluster gave no worker in time.",
            "Check that workers have joined it and have cores and memory free.",
        )


def _derived(session: SparkSession) -> SparkSession:
    return guarded(lambda: _derive(session), gave_up())


def _derive(session: SparkSession) -> SparkSession:
    fresh = session.newSession()
    told = {
        name: value for name, value in session.conf.getAll.items() if name.startswith("spark.sql.")
    }
    known = fresh.conf.getAll
    for name, value in {**told, **SETTINGS}.items():
        if known.get(name) != value and fresh.conf.isModifiable(name):
            fresh.conf.set(name, value)
    return fresh

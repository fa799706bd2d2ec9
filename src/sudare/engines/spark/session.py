"""The Spark that answers: one of ours, started once a process, or one that is there already.

Every opened table has a session of its own, derived from either: with its own settings and views,
so that nobody else's change.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sudare.engines.spark.border import gave_up, guarded
from sudare.engines.spark.master import Master
from sudare.engines.spark.start import started
from sudare.facts.errors import EngineUnavailable, UsageError
from sudare.facts.extras import MissingExtra, require

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

# What our queries mean depends on these.
SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.groupByOrdinal": "true",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.legacy.parquet.nanosAsLong": "true",
    # What a footer claims must not stand in for the values.
    "spark.sql.parquet.aggregatePushdown": "false",
    # What is held is brought into as few partitions as its size needs, not into 200 by default.
    "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning": "true",
    # Bounding keeps few rows of a unit before they travel, however many may be kept.
    "spark.sql.optimizer.windowGroupLimitThreshold": str(2**31 - 1),
}


@dataclass
class _Running:
    """Our own Spark, and how many opened tables use it."""

    session: SparkSession
    master: str
    users: int = 0


@dataclass
class Lease:
    """A session for one opened table."""

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
    """A session derived from `session`, or from what runs here, or from a new Spark of ours."""
    require("spark")
    guarded(_import, MissingExtra("spark", "pyspark"))
    if session is not None:
        return Lease(_derived(_classic(session)))
    with _lock:
        return _leased(None if master is None else Master.of(master))


def stop() -> None:
    """Stop our own Spark, if it runs; what is not ours is left alone."""
    global _ours
    ours, _ours = _ours, None
    if ours is not None:
        guarded(ours.session.stop, gave_up())


def _import() -> None:
    import pyspark.sql.pandas.functions  # noqa: F401


def _classic(session: object) -> SparkSession:
    from pyspark.sql import SparkSession

    if isinstance(session, SparkSession):
        # A session that was stopped has lost its link to Java.
        if session.sparkContext._jsc is None:
            raise UsageError("This session of Spark was stopped.", "Start another, or give none.")
        return session
    raise UsageError(
        "This is not a session of classic Spark.",
        "Give a pyspark.sql.SparkSession of this process; Spark Connect is not supported.",
    )


def _leased(master: Master | None) -> Lease:
    from pyspark import SparkContext

    global _ours
    running = SparkContext._active_spark_context
    if _ours is not None and running is not _ours.session.sparkContext:
        # Somebody has stopped it.
        _ours = None
    elif _ours is not None and running is not None and _has_ended(running):
        stop()
        running = None
    if running is not None and _ours is None:
        return _borrowed(running, master)
    if _ours is not None and master is not None and _ours.master != master.name:
        _let_go(_ours)
    if _ours is None:
        master = master or Master.of(None)
        _ours = _Running(started(master), master.name)
        atexit.register(stop)
    _ours.users += 1
    return Lease(_derived(_ours.session), _ours)


def _has_ended(context: SparkContext) -> bool:
    """A cluster that is gone ends the Spark that used it."""
    return guarded(lambda: bool(context._jsc.sc().isStopped()), gave_up())


def _borrowed(running: SparkContext, master: Master | None) -> Lease:
    from pyspark.sql import SparkSession

    if master is not None and running.master != master.name:
        raise UsageError(
            "Spark runs in this process already, with another master.",
            "Leave the master out, or stop that Spark first.",
        )
    theirs = guarded(lambda: SparkSession.getActiveSession() or SparkSession(running), gave_up())
    return Lease(_derived(theirs))


def _let_go(ours: _Running) -> None:
    if ours.users:
        raise UsageError(
            "Spark is in use in this process, with another master.",
            "Close the tables that are open there first.",
        )
    stop()


def _derived(session: SparkSession) -> SparkSession:
    return guarded(lambda: _derive(session), gave_up())


def _derive(session: SparkSession) -> SparkSession:
    """A fresh session with the settings of the other, but for those that give queries a meaning."""
    fresh = session.newSession()
    known, theirs = fresh.conf.getAll, session.conf.getAll
    told = {name: value for name, value in theirs.items() if name.startswith("spark.sql.")}
    for name, value in told.items():
        if known.get(name) != value and fresh.conf.isModifiable(name):
            fresh.conf.set(name, value)
    for name, value in SETTINGS.items():
        # Some are deprecated, and Spark warns of setting them even to what they are.
        if fresh.conf.get(name) != value:
            fresh.conf.set(name, value)
    return fresh

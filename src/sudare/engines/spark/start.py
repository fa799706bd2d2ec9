"""Start a Spark of our own: silent, encrypted on disk, and never waited for without end."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sudare.engines.spark.border import gave_up, guarded
from sudare.engines.spark.master import Master
from sudare.facts.errors import EngineUnavailable

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# How long a cluster may take to give us somebody to work for us.
PATIENCE = 60.0
_MEMORY = "SPARK_DRIVER_MEMORY"
_MOST_MEMORY = 8 * 2**30
_GROUP, _GROUPS = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")
# No page, no event log, no messages; what is spilled and shuffled is encrypted with a key that ends
# with this Spark.
_SETTINGS = {
    "spark.app.name": "sudare",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.eventLog.enabled": "false",
    "spark.io.encryption.enabled": "true",
    "spark.executor.syncLogLevel.enabled": "true",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}


def started(master: Master) -> SparkSession:
    """A session at a master that answers and has workers."""
    master.check()
    session = guarded(lambda: _launched(master), master.unavailable())
    if not master.is_local and not _works(session):
        guarded(session.stop, gave_up())
        raise EngineUnavailable(
            "The Spark cluster gave no worker in time.",
            "Check that workers have joined it and have cores and memory free.",
        )
    # Not before: workers that start with a level told to them forget it.
    guarded(lambda: session.sparkContext.setLogLevel("OFF"), gave_up())
    return session


def _launched(master: Master) -> SparkSession:
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    gateway = SparkContext._gateway
    if gateway is None:
        # Java would write its messages beside ours.
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with _roomy(master):
            gateway = launch_gateway(None, silent)  # type: ignore[no-untyped-call]
    conf = SparkConf().setAll([*_SETTINGS.items(), *master.settings.items()])
    context = SparkContext(conf=conf, gateway=gateway)
    if master.is_local and "PYSPARK_PYTHON" not in os.environ:
        # Its workers are on this machine and run what we run.
        context.pythonExec = sys.executable
    return SparkSession(context)


@contextlib.contextmanager
def _roomy(master: Master) -> Iterator[None]:
    """A Spark inside one process has a gigabyte unless told otherwise, and bounding millions of
    units then writes to disk what would fit. Said in the environment, so that a configuration of
    the user's stands above it."""
    if not master.is_local or not {_MEMORY, "SPARK_MEM"}.isdisjoint(os.environ):
        yield
        return
    os.environ[_MEMORY] = f"{memory() // 2**20}m"
    try:
        yield
    finally:
        del os.environ[_MEMORY]


def memory() -> int:
    """The bytes for a Spark of our own on this machine: a quarter of what there is for us."""
    bounds = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), *_limits()]
    return max(2**30, min(_MOST_MEMORY, min(bounds) // 4))


def _limits() -> Iterator[int]:
    """What a container, or a service or job that we are part of, may use."""
    with contextlib.suppress(OSError):
        own = [line[3:] for line in _GROUP.read_text().splitlines() if line.startswith("0::")]
        for group in (Path(name.lstrip("/")) for name in own):
            for place in (group, *group.parents):
                with contextlib.suppress(OSError, ValueError):
                    yield int((_GROUPS / place / "memory.max").read_text())


def _works(session: SparkSession) -> bool:
    """Whether the smallest job is done in time; on a cluster without free workers every job would
    wait for ever."""
    done = threading.Event()

    def work() -> None:
        with contextlib.suppress(EngineUnavailable):
            guarded(lambda: session.range(1).count(), gave_up())
            done.set()

    threading.Thread(target=work, daemon=True).start()
    return done.wait(PATIENCE)

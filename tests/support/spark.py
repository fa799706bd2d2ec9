"""Spark for tests: on this machine alone, and a real standalone cluster, one for a whole run.

The cluster is a master and two workers, processes of their own on loopback. As with the database of
postgres.py, everyone who uses it holds a shared lock on one file, and its keeper ends when nobody
does, however they ended. The keeper also starts a new worker for each that dies, because tests kill
some. Users take turns, because an application takes all cores.
"""

from __future__ import annotations

import ctypes
import fcntl
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCAL = "local[2]"
WORKERS = 2
# A run is too short for Java's second compiler to pay.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
DEFAULTS = "spark.sql.shuffle.partitions 4\n"
# All that a worker has beside Python itself.
PACKAGES = ("pyspark", "py4j", "pyarrow", "numpy")
PYTHON = """#!/bin/sh
PYTHONPATH="$PYTHONPATH:{packages}" exec {python} -S "$@"
"""


class Cluster:
    """A running cluster; `folder` holds the logs and the workers' files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def url(self) -> str:
        return f"spark://127.0.0.1:{self._facts['port']}"

    @property
    def workers(self) -> list[int]:
        """The process ids of the workers that are there now."""
        found: list[int] = self._facts["workers"]
        return found

    def kill_a_worker(self) -> int:
        """End one at once, as a power cut would; its executor ends with it, another comes."""
        worker = self.workers[0]
        os.kill(worker, signal.SIGKILL)
        return worker

    @property
    def _facts(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = json.loads((self.folder / "facts.json").read_text())
        return found


def missing() -> str | None:
    """Why there can be no Spark here, or None."""
    if importlib.util.find_spec("pyspark") is None:
        return "PySpark is not installed"
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=os.path.join(home, "bin") if home else None) is None:
        return "Java is not installed"
    return None


@contextmanager
def environment(folder: Path) -> Iterator[None]:
    """What Spark finds in its environment while tests run."""
    (folder / "spark-defaults.conf").write_text(f"{DEFAULTS}spark.local.dir {folder}/local\n")
    given = {"JDK_JAVA_OPTIONS": JAVA, "SPARK_CONF_DIR": str(folder), "SPARK_LOCAL_IP": "127.0.0.1"}
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


@contextmanager
def shared(common: Path) -> Iterator[Cluster]:
    """The cluster of this run, ours for as long as the turn lasts."""
    with _locked(common / "spark.users", fcntl.LOCK_SH):
        with _locked(common / "spark.start", fcntl.LOCK_EX):
            record = common / "spark.folder"
            folder = Path(record.read_text()) if record.exists() else None
            if folder is None or not folder.exists():
                folder = _launch(common / "spark.users")
                record.write_text(str(folder))
        with _locked(common / "spark.turn", fcntl.LOCK_EX):
            yield Cluster(folder)


def worker_python(folder: Path) -> Path:
    """A Python for workers that knows neither sudare nor what sudare needs."""
    for name in PACKAGES:
        (folder / name).symlink_to(_package(name))
        libraries = _package(name).with_name(f"{name}.libs")
        if libraries.exists():
            (folder / libraries.name).symlink_to(libraries)
    script = folder / "python"
    script.write_text(PYTHON.format(packages=folder, python=sys.executable))
    script.chmod(0o755)
    return script


def _package(name: str) -> Path:
    found = importlib.util.find_spec(name)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def _launch(users: Path) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="sudare-spark-"))
    subprocess.Popen(
        [sys.executable, __file__, str(users), str(folder)], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, cwd="/",
    )  # fmt: skip
    for _ in range(600):
        if (folder / "facts.json").exists():
            return folder
        time.sleep(0.2)
    raise RuntimeError(f"Spark's cluster did not start; see {folder}")


@contextmanager
def _locked(path: Path, how: int) -> Iterator[None]:
    handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, how)
        yield
    finally:
        os.close(handle)


def _keep(users: str, folder: Path) -> None:
    """Start the cluster, keep its workers alive, and end it when nobody holds the lock."""
    handle = os.open(users, os.O_CREAT | os.O_RDWR, 0o600)
    master, port = _master(folder)
    workers = [_worker(folder, port, number) for number in range(WORKERS)]
    try:
        while not _is_free(handle):
            for number, each in enumerate(workers):
                if each.poll() is not None:
                    workers[number] = _worker(folder, port, number)
            _tell(folder, port, workers)
            time.sleep(0.2)
    finally:
        for process in (*workers, master):
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def _tell(folder: Path, port: int, workers: list[subprocess.Popen[bytes]]) -> None:
    facts = {"port": port, "workers": [worker.pid for worker in workers]}
    (folder / "facts.new").write_text(json.dumps(facts))
    (folder / "facts.new").rename(folder / "facts.json")


def _is_free(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _master(folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    for _ in range(5):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = _java(folder, "127.0.0.1", "master.Master", "--port", str(port))
        while process.poll() is None:
            if not socket.socket().connect_ex(("127.0.0.1", port)):
                return process, port
            time.sleep(0.2)
    raise RuntimeError("no port for Spark's master")


def _worker(folder: Path, port: int, number: int) -> subprocess.Popen[bytes]:
    """A worker on a loopback address of its own: Spark runs no task twice on one host."""
    words = ("--cores", "1", "--memory", "1g", "--work-dir", str(folder / "work"))
    return _java(
        folder, f"127.0.0.{number + 1}", "worker.Worker", *words, f"spark://127.0.0.1:{port}"
    )


def _java(folder: Path, host: str, name: str, *words: str) -> subprocess.Popen[bytes]:
    """One of Spark's own servers, which dies with its keeper."""
    home = _package("pyspark")
    command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}"]
    common = ("--host", host, "--webui-port", "0")
    with (folder / f"{name}.log").open("ab") as log:
        return subprocess.Popen(
            [*command, *common, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            env={**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": host}, cwd=folder,
            preexec_fn=_die_with_parent,
        )  # fmt: skip


def _die_with_parent() -> None:
    death_signal = 1
    ctypes.CDLL(None).prctl(death_signal, signal.SIGKILL)


if __name__ == "__main__":
    _keep(sys.argv[1], Path(sys.argv[2]))

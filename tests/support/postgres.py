"""A throw-away PostgreSQL on loopback: one for a whole test run, shared by its workers.

Everyone who uses the server holds a shared lock on one file. A keeper process waits for the
exclusive lock, so it wakes when the last user has ended, however it ended (the kernel lets go of
the locks of a killed process), stops the server and removes its folder. `fsync` is on and every
connection needs the password, which is awkward on purpose: it must be quoted in a URL.
"""

from __future__ import annotations

import fcntl
import glob
import json
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

USER = "keeper"
SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = on
shared_buffers = 16MB
max_connections = 100
max_wal_size = 256MB
autovacuum = off
logging_collector = off
"""


@dataclass(frozen=True)
class Server:
    """A running server; `folder` holds its data and its log."""

    binaries: str
    folder: str
    port: int
    password: str

    def url(self, database: str = "postgres", *, password: bool = True) -> str:
        """The address of a database, with the password in it unless told otherwise."""
        secret = f":{quote(self.password, safe='')}" if password else ""
        return f"postgresql://{USER}{secret}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str = "postgres") -> Any:
        """A psycopg connection in autocommit mode, as superuser."""
        import psycopg

        return psycopg.connect(self.url(database), autocommit=True)

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of a fresh, empty database that is dropped afterwards."""
        name = f"fresh_{secrets.token_hex(6)}"
        with self.connect() as admin:
            admin.execute(f'CREATE DATABASE "{name}"')
        try:
            yield self.url(name)
        finally:
            with self.connect() as admin:
                admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    def restart(self, mode: str = "immediate") -> None:
        """Stop and start; "immediate" is a crash of the server, with recovery after it."""
        self._control("restart", "-m", mode)

    def stop(self, mode: str = "immediate") -> None:
        self._control("stop", "-m", mode)

    def start(self) -> None:
        self._control("start")

    @property
    def log(self) -> str:
        return (Path(self.folder) / "log").read_text(encoding="utf-8", errors="replace")

    def _control(self, *words: str) -> None:
        data, log = f"{self.folder}/data", f"{self.folder}/log"
        _run(f"{self.binaries}/pg_ctl", "-D", data, "-l", log, "-w", "-s", *words, cwd=self.folder)


def missing() -> str | None:
    """Why there can be no server here, or None."""
    if _binaries() is None:
        return "PostgreSQL is not installed: no initdb in PATH nor in /usr/lib/postgresql/*/bin"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    return None


@contextmanager
def shared(common: Path) -> Iterator[Server]:
    """The server of this run; `common` is a folder that all its workers have."""
    with _locked(common / "postgres.users", fcntl.LOCK_SH):
        with _locked(common / "postgres.start", fcntl.LOCK_EX):
            record = common / "postgres.json"
            server = Server(**json.loads(record.read_text())) if record.exists() else None
            if server is None or not Path(server.folder).exists():
                server = _launch(common / "postgres.users")
                record.write_text(json.dumps(asdict(server)))
        yield server


@contextmanager
def private(folder: Path) -> Iterator[Server]:
    """A server that nobody else uses, for tests that restart it."""
    users = folder / "postgres.users"
    with _locked(users, fcntl.LOCK_SH):
        yield _launch(users)


@contextmanager
def _locked(path: Path, how: int) -> Iterator[None]:
    handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, how)
        yield
    finally:
        os.close(handle)


def _binaries() -> str | None:
    found = shutil.which("initdb")
    if found and shutil.which("pg_ctl", path=os.path.dirname(os.path.realpath(found))):
        return os.path.dirname(os.path.realpath(found))
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda f: int(f.split("/")[4]))
    return folders[-1] if folders else None


def _owner() -> pwd.struct_passwd | None:
    """The unprivileged user to run as; None means as ourselves."""
    if os.getuid() != 0:
        return None
    known = {user.pw_name: user for user in pwd.getpwall()}
    return known.get("postgres") or known["nobody"]


def _run(*words: str, cwd: str) -> None:
    owner = _owner()
    become = {} if owner is None else {"user": owner.pw_uid, "group": owner.pw_gid}
    groups = {} if owner is None else {"extra_groups": []}
    # The server outlives pg_ctl and must not hold our pipes, so its words go to the log alone.
    done = subprocess.run(
        words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
        timeout=120, **become, **groups,  # type: ignore[call-overload]
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{os.path.basename(words[0])} failed; see {cwd}/log")


def _launch(users: Path) -> Server:
    binaries = _binaries()
    assert binaries is not None
    folder = Path(tempfile.mkdtemp(prefix="sudare-postgres-"))
    # Before the first start, so that not even a kill during it leaves a server behind.
    words = [sys.executable, __file__, str(users), binaries, str(folder)]
    subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, cwd="/",
    )  # fmt: skip
    password = f"p@ss: {secrets.token_hex(8)}/%#?"
    (folder / "password").write_text(password + "\n")
    owner = _owner()
    if owner is not None:
        for path in (folder, folder / "password"):
            os.chown(path, owner.pw_uid, owner.pw_gid)
    _run(
        f"{binaries}/initdb", "-D", f"{folder}/data", "-U", USER, "--pwfile", f"{folder}/password",
        "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync",
        cwd=str(folder),
    )  # fmt: skip
    return _started(binaries, folder, password)


def _started(binaries: str, folder: Path, password: str) -> Server:
    settings = folder / "data" / "postgresql.conf"
    original = settings.read_text()
    for attempt in range(5):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        settings.write_text(f"{original}{SETTINGS}port = {port}\n")
        server = Server(binaries, str(folder), port, password)
        try:
            server.start()
            break
        except RuntimeError:
            # Somebody may have taken the port meanwhile.
            if attempt == 4:
                raise
    return server


def _keep(users: str, binaries: str, folder: str) -> None:
    """Wait until nobody holds the lock, then stop the server and remove its folder."""
    handle = os.open(users, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        Server(binaries, folder, 0, "").stop()
    except RuntimeError:
        pass
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _keep(*sys.argv[1:])

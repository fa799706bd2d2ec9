"""A machine for processes that are killed: it has everything imported and forks a party at once.

Reads orders from standard input, a JSON object a line, and answers with the number of the process;
when one ends it says so. An order may have `kill_at`: the process then kills itself, as hard as
possible, at that step, or before it does what is named. Steps are what a crash can fall between:
everything that reaches the disk or a ledger, every call to another party and every request that is
answered, each before and after. The collector's accounting and its page, which have tests of their
own, are left out: they take most of the time of a small session.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any

import duckdb
import numpy as np
import pandas
import pyarrow.parquet
import typer

from sudare.cli import app, link_output
from sudare.engines import duck
from sudare.ledger.ledger import Ledger
from sudare.publish import (
    link_assist,
    link_certificate,
    link_collect,
    link_party,
    link_rows,
    link_shares,
)
from sudare.report import link, link_page
from sudare.wires import calling, desk, sending

PRELOADED = (
    duckdb, pandas, pyarrow.parquet, duck, link_output, link_party, link_assist, link, link_page,
)  # fmt: skip
STEPS = [
    (os, "fsync"),
    (os, "rename"),
    (os, "replace"),
    (os, "link"),
    (os, "unlink"),
    (Ledger, "reserve"),
    (Ledger, "commit"),
    (calling.Caller, "_act_once"),
    (sending.Sending, "send_some"),
    (desk.Desk, "take"),
    (desk.Desk, "answer"),
]


class Steps:
    """Counts, and kills the process when it is time."""

    def __init__(self, kill_at: int | str | None) -> None:
        self._kill_at, self._lock, self.done = kill_at, Lock(), 0

    def install(self) -> None:
        for owner, name in STEPS:
            setattr(owner, name, self._counted(name, getattr(owner, name)))

    def _counted(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            # Questions for the state come by the clock and change nothing.
            if "status" in arguments:
                return function(*arguments, **options)
            self._count(name)
            found = function(*arguments, **options)
            self._count()
            return found

        return counted

    def _count(self, doing: str = "") -> None:
        with self._lock:
            self.done += 1
            if self._kill_at in (self.done, doing):
                os.kill(os.getpid(), signal.SIGKILL)


def reroute(routes: dict[str, str]) -> None:
    """Calls to an address go to another one."""
    begin = calling.Caller.__init__

    def routed(self: Any, identity: Any, address: str, *rest: Any, **options: Any) -> None:
        begin(self, identity, routes.get(address, address), *rest, **options)

    calling.Caller.__init__ = routed  # type: ignore[method-assign]


def keep_drawn(folder: Path) -> None:
    """Every time reports are drawn they are also put where the test finds them."""
    laid = link_rows._laid

    def watched(job: Any, own: Any, secrets: Any, key: Any, points: Any, *rest: Any) -> Any:
        name = own.identity.name
        number = next(n for n in count() if not (folder / f"{name}.{n}.npz").exists())
        np.savez(folder / f"{name}.{number}.npz", points=points, reports=rest[0])
        return laid(job, own, secrets, key, points, *rest)

    link_rows._laid = watched
    split = link_shares._laid

    def watched_split(link: Any, own: Any, *rest: Any) -> Any:
        name = own.identity.name
        number = next(n for n in count() if not (folder / f"{name}.{n}.npz").exists())
        np.savez(folder / f"{name}.{number}.npz", points=rest[2])
        return split(link, own, *rest)

    link_shares._laid = watched_split


def leave_out() -> None:
    class Nothing:
        def to_dict(self) -> dict[str, Any]:
            return {"classes": []}

    link_certificate.account_classes = lambda *_: Nothing()
    link_page.page = lambda *_: ""
    # Building the commands anew in every process would take longer than running one.
    app.app = typer.main.get_command(app.app)


def run(order: dict[str, Any]) -> int:
    os.chdir(order["cwd"])
    for number, kind in ((1, "out"), (2, "err")):
        opened = os.open(f"{order['name']}.{kind}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(opened, number)
    link_collect._LINGER = 0.3
    reroute(order["routes"])
    keep_drawn(Path(order["drawn"]))
    steps = Steps(order["kill_at"])
    steps.install()
    sys.argv = ["sudare", *order["words"]]
    try:
        app.main()
        return 0
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        Path(f"{order['name']}.steps").write_text(str(steps.done))


def child(order: dict[str, Any]) -> None:
    code = 1
    try:
        code = run(order)
    finally:
        os._exit(code)


def say(told: dict[str, int]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Until standard input ends; whatever then still runs is killed."""
    leave_out()
    running: set[int] = set()
    waiting = b""
    while True:
        if select.select([0], [], [], 0.02)[0]:
            more = os.read(0, 65_536)
            if not more:
                break
            *lines, waiting = (waiting + more).split(b"\n")
            for line in lines:
                order = json.loads(line)
                pid = os.fork()
                if pid == 0:
                    child(order)
                running.add(pid)
                say({"order": order["order"], "pid": pid})
        for pid in list(running):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                running.discard(pid)
                say({"ended": pid, "code": os.waitstatus_to_exitcode(status)})
    for pid in running:
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()

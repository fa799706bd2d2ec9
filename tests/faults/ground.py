"""The folders of a case, and commands run in them in processes of their own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

# Far longer than any command here runs.
SECONDS = 120
TOO_LONG = 71
_numbers = count(1)


@dataclass(frozen=True)
class Said:
    """How a command ended: its exit code, or the signal that killed it, and what it printed."""

    code: int
    out: str
    err: str

    def value(self) -> dict[str, Any] | None:
        try:
            found = json.loads(self.out)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None


class Ground:
    """Where a command works, where this machine remembers its ledgers, where it puts temporary
    files. Faults happen below all of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "machine"
        self.work, self.state, self.tmp = (self.root / n for n in ("work", "state", "tmp"))

    def make(self) -> None:
        for each in (self.work, self.state, self.tmp):
            each.mkdir(parents=True)

    def copy(self, name: str) -> Ground:
        """As it is now: to look into a ledger changes the files of a ledger that was cut off."""
        found = Ground(self.folder / name)
        shutil.copytree(self.root, found.root, symlinks=True)
        return found

    def enter(self) -> None:
        """This process works here from now on."""
        os.chdir(self.work)
        os.environ["XDG_STATE_HOME"] = str(self.state)
        # Set, not found out: Python would try the folder with a file of its own.
        tempfile.tempdir = os.environ["TMPDIR"] = str(self.tmp)

    def files(self) -> set[str]:
        """All that is there, folders with a stroke at the end."""
        return {
            f"{path.relative_to(self.root)}{'/' if path.is_dir() else ''}"
            for path in self.root.rglob("*")
        }


class Command:
    """A command in a process of its own; `before` runs in it last of all."""

    def __init__(
        self, ground: Ground, words: list[str], before: Callable[[], None] | None = None
    ) -> None:
        number = next(_numbers)
        self._told = [ground.folder / f"{kind}.{number}" for kind in ("out", "err")]
        self.pid = os.fork()
        if self.pid == 0:
            code = 70
            try:
                code = self._run(ground, words, before)
            finally:
                os._exit(code)

    def ended(self) -> Said | None:
        """What came of it, if it is over."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        return self._said(os.waitstatus_to_exitcode(status)) if pid else None

    def end(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def wait(self) -> Said:
        until, pause = time.monotonic() + SECONDS, 0.001
        while (found := self.ended()) is None:
            if time.monotonic() > until:
                self.end()
                return self._said(TOO_LONG)
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
        return found

    def _said(self, code: int) -> Said:
        out, err = (path.read_text(encoding="utf-8") for path in self._told)
        return Said(code, out, err)

    def _run(self, ground: Ground, words: list[str], before: Callable[[], None] | None) -> int:
        from sudare.cli.app import main

        for number, path in enumerate(self._told, 1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
        ground.enter()
        sys.argv = ["sudare", *words]
        if before is not None:
            before()
        try:
            main()
            return 0
        except SystemExit as ended:
            return ended.code if isinstance(ended.code, int) else 0
        finally:
            sys.stdout.flush()
            sys.stderr.flush()

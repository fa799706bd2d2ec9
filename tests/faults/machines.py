"""Machines on which cases run, and which cases are tried."""

from __future__ import annotations

import json
import os
import queue
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any

from faults.case import Case
from faults.shim import build

ROOT = Path(__file__).parents[2]
WORKERS = 2
# What changes the room that a file takes, so that a full disk is noticed there.
GROWS = ("write", "mkdir")
NO_SPACE = ("create", "empty", "write", "sync", "rename", "link", "mkdir")


@dataclass(frozen=True)
class Place:
    """The n-th call of a command that changes files: what it does, to which kind of file."""

    at: int
    what: str
    file: str

    @property
    def kind(self) -> tuple[str, str]:
        """Numbers of processes and names by lot left out."""
        return self.what, re.sub(r"\.[0-9a-f]{8,}|\.\d{2,}|tmp\w{8}", "", self.file)

    @property
    def is_of_making(self) -> bool:
        """Whether a ledger or the second place is being made."""
        is_draft = re.match(r"/work/\.\w+\.ledger\.", self.file) is not None
        return is_draft or self.file.startswith("/state/")


class Machines:
    """A few processes that run cases one after the other, each in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._numbers = folder, count(1)
        folder.mkdir(parents=True, exist_ok=True)
        self._shim = build(folder)
        self._idle: queue.Queue[subprocess.Popen[str]] = queue.Queue()
        self._all = [self._started() for _ in range(WORKERS)]
        for each in self._all:
            self._idle.put(each)

    def _started(self) -> subprocess.Popen[str]:
        paths = [str(ROOT / "src"), str(ROOT / "tests")]
        given = {
            "LD_PRELOAD": str(self._shim),
            "PYTHONPATH": os.pathsep.join(paths),
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONUTF8": "1",
        }
        return subprocess.Popen(
            [sys.executable, "-m", "faults.machine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | given,
            text=True,
        )

    def run(self, case: Case) -> dict[str, Any]:
        """What came of a case."""
        number = next(self._numbers)
        folder = self._folder / str(number)
        machine = self._idle.get()
        try:
            assert machine.stdin is not None
            assert machine.stdout is not None
            asked = {"number": number, "folder": str(folder), "case": asdict(case)}
            machine.stdin.write(json.dumps(asked) + "\n")
            machine.stdin.flush()
            told: dict[str, Any] = json.loads(machine.stdout.readline())
        finally:
            self._idle.put(machine)
        if not told["findings"]:
            shutil.rmtree(folder)
        return {**told, "case": case, "folder": folder}

    def run_all(self, cases: Iterable[Case]) -> list[dict[str, Any]]:
        with ThreadPoolExecutor(WORKERS) as threads:
            return list(threads.map(self.run, cases))

    def places(self, scene: str) -> list[Place]:
        """Where the command of a scene can be hit, as a run without a fault shows it."""
        told = self.run(Case(scene, "count", 0))
        assert told["findings"] == [], told
        lines = [line.split("\t") for line in told["places"]]
        return [Place(at, what, file) for at, (what, file) in enumerate(lines, 1)]

    def close(self) -> None:
        for machine in self._all:
            assert machine.stdin is not None
            machine.stdin.close()
            machine.wait(30)
            assert machine.stdout is not None
            machine.stdout.close()


@contextmanager
def running(folder: Path) -> Iterator[Machines]:
    machines = Machines(folder)
    try:
        yield machines
    finally:
        machines.close()


def cases_at(scene: str, place: Place, modes: Iterable[str]) -> Iterator[Case]:
    """The faults that can happen at one place."""
    for mode in modes:
        if mode == "tear" and place.what != "write":
            continue
        if mode == "full" and place.what not in GROWS:
            continue
        if mode == "enospc" and place.what not in NO_SPACE:
            continue
        yield Case(scene, mode, place.at)


def chosen(places: list[Place], more: int, seed: int) -> list[Place]:
    """The first and the last place of each kind, and so many others by lot."""
    found = {place.kind: place for place in reversed(places)}
    found_last = {place.kind: place for place in places}
    kept = {*found.values(), *found_last.values()}
    others = [place for place in places if place not in kept]
    kept |= set(random.Random(seed).sample(others, min(more, len(others))))
    return sorted(kept, key=lambda place: place.at)

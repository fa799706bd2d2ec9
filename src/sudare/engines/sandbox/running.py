"""Run a program on every block, a few at a time, each for exactly one tick.

Claim    what is returned for a block depends on its own rows and the program alone, and when it is
         returned depends on the number of blocks, the tick and the machine alone.
Why      a process is started for one block, before it has rows, and ends with it; when its tick
         begins is fixed before its rows are handed out; it is looked at once, when the tick is
         over, and whatever it did not answer by then is None. Nothing that happens to a block
         after its rows are handed out raises an error: an error would be an answer. Ticks follow a
         timetable: between two of them lies a gap that was measured before any row was read, in
         which one block's processes are ended and the next one's started.
Needs    the kernel's namespaces (isolating.py); `check` says which were granted.
Gaps     docs/aggregate.md, "What the sandbox does not stop".
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Protocol

from sudare.engines.sandbox.process import BlockProcess, Job
from sudare.facts.errors import EngineUnavailable, UsageError

# How long a process may take to load its program, before it sees a row.
PATIENCE = 60.0
_MOST_AT_ONCE = 8
_LEAST_GAP = 0.25
Answers = list[float | None]


class Clock(Protocol):
    """The time that ticks are counted by."""

    def now(self) -> float: ...

    def sleep_until(self, moment: float) -> None: ...


class SystemClock:
    def now(self) -> float:
        return time.monotonic()

    def sleep_until(self, moment: float) -> None:
        time.sleep(max(0.0, moment - time.monotonic()))


class Sandbox:
    """Processes for the blocks of one run."""

    def __init__(self, job: Job, clock: Clock | None = None, at_once: int | None = None) -> None:
        if not hasattr(os, "memfd_create"):
            raise EngineUnavailable(
                "Functions of blocks run on Linux alone.", "Run this where the kernel is Linux."
            )
        self.job = job
        self._clock = clock if clock is not None else SystemClock()
        self._cores = sorted(os.sched_getaffinity(0))
        self.at_once = at_once or min(len(self._cores), _MOST_AT_ONCE)
        self._gap = _LEAST_GAP

    def check(self) -> list[str]:
        """Load the program without rows, as often as a tick will; what the kernel grants a block.
        Refuses before anything is charged, and sees how long a change of blocks takes."""
        start = self._clock.now()
        with tempfile.TemporaryDirectory() as folder:
            started = [self._started(folder, slot) for slot in range(self.at_once)]
            try:
                granted = [None if each is None else each.ready(PATIENCE) for each in started]
            finally:
                _end(started)
        self._gap = _gap(self._clock.now() - start)
        if granted[0] is None:
            raise UsageError(
                "The function cannot be loaded in a fresh process.",
                "The modules that it imports must be installed (a block sees no folder of yours),"
                " and --memory must suffice.",
            )
        return granted[0]

    def run(self, blocks: Iterable[bytes], done: Callable[[int], None]) -> list[Answers]:
        """The answers of every block, in order; `done` hears how many ticks' blocks are over."""
        found: list[Answers] = []
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o555)
            begin: float | None = None
            for wave in _waves(blocks, self.at_once):
                begin = self._tick(wave, folder, begin, found)
                done(len(found))
            if begin is not None:
                self._on_time(begin)
        return found

    def _tick(
        self, rows: list[bytes], folder: str, begin: float | None, found: list[Answers]
    ) -> float:
        """Add the answers of blocks that run side by side; when the next tick begins."""
        processes = self._ready([self._started(folder, slot) for slot in range(len(rows))])
        nothing: Answers = [None] * len(self.job.outputs)
        try:
            start = self._clock.now() if begin is None else self._on_time(begin)
            for process, given in zip(processes, rows, strict=True):
                if process is not None:
                    process.go(given)
            self._clock.sleep_until(start + self.job.seconds)
            found += [nothing if each is None else each.answer() for each in processes]
        finally:
            _end(processes)
        return start + self.job.seconds + self._gap

    def _on_time(self, begin: float) -> float:
        """Wait for the next moment of the timetable. How long ending a block took depends on what
        it did, so the next one does not begin when that is over."""
        late = self._clock.now() - begin
        moment = begin + max(0, math.ceil(late / self._gap)) * self._gap
        self._clock.sleep_until(moment)
        return moment

    def _started(self, folder: str, slot: int) -> BlockProcess | None:
        """A process, or None where the machine has no room for one: `check` found that it can."""
        try:
            return BlockProcess(self.job, folder, self._cores[slot % len(self._cores)])
        except OSError:
            return None

    def _ready(self, started: list[BlockProcess | None]) -> list[BlockProcess | None]:
        """Those that have loaded their program; they load it side by side."""
        found: list[BlockProcess | None] = []
        for process in started:
            if process is not None and process.ready(PATIENCE) is None:
                process.end()
                process = None
            found.append(process)
        return found


def _end(processes: list[BlockProcess | None]) -> None:
    for process in processes:
        if process is not None:
            process.end()


def _gap(taken: float) -> float:
    """Twice what a change of blocks took without rows, in whole steps."""
    return max(_LEAST_GAP, math.ceil(2 * taken / _LEAST_GAP) * _LEAST_GAP)


def _waves(blocks: Iterable[bytes], size: int) -> Iterator[list[bytes]]:
    rest = iter(blocks)
    while wave := list(islice(rest, size)):
        yield wave

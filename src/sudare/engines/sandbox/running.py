"""Run a program on every block, one after the other, each for exactly one tick.

Claim    what is returned for a block depends on its own rows and the program alone, and when it is
         returned depends on the number of blocks, the tick and the machine alone.
Why      a process is started for one block, before it has rows, and ends with it; when its tick
         begins is fixed before its rows are handed out; it is looked at once, when the tick is
         over, and whatever it did not answer by then is None. No two blocks are there at the same
         time, and none leaves anything that another could find (rooting.py, filtering.py). Nothing
         that happens to a block after its rows are handed out raises an error: an error would be an
         answer. Ticks follow a timetable: between two of them lies a gap that was measured before
         any row was read, in which one block's processes are ended and the next one's started.
Needs    the kernel's namespaces (isolating.py); `check` says which were granted.
Gaps     docs/aggregate.md, "What the sandbox does not stop".
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Protocol, Self

from sudare.engines.sandbox.image import Image
from sudare.engines.sandbox.process import BlockProcess, Job
from sudare.facts.errors import EngineUnavailable, UsageError

# How long a process may take to load its program, before it sees a row.
PATIENCE = 60.0
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
    """Processes for the blocks of one run, and the root that they see."""

    def __init__(self, job: Job, clock: Clock | None = None) -> None:
        if not hasattr(os, "memfd_create"):
            raise EngineUnavailable(
                "Functions of blocks run on Linux alone.", "Run this where the kernel is Linux."
            )
        self.job = job
        self._clock = clock if clock is not None else SystemClock()
        # The last of them: the engine itself has the others, if there are any.
        self._core = max(os.sched_getaffinity(0))
        self._gap = _LEAST_GAP
        self._image: Image | None = None

    def __enter__(self) -> Self:
        self._image = self.job.image()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._image is not None:
            self._image.close()
        self._image = None

    def check(self) -> list[str]:
        """Load the program without rows, as often as a tick will; what the kernel grants a block.
        Refuses before anything is charged, and sees how long a change of blocks takes."""
        start = self._clock.now()
        process = self._started()
        try:
            granted = None if process is None else process.ready(PATIENCE)
        finally:
            _end(process)
        self._gap = _gap(self._clock.now() - start)
        if granted is None:
            raise UsageError(
                "The function cannot be loaded in a fresh process.",
                "The modules that it imports must be installed (a block sees no folder of yours),"
                " and --memory must suffice.",
            )
        return granted

    def run(self, blocks: Iterable[bytes], done: Callable[[int], None]) -> list[Answers]:
        """The answers of every block, in order; `done` hears how many blocks are over."""
        found: list[Answers] = []
        begin: float | None = None
        for rows in blocks:
            begin = self._tick(rows, begin, found)
            done(len(found))
        if begin is not None:
            self._on_time(begin)
        return found

    def _tick(self, rows: bytes, begin: float | None, found: list[Answers]) -> float:
        """Add the answer of one block; when the next tick begins."""
        process = self._ready()
        try:
            start = self._clock.now() if begin is None else self._on_time(begin)
            if process is not None:
                process.go(rows)
            self._clock.sleep_until(start + self.job.seconds)
            nothing: Answers = [None] * len(self.job.outputs)
            found.append(nothing if process is None else process.answer())
        finally:
            _end(process)
        return start + self.job.seconds + self._gap

    def _on_time(self, begin: float) -> float:
        """Wait for the next moment of the timetable. How long ending a block took depends on what
        it did, so the next one does not begin when that is over."""
        late = self._clock.now() - begin
        moment = begin + max(0, math.ceil(late / self._gap)) * self._gap
        self._clock.sleep_until(moment)
        return moment

    def _started(self) -> BlockProcess | None:
        """A process, or None where the machine has no room for one: `check` found that it can."""
        if self._image is None:
            raise RuntimeError("a sandbox is entered before it is used")
        try:
            return BlockProcess(self.job, self._image, self._core)
        except OSError:
            return None

    def _ready(self) -> BlockProcess | None:
        """One that has loaded its program."""
        process = self._started()
        if process is not None and process.ready(PATIENCE) is None:
            process.end()
            return None
        return process


def _end(process: BlockProcess | None) -> None:
    if process is not None:
        process.end()


def _gap(taken: float) -> float:
    """Twice what a change of blocks took without rows, in whole steps."""
    return max(_LEAST_GAP, math.ceil(2 * taken / _LEAST_GAP) * _LEAST_GAP)

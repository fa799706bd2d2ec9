"""Ticks follow a timetable that what the rows do cannot move."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from sudare.engines.sandbox import running
from sudare.engines.sandbox.image import Image
from sudare.engines.sandbox.process import Job
from sudare.engines.sandbox.program import of_command
from sudare.engines.sandbox.running import Answers, Sandbox

TICK, GAP = 2.0, 0.25


class Made:
    """A clock that moves when it is slept on, and by what a block's end takes."""

    def __init__(self) -> None:
        self.time = 100.0
        self.asked: list[float] = []

    def now(self) -> float:
        return self.time

    def sleep_until(self, moment: float) -> None:
        self.asked.append(moment)
        self.time = max(self.time, moment)


class Block:
    """A process that is none, and whose end takes as long as was scripted."""

    clock: Made
    ends: Iterator[float]

    def __init__(self, *given: Any) -> None:
        """Nothing is started."""

    def ready(self, patience: float) -> list[str]:
        return ["all"]

    def go(self, rows: bytes) -> None:
        """Nothing runs."""

    def answer(self) -> Answers:
        return [1.0]

    def end(self) -> None:
        self.clock.time += next(self.ends)


def moments(monkeypatch: pytest.MonkeyPatch, ends: list[float], check: bool = False) -> list[float]:
    clock = Made()
    monkeypatch.setattr(Block, "clock", clock, raising=False)
    monkeypatch.setattr(Block, "ends", itertools.cycle(ends), raising=False)
    monkeypatch.setattr(running, "BlockProcess", Block)
    monkeypatch.setattr(Job, "image", lambda job: Image())
    heard: list[int] = []
    with Sandbox(Job(of_command("true"), ("m",), TICK, 512), clock) as sandbox:
        if check:
            assert sandbox.check() == ["all"]
            clock.time = 100.0
        assert sandbox.run([b""] * 3, heard.append) == [[1.0]] * 3
    assert heard == [1, 2, 3]
    return [*clock.asked, clock.time]


def test_how_long_a_block_takes_to_end_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = moments(monkeypatch, [0.0])
    assert quick == [102, 102.25, 104.25, 104.5, 106.5, 106.75, 106.75]
    assert moments(monkeypatch, [0.24]) == quick
    assert moments(monkeypatch, [0.0, 0.2, 0.01]) == quick


def test_what_is_late_waits_for_the_next_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    # 0.3 is one gap too late.
    assert moments(monkeypatch, [0.3])[:3] == [102, 102.5, 104.5]


def test_the_gap_is_measured_before_any_row_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    # Ending one without rows took 0.6, so 1.25 lies between ticks, and 0.6 at the end is not seen.
    assert moments(monkeypatch, [0.6], check=True)[:3] == [102, 103.25, 105.25]

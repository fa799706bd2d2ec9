"""Which form runs: by size, by what is there, and what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudare.facts.extras import MissingExtra
from sudare.facts.waiting import COMPILING, IN_MEMORY, SLOWLY
from sudare.sets import kept, pace
from sudare.sets.compiled import Compiled, compiled, is_chosen
from sudare.sets.pace import AWAITED, COMPILED, LOADED, MOST_UNCOMPILED, at_pace, cost_of

Told = list[str]


@compiled
def one_more(number: int) -> int:
    return number + 1


class Helper:
    """A process that is over after so many looks; at the last it may leave something behind."""

    def __init__(self, looks: int, place: Path | None = None) -> None:
        self._looks, self._place = looks, place

    def poll(self) -> int | None:
        self._looks -= 1
        if self._looks == 0 and self._place is not None:
            kept.note(self._place, _form())
        return 0 if self._looks <= 0 else None


class World:
    """What is installed, kept and started, in place of this machine's."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.told, self.started = folder, Told(), 0
        self.helpers = [Helper(0)]

    def call(self, cost: int) -> str:
        """Which form a call takes at this cost."""
        with at_pace(cost, lambda step, share: self.told.append(step), "suppress"):
            return str(one_more(1))

    def start(self, *given: object) -> list[Helper]:
        self.started += 1
        return self.helpers


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path)
    monkeypatch.delenv("SUDARE_COMPILE", raising=False)
    monkeypatch.setattr(pace, "has_numba", lambda: True)
    monkeypatch.setattr(kept, "folder", lambda: made.folder)
    monkeypatch.setattr(pace, "_helpers", made.start)
    monkeypatch.setattr(pace, "_machine", lambda place: _Machine())
    monkeypatch.setattr(pace, "_PAUSE", 0)
    return made


class _Machine:
    def entry(self, one: Compiled) -> Any:
        return lambda *given: "machine"


def test_the_cost_counts_sets_of_short_records_and_pairs_of_long_ones() -> None:
    assert cost_of(np.array([0, 1, 3, 10])) == 1 + 2 + 8 + 1024
    assert cost_of(np.array([20, 10_000])) == 2 * 1024 + 50 + 12_500_000


def test_few_records_run_in_python_whatever_is_kept(world: World) -> None:
    kept.note(world.folder, _form())
    assert world.call(LOADED - 1) == "2"
    assert world.call(LOADED) == "machine"
    assert (world.started, world.told) == (0, [])


def test_in_between_it_is_compiled_for_the_next_time_or_not_at_all(world: World) -> None:
    assert world.call(COMPILED - 1) == "2"
    assert world.started == 0
    assert world.call(COMPILED) == "2"
    assert world.call(AWAITED - 1) == "2"
    assert world.started == 2
    assert world.told == []


def test_much_work_waits_for_helpers_and_says_so(world: World) -> None:
    world.helpers = [Helper(3, world.folder)]
    assert world.call(AWAITED) == "machine"
    assert set(world.told) == {COMPILING}


def test_what_no_helper_makes_is_compiled_here(world: World) -> None:
    assert world.call(AWAITED) == "machine"
    assert world.started == 1


def test_the_form_may_change_from_call_to_call(world: World) -> None:
    with at_pace(COMPILED, lambda step, share: None):
        assert one_more(1) == 2
        kept.note(world.folder, _form())
        assert one_more(1) == "machine"


def test_without_numba_work_is_done_in_python_or_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "has_numba", lambda: False)
    assert world.call(COMPILED) == "2"
    assert world.told == []
    assert world.call(MOST_UNCOMPILED) == "2"
    assert world.told == [SLOWLY]
    with pytest.raises(MissingExtra, match="sudare\\[sets\\]"):
        world.call(MOST_UNCOMPILED + 1)


def test_without_a_folder_large_files_compile_for_themselves(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(kept, "folder", lambda: None)
    monkeypatch.setattr(kept, "fleeting", lambda: tmp_path)
    assert world.call(AWAITED - 1) == "2"
    assert world.started == 0
    assert world.call(AWAITED) == "machine"
    assert set(world.told) == {IN_MEMORY}


def test_the_environment_decides_over_the_size(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDARE_COMPILE", "always")
    assert world.call(0) == "machine"
    monkeypatch.setenv("SUDARE_COMPILE", "never")
    assert world.call(MOST_UNCOMPILED + 1) == "2"


def test_the_outermost_choice_stays(world: World) -> None:
    with at_pace(0, lambda step, share: None):
        assert world.call(AWAITED) == "2"
        assert is_chosen()
    assert world.started == 0


@pytest.mark.parametrize("home", ["file", "locked"])
def test_a_folder_that_cannot_be_made_is_none(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / home))
    if home == "locked":
        monkeypatch.setattr(kept.os, "access", lambda path, mode: False)
    assert kept._made(kept.home() / "digest") is None


def test_helpers_that_cannot_be_started_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace.sys, "executable", str(tmp_path / "nothing"))
    assert pace._helpers(tmp_path, ("none",)) == []


def _form() -> Compiled:
    assert isinstance(one_more, Compiled)
    return one_more

"""What is compiled, how often, and who is told of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudare.sets import compiled as room
from sudare.sets.compiled import COMPILING, compiled, inlined, watched


def taken(array: Any, place: int) -> int:
    return int(array[place])


def summed(array: Any, places: Any) -> int:
    """Calls with a constant, with a number of 32 bits and with one of 64."""
    total = taken(array, 1)
    for place, short in enumerate(places):
        total += taken(array, short) + taken(array, place)
    return total


def test_constants_and_short_numbers_are_no_types_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "_folder", lambda: None)
    inner: Any = inlined(taken)
    monkeypatch.setitem(summed.__globals__, "taken", inner)
    outer: Any = compiled(summed)
    array, places = np.array([5, 7, 11]), np.array([2, 0], np.int32)
    assert outer(array, places) == 7 + 11 + 5 + 5 + 7
    assert len(inner.signatures) == 1


def test_whoever_watches_is_told_of_what_is_compiled_and_not_of_what_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "_folder", lambda: None)
    told: list[tuple[str, float]] = []
    made: Any = compiled(taken)
    with watched(lambda step, share: told.append((step, share))):
        assert made(np.array([5, 7]), 1) == 7
        assert told[0] == (COMPILING, 0.0)
        known = len(told)
        assert made(np.array([5, 7]), 0) == 5
    assert len(told) == known
    made(np.array([5.0]), 0)
    assert len(told) == known


def test_nothing_is_kept_in_a_new_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(room, "_folder", lambda: str(tmp_path))
    assert room.is_new()
    compiled(taken)(np.array([5]), 0)
    assert not room.is_new()
    monkeypatch.setattr(room, "_folder", lambda: None)
    assert room.is_new()

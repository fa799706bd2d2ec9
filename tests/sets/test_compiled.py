"""The two forms of a function, and who calls which."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from sudare.sets.compiled import Compiled, bound, chosen_by, compiled, inlined, is_chosen

_TOP = np.uint64(2**63)


@inlined
def taken(array: Any, place: int) -> int:
    return int(array[place])


@compiled
def summed(array: Any, places: Any) -> int:
    """Calls with a constant, with a number of 32 bits and with one of 64."""
    total = taken(array, 1)
    for place, short in enumerate(places):
        total += taken(array, short) + taken(array, place)
    return total


@compiled
def listed(array: Any) -> list[int]:
    return [taken(array, place) for place in range(len(array))]


@compiled
def doubled(word: np.uint64) -> np.uint64:
    return word * np.uint64(2)


def test_without_a_choice_functions_run_as_python_that_calls_python() -> None:
    array, places = np.array([5, 7, 11]), np.array([2, 0], np.int32)
    assert not is_chosen()
    assert summed(array, places) == 7 + 11 + 5 + 5 + 7
    one: Any = summed
    assert one.plain.__globals__["taken"] is _form(taken).plain
    assert isinstance(one.plain.__globals__["taken"], FunctionType)


def test_names_within_comprehensions_are_found_too() -> None:
    assert listed(np.array([5, 7])) == [5, 7]


def test_words_go_round_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    assert doubled(_TOP) == 0
    assert not recwarn.list


def test_whoever_chooses_is_asked_by_the_outermost_call_alone() -> None:
    asked: list[str] = []

    def chooser(one: Compiled) -> Callable[..., Any]:
        asked.append(one.__name__)
        return one.plain

    with chosen_by(chooser):
        assert is_chosen()
        summed(np.array([5, 7]), np.array([0], np.int32))
    assert asked == ["summed"]
    assert not is_chosen()


def test_a_copy_has_the_form_that_is_asked_for() -> None:
    made = bound(_form(summed), lambda other: lambda array, place: 100)
    assert made(np.array([5]), np.array([0], np.int32)) == 300


def _form(function: Any) -> Compiled:
    assert isinstance(function, Compiled)
    return function

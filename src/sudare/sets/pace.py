"""In which form compiled functions run: by the size of the input, and by what is ready.

Few records are done in Python before numba is even imported. Many are done by machine code; where
none is kept yet, helper processes compile it (compiling.py) while the records are read, so that all
processors work on it. What is in between runs in Python until the machine code is there, for this
run or for the next.

Symbols  cost -> about how many sets are looked at: Σ 2^n over the lengths n of records; of one of
         more than ten items 2^10 + n²/8, since most of its sets are passed over. One takes some
         30 µs in Python (docs/decisions/0025-compiling.md has the figures).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

from sudare.facts.baskets import Baskets, Places
from sudare.facts.extras import MissingExtra, require
from sudare.facts.waiting import COMPILING, IN_MEMORY, SLOWLY
from sudare.sets import kept
from sudare.sets.compiled import Chooser, Compiled, as_python, chosen_by, is_chosen

Given = ParamSpec("Given")
Found = TypeVar("Found")
Watch = Callable[[str, float], None]

# `always` or `never` to compile; else it is the size that decides.
VARIABLE = "SUDARE_COMPILE"
# Loading what is kept takes a second: so much is done in Python meanwhile.
LOADED = 40_000
# From here on it is worth compiling for the next time, and from there on worth waiting for it.
COMPILED, AWAITED = 200_000, 1_000_000
# Half an hour in Python.
MOST_UNCOMPILED = 60_000_000
_EACH, _PAIRS = 10, 8
_PARTS = 2
_PAUSE = 0.02


class Pace(NamedTuple):
    """How much there is to do, and whom to tell what it waits for."""

    cost: int
    tell: Watch


def cost_of(lengths: Places) -> int:
    """About how many sets are looked at in records of these lengths."""
    longer = np.where(lengths > _EACH, lengths.astype(np.float64) ** 2 / _PAIRS, 0)
    return int((1 << np.minimum(lengths, _EACH).astype(np.int64)).sum() + longer.sum())


@contextmanager
def at_pace(cost: int, tell: Watch, *drives: str) -> Iterator[None]:
    """Run compiled functions in the form that suits so much work; `drives` name what is going to be
    needed (compiling.py). Whatever was chosen before stays."""
    if is_chosen():
        yield
        return
    with chosen_by(_chooser(Pace(cost, tell), drives)):
        yield


def paced(*drives: str) -> Callable[[Callable[Given, Found]], Callable[Given, Found]]:
    """A function that runs at the pace of its first argument, which is baskets."""

    def make(function: Callable[Given, Found]) -> Callable[Given, Found]:
        @wraps(function)
        def run(*given: Given.args, **more: Given.kwargs) -> Found:
            baskets = cast(Baskets, given[0])
            with at_pace(cost_of(baskets.lengths), silent, *drives):
                return function(*given, **more)

        return run

    return make


def _chooser(pace: Pace, drives: tuple[str, ...]) -> Chooser:
    wanted = os.environ.get(VARIABLE)
    if wanted == "always":
        require("sets", "numba")
        pace = pace._replace(cost=max(pace.cost, AWAITED))
    if pace.cost < LOADED or wanted == "never":
        return as_python
    if not has_numba():
        if pace.cost > MOST_UNCOMPILED:
            raise MissingExtra("sets", "numba")
        if pace.cost > COMPILED:
            pace.tell(SLOWLY, 0.0)
        return as_python
    place = kept.folder() or (kept.fleeting() if pace.cost >= AWAITED else None)
    if place is None:
        return as_python if pace.cost < AWAITED else _machine(None).entry
    return _Choice(place, pace, drives)


class _Choice:
    """Machine code where it is ready, or where it is waited for."""

    def __init__(self, place: Path, pace: Pace, drives: tuple[str, ...]) -> None:
        self._place, self._pace, self._drives = place, pace, drives
        self._helpers: list[subprocess.Popen[bytes]] | None = None
        self._forms: dict[Compiled, Callable[..., Any]] = {}

    def __call__(self, one: Compiled) -> Callable[..., Any]:
        form = self._forms.get(one)
        if form is None:
            if not self._is_here(one):
                return one.plain
            form = self._forms[one] = _machine(self._place).entry(one)
        return form

    def _is_here(self, one: Compiled) -> bool:
        """Whether to take machine code, after a wait for it where that is worth it."""
        if kept.is_ready(self._place, one):
            return True
        if self._pace.cost < COMPILED:
            return False
        if self._helpers is None:
            self._helpers = _helpers(self._place, self._drives)
        if self._pace.cost < AWAITED:
            return False
        words = COMPILING if self._place == kept.folder() else IN_MEMORY
        while any(each.poll() is None for each in self._helpers):
            if kept.is_ready(self._place, one):
                return True
            self._pace.tell(words, min(1.0, kept.count(self._place) / 30))
            time.sleep(_PAUSE)
        # What no helper has compiled is compiled here.
        self._pace.tell(words, 1.0)
        return True


@cache
def _helpers(place: Path, drives: tuple[str, ...]) -> list[subprocess.Popen[bytes]]:
    """Processes that compile what these drives call. They outlive this one, for the next."""
    started = []
    for part in range(_PARTS):
        command = [sys.executable, "-m", "sudare.sets.compiling", str(place), str(part), *drives]
        null: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        try:
            started.append(subprocess.Popen(command, start_new_session=True, **null))
        except OSError:
            break
    return started


@cache
def _machine(place: Path | None) -> Any:
    """numba is imported here, so only where there is much to do."""
    from sudare.sets.machine import Machine

    return Machine(place)


def has_numba() -> bool:
    return "numba" in sys.modules or find_spec("numba") is not None


def silent(step: str, share: float) -> None:
    """Nobody watches."""

"""Rulers: from values to places along a line, with marks whose texts have room.

A ruler is asked for before the length of its line is known; `fitted` to a length it knows its ends
and its marks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from sudare.report.letters import SIZE, width_of
from sudare.report.ticks import (
    Form,
    Tick,
    brief,
    date_ticks,
    number_ticks,
    plain,
    power_ticks,
    round_step,
)

# Between the texts of two marks.
_GAP = 10.0
# Beyond this a number counts as this, so that the distance of two numbers is finite too; nearer
# than its inverse they count as one.
_FARTHEST = 1e300
# An end that lies less than this part of a step beyond a mark stays where it is.
_JUST_PAST = 0.25


@dataclass(frozen=True)
class Fitted:
    """A ruler of a known length: its ends and its marks."""

    low: float
    high: float
    ticks: tuple[Tick, ...]
    is_log: bool = False

    def share(self, value: float) -> float:
        """Where a value lies, 0 at the low end and 1 at the high; what is beyond lies at an end."""
        if self.is_log:
            low, high = math.log10(self.low), math.log10(self.high)
            value = math.log10(value) if value > 0 else low
        else:
            low, high = self.low, self.high
        return min(max((value - low) / (high - low), 0.0), 1.0)


class Ruler(Protocol):
    """What every ruler can do."""

    def fitted(self, length: float, *, is_across: bool = True) -> Fitted:
        """For a line of so many pixels, across or up."""
        ...


@dataclass(frozen=True)
class Numbers:
    """An even ruler. `pad` pixels are left free at both ends; unless `is_exact`, ends move out to
    the next mark."""

    low: float
    high: float
    count: int = 5
    pad: float = 0.0
    is_exact: bool = False
    form: Form = plain

    def fitted(self, length: float, *, is_across: bool = True) -> Fitted:
        low, high = _padded(*_apart(self.low, self.high), self.pad, length)
        found = Fitted(low, high, ())
        for count in range(self.count, 0, -1):
            step = round_step(high - low, count)
            ends = (low, high) if self.is_exact else (_out(low, step, -1), _out(high, step, 1))
            found = Fitted(*ends, tuple(number_ticks(*ends, step, self.form)))
            if _have_room(found, length, is_across):
                return found
        return _thinned(found, found.ticks, length, is_across)


@dataclass(frozen=True)
class Dates:
    """A ruler of days; `is_year` writes years alone where the stretch has some."""

    low: float
    high: float
    pad: float = 0.0
    is_year: bool = False

    def fitted(self, length: float, *, is_across: bool = True) -> Fitted:
        low, high = _padded(*_apart(self.low, self.high), self.pad, length)
        best = Fitted(low, high, ())
        ways = [self.is_year, False] if self.is_year else [False]
        for is_year in ways:
            for ticks in date_ticks(low, high, is_year):
                found = Fitted(low, high, tuple(ticks))
                if len(ticks) > len(best.ticks) and _have_room(found, length, is_across):
                    best = found
            if best.ticks:
                break
        return best


@dataclass(frozen=True)
class Powers:
    """A logarithmic ruler. `marks` are the only lines, if given, the first with the first claim to
    room; unless `is_exact`, ends move out to 1, 2 or 5 times a power of ten."""

    low: float
    high: float
    is_exact: bool = False
    marks: tuple[Tick, ...] = ()
    form: Form = brief

    def fitted(self, length: float, *, is_across: bool = True) -> Fitted:
        high = self.high if self.high > 0 else 1.0
        # A logarithm has no place for zero or less.
        low = self.low if self.low > 0 else high / 10
        if not self.is_exact:
            low, high = _rounded(low, -1), _rounded(high, 1)
        if high <= low:
            high = low * 10
        ticks = self.marks or tuple(power_ticks(low, high, self.form))
        # Powers of ten come first, then their halves and doubles.
        order = self.marks or sorted(ticks, key=_rank)
        return _thinned(Fitted(low, high, ticks, is_log=True), order, length, is_across)


def extent(values: Iterable[float]) -> tuple[float, float]:
    """The least and the greatest of the finite values; 0 and 1 if there are none."""
    finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = (max(-_FARTHEST, min(_FARTHEST, end)) for end in (min(finite), max(finite)))
    return low, high


def _apart(low: float, high: float) -> tuple[float, float]:
    """Two ends that a ruler can lie between, also where all values are one."""
    if high - low > max(1e-12 * max(abs(low), abs(high)), 1 / _FARTHEST):
        return low, high
    half = abs(low) / 10 if abs(low) > 10 / _FARTHEST else 1.0
    return low - half, high + half


def _padded(low: float, high: float, pad: float, length: float) -> tuple[float, float]:
    more = (high - low) * pad / max(length - 2 * pad, 1.0)
    return low - more, high + more


def _out(end: float, step: float, way: int) -> float:
    """The next mark outwards, unless the end is at a mark already, or just past one."""
    steps = way * end / step
    past = steps - math.floor(steps + 1e-9)
    return end if past < _JUST_PAST else way * math.ceil(steps - 1e-9) * step


def _rounded(value: float, way: int) -> float:
    power = 10.0 ** math.floor(math.log10(value) + 1e-9)
    steps = [power * factor for factor in (1, 2, 5, 10)]
    if way < 0:
        return max(step for step in steps if step <= value * (1 + 1e-9))
    return min(step for step in steps if step >= value * (1 - 1e-9))


def _rank(tick: Tick) -> tuple[int, float]:
    share = tick.value / 10.0 ** math.floor(math.log10(tick.value) + 1e-9)
    return round(share) != 1, tick.value


def _thinned(found: Fitted, order: Sequence[Tick], length: float, is_across: bool) -> Fitted:
    """The same lines; in this order each tick keeps its text if those before leave it room."""
    kept: tuple[Tick, ...] = ()
    for tick in order:
        tried = replace(found, ticks=(*kept, tick))
        if tick.text and _have_room(tried, length, is_across):
            kept = tried.ticks
    ticks = (tick if tick in kept else Tick(tick.value, "") for tick in found.ticks)
    return replace(found, ticks=tuple(ticks))


def _have_room(found: Fitted, length: float, is_across: bool) -> bool:
    """Whether no two texts touch when each stands at its mark."""
    shown: Sequence[Tick] = sorted(
        (tick for tick in found.ticks if tick.text), key=lambda tick: tick.value
    )
    sizes = [width_of(tick.text) + _GAP if is_across else 1.3 * SIZE for tick in shown]
    places = [found.share(tick.value) * length for tick in shown]
    return all(
        places[i + 1] - places[i] >= (sizes[i] + sizes[i + 1]) / 2 for i in range(len(shown) - 1)
    )

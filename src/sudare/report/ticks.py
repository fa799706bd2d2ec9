"""Where the marks of an axis stand and what is written at them: round numbers, powers of ten, and
first days of years, months and weeks."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_MOST_DIGITS = 6
_DAYS = (1, 2, 7, 14)
_MONTHS = (1, 3, 6)
_YEARS = tuple(unit * power for power in (1, 10, 100, 1000) for unit in (1, 2, 5))
_MOST_DATES = 8
# Powers of ten with lines between them, and as many as a ruler shows at all.
_MOST_DIVIDED, _MOST_POWERS = 6, 12
_SHORT = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))

# From a value and the step between ticks to the text.
Form = Callable[[float, float], str]


@dataclass(frozen=True)
class Tick:
    """A place on an axis; an empty text is a line without one."""

    value: float
    text: str


def round_step(span: float, count: int) -> float:
    """1, 2 or 5 times a power of ten, so that about `count` steps fill the span."""
    rough = span / max(count, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    share = rough / power
    # Thresholds halfway on a logarithmic scale.
    factor = 10 if share >= 50**0.5 else 5 if share >= 10**0.5 else 2 if share >= 2**0.5 else 1
    return factor * power


def number_ticks(low: float, high: float, step: float, form: Form) -> list[Tick]:
    """Multiples of the step between both ends."""
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [Tick(place * step, form(place * step, step)) for place in range(first, last + 1)]


def plain(value: float, step: float) -> str:
    """1,234 or 0.05, with as many decimals as the step has."""
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    if digits > _MOST_DIGITS or abs(value) >= 1e15:
        return brief(value, step)
    text = f"{value:,.{digits}f}"
    return "0" if value == 0 or not text.strip("-0.,") else text.replace("-", "−")


def brief(value: float, step: float) -> str:
    """The shortest way to write a number: 0.001, 20, 1e−7."""
    if abs(value) < abs(step) * 1e-6:
        return "0"
    mantissa, _, power = f"{value:.3e}".partition("e")
    if -_MOST_DIGITS < int(power) < _MOST_DIGITS:
        text = f"{value:,.{max(0, 3 - int(power))}f}"
        return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(power)}".replace("-", "−")


def short(value: float, step: float) -> str:
    """5k or 5M."""
    for size, sign in _SHORT:
        if abs(value) >= size:
            text = plain(value / size, min(1.0, step / size))
            return (text.rstrip("0").rstrip(".") if "." in text else text) + sign
    return plain(value, step)


def power_ticks(low: float, high: float, form: Form) -> list[Tick]:
    """Powers of ten, and over few of them their multiples; of these 2 and 5 alone have a text."""
    found = []
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    factors = range(1, 10 if last - first <= _MOST_DIVIDED else 2)
    for power in range(first, last + 1, max(1, (last - first) // _MOST_POWERS)):
        for factor in factors:
            value = factor * 10.0**power
            if low * (1 - 1e-9) <= value <= high * (1 + 1e-9):
                found.append(Tick(value, form(value, value) if factor in (1, 2, 5) else ""))
    return found


def date_ticks(low: float, high: float, is_year: bool) -> Iterator[list[Tick]]:
    """Ways to mark a stretch of days, finest first; days are counted as `date.toordinal` does."""
    first, last = _date(math.ceil(low)), _date(math.floor(high))
    form = "{:%Y}" if is_year else "{:%Y-%m-%d}"
    ways: list[list[dt.date]] = []
    if not is_year:
        if (last - first).days <= _MOST_DATES * _DAYS[-1]:
            ways += [_every_days(first, last, step) for step in _DAYS]
        if last.year - first.year <= _MOST_DATES:
            ways += [_every_months(first, last, step) for step in _MONTHS]
    ways += [_every_months(first, last, 12 * step) for step in _YEARS]
    for way in ways:
        if len(way) <= _MOST_DATES:
            # %Y does not fill a year before 1000 up to four digits everywhere.
            yield [Tick(day.toordinal(), form.format(day).rjust(4, "0")) for day in way]


def _date(ordinal: int) -> dt.date:
    return dt.date.fromordinal(min(max(ordinal, 1), dt.date.max.toordinal()))


def _every_days(first: dt.date, last: dt.date, step: int) -> list[dt.date]:
    start = -(-first.toordinal() // step) * step
    # Multiples of seven are Sundays; weeks begin on Monday.
    start += step % 7 == 0
    return [dt.date.fromordinal(day) for day in range(start, last.toordinal() + 1, step)]


def _every_months(first: dt.date, last: dt.date, step: int) -> list[dt.date]:
    begin = 12 * first.year + first.month - 1 + (first.day > 1)
    months = range(-(-begin // step) * step, 12 * last.year + last.month, step)
    return [dt.date(at // 12, at % 12 + 1, 1) for at in months if at // 12 <= dt.MAXYEAR]

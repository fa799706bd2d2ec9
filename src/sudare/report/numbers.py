"""Numbers as people read them: no more digits than the error justifies.

A value is rounded to the second digit of its error, and the error is rounded up to the same place,
so that what is shown never claims more than what was released.
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal, localcontext

from sudare.report.texts import Language, text

_MOST_DECIMALS = 12
# Sums have up to 39 digits (2^127) before the point; decimal would cut them to 28.
_LONGEST = 80


def format_number(value: float | int | str, error: float) -> str:
    """19873.128 with ±669 is 19,870; an ISO date stays as it is."""
    if isinstance(value, str):
        return value
    if error <= 0:
        return _plain(value)
    return _rounded(value, _place(error, isinstance(value, int)), ROUND_HALF_EVEN)


def format_error(value: float | int | str, error: float, language: Language = "en") -> str:
    """The error of `value`, rounded up; whole days where the value is a date."""
    if isinstance(value, str):
        days = math.ceil(error)
        return text("day" if days == 1 else "days", language, count=f"{days:,}")
    if error <= 0:
        return "0"
    return _rounded(error, _place(error, isinstance(value, int)), ROUND_CEILING)


def format_bound(bound: str) -> str:
    """A declared bound: numbers get thousands separators, dates stay."""
    try:
        return _plain(float(bound) if "." in bound or "e" in bound.lower() else int(bound))
    except ValueError:
        return bound


def format_share(epsilon: float) -> str:
    """An ε or δ as the certificate's reader would write it."""
    return re.sub(r"e([+-])0+", r"e\1", f"{epsilon:.6g}")


def format_percent(probability: float) -> str:
    """Two digits of whichever is rarer, so that 99.33 % never turns into 100 %."""
    rarer = min(probability, 1 - probability) * 100
    if rarer <= 0:
        return f"{round(probability * 100)} %"
    place = max(-_MOST_DECIMALS, min(0, math.floor(math.log10(rarer)) - 1))
    return f"{_rounded(probability * 100, place, ROUND_HALF_EVEN)} %"


def _place(error: float, is_whole: bool) -> int:
    """The power of ten to round to."""
    place = max(-_MOST_DECIMALS, math.floor(math.log10(error)) - 1)
    return max(0, place) if is_whole else place


def _rounded(value: float | int, place: int, rounding: str) -> str:
    exact = Decimal(value) if isinstance(value, int) else Decimal(repr(value))
    with localcontext(prec=_LONGEST):
        units = int(exact.scaleb(-place).to_integral_value(rounding))
        shown = Decimal(units).scaleb(place if units else min(place, 0))
    return f"{shown:,f}"


def _plain(value: float | int) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{Decimal(f'{value:.12g}').normalize() + 0:,f}"

"""TOML and JSON that others wrote, read within limits.

The readers of Python descend a level of nesting at a time until the stack ends, take time with the
square of the length of a dotted key, and refuse long numbers in words of their own. Here a text
that is nested, dotted or long beyond all use is unreadable, like one with a stray bracket, and is
so before it is read. Nothing but `Unreadable` leaves.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from typing import Any, NoReturn

DEEPEST = 64
MOST_PARTS = 32
LONGEST_TOML = 32 * 2**20
# What may stand in quotes or behind a # is passed over; outside, brackets nest and dots join keys.
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""'
    r"|'''(?:[^']|'(?!''))*'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|[\[\]{}=,\n.]",
    re.DOTALL,
)
_LONGEST_SAID = 200


class Unreadable(ValueError):
    """The text is not of its format, or beyond the limits of this one; says so in a few words."""


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text."""
    _check_toml(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(shortened(str(error))) from None
    except RecursionError:
        raise Unreadable(f"it is nested more than {DEEPEST} deep") from None
    except ValueError:
        # Python reads at most 4300 digits.
        raise Unreadable("a number in it is too long") from None


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text; JSON has no NaN and no infinity."""
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except RecursionError:
        raise Unreadable("it is nested too deeply") from None
    except ValueError:
        raise Unreadable("it is not valid JSON") from None


def shortened(text: str) -> str:
    """A text for a message: what is long is cut in the middle."""
    half = _LONGEST_SAID // 2
    return text if len(text) <= 2 * half else f"{text[:half]} … {text[-half:]}"


def _check_toml(text: str) -> None:
    if len(text) > LONGEST_TOML:
        raise Unreadable(f"it has more than {LONGEST_TOML:,} characters")
    depth = dots = 0
    for token in _TOKEN.finditer(text):
        sign = token.group()
        depth += (sign in "[{") - (sign in "]}")
        # A dot in a number is one; a value never has more.
        dots = dots + 1 if sign == "." else dots if sign[0] in "\"'" else 0
        if depth > DEEPEST:
            raise Unreadable(f"it is nested more than {DEEPEST} deep")
        if dots >= MOST_PARTS:
            raise Unreadable(f"a key in it has more than {MOST_PARTS} parts")


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _finite(digits: str) -> float:
    """A float; 1e999 would be read as infinity."""
    found = float(digits)
    return found if math.isfinite(found) else _no_number(digits)

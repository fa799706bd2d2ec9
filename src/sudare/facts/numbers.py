"""Numbers as people write them: exact, finite, and of an ordinary length.

Every number that a user may write (options, plans, questions, filters) passes here. What is let
through is 0 or lies between 1e-300 and 1e300 in size, so that it and its inverse are floats, and
has at most 40 digits before and after the point: a long exponent would be written out digit by
digit, for minutes.
"""

from __future__ import annotations

import re
from fractions import Fraction

NUMBER = re.compile(r"[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][+-]?\d{1,3})?")
LARGEST = Fraction(10) ** 300
# Beyond this a count is no count of people, items or seconds.
MOST_COUNTED = 10**12


def exact_number(value: object) -> Fraction | None:
    """The number that is written, or None where it is none of ordinary size."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Fraction):
        return value if _is_ordinary(value) else None
    if isinstance(value, int):
        return Fraction(value) if abs(value) <= LARGEST else None
    text = str(value).strip()
    if not NUMBER.fullmatch(text):
        return None
    found = Fraction(text)
    return found if _is_ordinary(found) else None


def exact_share(text: object) -> Fraction | None:
    """A number, a percentage such as 5% or a fraction such as 1/3."""
    words = text if isinstance(text, (int, float, Fraction)) else str(text).strip()
    if not isinstance(words, str):
        return exact_number(words)
    if words.endswith("%"):
        found = exact_number(words.removesuffix("%"))
        return None if found is None else found / 100
    above, sign, below = words.partition("/")
    parts = exact_number(above), exact_number(below if sign else 1)
    return None if parts[0] is None or not parts[1] else parts[0] / parts[1]


def _is_ordinary(value: Fraction) -> bool:
    return value == 0 or 1 / LARGEST <= abs(value) <= LARGEST

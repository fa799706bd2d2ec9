"""One count of a published table: a number, a range, or withheld.

`-` is refused: offices use it both for "none" and for "not available".
"""

from __future__ import annotations

import re

from sudare.facts.disclosure import Interval

WITHHELD = frozenset({"", "*", "**", "***", "＊", "※", "x", "X", "χ", "秘"})
_BELOW = re.compile(r"(<|＜|<=|≤|≦)\s*(\d+)")
_RANGE = re.compile(r"(\d+)\s*[-–~〜～]\s*(\d+)")
_NUMBER = re.compile(r"-?[\d,]+")


def parse_count(text: str) -> Interval | None:
    """The counts that `text` allows; None if it is no count at all. A number may be negative."""
    said = text.strip().removesuffix("人").strip()
    if said in WITHHELD:
        return Interval(0, None)
    if below := _BELOW.fullmatch(said):
        most = int(below[2]) - (below[1] in "<＜")
        return Interval(0, most) if most >= 0 else None
    if both := _RANGE.fullmatch(said):
        low, high = int(both[1]), int(both[2])
        return Interval(low, high) if low <= high else None
    if _NUMBER.fullmatch(said) and any(sign.isdigit() for sign in said):
        number = int(said.replace(",", ""))
        return Interval(number, number)
    return None

"""Telephone numbers as +81… (E.164), from the forms in which Japanese tables hold them.

The digits after the 0 are ten if the second of them is 0 (mobile, IP, free dial 0800), else nine
(places, 0120, 0570). An extension (内線) is not cut off but makes the value unusable: the number
before it is a switchboard's, and would join different people. A 0 that a spreadsheet took away
from the front is put back.
"""

from __future__ import annotations

import re
from functools import cache

from sudare.link.normal.folding import LONG_VOWEL, Table, fold, table

_LABEL = re.compile(r"^(?:tel|phone|mobile|電話番号|電話|携帯電話|携帯)", re.MULTILINE)
_JAPAN = re.compile(r"(?:(?:\+|00|010)?810?|0)?([25-9]0[0-9]{8}|[1-9][1-9][0-9]{7})")
_ABROAD = re.compile(r"(?:\+(?!81)([1-9][0-9]{6,14})|(?:00|010)(?!81)([1-9][0-9]{8,14}))")


@cache
def _digits() -> Table:
    return table(dict.fromkeys(f" -{LONG_VOWEL}()[]./:", ""))


def phones(text: str) -> str:
    """Each line as +81…, or + and the number of another country."""
    lines = _LABEL.sub("", fold(text, _digits())).split("\n")
    return "\n".join([_phone(line) for line in lines])


def _phone(digits: str) -> str:
    if found := _JAPAN.fullmatch(digits):
        return "+81" + found[1]
    if found := _ABROAD.fullmatch(digits):
        return "+" + (found[1] or found[2])
    return ""

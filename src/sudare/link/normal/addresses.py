"""Addresses in Japan: 丁目, 番地, 番 and 号 and all hyphens as one hyphen between digits.

Numbers in kanji become digits wherever they stand, also inside a place's name: 六本木 is 6本木 on
both sides, and 三番町 meets 3番町. A postcode before the address, 大字 and what parts the words go;
a blank between digits is a hyphen, since a room often follows so.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from sudare.link.normal.folding import HIRAGANA, KANA, LONG_VOWEL, Table, fold, table
from sudare.link.normal.variants import USUAL

_VALUES = {sign: str(value) for value, sign in enumerate("〇一二三四五六七八九")} | {"零": "0"}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_STOPS = dict.fromkeys(",.、。:()[]「」", " ")
_POSTCODE = re.compile(r"^〒? ?[0-9]{3}-?[0-9]{4}(?=[^0-9\n-])|〒", re.MULTILINE)
# Patterns begin with what is rare and look back from there, which is several times faster.
_DASH = re.compile(rf"[{LONG_VOWEL}一](?<=[0-9].)(?=[0-9])")
_NUMERAL = re.compile(r"[〇零一二三四五六七八九十百千]+")
_UNIT = re.compile(r"([0-9])(?:丁目|丁(?=[0-9])|番地|番(?![町丁街館])|号室|号(?![館棟線]))")
_OF = re.compile(r"ノ(?<=[0-9-]ノ)(?=[0-9])")
_KE = re.compile(r"[ヶヵガ](?<=[㐀-鿿0-9].)(?=[㐀-鿿])")
_FLOOR = re.compile(r"階(?<=[0-9]階)")
_DASHED_VOWEL = re.compile(rf"-(?<=[{KANA}{LONG_VOWEL}]-)(?=[{KANA}])")
_BETWEEN = re.compile(r"([0-9])[ -]+(?=[0-9])")


@cache
def _signs() -> Table:
    return table(HIRAGANA, USUAL, _STOPS)


def addresses(text: str) -> str:
    """Each line with hyphens between its numbers and without blanks."""
    text = _POSTCODE.sub("", fold(text, _signs())).replace("大字", "")
    text = _NUMERAL.sub(_in_digits, _DASH.sub("-", text))
    text = _OF.sub("-", _UNIT.sub(r"\1-", text))
    text = _FLOOR.sub("f", _KE.sub("ケ", text))
    text = _DASHED_VOWEL.sub(LONG_VOWEL, text)
    # Folding leaves no NUL in a text, so it can stand for the hyphens that stay.
    text = _BETWEEN.sub("\\1\0", text).replace(" ", "").replace("-", "")
    return text.replace("\0", "-")


def _in_digits(found: re.Match[str]) -> str:
    text, (low, high) = found.string, found.span()
    # A numeral that touches digits is a number of its own.
    before = "-" if low and text[low - 1] in "0123456789" else ""
    after = "-" if high < len(text) and text[high] in "0123456789" else ""
    return before + _value(found[0]) + after


@lru_cache(maxsize=4096)
def _value(numeral: str) -> str:
    """三十二 is 32 and 三二 is 32: with and without units."""
    if not _UNITS.keys() & set(numeral):
        return "".join(_VALUES[sign] for sign in numeral)
    total, last = 0, 0
    for sign in numeral:
        if sign in _UNITS:
            total, last = total + (last or 1) * _UNITS[sign], 0
        else:
            last = 10 * last + int(_VALUES[sign])
    return str(total + last)

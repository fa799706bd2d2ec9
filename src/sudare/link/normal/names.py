"""Names of people, in kanji, kana or letters.

Blanks, dots and the like go; hiragana becomes katakana; 々 becomes the character it repeats; a
hyphen after kana is a long vowel. 様 at the end goes. 殿 goes after a blank or after at least three
characters, because 鵜殿 is a surname.
"""

from __future__ import annotations

import re
from functools import cache

from sudare.link.normal.folding import HIRAGANA, KANA, LONG_VOWEL, Table, fold, table
from sudare.link.normal.variants import USUAL

_STOPS = dict.fromkeys("・·•‧.,、=゠'’‘`´", "")
_DASHED_VOWEL = re.compile(rf"-(?<=[{KANA}{LONG_VOWEL}]-)")
_TITLE = re.compile(r"(?: *様| +殿|殿(?<=[^\n]{3}殿))+$", re.MULTILINE)
_REPEATED = re.compile(r"([^\n々])々")


@cache
def _letters(variants: bool) -> Table:
    return table(HIRAGANA, _STOPS, USUAL if variants else {})


def names(text: str) -> str:
    """Names with old and printed forms of characters made alike."""
    return _names(fold(text, _letters(True)))


def strict_names(text: str) -> str:
    """Names with their own characters: 斎藤 and 齋藤 stay two."""
    return _names(fold(text, _letters(False)))


def _names(text: str) -> str:
    text = _DASHED_VOWEL.sub(LONG_VOWEL, text).replace("-", "")
    return _REPEATED.sub(r"\1\1", _TITLE.sub("", text).replace(" ", ""))

"""What all rules but "exact" do first: one code for characters that look or mean the same.

A rule works on a whole column at once: its values are lines of one text, so that a step is one
call for thousands of values. A step keeps the number of lines; an empty line stands for a value
that cannot be used.

Claim    `fold` ends, and folding its result again with the same table changes nothing.
Source   Unicode Standard Annex 15 (NFKC) and section 3.13 (case folding).
Needs    tables whose results are not their own keys.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

# Between digits the long vowel sign is a hyphen, too, but only a rule knows what stands where.
LONG_VOWEL = "ー"
KANA = "ァ-ヺ"
HIRAGANA: Mapping[str, str] = {chr(code): chr(code + 0x60) for code in range(0x3041, 0x3097)}
_HYPHENS = "‐‑‒–—―−⁃˗─━᠆⸺⸻﹘﹣－⁻₋"
# NFKC would part these from their kana by a blank.
_VOICED = {"゛": "\u3099", "゜": "\u309a"}
_COMBINING = str.maketrans(_VOICED)
_SELECTORS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x180B, 0x180E))
_GONE = 0x110000
# NFKC parts a lone accent, such as U+00B4, into a blank and a mark that has no letter below it.
_ALONE = re.compile(r"(?:(?<=\s)|\A)[\u0300-\u036f]+")
# Outside of these are ideographs, syllables and private characters, which stand for themselves.
_CHANGING = (
    (0, 0x3400),
    (0xA000, 0xAC00),
    (0xF900, 0x20000),
    (0x2F800, 0x2FA20),
    (0xE0000, 0xE0200),
)

Table = NDArray[np.uint32]


def table(*steps: Mapping[str, str]) -> Table:
    """What becomes of each character: first what all rules do, then each step; "" takes it away."""
    made = _base()
    for step in steps:
        after = np.arange(_GONE + 1, dtype=np.uint32)
        after[[*map(ord, step)]] = [ord(result) if result else _GONE for result in step.values()]
        made = after[made]
    return made


@cache
def _base() -> Table:
    """Blanks become U+0020, hyphens U+002D; what cannot be seen goes. Characters that NFKC and case
    folding turn into one other are settled here, since NFKC itself is slow on what it changes."""
    made = np.arange(_GONE + 1, dtype=np.uint32)
    for code in chain(*map(range, *zip(*_CHANGING, strict=True))):
        sign = chr(code)
        alike = unicodedata.normalize("NFKC", sign).casefold()
        if sign != "\n" and sign.isspace():
            made[code] = ord(" ")
        elif unicodedata.category(sign) in ("Cc", "Cf") and sign != "\n":
            made[code] = _GONE
        elif len(alike) == 1:
            made[code] = ord(alike)
    made[list(_SELECTORS)] = _GONE
    for sign, result in (dict.fromkeys(_HYPHENS, "-") | _VOICED).items():
        made[ord(sign)] = ord(result)
    # NFKC may have made a hyphen of a third kind from one of a second kind.
    return made[made]


def fold(text: str, by: Table) -> str:
    """NFKC without case, with what the table says, and single blanks. Repeated until nothing
    changes, since each step can make room for another. NFKC stands first as well: what follows then
    sees the same text however it was encoded."""
    text = unicodedata.normalize("NFKC", text.translate(_COMBINING))
    while True:
        # Before the table, too: it may take the blank away, and the mark would find a letter.
        seen = unicodedata.normalize("NFKC", _mapped(_ALONE.sub("", text), by)).casefold()
        seen = trimmed(_ALONE.sub("", seen))
        if seen == text:
            return text
        text = seen


def _mapped(text: str, by: Table) -> str:
    codes = by[np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)]
    return bytes(codes[codes != _GONE]).decode("utf-32-le", "surrogatepass")


def trimmed(text: str) -> str:
    """No blanks around a line, and single ones inside."""
    while "  " in text:
        text = text.replace("  ", " ")
    return text.replace("\n ", "\n").replace(" \n", "\n").strip(" ")


def only(pattern: re.Pattern[str], text: str) -> str:
    """The lines that match as a whole; the others are emptied."""
    return "\n".join([line if pattern.fullmatch(line) else "" for line in text.split("\n")])

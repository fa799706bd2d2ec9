"""How wide a text is before a browser draws it: Latin by the letter widths of Arial, full-width
Japanese by the em. Estimates err on the wide side, so that labels neither touch nor leave."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, east_asian_width, normalize

SIZE = 12.0
# The same fonts as the page's, for charts that stand elsewhere.
FAMILY = (
    "Arial, Helvetica, Liberation Sans, Hiragino Sans, Yu Gothic UI, Noto Sans CJK JP, sans-serif"
)
_WIDTHS = {
    0.28: " !,./:;I[\\]ft",
    0.22: "ijl'|",
    0.34: "-r()`",
    0.36: '"{}',
    0.39: "*",
    0.47: "^",
    0.5: "Jcksvxyz",
    0.56: "0123456789abdeghnopqu#$?_L",
    0.59: "+<=>~−–",
    0.61: "FTZ",
    0.67: "ABEKPSVXY&",
    0.72: "CDHNRUw",
    0.78: "GOQ",
    0.84: "Mm",
    0.89: "%",
    0.95: "W",
    1.02: "@…",
}
_KNOWN = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_WIDE, _PICTURE, _HALF, _OTHER, _CAPITAL = 1.0, 1.35, 0.5, 0.66, 0.8
_FIRST_PICTURE = 0x1F000
_UNSEEN = frozenset({"Mn", "Me", "Cf"})
_MORE = "…"


def width_of(text: str, size: float = SIZE) -> float:
    """Pixels that a line of text takes."""
    return size * sum(map(_width, text))


def shortened(text: str, limit: float, size: float = SIZE) -> str:
    """The text, or as much of it as fits, with … for what was left out."""
    # A text that cannot fit is not measured to its end, however long it is.
    room, used, kept = limit / size, 0.0, 0
    fits = room - _width(_MORE)
    for letter in text:
        used += _width(letter)
        if used > room:
            return text[:kept].rstrip() + _MORE
        kept += used <= fits
    return text


@lru_cache(maxsize=4096)
def _width(letter: str) -> float:
    """One letter in parts of the font's size."""
    found = _KNOWN.get(letter)
    if found is not None:
        return found
    if category(letter) in _UNSEEN:
        return 0.0
    kind = east_asian_width(letter)
    if kind in "WF":
        return _PICTURE if ord(letter) >= _FIRST_PICTURE else _WIDE
    if kind == "H":
        return _HALF
    plain = normalize("NFD", letter)[0]
    if plain in _KNOWN:
        return _KNOWN[plain]
    if letter.isalpha():
        return _CAPITAL if letter.isupper() else _OTHER
    # Signs that Japanese fonts draw as wide as a letter.
    return _WIDE if kind == "A" else _OTHER

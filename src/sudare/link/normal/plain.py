"""Member numbers and e-mail addresses."""

from __future__ import annotations

import re
from functools import cache

from sudare.link.normal.folding import LONG_VOWEL, Table, fold, only, table

_HAS_DIGIT = re.compile(r".*[0-9].*")
_MAILTO = re.compile(r"^mailto: ?", re.MULTILINE)
_WORD = r"[^@\s,;:<>()\[\]\\\"]"
_LABEL = r"[^@.\s,;:<>()\[\]\\\"]"
_EMAIL = re.compile(rf"{_WORD}+@{_LABEL}+(?:\.{_LABEL}+)+")


@cache
def _without_marks() -> Table:
    return table(dict.fromkeys(f" -{LONG_VOWEL}", ""))


_plain = cache(table)


def numbers(text: str) -> str:
    """Letters and digits without blanks and hyphens. Leading zeros stay, since 0012 and 12 may be
    two members; a value without any digit ("none", "-") is not a number."""
    return only(_HAS_DIGIT, fold(text, _without_marks()))


def emails(text: str) -> str:
    """One address, without case. What some providers ignore (dots, +tags) stays: others do not."""
    return only(_EMAIL, _MAILTO.sub("", fold(text, _plain())))

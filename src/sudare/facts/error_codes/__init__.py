"""A code for every message: what a program, another language or an analyst's page knows it by.

A code stays when the words change; the table beside it is compared with the code of the house by
`tests/laws/test_error_codes.py`. "…" in a message stands for what is filled in. An error with a
message of its own class has the class's name for a code.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sudare.facts.errors import SudareError

GAP = "…"


def recognised(error: SudareError) -> tuple[str, tuple[str, ...]]:
    """The code of an error's message, and what fills its gaps."""
    name = type(error).__name__
    for pattern, code in _patterns(name):
        match = pattern.fullmatch(error.what)
        if match is not None:
            return code, match.groups()
    return kebab(name), ()


def kebab(name: str) -> str:
    """UnknownColumn → unknown-column."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


@cache
def _patterns(name: str) -> list[tuple[re.Pattern[str], str]]:
    """The messages of a class, the one with the most words of its own first."""
    from sudare.facts.error_codes.catalogue import CATALOGUE

    found = sorted(CATALOGUE.get(name, {}).items(), key=lambda each: -len(each[1].replace(GAP, "")))
    return [(_pattern(message), code) for code, message in found]


def _pattern(message: str) -> re.Pattern[str]:
    parts = [re.escape(part) for part in message.split(GAP)]
    return re.compile("(.*?)".join(parts), re.DOTALL)

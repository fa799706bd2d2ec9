"""What a sentence needs of a question and an answer does not hold: its level and its filter.

Both are read from the question's text, which the release carries, since `report` knows no parser.
A text that cannot be read gives nothing here; the question itself is always shown beside it.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\w+|\+/-|\+-|.", re.DOTALL)
_LEVEL = re.compile(r"(?:[^\W\d]\w*\s*=\s*)?\+?(\d*\.?\d+(?:[eE][+-]?\d+)?)")
_NUMBER = re.compile(r"\+?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_ENDS = frozenset({"by", "@", "±", "+-", "+/-"})


def filter_text(query: str) -> str:
    """The words after `where`, as the analyst wrote them; "" where there is no filter."""
    kept: list[str] = []
    inside = False
    for token in _TOKEN.findall(query):
        if token.lower() == "where":
            inside = True
        elif inside and token.lower() in _ENDS:
            break
        elif inside:
            kept.append(token)
    return " ".join("".join(kept).split())


def level(query: str) -> float | None:
    """The q of quantile(x, q)."""
    parts = re.split(r"[,;]", _argument(query))
    found = [match for part in parts[1:] if (match := _LEVEL.fullmatch(part.strip()))]
    return float(found[-1].group(1)) if found else None


def levels(query: str) -> list[float]:
    """The bare numbers between the brackets: 0.1 and 0.9 of iqr(x, 0.1, 0.9; method=smooth)."""
    parts = re.split(r"[,;]", _argument(query))
    return [float(part) for part in parts if _NUMBER.fullmatch(part.strip())]


def _argument(query: str) -> str:
    """What stands between the brackets of the function."""
    depth, argument = 0, ""
    for token in _TOKEN.findall(query):
        depth += (token == "(") - (token == ")")
        if token == ")" and depth == 0:
            break
        if depth > 0:
            argument += token
    return argument

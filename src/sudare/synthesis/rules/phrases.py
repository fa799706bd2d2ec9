"""Sets of levels in the language of a question's `where`, so that a text can be pasted back."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from itertools import groupby

import numpy as np

from sudare.facts.schema import EPOCH
from sudare.synthesis.rules.levels import ColumnLevels, LabelLevels, NumberLevels
from sudare.synthesis.rules.truth import Mask

_KEYWORDS = frozenset(
    ("by", "where", "and", "or", "not", "in", "is", "null", "true", "false", "between")
)


def condition(column: str, levels: ColumnLevels, chosen: Mask) -> str:
    """What is true of exactly the chosen levels; at least one is chosen."""
    name, present = spelled(column), chosen[: levels.present]
    parts: list[str] = []
    if present.any():
        parts = _numbers(name, levels, present) if isinstance(levels, NumberLevels) else []
        parts = parts or [_shorter(name, _labels(levels, present), _labels(levels, ~present))]
    if chosen[levels.present :].any():
        parts.append(f"{name} is null")
    return " or ".join(parts)


def outside(column: str, levels: ColumnLevels, excluded: Mask) -> str:
    """What is false of exactly the excluded levels, none of them the missing one, and true of the
    other present ones, of which there is at least one."""
    name, present = spelled(column), excluded[: levels.present]
    if isinstance(levels, NumberLevels) and levels.type != "boolean":
        return " or ".join(_numbers(name, levels, ~present))
    return _shorter(name, _labels(levels, ~present), _labels(levels, present))


def _shorter(name: str, these: Sequence[str], rest: Sequence[str]) -> str:
    """ "Is one of these" or "is not one of the rest", whatever lists less."""
    if not rest:
        return f"{name} is not null"
    is_plain = len(these) <= len(rest)
    listed = these if is_plain else rest
    if len(listed) == 1:
        return f"{name} {'=' if is_plain else '<>'} {listed[0]}"
    return f"{name} {'in' if is_plain else 'not in'} ({', '.join(listed)})"


def spelled(column: str) -> str:
    """A column's name as the language wants it."""
    is_plain = re.fullmatch(r"[^\W\d]\w*", column) and column.lower() not in _KEYWORDS
    return column if is_plain else '"' + column.replace('"', '""') + '"'


def _labels(levels: ColumnLevels, present: Mask) -> list[str]:
    """The literals of labels, or of both truths of a boolean."""
    places = np.flatnonzero(present).tolist()
    if isinstance(levels, LabelLevels):
        labels = [label for place in places for label in levels.groups[place]]
        return ["'" + label.replace("'", "''") + "'" for label in labels]
    return [literal(levels, levels.starts[place]) for place in places]


def _numbers(name: str, levels: NumberLevels, present: Mask) -> list[str]:
    """One condition for each run of levels side by side."""
    runs = groupby(enumerate(np.flatnonzero(present).tolist()), lambda pair: pair[1] - pair[0])
    found = []
    for _, run in runs:
        places = [place for _, place in run]
        found.append(_run(name, levels, levels.starts[places[0]], levels.last(places[-1])))
    return found


def _run(name: str, levels: NumberLevels, first: int, last: int) -> str:
    if first == last:
        return f"{name} = {literal(levels, first)}"
    ends = []
    if first > levels.grid.low:
        ends.append(f"{name} >= {literal(levels, first)}")
    if last < levels.grid.high:
        ends.append(f"{name} < {literal(levels, last + 1)}")
    return " and ".join(ends) or f"{name} is not null"


def literal(levels: NumberLevels, index: int) -> str:
    """A grid index as a number, date or truth."""
    if levels.type == "boolean":
        return "true" if index else "false"
    if levels.type == "date":
        return f"'{(EPOCH + dt.timedelta(days=int(index))).isoformat()}'"
    return str(int(index)) if levels.grid.is_exact else repr(float(index * levels.grid.step))

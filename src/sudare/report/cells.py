"""An answer as a flat list of cells, whatever its shape."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sudare.facts.release import Answer

_PART = re.compile(r'(?:"((?:[^"]|"")*)"|([^,"]*))(?:, |\Z)')


# Answers whose numbers stand in a grid of rows and columns.
GRIDS = frozenset({"covariance", "kmeans", "pca"})
# Answers that lie in their column's declared range, and are lost where the noise fills it.
RANGED = frozenset({"mean", "quantile", "median", "trimmed_mean", "sq", "aggregate"})
COEFFICIENTS = frozenset({"linear", "ridge", "logistic"})


class Cell(NamedTuple):
    """One released number. `group` is its label, "" for a single number; a number of a grid also
    has its row and column: two columns of a covariance, a cluster or component and what of it."""

    group: str
    value: float | int | str
    error: float
    drowned: bool
    interval: tuple[Any, Any] | None = None
    row: str = ""
    column: str = ""


def axes(answer: Answer) -> tuple[str, ...]:
    """The columns that a cell's label is made of."""
    own = answer.columns[:1] if answer.function == "histogram" else ()
    return answer.by + own


def is_grid(answer: Answer) -> bool:
    """Whether the numbers stand in rows and columns."""
    return isinstance(answer.value, dict) and answer.function in GRIDS


def parts(group: str, count: int) -> tuple[str, ...]:
    """The labels that `queries.axes.combined` joined into one; unreadable text stays whole."""
    if count < 2:
        return (group,) * count
    found: list[str] = []
    place = 0
    while len(found) < count and (match := _PART.match(group, place)):
        quoted, bare = match.groups()
        found.append(bare if quoted is None else quoted.replace('""', '"'))
        place = match.end()
    is_read = len(found) == count and place == len(group)
    return tuple(found) if is_read else (group,) + ("",) * (count - 1)


def shown_label(group: str, count: int) -> str:
    """A label for people: F / north."""
    return " / ".join(parts(group, count)) if count > 1 else group


def cells(answer: Answer) -> list[Cell]:
    """Every released number of an answer, in its released order."""
    return list(_cells(answer))


def _cells(answer: Answer) -> Iterator[Cell]:
    drowned = frozenset(answer.drowned)
    value, errors = answer.value, answer.errors95
    if not isinstance(value, dict):
        interval = answer.interval if isinstance(answer.interval, (tuple, list)) else None
        pair = (interval[0], interval[1]) if interval else None
        yield Cell("", value, answer.error95, "" in drowned, pair)
    elif answer.function == "covariance":
        groups = value if answer.by else {"": value}
        known = (errors if answer.by else {"": errors}) if errors else {}
        for group, matrix in groups.items():
            yield from _matrix(group, matrix, known.get(group), answer.error95, drowned)
    elif answer.function in GRIDS:
        for row, columns in value.items():
            for column, cell in columns.items():
                yield _learned(answer, row, column, cell)
    else:
        intervals = answer.interval if isinstance(answer.interval, dict) else {}
        for label, cell in value.items():
            error = errors[label] if errors else answer.error95
            ends = intervals.get(label)
            pair = (ends[0], ends[1]) if ends else None
            yield Cell(label, cell, error, label in drowned, pair)


def _matrix(
    group: str,
    matrix: Mapping[str, Mapping[str, float]],
    errors: Mapping[str, Mapping[str, float]] | None,
    error95: float,
    drowned: frozenset[str],
) -> Iterator[Cell]:
    for row, columns in matrix.items():
        for column, value in columns.items():
            error = errors[row][column] if errors else error95
            name = ", ".join(part for part in (group, row, column) if part)
            yield Cell(group, value, error, name in drowned, None, row, column)


def _learned(answer: Answer, row: str, column: str, value: float | int | str) -> Cell:
    """A number of a cluster or a component; all of them are lost where their row is."""
    known = (answer.errors95 or {}).get(row, {})
    is_loading = answer.function == "pca" and column not in ("variance", "share")
    spread = _loading_error(answer, row) if is_loading else answer.error95
    error = known.get(column, spread)
    # A loading lies between 0 and 1 but for its sign, which is a matter of choice.
    is_lost = is_loading and error >= 1
    named = {row, f"{row}, {column}"} & set(answer.drowned)
    return Cell("", value, error, is_lost or bool(named), None, row, column)


def _loading_error(answer: Answer, row: str) -> float:
    """Two unit vectors at an angle θ differ by 2·sin(θ/2), so no loading differs by more."""
    angle = (answer.details or {}).get("angle95", {}).get(row)
    return 0.0 if angle is None else 2 * math.sin(math.radians(min(float(angle), 180.0)) / 2)

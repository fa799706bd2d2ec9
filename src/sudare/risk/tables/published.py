"""A published table as it stands in its file: attribute columns and a column of counts."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from sudare.facts.disclosure import Interval
from sudare.facts.errors import InvalidTables
from sudare.risk.tables.counts import parse_count

COUNT_NAMES = ("count", "人数", "件数", "度数")


@dataclass(frozen=True)
class Row:
    """One line: the text of each attribute, the counts it allows, its number below the header."""

    cells: tuple[str, ...]
    count: Interval
    number: int


@dataclass(frozen=True)
class Published:
    """One table; `name` is how sentences call it."""

    name: str
    attributes: tuple[str, ...]
    rows: tuple[Row, ...]


def parse_table(name: str, text: str, delimiter: str = ",", count: str | None = None) -> Published:
    """Read a tidy table; every error names the row and the column, never what stands there."""
    lines = [line for line in csv.reader(io.StringIO(text), delimiter=delimiter) if any(line)]
    if len(lines) < 2:
        raise InvalidTables(f"{name} has no rows.", "Its first line names the columns.")
    header = [field.strip() for field in lines[0]]
    if len(set(header)) < len(header) or "" in header:
        raise InvalidTables(
            f"{name} has two columns of one name, or one without.", "Name every column once."
        )
    place = _count_column(name, header, count)
    rows = tuple(_row(name, header, line, place, n) for n, line in enumerate(lines[1:], 1))
    attributes = tuple(header[:place] + header[place + 1 :])
    _refuse_twins(name, rows)
    return Published(name, attributes, rows)


def _count_column(name: str, header: list[str], wanted: str | None) -> int:
    names = (wanted,) if wanted else COUNT_NAMES
    for place, column in enumerate(header):
        if column in names or (not wanted and column.lower() in names):
            return place
    raise InvalidTables(
        f"{name} has no column of counts.",
        f"Looked for {', '.join(names)}; name the column with --count.",
    )


def _row(name: str, header: list[str], line: list[str], place: int, number: int) -> Row:
    if len(line) != len(header):
        raise InvalidTables(
            f"Row {number} of {name} has too few or too many fields.",
            "Every row needs one field a column.",
        )
    count = parse_count(line[place])
    if count is None:
        raise InvalidTables(
            f"The count in row {number} of {name} is neither a whole number nor withheld.",
            "Write 12, <5, 1-4, or * where it is withheld.",
        )
    if count.low < 0:
        raise InvalidTables(
            f"The count in row {number} of {name} is negative.",
            "An exact table has none. If noise was added, mark it with --noisy or noise = true.",
        )
    return Row(tuple(f.strip() for f in line[:place] + line[place + 1 :]), count, number)


def _refuse_twins(name: str, rows: tuple[Row, ...]) -> None:
    seen: dict[tuple[str, ...], int] = {}
    for row in rows:
        first = seen.setdefault(row.cells, row.number)
        if first != row.number:
            raise InvalidTables(
                f"Rows {first} and {row.number} of {name} describe the same people.",
                "Keep one of them, or add their counts up.",
            )

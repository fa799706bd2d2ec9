"""A release as tidy CSV: one released number a row.

The text begins with a byte order mark, so that Excel in Japan reads it as UTF-8: write it with
encoding="utf-8" and newline="". A text cell that a spreadsheet would run as a formula gets an
apostrophe in front.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from sudare.facts.release import Answer, Release
from sudare.report.cells import Cell, axes, cells, parts

BOM = "\ufeff"
# Japanese input methods make the wide forms, and Excel reads them as the narrow ones.
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def to_csv(release: Release) -> str:
    """Columns: query, label, label_1 … (only where a label has several parts), row, column
    (of a covariance), value, error95, epsilon, drowned."""
    splits = max((len(axes(answer)) for answer in release.answers), default=0)
    splits = splits if splits > 1 else 0
    names = [f"label_{place}" for place in range(1, splits + 1)]
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(
        ["query", "label", *names, "row", "column", "value", "error95", "epsilon", "drowned"]
    )
    for answer in release.answers:
        writer.writerows(_rows(answer, splits))
    return BOM + sheet.getvalue()


def _rows(answer: Answer, splits: int) -> Iterator[list[str]]:
    query, count = safe(answer.query), len(axes(answer))
    for cell in cells(answer):
        labels = [safe(part) for part in _padded(cell, count, splits)]
        yield [
            query,
            safe(cell.group),
            *labels,
            safe(cell.row),
            safe(cell.column),
            str(cell.value),
            str(cell.error),
            str(answer.epsilon),
            str(cell.drowned).lower(),
        ]


def _padded(cell: Cell, count: int, splits: int) -> tuple[str, ...]:
    if not splits:
        return ()
    found = parts(cell.group, count)
    return found + ("",) * (splits - len(found))


def safe(label: str) -> str:
    """The label, defused where a spreadsheet would take it for a formula."""
    is_formula = _FORMULA.match(label) and not _NUMBER.fullmatch(label)
    return "'" + label if is_formula else label

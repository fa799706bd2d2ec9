"""What the steward is told of a text file beyond its values: cells that do not decode, short rows.

A release reads such cells as missing and says nothing of them, because whether there is one
depends on somebody's row; here they are counted, with the numbers of their rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from sudare.engines.findings import Finding, Kind, finding
from sudare.engines.inputs.csv_input import CsvInput, MisshapenRows, Reading
from sudare.facts.schema import Schema


def whole(source: CsvInput) -> Reading:
    """Every column of a file: a cell that does not decode hints at a wrong encoding wherever it
    stands."""
    return source.read(range(len(source.names)))


def cell_findings(
    source: CsvInput, reading: Reading, schema: Schema, limit: int
) -> Iterator[Finding]:
    """Column by column, and then the rows that are too short."""
    for place, rows in reading.broken.items():
        name = source.names[place]
        if rows.size:
            kind: Kind = "undecodable" if name in schema.columns else "undecodable-unread"
            yield finding(kind, name, len(rows), tuple(rows[:limit].tolist()))
    yield from short_rows(reading.short, limit)


def misshapen(error: MisshapenRows, limit: int) -> Iterator[Finding]:
    """The rows for which a file is refused, and those that are only too short."""
    yield finding("structure", None, len(error.rows), error.rows[:limit], error.what)
    yield from short_rows(error.short, limit)


def short_rows(rows: tuple[int, ...], limit: int) -> Iterator[Finding]:
    if rows:
        yield finding("short-rows", None, len(rows), rows[:limit])

"""What a steward is told of a file: where it leaves the schema, by row and column, never a value.

Row 1 is the first row below the header. `problem` marks what the schema does not allow; the rest
is for information.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from sudare.engines.naming import is_name, is_person
from sudare.facts.schema import ColumnType, Table

Kind = Literal[
    "structure",
    "absent",
    "undeclared",
    "undecodable",
    "undecodable-unread",
    "short-rows",
    "unreadable",
    "below-min",
    "above-max",
    "outside-values",
    "other",
    "missing",
    "unit-missing",
    "unit-over-limit",
    "unit-repeats",
    "key-repeats",
    "person-repeats",
    "rows-differ",
]
# The sentence of each kind, and whether it is a problem.
SENTENCES: dict[Kind, tuple[str, bool]] = {
    "structure": ("the structure of the file is broken", True),
    "absent": ("declared, but not in the file", True),
    "undeclared": ("in the file, but not declared; it is never read", False),
    "undecodable": ("not text in the file's encoding, or with a NUL; counted as missing", True),
    "undecodable-unread": ("not text in the file's encoding, or with a NUL; never read", False),
    "short-rows": ("rows with too few fields; the last columns are counted as missing", True),
    "unreadable": ("not readable as the declared type; counted as missing", True),
    "below-min": ("below min; counted as min", True),
    "above-max": ("above max; counted as max", True),
    "outside-values": ("outside the declared values; counted as missing", True),
    "other": ("outside the declared values; counted as other", False),
    "missing": ("missing", False),
    "unit-missing": ("without a unit; the row is left out", True),
    "unit-over-limit": ("more rows of one unit than max_rows_per_unit; some are left out", True),
    "unit-repeats": ("units with more than one row; the most has {most:,}", False),
    "key-repeats": (
        'values in more than one row, the most in {most:,}, under unit = "row": if they are '
        "people, name the column as the unit and declare max_rows_per_unit; if not, declare it "
        "text",
        True,
    ),
    "person-repeats": (
        'values in more than one row, the most in {most:,}, under unit = "row": the name says '
        "that they are people; if the same ones come back, the unit is not the row",
        False,
    ),
    "rows-differ": ("public_rows differs from the number of rows in the file", True),
}


@dataclass(frozen=True)
class Finding:
    """One kind of departure in one column: how many rows, and the first of them."""

    kind: Kind
    column: str | None
    count: int
    rows: tuple[int, ...]
    message: str
    problem: bool


def finding(
    kind: Kind,
    column: str | None = None,
    count: int = 1,
    rows: tuple[int, ...] = (),
    message: str | None = None,
) -> Finding:
    """A finding with the sentence of its kind."""
    sentence, problem = SENTENCES[kind]
    return Finding(kind, column, count, rows, message or sentence, problem)


def is_counted(table: Table, column: str, type_: ColumnType) -> bool:
    """Whether it is told how often the values of a column come back: of units, and under
    unit = "row" of keys and of what is called as people are."""
    if column == table.unit:
        return True
    called = type_ in ("text", "integer") and (is_person(column) or is_name(column))
    return table.unit == "row" and (type_ == "key" or called)


def repeats(table: Table, column: str, type_: ColumnType, count: int, most: int) -> list[Finding]:
    """How many units, or under unit = "row" people by their keys or names, have more than one
    row."""
    if not count or not is_counted(table, column, type_):
        return []
    by_row: Kind = "key-repeats" if type_ == "key" else "person-repeats"
    kind = "unit-repeats" if column == table.unit else by_row
    return [finding(kind, column, count, message=SENTENCES[kind][0].format(most=most))]


@dataclass(frozen=True)
class ValidationReport:
    """Everything found; `rows` is the number of rows, None if the file cannot be read."""

    rows: int | None
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        return not any(each.problem for each in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """As JSON: {"ok", "rows", "findings": [{"kind", "column", "count", "rows", ...}]}."""
        return {"ok": self.ok, "rows": self.rows, "findings": [asdict(f) for f in self.findings]}

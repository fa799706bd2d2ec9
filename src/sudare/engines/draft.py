"""`draft_schema`: a first schema from column names and types, for the steward to complete.

No value and no bound is taken from the data. Whom the budget protects is proposed from the names
and types of columns, and how much may be spent from nothing: both wait for the steward, and every
job that pays refuses them until then. Bounds and values that a name suggests are public
knowledge (ages, prefectures); they stay unconfirmed like all others until the steward has checked
them, and every job refuses an unconfirmed column.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sudare.engines.choose import engine_of, is_spark_frame
from sudare.engines.guessing import guess_types
from sudare.engines.inputs.csv_input import CsvInput
from sudare.engines.inputs.find import find_input
from sudare.engines.inputs.guess_encoding import likely_encoding
from sudare.engines.naming import Suggestion, is_contact, is_name, suggest
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidPlan, UsageError
from sudare.facts.schema import MOST_EPSILON, ColumnType

_HEAD = """\
# A draft from column names and types alone; no value of the data went into it.
# For every column below:
#   1. check the type (integer, real, category, boolean, date, text, key);
#   2. fill in min and max, or values, from public knowledge (a code book, a law, common sense);
#      never read them off the data, because bounds taken from the data give people away;
#   3. set confirmed = true. Until then every job refuses the column.
# Unit and budget below wait for you in the same way: until then no job spends anything.
# Take out the columns that nobody should ask about.

[table]
name = {name}
# Whom does the budget protect? unit = "row" if every row is another person's; if people may have
# several rows, the column that tells them apart, and how many rows each may count with (of more,
# some are left out). `sudare validate` counts how often people repeat.
{unit}
# "add-remove" protects whether somebody is in the table; "replace-one" takes that as known.
neighbours = "add-remove"
{encoding}# About how many rows the table has, if that is public; forecasts of errors need it.
# expected_rows =

[budget]
# What may be spent on this table in all, ever.
{budget}
delta = 0
"""
# How the text is coded, which no row may decide: a row that does not fit it has missing values.
_ENCODING = """\
# How the text of the file is coded; cells that are not are missing (sudare validate counts them).
encoding = "{encoding}"
"""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_CONFIRM = "confirmed = false"
ROW = "row"
_ENDINGS = (".gz", ".csv", ".tsv", ".parquet")


@dataclass(frozen=True)
class Decided:
    """What the steward has said of unit and budget already; None is proposed and waits."""

    unit: str | None = None
    max_rows: int | None = None
    budget: float | None = None

    def __post_init__(self) -> None:
        if self.max_rows is not None and self.unit in (None, ROW):
            raise UsageError(
                "--max-rows belongs to a unit with several rows.", "Example: --unit id --max-rows 3"
            )
        if self.unit not in (None, ROW) and self.max_rows is None:
            raise UsageError(
                f"How many rows may one '{self.unit}' count with?",
                "Add --max-rows 3; rows beyond it are left out at random.",
            )
        if self.max_rows is not None and self.max_rows < 1:
            raise UsageError("--max-rows is at least 1.", "Example: --unit id --max-rows 3")
        if self.budget is not None and not 0 < self.budget <= MOST_EPSILON:
            raise UsageError("--budget is an ε above 0 and at most 1e9.", "Example: --budget 3")


UNDECIDED = Decided()


def draft_schema(data: object, choice: EngineChoice = AUTO, decided: Decided = UNDECIDED) -> str:
    """The text of a schema file for `data`."""
    table, types, coded = _facts(data, choice)
    if decided.unit not in (None, ROW) and types.get(decided.unit or "") is None:
        raise InvalidPlan(
            f"The data has no column '{decided.unit}' that could tell people apart.",
            "Check the spelling in the header, capitals and blanks included.",
        )
    unit = decided.unit or proposed_unit(types)
    head = _HEAD.format(
        name=_quoted(table),
        unit=_unit(unit, decided),
        budget=_budget(decided.budget),
        encoding="" if coded is None else _ENCODING.format(encoding=coded),
    )
    parts = [head]
    for name, guessed in types.items():
        parts.append(_column(name, guessed, is_unit=name == unit))
    return "\n".join(parts)


def _facts(
    data: object, choice: EngineChoice
) -> tuple[str, dict[str, ColumnType | None], str | None]:
    """A name for the table, a type for each of its columns, and the encoding of a text file where
    it has to be declared."""
    engine = engine_of(data, choice)
    if engine == "postgresql":
        from sudare.engines.postgres.steward import table_types

        return (*table_types(str(data)), None)
    if engine == "spark" and (is_spark_frame(data) or "://" in str(data)):
        from sudare.engines.spark.steward import stored_types

        return _table_name(data), stored_types(data, choice), None
    # What a file on this machine stores does not depend on who reads it.
    source = find_input(data)
    coded = None
    if isinstance(source, CsvInput):
        coded = likely_encoding(source)
        source = find_input(data, coded)
    return _table_name(data), guess_types(source), coded


def _table_name(data: object) -> str:
    if not isinstance(data, (str, os.PathLike)):
        return "table"
    name = Path(os.fsdecode(data)).name
    for ending in _ENDINGS:
        name = name[: -len(ending)] if name.lower().endswith(ending) else name
    return name.strip("*?[]. ") or "table"


def proposed_unit(types: Mapping[str, ColumnType | None]) -> str:
    """The first column whose name says that it tells people apart, people's names if there is none,
    or else the row."""
    known = {name: guessed for name, guessed in types.items() if guessed is not None}
    for name, guessed in known.items():
        found = suggest(name, guessed)
        if found is not None and found.type == "key" and not is_contact(name):
            return name
    return next((name for name in known if is_name(name)), ROW)


def _unit(unit: str, decided: Decided) -> str:
    lines = [f"unit = {_quoted(unit)}"]
    if unit != ROW:
        lines.append(f"max_rows_per_unit = {decided.max_rows or 1}")
    if decided.unit is None:
        lines.append(f"{_CONFIRM}  # decide on the unit, then set to true")
    return "\n".join(lines)


def _budget(epsilon: float | None) -> str:
    if epsilon is not None:
        return f"epsilon = {float(epsilon)!r}"
    return f"epsilon = 1.0\n{_CONFIRM}  # decide on epsilon, then set to true"


def _column(name: str, guessed: ColumnType | None, is_unit: bool) -> str:
    if guessed is None:
        return f"# Column {_quoted(name)} holds lists, bytes or the like; it cannot be declared.\n"
    suggestion = suggest(name, guessed) or Suggestion(guessed)
    if is_unit:
        suggestion = Suggestion("key")
    lines = [f"[columns.{_key(name)}]", f'type = "{suggestion.type}"', *_domain(suggestion)]
    return "\n".join(lines) + "\n"


def _domain(suggestion: Suggestion) -> list[str]:
    """Bounds or values as far as they are known, and what is left to do."""
    match suggestion.type:
        case "boolean" | "key":
            return []
        case "text":
            return ['# Text is never released; if it has few known values, make it "category".']
        case "category":
            values = ", ".join(_quoted(value) for value in suggestion.values)
            todo = "check" if values else "list"
            return [
                f"values = [{values}]",
                '# other = "other"  # where values outside the list are counted',
                f"{_CONFIRM}  # {todo} the values (or make it text), then set to true",
            ]
    if suggestion.low is None:
        return ["# min = ", "# max = ", f"{_CONFIRM}  # fill in min and max, then set to true"]
    return [
        f"min = {suggestion.low}",
        f"max = {suggestion.high}",
        f"{_CONFIRM}  # check min and max, then set to true",
    ]


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    """A TOML basic string; JSON's is one, but for the character DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")

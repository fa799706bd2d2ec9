"""`draft_schema`: a first schema from column names and types, for the steward to complete.

No value and no bound is taken from the data. Bounds and values that a name suggests are public
knowledge (ages, prefectures); they stay unconfirmed like all others until the steward has checked
them, and every job refuses an unconfirmed column.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from sudare.engines.choose import engine_of, is_spark_frame
from sudare.engines.guessing import guess_types
from sudare.engines.inputs.find import find_input
from sudare.engines.naming import Suggestion, suggest
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.schema import ColumnType

_HEAD = """\
# A draft from column names and types alone; no value of the data went into it.
# For every column below:
#   1. check the type (integer, real, category, boolean, date, text, key);
#   2. fill in min and max, or values, from public knowledge (a code book, a law, common sense);
#      never read them off the data, because bounds taken from the data give people away;
#   3. set confirmed = true. Until then every job refuses the column.
# Take out the columns that nobody should ask about.

[table]
name = {name}
# One row a person? If not, name the column that tells people apart, and how many rows each may
# count with: unit = "person_id" and max_rows_per_unit = 3.
unit = "row"
# "add-remove" protects whether somebody is in the table; "replace-one" takes that as known.
neighbours = "add-remove"
# About how many rows the table has, if that is public; forecasts of errors need it.
# expected_rows =

[budget]
# What may be spent on this table in all, ever.
epsilon = 1.0
delta = 0
"""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_CONFIRM = "confirmed = false"
_ENDINGS = (".gz", ".csv", ".tsv", ".parquet")


def draft_schema(data: object, choice: EngineChoice = AUTO) -> str:
    """The text of a schema file for `data`."""
    table, types = _facts(data, choice)
    parts = [_HEAD.format(name=_quoted(table))]
    for name, guessed in types.items():
        parts.append(_column(name, guessed))
    return "\n".join(parts)


def _facts(data: object, choice: EngineChoice) -> tuple[str, dict[str, ColumnType | None]]:
    """A name for the table, and a type for each of its columns."""
    engine = engine_of(data, choice)
    if engine == "postgresql":
        from sudare.engines.postgres.steward import table_types

        return table_types(str(data))
    if engine == "spark" and (is_spark_frame(data) or "://" in str(data)):
        from sudare.engines.spark.steward import stored_types

        return _table_name(data), stored_types(data, choice)
    # What a file on this machine stores does not depend on who reads it.
    return _table_name(data), guess_types(find_input(data))


def _table_name(data: object) -> str:
    if not isinstance(data, (str, os.PathLike)):
        return "table"
    name = Path(os.fsdecode(data)).name
    for ending in _ENDINGS:
        name = name[: -len(ending)] if name.lower().endswith(ending) else name
    return name.strip("*?[]. ") or "table"


def _column(name: str, guessed: ColumnType | None) -> str:
    if guessed is None:
        return f"# Column {_quoted(name)} holds lists, bytes or the like; it cannot be declared.\n"
    suggestion = suggest(name, guessed) or Suggestion(guessed)
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

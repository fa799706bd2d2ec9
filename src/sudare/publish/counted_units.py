"""Whose record is whose: what classes of records count.

k, ℓ and t are about people. A file in which a person has several records has larger classes than
it has people in them, so wherever a column says whose record each is, people are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sudare.facts.errors import InvalidPlan, UsageError
from sudare.facts.schema import Schema

ROW = "row"


def people_in(schema: Schema, present: Iterable[str]) -> str | None:
    """The column that says whose row each is, if it is there and no other might be meant."""
    keys = [name for name, column in schema.columns.items() if column.type == "key"]
    is_open = schema.table.unit == ROW and schema.panel is None and len(keys) > 1
    found = None if is_open else people_column(schema, None)
    return found if found in set(present) else None


def people_column(schema: Schema | None, named: str | None) -> str | None:
    """The column that says whose record each is: the one that was named, the schema's unit, the
    person of its panel, or its only key; None where every record is somebody else's."""
    if named is not None:
        if schema is not None and named not in (ROW, *schema.columns):
            raise InvalidPlan(
                f"--unit names column '{named}', which the schema does not have.",
                "Name the column that says whose record each is, or row.",
            )
        return None if named == ROW else named
    if schema is None:
        return None
    if schema.table.unit != ROW:
        return schema.table.unit
    if schema.panel is not None:
        return schema.panel.person
    keys = [name for name, column in schema.columns.items() if column.type == "key"]
    if len(keys) > 1:
        raise InvalidPlan(
            f"The schema has several keys ({', '.join(keys)}), and people are counted by one.",
            f"Say which: --unit {keys[0]}, or --unit row if every record is another person's.",
        )
    return keys[0] if keys else None


def check_published(people: str | None, names: Sequence[str]) -> None:
    """Refuse to publish the column that says whose record each is: it would tell which records
    belong together, and classes would be of all that a person has."""
    if people is not None and people in names:
        raise UsageError(
            f"Column '{people}' names people, so it cannot be published.",
            "Leave it out of --keep and the other columns; it is only counted by.",
        )

"""Check records: what a file gives away to whoever knows some of its columns.

It is the steward's own, like `validate`: nothing is charged, and nothing of it is a release. It
shows names of columns, counts and row numbers, never a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sudare.engines.choose import beside, engine_of
from sudare.engines.classes import ClassSource, open_classes
from sudare.engines.classes_read import column_names
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidPlan, UsageError
from sudare.facts.numbers import MOST_COUNTED
from sudare.facts.schema import Schema
from sudare.publish.counted_units import ROW, people_column
from sudare.publish.files import load_schema, schema_path
from sudare.risk.records.diversity import diversity
from sudare.risk.records.population import population
from sudare.risk.records.sizes import anonymity
from sudare.risk.records.subsets import FEW, riskiest

MOST_COLUMNS = 24

_LEAST_FRACTION = 1e-9


def schema_of(data: object, named: str | Path | None) -> Schema | None:
    """The schema that was named, or the one beside the file, or none."""
    if named is not None:
        return load_schema(named)
    if not isinstance(data, (str, Path)):
        return None
    beside = schema_path(data)
    return load_schema(beside) if beside.is_file() else None


def check_records(
    data: object,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    schema: Schema | None = None,
    *,
    sampling_fraction: float | None = None,
    largest: int = 3,
    against: object | None = None,
    rows: int = 0,
    unit: str | None = None,
    engine: EngineChoice = AUTO,
) -> dict[str, Any]:
    """Everything that `sudare check records` shows, ready for JSON. What is counted are people
    where `unit` or the schema says whose record each is, else records."""
    check_columns(quasi, sensitive)
    if sampling_fraction is not None and not _LEAST_FRACTION <= sampling_fraction <= 1:
        raise UsageError(
            "The sampling fraction is at least 1e-9 and at most 1.",
            "A sample of 5,000 of 100,000 people: --sampling-fraction 0.05",
        )
    if not (1 <= largest <= MOST_COUNTED and 0 <= rows <= MOST_COUNTED):
        raise UsageError("--largest is at least 1 and --rows at least 0.", "Leave them out.")
    people = people_column(schema, unit)
    with open_classes(data, [*quasi, *sensitive], schema, engine, people) as source:
        source.merge(quasi)
        sizes = source.sizes(quasi)
        values = {name: source.columns[name].size for name in quasi}
        return {
            "quasi": list(quasi),
            "sensitive": list(sensitive),
            "cleaned": schema is not None,
            "unit": people or ROW,
            "rows": source.rows,
            "anonymity": asdict(anonymity(sizes)),
            "diversity": {
                name: asdict(diversity(source.spread(quasi, name))) for name in sensitive
            },
            "combinations": asdict(riskiest(values, source.sizes, largest)),
            "population": None
            if sampling_fraction is None
            else asdict(population(sizes, sampling_fraction)),
            "linkage": None
            if against is None
            else _linkage(source, quasi, against, schema, people, engine),
            # Rows of a table elsewhere come in no order, so they have no numbers.
            "unique_rows": source.small_rows(quasi, 2, rows)
            if rows and engine_of(data, engine) == "duckdb"
            else [],
        }


def check_columns(quasi: Sequence[str], sensitive: Sequence[str], keep: Sequence[str] = ()) -> None:
    """The refusals that need no data; columns that are only kept are neither of the other two."""
    if not quasi:
        raise UsageError(
            "There are no quasi-identifiers.",
            "Name the columns that others may know of a person: --quasi age,sex,zip",
        )
    for name in quasi:
        if name in sensitive:
            raise UsageError(
                f"Column '{name}' is both a quasi-identifier and sensitive.",
                "Decide for one: what others know, or what they must not learn.",
            )
    for name in keep:
        if name in quasi or name in sensitive:
            role = "a quasi-identifier" if name in quasi else "sensitive"
            raise UsageError(
                f"Column '{name}' is {role}, so it is published already.",
                "Take it out of --keep, which is for columns that are published as they are.",
            )
    for names in (quasi, sensitive, keep):
        if len(set(names)) < len(names):
            raise UsageError("A column is named twice.", "Name every column once.")
    if len(quasi) > MOST_COLUMNS:
        raise UsageError(
            f"More than {MOST_COLUMNS} quasi-identifiers are named.",
            "Name those that others can really know.",
        )


def _linkage(
    source: ClassSource,
    quasi: Sequence[str],
    against: object,
    schema: Schema | None,
    people: str | None,
    engine: EngineChoice,
) -> dict[str, Any]:
    table = schema.table if schema is not None else None
    choice = beside(against, engine)
    there = column_names(against, table, choice)
    common = [name for name in quasi if name in there]
    if not common:
        raise InvalidPlan(
            "The two files have no quasi-identifier in common.",
            "Columns are matched by name; rename them in one of the files.",
        )
    # The other file may not say whose records it has: then each of them is somebody's.
    theirs = people if people in there else None
    with open_classes(against, common, schema, choice, theirs) as other:
        found = source.matches(other, common, FEW)
    return {"columns": common, "other_records": other.units, **asdict(found)}

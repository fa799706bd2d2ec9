"""The declared levels of a column as hierarchies over the codes that occur.

Bands of numbers are those of tables of counts, groups of labels are the schema's. Missing stays
missing at every level but "*". Levels of one column are put in order by how many groups they have,
and each has to be a coarsening of the one before.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence

from sudare.engines.classes import ClassSource
from sudare.engines.classes_code import Coded
from sudare.facts.aggregate import CutsAxis
from sudare.facts.errors import InvalidSchema
from sudare.facts.levels import base_of
from sudare.facts.schema import Schema
from sudare.risk.anonymize.hierarchy import Hierarchy, hierarchy, is_coarser
from sudare.tables.dimensions import dimensions_of


def hierarchies(
    source: ClassSource, columns: Sequence[str], schema: Schema | None
) -> list[Hierarchy]:
    """One hierarchy a column: itself, its declared levels, "*"."""
    return [_hierarchy(source.described(name), schema) for name in columns]


def _hierarchy(coded: Coded, schema: Schema | None) -> Hierarchy:
    name, labels = coded.column.name, coded.labels()
    levels = {} if schema is None else schema.levels
    own = [each for each in levels if base_of(each, levels) == name]
    named = [(each, _labels(each, coded, schema)) for each in own if schema is not None]
    named.sort(key=lambda level: -len(set(level[1])))
    found = hierarchy(name, labels, named)
    for fine, coarse in zip(found.steps[1:], found.steps[2:], strict=False):
        if not is_coarser(fine, coarse):
            raise InvalidSchema(
                f"The levels '{fine.name}' and '{coarse.name}' cut column '{name}' across each "
                "other.",
                "Every group of the finer level has to lie inside one group of the coarser.",
            )
    return found


def _labels(level: str, coded: Coded, schema: Schema) -> list[str]:
    """The label of each code at a level."""
    missing = [""] * coded.column.has_missing
    if schema.levels[level].is_cut:
        shown = _band(level, coded, schema)
        return [shown(index) for index in coded.values.to_pylist()] + missing
    return [_group(level, label, schema) for label in coded.labels()[: len(coded.values)]] + missing


def _group(level: str, label: str, schema: Schema) -> str:
    """The group of a label; one that no group lists stays itself."""
    declared = schema.levels[level]
    below = _group(declared.of, label, schema) if declared.of in schema.levels else label
    return next((name for name, members in declared.groups.items() if below in members), below)


def _band(level: str, coded: Coded, schema: Schema) -> Callable[[int], str]:
    """From a grid index to the label of its band, cut and named as in tables of counts."""
    name = coded.column.name
    alone = schema.levels[level].model_copy(update={"of": name})
    known = {"columns": {name: coded.declared}, "levels": {level: alone}}
    (counted,) = dimensions_of([level], schema.model_copy(update=known))
    labels, axis = counted.dimension.labels(1), counted.axis
    if isinstance(axis, CutsAxis):
        cuts = axis.cuts
        return lambda index: labels[bisect.bisect_right(cuts, index)]
    # A band a value: the cuts are all of them.
    low = coded.declared.grid(name).low
    return lambda index: labels[index - low]

"""Whether a schema's rules leave any record: known from the schema alone, so before any charge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sudare.facts.rules import CompiledRule
from sudare.facts.schema import Schema
from sudare.synthesis.rules.cutting import cuts_of
from sudare.synthesis.rules.levels import ColumnLevels, LabelLevels, NumberLevels
from sudare.synthesis.rules.possible import check
from sudare.synthesis.rules.rules import Rules


def check_possible(schema: Schema, names: Iterable[str], rules: Sequence[CompiledRule]) -> None:
    """Refuse rules that no record over these columns can keep."""
    cuts = cuts_of(rules)
    ruled = {name for rule in rules for name in rule.columns}
    levels = {name: _levels(schema, name, cuts) for name in names if name in ruled}
    if levels:
        check(Rules(rules, levels))


def _levels(schema: Schema, name: str, cuts: dict[str, frozenset[int]]) -> ColumnLevels:
    """As few levels as the rules can tell apart."""
    column = schema.column(name)
    if column.type == "category":
        return LabelLevels(tuple((each,) for each in schema.domain(name)), column.other is None)
    grid = schema.grid(name)
    inside = {cut for cut in cuts.get(name, ()) if grid.low < cut <= grid.high}
    if column.type == "boolean":
        inside.add(grid.high)
    starts = tuple(sorted({grid.low, *inside}))
    return NumberLevels(starts, grid, column.type, not column.complete)

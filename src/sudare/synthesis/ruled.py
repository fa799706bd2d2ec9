"""A schema's rules bound to the levels of a statistics, and checked to leave some record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from sudare.facts.grid import Grid
from sudare.facts.rules import CompiledRule
from sudare.facts.schema import ColumnType
from sudare.facts.statistics import Marginal
from sudare.synthesis.rules.levels import ColumnLevels, LabelLevels, NumberLevels
from sudare.synthesis.rules.possible import check
from sudare.synthesis.rules.rules import Rules


def column_levels(marginal: Marginal) -> ColumnLevels:
    """A marginal's levels as rules see them."""
    if marginal.is_number:
        grid = Grid(marginal.low, marginal.high, marginal.step, marginal.type != "real")
        kind = cast(ColumnType, marginal.type)
        return NumberLevels(marginal.level_starts(), grid, kind, marginal.may_miss)
    groups: list[list[str]] = [[] for _ in range(marginal.present_levels)]
    for label, level in zip(marginal.labels, marginal.level_of.tolist(), strict=True):
        groups[level].append(label)
    return LabelLevels(tuple(map(tuple, groups)), marginal.may_miss)


def bound_rules(marginals: Sequence[Marginal], rules: Sequence[CompiledRule]) -> Rules:
    """Rules over level codes; refused where they leave no possible record."""
    levels = {each.name: column_levels(each) for each in marginals}
    bound = Rules(rules, levels)
    check(bound)
    return bound

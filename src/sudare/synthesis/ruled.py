"""A schema's rules bound to the levels of a statistics, and checked to leave some record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from sudare.facts.errors import InvalidPlan, InvalidStatistics
from sudare.facts.grid import Grid
from sudare.facts.rules import CompiledRule
from sudare.facts.schema import ColumnType
from sudare.facts.statistics import Marginal, Statistics
from sudare.synthesis.rules.levels import ColumnLevels, LabelLevels, NumberLevels
from sudare.synthesis.rules.possible import check
from sudare.synthesis.rules.rules import Rules

_MOST_BROKEN = 0.2


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
    try:
        bound = Rules(rules, levels)
    except ValueError:
        bound = None
    if bound is None:
        raise InvalidPlan(
            "A rule tells values apart that the statistics hold together.",
            "Make the statistics with the rule in their schema, or move its limit to a bin's edge.",
        )
    check(bound)
    return bound


def stated_breaks(statistics: Statistics, bound: Rules) -> list[tuple[str, float]]:
    """Rules, on one or two columns, that rows of the statistics break, and the share of such rows.
    A rule that most rows break contradicts the statistics and is refused."""
    found = []
    for rule in bound.compiled:
        share = _stated_share(statistics, rule, bound)
        if share > _MOST_BROKEN:
            raise InvalidStatistics(
                f"The rule '{rule.shown}' and the statistics of its columns contradict each other.",
                "More than a fifth of the rows would break it. Mend the rule, or the data.",
            )
        if share > 0:
            found.append((rule.shown, share))
    return found


def _stated_share(statistics: Statistics, rule: CompiledRule, bound: Rules) -> float:
    alone = Rules((rule,), bound.levels)
    names = [name for name in statistics.names if name in rule.columns]
    if len(names) == 1:
        counts, broken = statistics.marginal(names[0]).level_counts, alone.zero_levels(names[0])
    elif len(names) == 2 and (names[0], names[1]) in statistics.crosses:
        counts, broken = statistics.crosses[names[0], names[1]], alone.zero_cells(*names)
    else:
        return 0.0
    return float(counts[broken].sum()) / max(float(counts.sum()), 1.0)

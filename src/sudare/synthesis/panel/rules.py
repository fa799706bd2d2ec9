"""A rule of a panel holds in every period: one wide rule a period.

A rule that speaks of fixed columns alone is kept as it is. One that asks whether a varying value is
missing concerns the rows that are there, so that it is joined with "some varying value is there".
`violation` stays that of the long rule, which an engine can filter the written rows by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sudare.facts.errors import InvalidSchema
from sudare.facts.panel import PanelFacts
from sudare.facts.rules import Absent, CompiledRule, Every, Opposite, Some, Test, leaves


def wide_rules(rules: Sequence[CompiledRule], facts: PanelFacts) -> tuple[CompiledRule, ...]:
    """Every rule in every period."""
    found: list[CompiledRule] = []
    for rule in rules:
        if rule.columns & {facts.person, facts.time}:
            raise InvalidSchema(
                f"Rule '{rule.shown}' speaks of the panel's person or time.",
                "A rule of a panel holds in every period, for everybody; leave both out of it.",
            )
        if not rule.columns & set(facts.varying):
            found.append(rule)
            continue
        found += [_in_period(rule, facts, period) for period in range(facts.periods)]
    return tuple(found)


def _in_period(rule: CompiledRule, facts: PanelFacts, period: int) -> CompiledRule:
    test = _renamed(rule.test, facts, period)
    asks = any(
        isinstance(leaf, Absent) and leaf.column in facts.varying for leaf in leaves(rule.test)
    )
    if asks:
        there = tuple(Opposite(Absent(facts.wide(name, period))) for name in facts.varying)
        test = Every((Some(there), test))
    shown = f"{rule.shown} @{facts.names[period]}"
    return replace(rule, shown=shown, test=test)


def _renamed(test: Test, facts: PanelFacts, period: int) -> Test:
    match test:
        case Opposite(part):
            return Opposite(_renamed(part, facts, period))
        case Every(parts):
            return Every(tuple(_renamed(part, facts, period) for part in parts))
        case Some(parts):
            return Some(tuple(_renamed(part, facts, period) for part in parts))
        case _ if test.column in facts.varying:
            return replace(test, column=facts.wide(test.column, period))
        case _:
            return test

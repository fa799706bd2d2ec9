"""Where levels must be cut so that no rule can tell two values of one level apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sudare.facts.rules import CompiledRule, OnGrid, OnLabels, leaves


def cuts_of(rules: Iterable[CompiledRule]) -> dict[str, frozenset[int]]:
    """For each number-like column of some rule, the grid indices at which a leaf changes its
    truth: the first index of the new side. Levels that start at each of them straddle none."""
    cuts: defaultdict[str, set[int]] = defaultdict(set)
    for rule in rules:
        for leaf in leaves(rule.test):
            if isinstance(leaf, OnGrid):
                cuts[leaf.column].update(leaf.turns)
    return {column: frozenset(found) for column, found in cuts.items()}


def label_atoms(
    rules: Iterable[CompiledRule], column: str, labels: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """The labels in parts that no rule looks into, in the order of their first labels. Labels of
    different parts must not share a level."""
    told = [
        leaf.labels
        for rule in rules
        for leaf in leaves(rule.test)
        if isinstance(leaf, OnLabels) and leaf.column == column
    ]
    parts: defaultdict[tuple[bool, ...], list[str]] = defaultdict(list)
    for label in labels:
        parts[tuple(label in chosen for chosen in told)].append(label)
    return tuple(tuple(part) for part in parts.values())

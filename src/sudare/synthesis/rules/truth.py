"""A rule's violation over level codes: look-ups joined by "and" and "or", no "not", no unknown.

Claim    `certain(test, levels, True)` holds of a tuple of codes exactly where the three-valued
         test is true of the values behind them, `certain(test, levels, False)` where it is false.
Source   Kleene's strong logic: not-p is true where p is false, "p and q" is false where p or q
         is. So two two-valued formulas say all, and negations sink into the look-ups.
Needs    levels that no leaf straddles (cutting.py); `table_of` raises where one does.
Gaps     none known.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.rules import Absent, Every, Leaf, OnGrid, OnLabels, Opposite, Some, Test
from sudare.synthesis.rules.levels import AllLevels, ColumnLevels, LabelLevels, NumberLevels

Mask = NDArray[np.bool_]
Codes = Mapping[str, NDArray[np.integer[Any]]]


@dataclass(frozen=True, eq=False)
class Lookup:
    """True where `truth` is at the column's code."""

    column: str
    truth: Mask


@dataclass(frozen=True, eq=False)
class And:
    parts: tuple[Formula, ...]


@dataclass(frozen=True, eq=False)
class Or:
    parts: tuple[Formula, ...]


Formula = Lookup | And | Or


def certain(test: Test, levels: AllLevels, wanted: bool) -> Formula:
    """Where a test is certainly true, or certainly false, whatever `wanted` says."""
    match test:
        case Opposite(part):
            return certain(part, levels, not wanted)
        case Every(parts):
            return _joined(wanted, (certain(part, levels, wanted) for part in parts))
        case Some(parts):
            return _joined(not wanted, (certain(part, levels, wanted) for part in parts))
        case _:
            return Lookup(test.column, table_of(test, levels[test.column], wanted))


def _joined(is_and: bool, parts: Iterable[Formula]) -> Formula:
    """Look-ups of one column become one, so that a long list of conditions costs one pass."""
    tables: dict[str, Mask] = {}
    others: list[Formula] = []
    for part in parts:
        if not isinstance(part, Lookup):
            others.append(part)
        elif part.column in tables:
            before = tables[part.column]
            tables[part.column] = before & part.truth if is_and else before | part.truth
        else:
            tables[part.column] = part.truth
    joined = (*(Lookup(column, truth) for column, truth in tables.items()), *others)
    if len(joined) == 1:
        return joined[0]
    return And(joined) if is_and else Or(joined)


def table_of(leaf: Leaf, levels: ColumnLevels, wanted: bool) -> Mask:
    """For each level, whether the leaf is certainly true (or false) of it."""
    match leaf, levels:
        case Absent(), _:
            truth = np.full(levels.size, not wanted)
            truth[levels.present :] = wanted
            return truth
        case OnGrid(), NumberLevels():
            truth = np.array([_on_level(leaf, levels, k) for k in range(levels.present)])
        case OnLabels(), LabelLevels():
            truth = np.array([_on_group(leaf, group) for group in levels.groups])
        case _:
            raise ValueError(f"the levels of '{leaf.column}' are of another type than the column")
    unknown = np.zeros(int(levels.has_missing), dtype=np.bool_)
    return np.concatenate([truth == wanted, unknown])


def _on_level(leaf: OnGrid, levels: NumberLevels, code: int) -> bool:
    turned = bisect_right(leaf.turns, levels.starts[code])
    if turned != bisect_right(leaf.turns, levels.last(code)):
        raise ValueError(f"a level of '{leaf.column}' straddles a rule")
    return leaf.at_low != bool(turned % 2)


def _on_group(leaf: OnLabels, group: tuple[str, ...]) -> bool:
    chosen = [label in leaf.labels for label in group]
    if any(chosen) != all(chosen):
        raise ValueError(f"a level of '{leaf.column}' straddles a rule")
    return all(chosen)


def holds(formula: Formula, codes: Codes) -> Mask:
    """The formula for arrays of codes, which may broadcast."""
    match formula:
        case Lookup(column, truth):
            return truth[codes[column]]
        case And(parts):
            held = holds(parts[0], codes)
            for part in parts[1:]:
                held = held & holds(part, codes)
            return held
        case Or(parts):
            held = holds(parts[0], codes)
            for part in parts[1:]:
                held = held | holds(part, codes)
            return held


def negated(formula: Formula) -> Formula:
    """Where the formula does not hold."""
    match formula:
        case Lookup(column, truth):
            return Lookup(column, ~truth)
        case And(parts):
            return Or(tuple(negated(part) for part in parts))
        case Or(parts):
            return And(tuple(negated(part) for part in parts))


def lookups(formula: Formula) -> tuple[Lookup, ...]:
    """Every look-up of a formula."""
    if isinstance(formula, Lookup):
        return (formula,)
    return tuple(found for part in formula.parts for found in lookups(part))

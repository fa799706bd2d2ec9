"""What a person may report under a plan: the items of each way to spend ε.

split      every person reports every item, each at ε divided by their number.
sample     every person reports k of the items, drawn evenly, each at ε/k (Wang et al. 2019).
statistic  every person reports one statistic at full ε: a mean, a square, a product, a histogram.

`sample` and `statistic` are one thing with other items, and `split` is k = all.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from sudare.facts.errors import InvalidPlan
from sudare.facts.local_plan import LABEL_MECHANISMS, NUMBER_MECHANISMS, LocalPlan, Wish
from sudare.facts.randomized import Domain, Item, ItemKind, LabelDomain, NumberDomain
from sudare.facts.schema import NUMERIC, Schema
from sudare.mechanisms.local.named import best_for_labels, best_for_numbers, mechanism_of
from sudare.mechanisms.local.two_point import TwoPoint
from sudare.mechanisms.local.unary import Unary

# Above this many labels one bit a label is longer than a hash.
_MANY_LABELS = 128
# A joint label of two columns has at most so many values.
MOST_LABELS = 100_000


@dataclass(frozen=True)
class Way:
    """One way to spend ε: which items there are, and how many of them a person reports."""

    budget: str
    asked: int
    items: tuple[Item, ...]
    mechanism: str | None = None

    @cached_property
    def telling(self) -> dict[tuple[str, tuple[str, ...]], list[Item]]:
        """The items by their kind and columns; a cell by each of its columns and every two."""
        found: dict[tuple[str, tuple[str, ...]], list[Item]] = {}
        for item in self.items:
            parts = [item.columns]
            if item.kind == "cell":
                parts = [*((column,) for column in item.columns), *pairs(sorted(item.columns))]
            for columns in parts:
                found.setdefault((item.kind, columns), []).append(item)
        return found


@dataclass(frozen=True)
class Outline:
    """An item before it has its ε: `choose` names the mechanism at an ε."""

    name: str
    kind: ItemKind
    columns: tuple[str, ...]
    choose: Callable[[Fraction], tuple[str, dict[str, Any]]]
    # A share of ε that is fixed by the plan (PRAM's retention), else equal parts of the rest.
    fixed: Fraction | None = None
    weight: int = 1


def domains_of(schema: Schema, names: Sequence[str]) -> dict[str, Domain]:
    return {name: _domain(schema, name) for name in names}


def _domain(schema: Schema, name: str) -> Domain:
    column = schema.column(name)
    if column.type in NUMERIC:
        grid = schema.grid(name)
        return NumberDomain(column.type, grid.low, grid.high, grid.step, column.complete)
    labels: tuple[str | None, ...] = schema.domain(name)
    # Without a label for what is not declared, a missing value is a label of its own.
    return LabelDomain(labels if column.other is not None else (*labels, None))


def columns_of(schema: Schema, plan: LocalPlan) -> tuple[str, ...]:
    """The columns of the plan, or every one that can be randomised."""
    fit = {n for n, c in schema.columns.items() if c.type in NUMERIC or c.type == "category"}
    if not plan.columns:
        names = tuple(n for n in schema.columns if n in fit and n != schema.table.unit)
    else:
        names = plan.columns
    for name in names:
        schema.column(name)
        if name not in fit or name == schema.table.unit:
            raise InvalidPlan(
                f"Column '{name}' cannot be randomised: it is text, a key or the unit.",
                "Numbers, dates, booleans and categories can; name them with --columns.",
            )
    if not names or len(set(names)) != len(names):
        raise InvalidPlan(
            "The plan randomises no column, or one twice.", "Name each once: --columns age,sex"
        )
    return names


def numbers_mechanism(wish: Wish | None, named: str) -> Callable[[Fraction], Any]:
    """The mechanism of a number: what was wished, else `named`."""
    if wish is None or wish.mechanism == "square-wave":
        return lambda epsilon: (named, best_for_numbers(named, epsilon).parameters())
    if wish.numbers:
        a, b = wish.numbers
        return lambda epsilon: ("two-point", TwoPoint.of(epsilon, a, b).parameters())
    name = wish.mechanism
    return lambda epsilon: (name, best_for_numbers(name, epsilon).parameters())


def labels_mechanism(wish: Wish | None, values: int, paper: bool) -> Callable[[Fraction], Any]:
    """The mechanism of a label: what was wished, else the least noisy."""
    if paper:
        return lambda epsilon: ("one-hot", Unary.symmetric(epsilon, values, True).parameters())
    if wish is not None:
        name = wish.mechanism
        return lambda epsilon: (name, best_for_labels(name, epsilon, values).parameters())

    def least_noisy(epsilon: Fraction) -> tuple[str, dict[str, Any]]:
        other = "oue" if values <= _MANY_LABELS else "olh"
        found = {name: best_for_labels(name, epsilon, values) for name in ("grr", other)}
        name = min(found, key=lambda each: found[each].variance(1 / values))
        return name, found[name].parameters()

    return least_noisy


def with_epsilon(outlines: Sequence[Outline], epsilon: Fraction, asked: int) -> tuple[Item, ...]:
    """Items with their ε. Where all are reported, fixed shares go first and the rest is shared by
    weight; where k are, each has ε/k."""
    fixed = sum((each.fixed for each in outlines if each.fixed is not None), Fraction(0))
    if fixed and asked < len(outlines):
        raise InvalidPlan(
            "A retention probability fixes a column's share of ε, so all columns are reported.",
            "Add --budget split, or leave pram out.",
        )
    weights = sum(each.weight for each in outlines if each.fixed is None)
    if fixed > epsilon or (weights and fixed == epsilon):
        raise InvalidPlan(
            "The retention probabilities cost more than the total ε.",
            "Raise --epsilon, or keep values less often; `sudare explain` shows what each costs.",
        )
    found = []
    for each in outlines:
        if each.fixed is not None:
            own = each.fixed
        elif asked == len(outlines):
            own = (epsilon - fixed) * each.weight / weights
        else:
            own = epsilon / asked
        name, parameters = each.choose(own)
        found.append(Item(each.name, each.kind, each.columns, name, str(own), parameters))
    return tuple(found)


def squares_needed(items: Sequence[Item]) -> bool:
    """Whether a number's report does not tell its square."""
    import numpy as np

    for item in items:
        if item.kind == "value":
            mechanism: Any = mechanism_of(item)
            if mechanism.squares(np.zeros(0, np.int64)) is None:
                return True
    return False


def pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    return list(itertools.combinations(names, 2))


def known_mechanisms(domain: Domain) -> tuple[str, ...]:
    return NUMBER_MECHANISMS if isinstance(domain, NumberDomain) else LABEL_MECHANISMS

"""The records of one file, ready to be generalized.

Counting happens where the records are: a `Counter` is handed in, and only counts come back until a
generalization is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sudare.facts.coded import CodedColumn, Integers, Spread
from sudare.facts.errors import InvalidPlan
from sudare.risk.anonymize.demand import SLACK, Demand, Flags, Secret
from sudare.risk.anonymize.hierarchy import Hierarchy, losses
from sudare.risk.anonymize.keys import whole_of
from sudare.risk.anonymize.lattice import Lattice, Node, Verdict
from sudare.risk.records.diversity import classes_of, distances

MOST_NODES = 1_000_000


class Counter(Protocol):
    """Who counts the classes of some records."""

    columns: dict[str, CodedColumn]
    rows: int
    units: int
    people: Integers | None

    def codes(self, name: str) -> Integers: ...

    def failing(
        self, columns: Sequence[str], k: int, sensitive: Sequence[str], diversity: int
    ) -> int: ...

    def spread(self, columns: Sequence[str], sensitive: str) -> Spread: ...

    def generalize(self, levels: Mapping[str, tuple[str, Integers]]) -> None: ...


@dataclass(frozen=True)
class Choice:
    """A node of the lattice, the names of its levels, and where it was found."""

    node: Node
    levels: tuple[str, ...]
    lattice: Lattice


class Records:
    """The records of one file with the hierarchies of their quasi-identifiers."""

    def __init__(
        self,
        counter: Counter,
        quasi: Sequence[str],
        sensitive: Sequence[str],
        hierarchies: Sequence[Hierarchy],
    ) -> None:
        self.counter, self.quasi, self.sensitive = counter, tuple(quasi), tuple(sensitive)
        self.hierarchies = tuple(hierarchies)
        self.codes = [counter.codes(name) for name in quasi]
        self.people = counter.people
        self.secrets = [_secret(counter, name) for name in sensitive]
        counter.generalize(
            {
                _name(each.column, level): (each.column, step.groups)
                for each in hierarchies
                for level, step in enumerate(each.steps[1:-1], start=1)
            }
        )

    def lattice(self, demand: Demand) -> Lattice:
        """All generalizations under a demand."""
        nodes = 1
        for each in self.hierarchies:
            nodes *= each.height + 1
        if nodes > MOST_NODES:
            raise InvalidPlan(
                f"There are more than {MOST_NODES:,} generalizations to choose from.",
                'Name fewer quasi-identifiers, or add "--method mondrian".',
            )
        columns = zip(self.hierarchies, self.codes, strict=True)
        lost = [losses(each, _counts(each, codes)) for each, codes in columns]
        return Lattice(lost, lambda node: self._judged(node, demand))

    def generalized(self, node: Node) -> list[Integers]:
        """The code of each record at the levels of a node."""
        levels = zip(self.hierarchies, self.codes, node, strict=True)
        return [each.steps[level].groups[codes] for each, codes, level in levels]

    def choice(self, node: Node, lattice: Lattice) -> Choice:
        """A node with the names of its levels."""
        levels = zip(self.hierarchies, node, strict=True)
        return Choice(node, tuple(each.steps[level].name for each, level in levels), lattice)

    def _judged(self, node: Node, demand: Demand) -> Verdict:
        names = [
            _name(each.column, level) if level else each.column
            for each, level in zip(self.hierarchies, node, strict=True)
            if level < each.height
        ]
        limit = demand.limit(self.counter.units)
        # Of people, ℓ is as little monotone as t: two classes in which everybody has one value may
        # become one in which all have the same two.
        late = self.people is not None and demand.diversity > 1
        diversity = 1 if late else demand.diversity
        failing = self.counter.failing(names, demand.k, self.sensitive, diversity)
        if failing > limit or (demand.closeness is None and not late):
            return Verdict(failing <= limit, failing <= limit)
        return Verdict(True, self._far(names, demand) <= limit)

    def _far(self, names: Sequence[str], demand: Demand) -> int:
        """The records (of people: those with a record) in classes that fail k, ℓ or t."""
        spreads = [self.counter.spread(names, name) for name in self.sensitive]
        failing = [
            self._fails(spread, secret, demand)
            for spread, secret in zip(spreads, self.secrets, strict=True)
        ]
        return spreads[0].inside(np.logical_or.reduce(failing))

    def _fails(self, spread: Spread, secret: Secret, demand: Demand) -> Flags:
        fails = classes_of(spread).failing(demand.k, demand.diversity)
        if demand.closeness is not None:
            fails |= distances(spread, secret.overall) > demand.closeness + SLACK
        return fails


def _secret(counter: Counter, name: str) -> Secret:
    codes, about = counter.codes(name), counter.columns[name]
    whole = whole_of(codes, about.size, counter.people)
    return Secret(codes, about.size, about.ordered, whole.shares)


def _counts(each: Hierarchy, codes: Integers) -> Integers:
    return np.bincount(codes, minlength=len(each.steps[0].labels)).astype(np.int64)


def _name(column: str, level: int) -> str:
    # No column has such a name: a header may not hold a NUL.
    return f"{column}\0{level}"

"""Smallest ways to a finding: which tables and facts an attacker has to lay together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np

from sudare.facts.disclosure import Manner, Way
from sudare.risk.tables.deadline import Deadline
from sudare.risk.tables.filling import Filling
from sudare.risk.tables.grid import Cells
from sudare.risk.tables.linear import Linear
from sudare.risk.tables.parts import Limits, PersonLimits
from sudare.risk.tables.program import Program
from sudare.risk.tables.ways import smallest_sets

MOST_WAYS = 5


class _OutOfTimeError(Exception):
    """The search for ways cannot go on."""


class Explainer:
    """Tries sets of parts; what a set makes possible is worked out once for all findings."""

    def __init__(
        self,
        size: int,
        limits: Sequence[Limits],
        persons: Sequence[PersonLimits],
        deadline: Deadline,
    ) -> None:
        self._size = size
        self._parts: list[Limits | PersonLimits] = [*limits, *persons]
        self._first_person = len(limits)
        self._deadline = deadline
        self._tried: dict[frozenset[int], Filling] = {}

    def ways(self, against: Cells, person: int | None = None) -> tuple[Way, ...]:
        """Smallest sets of parts after which nobody, or not person number `person`, can be there.

        That a person is among the people is taken for granted when the finding is about her.
        """
        own = None if person is None else self._first_person + person
        free = [n for n in range(len(self._parts)) if n != own]

        def implies(chosen: frozenset[int]) -> bool:
            return not self._can_fill({free[n] for n in chosen}, own, against)

        ways: list[Way] = []
        try:
            for chosen in islice(smallest_sets(len(free), implies), MOST_WAYS):
                ways.append(self._way([self._parts[free[n]] for n in sorted(chosen)]))
        except _OutOfTimeError:
            self._deadline.stopped = True
        return tuple(ways)

    def _can_fill(self, chosen: set[int], own: int | None, cells: Cells) -> bool:
        """Whether anybody, or the person in question, can be in the cells."""
        parts = frozenset(chosen if own is None else chosen | {own})
        filling = self._filling(parts)
        linear = filling.program.linear
        classes = set(np.unique(linear.class_of[cells]).tolist())
        if own is not None:
            seats = linear.seats[sum(1 for n in chosen if self._first_person <= n < own)]
            classes = {seats[k] for k in classes & set(seats)}
        return filling.can_fill(classes)

    def _filling(self, chosen: frozenset[int]) -> Filling:
        if self._deadline.over():
            raise _OutOfTimeError
        if chosen not in self._tried:
            parts = [self._parts[n] for n in sorted(chosen)]
            limits = [part for part in parts if isinstance(part, Limits)]
            persons = [part for part in parts if isinstance(part, PersonLimits)]
            program = Program(Linear(self._size, limits, persons))
            # All parts together have a data set, so any of them have.
            self._tried[chosen] = Filling(program, self._deadline, consistent=True)
        return self._tried[chosen]

    def _way(self, parts: Sequence[Limits | PersonLimits]) -> Way:
        manner: Manner = "alone" if len(parts) == 1 else "together"
        if len(parts) == 2 and _fills(parts):
            manner = "fills"
        tables = [each.part for each in parts if each.part.kind == "table"]
        others = [each.part for each in parts if each.part.kind != "table"]
        return Way((*tables, *others), manner)


def _fills(parts: Sequence[Limits | PersonLimits]) -> bool:
    """Whether a table's counts add up to the whole population, each person counted once."""
    counts = {each.part.kind: each for each in parts if isinstance(each, Limits)}
    if set(counts) != {"population", "table"}:
        return False
    table, everyone = counts["table"], counts["population"].counts[0]
    exact = all(count.low == count.high for count in (everyone, *table.counts))
    return (
        exact
        and all(len(rows) <= 1 for rows in table.fits)
        and sum(count.low for count in table.counts) == everyone.low
    )

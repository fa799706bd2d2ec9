"""The fewest items that must be suppressed, on small data: a yardstick for the search.

Claim    Where `is_proved`, no release without an attacker keeps more items; otherwise none
         suppresses fewer than `at_least`.
Source   OR-Tools CP-SAT, which works in integers. Definitions 3 and 4 of Nakagawa, Arai and
         Nakagawa, the attacker knowing items of the original record.
Symbols  x(t, i) -> record t keeps item i; z(t, S), the product of its x -> record t keeps all of S.
         For each Q → e whose e some original owner of Q calls sensitive, q times the sum of z(t,
         Q ∪ e) is at most p times the sum of z(t, Q); where nobody keeps Q, both are 0.
Needs    the optional library ortools, and at most `MOST_PRODUCTS` products.
Gaps     none known: a time limit gives an answer that is not proved, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations
from math import comb, floor
from typing import Any

import numpy as np

from sudare.facts.baskets import Baskets, Flags, Sensitive
from sudare.facts.errors import InvalidPlan
from sudare.facts.extras import needs

MOST_PRODUCTS = 200_000
Known = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Optimum:
    """Which places of `Baskets.items` are kept, how many are not, and what is known of the rest."""

    kept: Flags
    suppressed: int
    at_least: int
    is_proved: bool


def optimum(
    original: Baskets,
    sensitive: Sensitive,
    rho: Fraction,
    *,
    max_knowledge: int | None,
    seconds: float,
    with_base_rate: bool = False,
    known: Flags | None = None,
) -> Optimum:
    """A safe release with as many items as can be found within so many seconds, beginning from one
    that is `known`; `with_base_rate`: safe also from whoever knows nothing (Q = ∅)."""
    records = [
        sorted(original.items[start:end].tolist())
        for start, end in zip(original.starts[:-1], original.starts[1:], strict=True)
    ]
    most = max(map(len, records), default=0) if max_knowledge is None else max_knowledge
    _check_size(records, most)
    called = [set(np.flatnonzero(sensitive.of(u)).tolist()) for u in range(len(records))]
    program = _Program(_solver_module(), records)
    nothing: list[tuple[Known, list[int]]] = [((), list(range(len(records))))]
    for q, owners in chain(nothing if with_base_rate else (), _owned(records, most)):
        beside = set().union(*(records[u] for u in owners))
        wanted = set().union(*(called[u] for u in owners))
        for item in sorted(beside & wanted - set(q)):
            program.forbid(q, item, owners, rho)
    if known is None:
        return program.solve(original, seconds)
    program.begin_from(original, known)
    found, own = program.solve(original, seconds), int((~known).sum())
    # The time may be up before the solver has taken the hint.
    return found if found.suppressed <= own else replace(found, kept=known, suppressed=own)


def _check_size(records: Sequence[Sequence[int]], most: int) -> None:
    """Refuse what would not fit: all sets of 2 to m + 1 items within records are counted."""
    products = 0
    for record in records:
        for size in range(2, min(most + 1, len(record)) + 1):
            products += comb(len(record), size)
            if products > MOST_PRODUCTS:
                raise InvalidPlan(
                    f"The optimum is for small data: records hold more than {MOST_PRODUCTS:,} "
                    "sets of items.",
                    "Take fewer or shorter records, or bound what an attacker knows.",
                )


def _owned(records: Sequence[Sequence[int]], most: int) -> Iterator[tuple[Known, list[int]]]:
    """Each set that an attacker may know, and its original owners."""
    owners: dict[Known, list[int]] = {}
    for number, record in enumerate(records):
        for size in range(1, min(most, len(record)) + 1):
            for known in combinations(record, size):
                owners.setdefault(known, []).append(number)
    yield from sorted(owners.items())


def _solver_module() -> Any:
    with needs("risk"):
        from ortools.sat.python import cp_model
    return cp_model


class _Program:
    """The variables and rules of one data set."""

    def __init__(self, cp: Any, records: Sequence[Sequence[int]]) -> None:
        self._cp = cp
        self._model = cp.CpModel()
        self._records = records
        self._kept: dict[tuple[int, Known], Any] = {
            (number, (item,)): self._model.new_bool_var("")
            for number, record in enumerate(records)
            for item in record
        }

    def forbid(self, known: Known, item: int, owners: Sequence[int], rho: Fraction) -> None:
        """The rule known → item has no confidence above ρ."""
        both = tuple(sorted((*known, item)))
        holding = [self._keeps(u, both) for u in owners if item in self._records[u]]
        support = [self._keeps(u, known) for u in owners]
        total = self._cp.LinearExpr.sum
        self._model.add(rho.denominator * total(holding) <= rho.numerator * total(support))

    def _keeps(self, record: int, items: Known) -> Any:
        """The product: whether the record keeps all of these items."""
        key = (record, items)
        if key not in self._kept:
            product = self._model.new_bool_var("")
            factors = [self._kept[record, (item,)] for item in items]
            for factor in factors:
                self._model.add_implication(product, factor)
            self._model.add_bool_or([product, *(factor.negated() for factor in factors)])
            self._kept[key] = product
        return self._kept[key]

    def begin_from(self, original: Baskets, kept: Flags) -> None:
        """Hint at a release: the solver starts from it and need not look for a first one."""
        users = np.repeat(np.arange(original.records), original.lengths)[kept].tolist()
        held = set(zip(users, original.items[kept].tolist(), strict=True))
        for (record, items), variable in self._kept.items():
            self._model.add_hint(variable, all((record, item) in held for item in items))

    def solve(self, original: Baskets, seconds: float) -> Optimum:
        cp, places = self._cp, len(original.items)
        singles = [self._kept[key] for key in self._kept if len(key[1]) == 1]
        self._model.maximize(cp.LinearExpr.sum(singles))
        solver = cp.CpSolver()
        solver.parameters.max_time_in_seconds = max(seconds, 0.01)
        # One worker gives the same answer each time.
        solver.parameters.num_workers = 1
        status = solver.solve(self._model)
        if status not in (cp.OPTIMAL, cp.FEASIBLE):
            # Suppressing all is always safe, should the time not suffice for anything better.
            return Optimum(np.zeros(places, np.bool_), places, 0, is_proved=False)
        kept = self._mask(original, solver)
        least = places - floor(solver.best_objective_bound + 1e-6)
        return Optimum(kept, places - int(kept.sum()), least, is_proved=status == cp.OPTIMAL)

    def _mask(self, original: Baskets, solver: Any) -> Flags:
        users = np.repeat(np.arange(original.records), original.lengths).tolist()
        keys = zip(users, original.items.tolist(), strict=True)
        return np.array([solver.boolean_value(self._kept[u, (i,)]) for u, i in keys], np.bool_)

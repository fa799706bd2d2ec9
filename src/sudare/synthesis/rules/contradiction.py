"""The smallest set of rules that no record can keep together.

Claim    `smallest_contradiction` returns (S, True) with |S| minimal among all sets of rules that
         no record keeps, or (S, False) where that search was too large: then S
         contradicts itself, rules are left out of it one by one as long as the solver sees
         within NODES that the rest still does, but a smaller set may exist.
Source   Ignatiev, Previti, Liffiton, Marques-Silva 2015, "Smallest MUS extraction with minimal
         hitting set dualization". Whatever a record breaks must be hit by every contradicting
         set; a smallest set that hits all that is known so far is either contradicting, and then
         smallest, or gives a record that breaks something new.
Needs    that the rules together do contradict each other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress

import numpy as np

from sudare.facts.extras import needs
from sudare.synthesis.rules.program import Program, Undecided

# Each round is two programs, of a few milliseconds for the rules that people write. The limits
# count steps, not seconds, so that the same schema is always refused in the same words.
ROUNDS = 60
NODES = 20

Only = Mapping[str, Collection[int]]


def smallest_contradiction(
    program: Program, count: int, rounds: int = ROUNDS
) -> tuple[tuple[int, ...], bool]:
    """Numbers of rules, ascending, and whether no smaller set contradicts itself."""
    smallest = searched(program, count, None, rounds)
    if smallest is not None:
        return smallest, True
    return _without_surplus(program, frozenset(range(count))), False


def searched(
    program: Program, count: int, only: Only | None, rounds: int
) -> tuple[int, ...] | None:
    """A smallest set of rules that no record within `only` keeps; None where the search is too
    large."""
    every = frozenset(range(count))
    to_hit: list[frozenset[int]] = []
    for _ in range(rounds):
        chosen = _smallest_hitting(to_hit, count)
        try:
            record = program.record(chosen, every - chosen, only, NODES)
        except Undecided:
            return None
        if record is None:
            return tuple(sorted(chosen))
        to_hit.append(every - program.kept(record))
    return None


def _smallest_hitting(sets: list[frozenset[int]], count: int) -> frozenset[int]:
    """A smallest set that meets each of `sets`."""
    with needs("synthesis"):
        from scipy.optimize import LinearConstraint, milp

    if not sets:
        return frozenset()
    meets = np.array([[float(rule in each) for rule in range(count)] for each in sets])
    found = milp(
        np.ones(count),
        integrality=np.ones(count),
        bounds=(0, 1),
        constraints=LinearConstraint(meets, 1, np.inf),
    )
    if found.x is None:
        raise RuntimeError(f"the solver gave up with status {found.status}")
    return frozenset(np.flatnonzero(found.x > 0.5).tolist())


def _without_surplus(program: Program, every: frozenset[int]) -> tuple[int, ...]:
    """Leave out one rule after the other, as long as the rest still contradicts itself."""
    needed = set(every)
    for rule in sorted(every):
        with suppress(Undecided):
            if program.record(needed - {rule}, nodes=NODES) is None:
                needed.discard(rule)
    return tuple(sorted(needed))

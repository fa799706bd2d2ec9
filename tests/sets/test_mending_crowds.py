"""A step against an inference takes from crowds what mending.py takes from records."""

from __future__ import annotations

import numpy as np
import pytest

from sets.brute import HALF, KINDS, NOBODY, RHOS, begin, held, random_case, support
from sudare.sets.crowds import gathered, spread
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule, mend
from sudare.sets.mending_crowds import mend_crowds
from support.attackers import Case

On = tuple[Layout, State, Rule]


def counted(case: Case, known: list[int]) -> tuple[list[int], np.ndarray]:
    holding = [u for u, record in enumerate(case.original) if record >= set(known)]
    counts = [sum(i in case.original[u] for u in holding) for i in range(case.items)]
    return holding, np.array(counts, np.int64)


def from_records(case: Case, on: On, known: list[int], inferred: list[int]) -> Case:
    holding, counts = counted(case, known)
    mend(
        *on,
        np.array(known, np.int32),
        len(known),
        np.array(holding, np.int32),
        len(holding),
        counts,
        np.array(inferred, np.int32),
        len(inferred),
        np.zeros(len(case.original), np.uint8),
    )
    return held(case, on[0], on[1])


def from_crowds(case: Case, on: On, known: list[int], inferred: list[int]) -> Case:
    layout, state, rule = on
    crowds = gathered(layout, state, rule.lot)
    holding, counts = counted(case, known)
    stretch = [crowds.held[at : at + n] for at, n in zip(crowds.at, crowds.size, strict=True)]
    those = [c for c in range(int(crowds.used[0])) if set(stretch[c]) >= set(known)]
    crowds, cost = mend_crowds(
        *on,
        crowds,
        np.array(known, np.int32),
        len(known),
        np.array(those, np.int32),
        len(those),
        len(holding),
        counts,
        np.array(inferred, np.int32),
        len(inferred),
    )
    spread(layout, state, crowds)
    left = held(case, layout, state)
    assert cost == sum(map(len, case.original)) - sum(map(len, left.released))
    return left


def gone(case: Case) -> list[int]:
    pairs = zip(case.original, case.released, strict=True)
    return sorted(i for first, now in pairs for i in first - now)


def unsafe(case: Case, known: list[int], rho: float) -> list[int]:
    minded = case.everyone.union(*case.called) - set(known)
    whole = support(case, *known)
    return [e for e in sorted(minded) if support(case, *known, e) > rho * whole]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rho", RHOS[:3])
@pytest.mark.parametrize("by_lot", [False, True])
def test_the_same_items_go_as_often(kind: str, rho: float, by_lot: bool) -> None:
    steps = 0
    for seed in range(10):
        case = random_case(seed, 60, 5, kind)
        for known in ([1], [2, 3], [1, 4]):
            inferred = unsafe(case, known, rho)
            if not inferred:
                continue
            one = from_records(case, begin(case, rho, by_lot=by_lot), known, inferred)
            other = from_crowds(case, begin(case, rho, by_lot=by_lot), known, inferred)
            assert gone(one) == gone(other)
            lengths = [
                sorted(len(f) for f, n in zip(c.original, c.released, strict=True) if n < f)
                for c in (one, other)
            ]
            assert by_lot or lengths[0] == lengths[1]
            steps += 1
    assert steps > 5


def test_the_longest_crowd_loses_first_and_then_the_next() -> None:
    rows = tuple(map(frozenset, [[0, 1]] * 3 + [[0, 1, 2]] * 2 + [[0]]))
    case = Case(rows, rows, (NOBODY,) * 6, frozenset({1}))
    left = from_crowds(case, begin(case, HALF), [0], [1])
    # Of six that hold 0, three may hold 1: two of the five go, from the longer records.
    assert left.released[3:5] == (frozenset({0, 2}),) * 2
    assert left.released[:3] == rows[:3]


def test_by_lot_every_record_of_a_crowd_can_lose() -> None:
    rows = (frozenset({0, 1}),) * 4
    case = Case(rows, rows, (NOBODY,) * 4, frozenset({1}))
    losers = set()
    for seed in range(40):
        left = from_crowds(case, begin(case, HALF, str(seed), by_lot=True), [0], [1])
        losers |= {u for u, record in enumerate(left.released) if record != rows[u]}
    assert losers == {0, 1, 2, 3}

"""Baskets and constraints of every kind for the solver's tests, and its releases as brute force
(support/attackers.py) reads them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from sudare.facts.baskets import Baskets, Flags
from sudare.sets.layout import Layout, State, kept_of, lay_out, start
from sudare.sets.mending import Rule
from sudare.sets.suppress import make_rule
from support.attackers import Case, Record, rules
from support.bits import CountedBits

HALF = Fraction(1, 2)
RHOS = [Fraction(1, 3), HALF, Fraction(2, 3), Fraction(9, 10), Fraction(1)]
KNOWLEDGE = [1, 2, 3, None]
KINDS = ("fixed", "personalised", "mixed")
NOBODY: Record = frozenset()
item = st.integers(0, 5)
record = st.frozensets(item, max_size=6)


@st.composite
def cases(draw: st.DrawFn, most: int = 8) -> Case:
    """Up to `most` records of six items; some are empty, and some items are nobody's."""
    original = tuple(draw(st.lists(record, min_size=1, max_size=most)))
    kind = draw(st.sampled_from(KINDS))
    own = st.frozensets(st.integers(0, 6), max_size=4) if kind != "fixed" else st.just(NOBODY)
    called = tuple(draw(own) for _ in original)
    everyone = draw(st.frozensets(item, max_size=3)) if kind != "personalised" else NOBODY
    return Case(original, original, called, everyone)


def random_case(seed: int, records: int, items: int, kind: str) -> Case:
    """The same kinds, larger than hypothesis makes them."""
    draws = np.random.default_rng(seed)
    share = draws.uniform(0.1, 0.7, items)
    # The first item is sensitive wherever some are so to everyone; it is held by many.
    share[0] = 0.6

    def some(rows: int, chance: float | np.ndarray) -> tuple[Record, ...]:
        hits = draws.random((rows, items)) < chance
        return tuple(frozenset(np.flatnonzero(row).tolist()) for row in hits)

    original = some(records, share)
    called = some(records, 0.3 if kind == "personalised" else 0.1)
    if kind == "fixed":
        called = (NOBODY,) * records
    everyone = NOBODY if kind == "personalised" else some(1, 0.3)[0] | {0}
    return Case(original, original, called, everyone)


def after(case: Case, kept: Flags) -> Case:
    """The case with the release that the mask leaves."""
    return with_released(case, case.baskets(case.original).kept(kept))


def with_released(case: Case, released: Baskets) -> Case:
    bounds = zip(released.starts[:-1], released.starts[1:], strict=True)
    rows = tuple(frozenset(released.items[low:high].tolist()) for low, high in bounds)
    return Case(case.original, rows, case.called, case.everyone)


def begin(
    case: Case, rho: Fraction, label: str = "begin", *, literal: bool = False, by_lot: bool = False
) -> tuple[Layout, State, Rule]:
    """What the compiled functions work on; items keep their codes as ranks."""
    layout = lay_out(case.baskets(case.original), case.sensitive(), np.arange(case.items))
    bits = CountedBits(label)
    return layout, start(layout), make_rule(layout, rho, bits, literal=literal, by_lot=by_lot)


def held(case: Case, layout: Layout, state: State) -> Case:
    """The case with what the records hold now."""
    return after(case, kept_of(layout, state))


def support(case: Case, *known: int) -> int:
    """How many released records hold these items."""
    return sum(record >= set(known) for record in case.released)


def attackers(
    case: Case, rho: Fraction, most: int | None, with_base_rate: bool = False
) -> set[tuple[int, Record]]:
    """Every (u, Q) that succeeds."""
    found = rules(case, most, with_base_rate)
    return {(u, known) for u, known, _, both, whole in found if Fraction(both, whole) > rho}

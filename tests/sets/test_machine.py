"""Machine code and Python give the same, to the last bit, for every model."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sudare.facts.baskets import Baskets, Sensitive
from sudare.facts.item_tree import Hierarchy
from sudare.sets import kept
from sudare.sets.compiled import as_python, chosen_by
from sudare.sets.exposure import expose_roots
from sudare.sets.km.generalization import by_generalization
from sudare.sets.km.suppression import by_suppression
from sudare.sets.layout import lay_out
from sudare.sets.machine import Machine
from sudare.sets.mining.itemsets import frequent
from sudare.sets.mining.rules import top_rules
from sudare.sets.paper import suppress_as_paper
from sudare.sets.sampled import suppress_sampled
from sudare.sets.suppress import suppress
from sudare.sets.verify.attackers import verify
from sudare.sets.verify.km import verify_km
from sudare.sets.verify.sampled import audit_sampled
from support.bits import CountedBits

# Compiling takes a minute where nothing is kept.
pytestmark = pytest.mark.integration
HALF, ODD = Fraction(1, 2), Fraction(123_456_789, 987_654_321)
ITEMS = 30


def made(records: int, longest: int) -> tuple[Baskets, Sensitive]:
    """Records of which many are alike and some long; some items are sensitive to all, some to
    those who hold them."""
    draw = np.random.default_rng(records)
    rows = []
    for record in range(records):
        length = longest if record % 40 == 0 else 1 + int(draw.geometric(0.3)) % 8
        shares = 1 / (2 + np.arange(ITEMS)) / (1 / (2 + np.arange(ITEMS))).sum()
        rows.append(draw.choice(ITEMS, min(length, ITEMS), replace=False, p=shares))
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    everyone = np.arange(ITEMS) % 7 == 3
    own = [np.sort(row[:1])[~everyone[row[:1]]] for row in rows]
    own_at = np.concatenate([[0], np.cumsum([len(row) for row in own])]).astype(np.int64)
    names = tuple(f"i{code}" for code in range(ITEMS))
    return (
        Baskets(starts, np.concatenate(rows).astype(np.int32), names),
        Sensitive(everyone, own_at, np.concatenate(own).astype(np.int32)),
    )


def tree() -> Hierarchy:
    names = (*(f"i{code}" for code in range(ITEMS)), *(f"g{group}" for group in range(5)), "all")
    parents = [ITEMS + code // 6 for code in range(ITEMS)] + [ITEMS + 5] * 5 + [-1]
    return Hierarchy(names, np.array(parents, np.int32))


def suppressed(rho: Fraction, records: int, **how: Any) -> object:
    baskets, sensitive = made(records, 14)
    found = suppress(baskets, sensitive, rho, CountedBits("suppress"), **how)
    return found.kept, found.steps, found.walks, found.put_back, found.deepest


def sampled(literal: bool) -> object:
    baskets, sensitive = made(200, 10)
    more: Any = {"max_knowledge": 3, "eps": 0.1, "delta": 0.1, "literal": literal}
    found = suppress_sampled(baskets, sensitive, HALF, CountedBits("sampled"), **more)
    return found.kept, found.steps


def paper() -> object:
    baskets, sensitive = made(150, 6)
    found = suppress_as_paper(baskets, sensitive, HALF, CountedBits("paper"), max_knowledge=3)
    return found.kept, found.steps


def audited() -> object:
    baskets, sensitive = made(200, 10)
    released = baskets.kept(
        suppress(baskets, sensitive, HALF, CountedBits("suppress"), max_knowledge=3).kept
    )
    return audit_sampled(baskets, released, sensitive, HALF, 3, 0.1, 0.1, CountedBits("audit"))


def verified() -> object:
    baskets, sensitive = made(300, 14)
    kept_items = suppress(baskets, sensitive, HALF, CountedBits("suppress")).kept
    return verify(baskets, baskets.kept(kept_items), sensitive, HALF, max_knowledge=None)


def anonymous() -> object:
    baskets, _ = made(300, 10)
    kept_items = by_suppression(baskets, 5, 3, CountedBits("km"))
    return kept_items, verify_km(baskets.kept(kept_items), 5, 3)


def generalized() -> object:
    found = by_generalization(made(300, 10)[0], tree(), 5, 3)
    return found.cut, found.loss, found.baskets.items


def mined() -> object:
    baskets, _ = made(300, 10)
    found = frequent(baskets, 5, 4)
    return top_rules(baskets, Fraction(1, 100), Fraction(3, 10)), found.items, found.supports


def exposed() -> object:
    baskets, sensitive = made(200, 10)
    roots = np.arange(ITEMS, dtype=np.int32)
    return tuple(expose_roots(lay_out(baskets, sensitive), 1, 2, 3, roots))


CASES: dict[str, Callable[[], object]] = {
    "default": lambda: suppressed(HALF, 400),
    "odd ratio": lambda: suppressed(ODD, 200),
    "bounded": lambda: suppressed(HALF, 300, max_knowledge=2, with_base_rate=True),
    "at random": lambda: suppressed(HALF, 300, at_random=True),
    "sampled": lambda: sampled(False),
    "sampled literal": lambda: sampled(True),
    "paper": paper,
    "audit": audited,
    "verify": verified,
    "km": anonymous,
    "hierarchy": generalized,
    "mining": mined,
    "exposure": exposed,
}


@pytest.mark.parametrize("case", CASES)
def test_both_forms_agree(case: str, machine: Machine) -> None:
    with chosen_by(as_python):
        plain = CASES[case]()
    with chosen_by(machine.entry):
        same(CASES[case](), plain)


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine(kept.folder())


def same(one: Any, other: Any) -> None:
    if isinstance(one, tuple):
        assert len(one) == len(other)
        for each, beside in zip(one, other, strict=True):
            same(each, beside)
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()
    else:
        assert one == other

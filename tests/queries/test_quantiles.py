"""The score of a quantile moves by at most its claimed sensitivity, and by as much."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from sudare.queries.quantiles import Quantile
from support.bits import CountedBits
from support.tiny import town


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize("level", ["0.5", "0.1", "0.75"])
@pytest.mark.parametrize("k", [1, 2])
def test_score_sensitivity(relation: str, level: str, k: int) -> None:
    """Scores are linear in the rows, so it is enough to look at the unit's own rows. Aiming
    elsewhere only shifts the signed score, and |·| moves no more than what is inside it."""
    job = compile_question(f"quantile(debt, {level})", town(relation, k))
    assert isinstance(job, Quantile)
    singles = []
    for size in range(k + 1):
        for rows in itertools.combinations_with_replacement(range(job.cells), size):
            counts = np.bincount(np.array(rows, dtype=int), minlength=job.cells)
            scores, unit = job._signed_scores(counts)
            singles.append([score * unit for score in scores.tolist()])
    others = singles[:1] if relation == "add-remove" else singles
    largest = max(
        abs(a - b)
        for one, other in itertools.product(singles, others)
        for a, b in zip(one, other, strict=True)
    )
    claim = job.score_sensitivity
    # The place behind the last one has the whole of every cell before it, so the claim is reached.
    assert largest == claim


def test_a_crowd_at_a_bound_has_a_narrow_interval() -> None:
    """Three of four rows are the least value: its place holds the aims of both ends."""
    job = compile_question("quantile(age, 0.5)", town())
    assert isinstance(job, Quantile)
    cells = np.zeros(job.cells, np.int64)
    cells[0], cells[job.cells // 2] = 15_000, 5_000
    choices = job.choices(Share("laplace", Fraction(1)))
    low, high = job._value(0, 0.0), job._value(0, 1.0)
    for run in range(20):
        place = job._choose(cells, choices, CountedBits(f"crowd {run}"))
        assert (place.value, place.low, place.high) == (low, low, high)


def test_the_parts_add_up_to_the_share() -> None:
    job = compile_question("quantile(age, 0.5)", town())
    events = job.events(Share("laplace", Fraction(3, 10)))
    assert sum(event.epsilon for event in events) == Fraction(3, 10)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("relation", "part"), [("add-remove", Fraction(1, 2)), ("replace-one", Fraction(1, 4))]
)
def test_groups_share_the_budget_only_where_two_can_change(relation: str, part: Fraction) -> None:
    job = compile_question("quantile(age, 0.5) by (sex)", town(relation))
    assert isinstance(job, Quantile)
    share = Share("laplace", Fraction(1))
    assert job.choices(share)[0].epsilon == part
    assert sum(event.epsilon for event in job.events(share)) == 1  # type: ignore[union-attr]


def test_rho_shares_stay_within_rho() -> None:
    job = compile_question("quantile(age, 0.5)", town())
    events = job.events(Share("gaussian", Fraction(1, 100)))
    spent = sum(event.epsilon**2 / 2 for event in events)  # type: ignore[union-attr]
    assert Fraction(99, 10_000) < spent <= Fraction(1, 100)


def test_cells_show_their_values() -> None:
    job = compile_question("quantile(debt, 0.5)", town())
    assert isinstance(job, Quantile)
    assert [job._value(cell, 0.5) for cell in range(9)] == list(range(-5, 4))
    wide = compile_question("quantile(income, 0.5)", town())
    assert isinstance(wide, Quantile)
    assert wide._value(0, 0.0) == 0
    assert wide._value(wide.cells - 1, 1.0) == 10_000_000

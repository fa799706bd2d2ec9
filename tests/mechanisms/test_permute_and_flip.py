"""Permute-and-flip: scripted, against its exact law, and against OpenDP."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import opendp.prelude as dp
import pytest

from sudare.facts.errors import InvalidPlan
from sudare.facts.events import SelectionEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.permute_and_flip import PermuteAndFlip
from support.bits import CountedBits, ScriptedBits, words
from support.goodness import fits, same_law
from support.laws import permute_and_flip_law

ADD_REMOVE = Relation.ADD_REMOVE
YES, NO = 0, 2**32 - 1
SCORES = np.array([7, 10, 4, 9])


def choices(epsilon: str, label: str, size: int, unit: str = "1") -> np.ndarray:
    """Many choices at score sensitivity 1."""
    mechanism = PermuteAndFlip(ADD_REMOVE, Fraction(1), Fraction(epsilon))
    return mechanism.apply_rows(np.tile(SCORES, (size, 1)), Fraction(unit), CountedBits(label))


def exact_law(rate: float) -> dict[int, float]:
    return permute_and_flip_law([math.exp(-rate * float(gap)) for gap in SCORES.max() - SCORES])


def test_the_event_names_the_candidates() -> None:
    mechanism = PermuteAndFlip(ADD_REMOVE, Fraction(1, 2), Fraction(3, 10))
    assert mechanism.event(9) == SelectionEvent(ADD_REMOVE, Fraction(1, 2), 9, Fraction(3, 10))


@pytest.mark.parametrize(
    ("coins", "word", "chosen"),
    [
        ([NO, NO], 0, 1),  # candidates 0 and 2 fail; the best one always stays
        ([YES, NO], 0, 0),
        ([YES, NO], 1, 1),
        ([YES, YES], 2, 2),
        ([YES, YES], 3, 0),
    ],
)
def test_a_uniform_choice_among_the_heads(coins: list[int], word: int, chosen: int) -> None:
    """Gaps of 1, 0, 1: only the coins of weight 1 count, the other 63 rows are for show."""
    script = words(coins[0], NO, coins[1], *[NO] * (63 * 3)) + word.to_bytes(8, "little")
    bits = ScriptedBits(script)
    mechanism = PermuteAndFlip(ADD_REMOVE, Fraction(1), Fraction(1))
    assert mechanism.apply(np.array([4, 5, 4]), Fraction(1), bits) == chosen
    assert bits.left == 0


def test_the_law_of_the_choice() -> None:
    """False-alarm rate 1e-6; an ε 5 % off must be rejected."""
    drawn = choices("0.8", "law", 300_000, unit="1/4")
    rate = 0.8 / 4 / 2
    assert fits(drawn, exact_law(rate))
    for twin in (0.95, 1.05):
        assert not fits(drawn, exact_law(rate * twin))


def test_flipping_in_random_order_is_the_same_mechanism() -> None:
    """The paper's loop, coin by coin, with other random numbers (false-alarm rate 1e-6)."""
    rng = np.random.default_rng(41)
    chances = np.exp(-0.25 * (SCORES.max() - SCORES))
    order = rng.permuted(np.tile(np.arange(4), (200_000, 1)), axis=1)
    heads = rng.random(order.shape) < chances[order]
    paper = order[np.arange(len(order)), heads.argmax(axis=1)]
    ours = choices("0.5", "paper", 200_000)
    assert same_law(ours, paper)
    twin = choices("0.475", "twin", 200_000)
    assert not same_law(twin, paper)


def test_scores_may_span_all_of_int64() -> None:
    mechanism = PermuteAndFlip(ADD_REMOVE, Fraction(1), Fraction(1))
    ends = np.array([-(2**63), 2**63 - 1])
    assert mechanism.apply(ends, Fraction(1), CountedBits("span")) == 1
    flat = Fraction(1, 2**70)
    drawn = [mechanism.apply(ends, flat, CountedBits(f"flat {k}")) for k in range(200)]
    # At so small a unit the gap of 2^64 - 1 is worth e^-0.008, so both ends are chosen.
    assert set(drawn) == {0, 1}


def test_one_candidate_is_chosen_for_sure() -> None:
    mechanism = PermuteAndFlip(ADD_REMOVE, Fraction(1), Fraction(1))
    assert mechanism.apply(np.array([-5]), Fraction(1), CountedBits("one")) == 0


def test_the_work_does_not_depend_on_the_scores() -> None:
    taken = set()
    for scores in ([0, 0, 0], [0, 5, 2**40], [-(2**60), 2**60, 3]):
        bits = CountedBits("work")
        PermuteAndFlip(ADD_REMOVE, Fraction(1), Fraction(1)).apply(
            np.array(scores), Fraction(1), bits
        )
        taken.add(bits.taken)
    assert taken == {3 * 64 * 4 + 8}


@pytest.mark.integration
def test_opendp_draws_from_the_same_law() -> None:
    """OpenDP's own entropy: false-alarm rate 1e-6. An ε 20 % off must be told apart."""
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    theirs = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=4.0)
    size = 40_000
    reference = np.array([theirs(SCORES.tolist()) for _ in range(size)])
    ours = choices("0.5", "oracle", size)
    assert same_law(ours, reference)
    twin = choices("0.4", "wrong", size)
    assert not same_law(twin, reference)


@pytest.mark.parametrize(("sensitivity", "epsilon"), [(0, 1), (1, 0), (-1, 1), (1, -1)])
def test_parameters_must_be_positive(sensitivity: int, epsilon: int) -> None:
    with pytest.raises(InvalidPlan, match="must be positive"):
        PermuteAndFlip(ADD_REMOVE, Fraction(sensitivity), Fraction(epsilon))


def test_candidates_and_unit_must_be_there() -> None:
    mechanism = PermuteAndFlip(ADD_REMOVE, Fraction(1), Fraction(1))
    with pytest.raises(InvalidPlan, match="number of candidates"):
        mechanism.event(0)
    with pytest.raises(InvalidPlan, match="number of candidates"):
        mechanism.apply(np.array([], dtype=np.int64), Fraction(1), ScriptedBits(b""))
    with pytest.raises(InvalidPlan, match="unit"):
        mechanism.apply(SCORES, Fraction(0), ScriptedBits(b""))

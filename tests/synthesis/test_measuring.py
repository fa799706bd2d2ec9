"""What one unit can change in all histograms and tables, by enumeration, against the claim."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from sudare.accounting.compose import plan_cost
from sudare.facts.cost import NANO
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import GaussianEvent, LaplaceEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.synthesis.measuring import Measuring, measuring
from support.bits import CountedBits

RELATIONS = [Relation.ADD_REMOVE, Relation.REPLACE_ONE]


def plan(
    relation: Relation, k: int = 1, epsilon: str = "1", delta: str = "0", columns: int = 2
) -> Measuring:
    pairs = columns * (columns - 1) // 2
    return measuring(columns, pairs, relation, k, Fraction(epsilon), Fraction(delta))


def units(rows: int, k: int) -> np.ndarray:
    """Every unit of up to k rows, each of one of so many kinds: how many of each kind."""
    found = [
        np.bincount(np.array(unit, np.int64), minlength=rows)
        for size in range(k + 1)
        for unit in itertools.combinations_with_replacement(range(rows), size)
    ]
    return np.array(found)


def moved(
    relation: Relation, held: np.ndarray, kinds: np.ndarray, columns: tuple[int, ...], power: int
) -> np.ndarray:
    """By how much every change by one unit moves the table of these columns, in L1 or squared L2;
    the others' rows cancel."""
    _, cell = np.unique(kinds[:, list(columns)], axis=0, return_inverse=True)
    table = held @ np.eye(cell.max() + 1, dtype=np.int64)[cell.ravel()]
    others = np.zeros_like(table[:1]) if relation is Relation.ADD_REMOVE else table
    return (np.abs(table[:, None] - others[None]) ** power).sum(axis=2).ravel()


def changes(given: Measuring, sizes: tuple[int, ...], power: int) -> list[list[int]]:
    """For every change: what moves in all histograms, in all two-way tables, and in those that are
    looked at again, at worst: which they are hangs on the noise."""
    kinds = np.array(list(itertools.product(*(range(size) for size in sizes))))
    held = units(len(kinds), given.rows_per_unit)
    one, two = (
        np.array([
            moved(given.relation, held, kinds, columns, power)
            for columns in itertools.combinations(range(len(sizes)), many)
        ])
        for many in (1, 2)
    )  # fmt: skip
    again = np.sort(two, axis=0)[len(two) - given.chosen :]
    whole = np.array([one.sum(axis=0), two.sum(axis=0), again.sum(axis=0)])
    found: list[list[int]] = np.unique(whole, axis=1).T.tolist()
    return found


def loss(given: Measuring, change: list[int], shrink: Fraction) -> Fraction:
    """The most privacy loss (ε, or ρ) of one change, with noise `shrink` times as wide."""
    total = Fraction(0)
    for moves, share in zip(change, (given.one, given.two, given.again), strict=True):
        mechanism = given._mechanism(share, 4)
        if isinstance(mechanism, DiscreteLaplace):
            total += Fraction(moves) / (mechanism.scale * shrink)
        else:
            assert isinstance(mechanism, DiscreteGaussian)
            total += Fraction(moves) / (2 * (mechanism.sigma * shrink) ** 2)
    return total


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(
    ("sizes", "k", "chosen"),
    [((2, 3), 1, 0), ((2, 3), 2, 0), ((2, 3), 3, 0), ((2,) * 5, 1, 4), ((2,) * 5, 2, 4)],
)
@pytest.mark.parametrize("delta", ["0", "1/1000000"])
def test_no_neighbour_shows_more_than_the_claim(
    relation: Relation, sizes: tuple[int, ...], k: int, chosen: int, delta: str
) -> None:
    """Five columns have ten pairs, enough for a second look at four of them."""
    given = plan(relation, k, "1", delta, len(sizes))
    assert given.chosen == chosen
    claims = [
        event.epsilon if isinstance(event, LaplaceEvent) else event.rho
        for event in given.events()
        if isinstance(event, (LaplaceEvent, GaussianEvent))
    ]
    claim = sum(claims, Fraction(0))
    moves = changes(given, sizes, 1 if delta == "0" else 2)
    worst = max(loss(given, change, Fraction(1)) for change in moves)
    # Attained (σ is rounded up to a grid, by less than a ten thousandth), and never exceeded.
    assert worst <= claim
    assert worst >= claim * Fraction(999, 1000)
    # A twin whose noise is 5 % too narrow breaks the claim.
    assert max(loss(given, change, Fraction(95, 100)) for change in moves) > claim
    # So does one whose second look alone is 5 % too narrow.
    if chosen:
        wide = [loss(given, [one, two, 0], Fraction(1)) for one, two, _ in moves]
        narrow = [loss(given, [0, 0, again], Fraction(95, 100)) for _, _, again in moves]
        assert max(map(sum, zip(wide, narrow, strict=True))) > claim


def test_a_table_of_one_cell_moves_by_k() -> None:
    """Replaced rows stay in the only cell; at most k come or go."""
    given = plan(Relation.REPLACE_ONE, 2)
    one = given._mechanism(given.one, 1)
    assert isinstance(one, DiscreteLaplace)
    assert one.l1_sensitivity == 2
    assert Fraction(2) / one.scale <= given.one


@pytest.mark.parametrize("columns", [1, 2, 5, 15, 42])
@pytest.mark.parametrize("epsilon", ["1/10", "1/3", "1", "7", "10"])
@pytest.mark.parametrize("delta", ["0", "1e-9", "1e-5"])
def test_the_whole_costs_no_more_than_was_asked(columns: int, epsilon: str, delta: str) -> None:
    given = plan(Relation.ADD_REMOVE, 1, epsilon, delta, columns)
    asked = int(Fraction(epsilon) * NANO)
    assert given.cost.epsilon_nano == asked
    assert plan_cost(given.events(), Fraction(delta)).epsilon_nano <= asked
    pairs = columns * (columns - 1) // 2
    assert given.chosen == (0 if pairs < 10 else -(-2 * pairs // 5))
    assert len(given.events()) == columns + pairs + given.chosen
    # And not much less: nothing that was paid for is left unused.
    assert plan_cost(given.events(), Fraction(delta)).epsilon_nano >= 0.999 * asked


def test_noise_facts_are_those_of_the_mechanisms() -> None:
    given = plan(Relation.REPLACE_ONE, 3, "1", columns=3)
    one, two = given.facts()
    assert "discrete Laplace" in one.mechanism
    assert "3 columns" in one.mechanism
    assert (one.sensitivity, two.sensitivity) == ("L1 6", "L1 6")
    assert float(one.scale) == pytest.approx(float(6 / given.one), rel=1e-5)
    assert given.noise_one == pytest.approx(np.sqrt(2) * float(6 / given.one), rel=0.01)
    gaussian = plan(Relation.REPLACE_ONE, 3, "1", "1e-6", columns=3).facts()
    assert gaussian[0].sensitivity == "L2² 18"


def test_noise_is_drawn_in_the_shape_of_the_counts() -> None:
    given = plan(Relation.ADD_REMOVE, 1, "1", columns=2)
    counts = np.full((40, 50), 1_000)
    noisy = given.table(counts, CountedBits("table"))
    assert noisy.shape == counts.shape
    assert noisy.dtype == np.int64
    # The standard deviation of 2,000 draws is within 15 % of the claim (six deviations).
    assert np.std(noisy) == pytest.approx(given.noise_two, rel=0.15)
    assert np.std(given.histogram(counts, CountedBits("h"))) == pytest.approx(
        given.noise_one, rel=0.15
    )


def test_too_little_for_so_many_columns() -> None:
    with pytest.raises(InvalidPlan):
        plan(Relation.ADD_REMOVE, 1, "1/1000000", columns=200)

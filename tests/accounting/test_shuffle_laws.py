"""The laws of mechanisms: what they are, and that they lie above every pair of values."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from accounting.shuffle_oracle import response, several, unary_table
from sudare.accounting.shuffle import laws
from sudare.accounting.shuffle.catalog import NAMES, Mechanism
from sudare.accounting.shuffle.compact import compact
from sudare.accounting.shuffle.law import Law, from_ratios, mixture, power, product


def pair_law(table: np.ndarray, one: int, other: int) -> Law:
    """The exact law of two values under a table P(y | x), with the greatest blanket."""
    least = table.min(axis=0)
    epsilon = math.log((table.max(axis=0) / least).max())
    return Law(table[one], table[other], least, epsilon)


def below(lower: Law, upper: Law) -> bool:
    """lower ≼ upper: E(αu − βv − t)₊ is nowhere greater, for many α, β and every t at a kink."""
    for beta in (0.0, 0.1, 0.5, 0.9, 1.0, 1.1, 2.0, 7.0):
        for a, b in ((1.0, beta), (beta, 1.0)):
            sides = [
                (law.blanket, (a * law.first - b * law.second) / law.blanket)
                for law in (lower, upper)
            ]
            for t in np.concatenate([sides[0][1], sides[1][1], [0.0]]):
                small, large = (
                    float(mass @ np.maximum(value - t, 0.0)) + (1 - mass.sum()) * max(0.0, -t)
                    for mass, value in sides
                )
                if small > large + 1e-9 * (1 + abs(t)):
                    return False
    return True


EVERY = [Mechanism(name, 7) for name in NAMES if name != "any"]


@pytest.mark.parametrize("mechanism", EVERY, ids=lambda m: m.name)
@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 5.0, 20.0])
def test_a_law_is_one(mechanism: Mechanism, epsilon: float) -> None:
    for attributes in (1, 3):
        law = mechanism.law(epsilon, attributes)
        assert law is not None
        assert law.first.sum() == pytest.approx(1, abs=1e-9)
        assert law.second.sum() == pytest.approx(1, abs=1e-9)
        assert law.epsilon == pytest.approx(epsilon)
        assert math.exp(-epsilon) * 0.999 <= law.gamma <= 1
        ratio = np.log(law.first / law.second)
        assert ratio.max() == pytest.approx(epsilon, rel=1e-6)
        assert ratio.min() == pytest.approx(-epsilon, rel=1e-6)
        # No class is rarer for a person with either value than for the blanket.
        assert (law.first >= law.blanket * (1 - 1e-9)).all()
        assert (law.second >= law.blanket * (1 - 1e-9)).all()


def test_blankets_by_hand() -> None:
    e = math.e
    assert laws.two_point(1.0).gamma == pytest.approx(2 / (e + 1))
    assert laws.grr(1.0, 5).gamma == pytest.approx(5 / (e + 4))
    assert laws.piecewise(1.0).gamma == pytest.approx(math.exp(-0.5))
    assert laws.laplace(1.0).gamma == pytest.approx(math.exp(-0.5))
    assert laws.olh(1.0).gamma == pytest.approx(4 / (e + 3))
    assert laws.pram(0.5, 3).gamma == pytest.approx(0.5)
    # Square wave at ε = 1: b = (1 − 1 + 1/e)/(2(e − 2)), low density 1/(2be + 1).
    half = (1 / e) / (2 * (e - 2))
    assert laws.square_wave(1.0).gamma == pytest.approx((2 * half + 1) / (2 * half * e + 1))
    assert laws.square_wave(1e-3).gamma == pytest.approx(laws.square_wave(0.99e-3).gamma, abs=1e-5)
    # OUE: Σ_y min_x P(y | x), summed over all patterns.
    table = unary_table(4, 0.5, 1 / (e + 1))
    assert laws.oue(1.0, 4).gamma == pytest.approx(table.min(axis=0).sum())
    keep = 1 / (1 + math.exp(-0.5))
    hot = unary_table(4, keep, 1 - keep)
    assert laws.one_hot(1.0, 4).gamma == pytest.approx(hot.min(axis=0).sum())


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_every_pair_of_a_table_lies_below_its_corner(epsilon: float) -> None:
    rng = np.random.default_rng(11)
    for _ in range(10):
        raw = rng.uniform(math.exp(-epsilon), 1, size=(4, 6))
        table = raw / raw.sum(axis=1, keepdims=True)
        above = laws.from_table(table)
        for one, other in itertools.product(range(4), repeat=2):
            assert below(pair_law(table, one, other), above)


def test_every_pair_of_unary_codes_lies_below_their_law() -> None:
    for keep, law in ((0.5, laws.oue(1.5, 4)), (0.75, laws.unary(1.5, 4, 0.75))):
        q = keep / (keep + (1 - keep) * math.exp(1.5))
        table = unary_table(4, keep, q)
        for one, other in itertools.product(range(4), repeat=2):
            assert below(pair_law(table, one, other), law)
        assert below(law, laws.corner(1.5, law.gamma))


def laplace_table(epsilon: float, steps: int) -> np.ndarray:
    """Geometric noise on 0 … steps, reports outside counted at the ends."""
    r = math.exp(-epsilon / steps)
    place = np.arange(steps + 1)
    table = (1 - r) / (1 + r) * r ** np.abs(place[:, None] - place)
    table[:, 0] = r**place / (1 + r)
    table[:, -1] = r ** (steps - place) / (1 + r)
    return table


@pytest.mark.parametrize("steps", [1, 4, 7])
@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_the_ends_are_the_worst_pair_of_laplace(steps: int, epsilon: float) -> None:
    table = laplace_table(epsilon, steps)
    assert table.sum(axis=1) == pytest.approx(np.ones(steps + 1))
    ends = pair_law(table, 0, steps)
    for one, other in itertools.product(range(steps + 1), repeat=2):
        assert below(pair_law(table, one, other), ends)
    assert below(ends, laws.grid_laplace(epsilon, steps))
    assert laws.grid_laplace(epsilon, steps).gamma == pytest.approx(table.min(axis=0).sum())
    # Between places, a mixture of neighbours (random rounding) is no worse in the bound; and a
    # fine grid is the continuous law.
    assert laws.grid_laplace(epsilon, 2**16).blanket == pytest.approx(
        laws.laplace(epsilon).blanket, rel=1e-3
    )


def test_the_order_is_not_idle() -> None:
    assert not below(laws.two_point(1.0), laws.two_point(0.9))
    assert not below(laws.corner(1.0, 0.7), laws.corner(1.0, 0.8))
    assert not below(laws.laplace(1.0, 1), laws.laplace(1.0))
    assert below(laws.laplace(1.0), laws.laplace(1.0, 1))


def test_pairs_that_agree_in_an_attribute_lie_below() -> None:
    """Products: all pairs of two attributes' values against the product of the laws."""
    for table, law in (
        (response(0.8, 2), laws.two_point(0.8)),
        (response(0.8, 3), laws.grr(0.8, 3)),
        (unary_table(2, 0.5, 1 / (math.exp(0.8) + 1)), laws.oue(0.8, 2)),
    ):
        both = several(table, 2)
        squared = power(law, 2)
        for one, other in itertools.product(range(len(both)), repeat=2):
            assert below(pair_law(both, one, other), squared)


def test_products_powers_and_mixtures_by_hand() -> None:
    one, other = laws.two_point(0.5), laws.grr(1.0, 3)
    both = product([one, other])
    assert both.epsilon == pytest.approx(1.5)
    assert both.gamma == pytest.approx(one.gamma * other.gamma)
    assert both.classes == 6
    assert not both.binary
    cubed, threefold = power(other, 3), product([other] * 3)
    assert cubed.classes == threefold.classes == 10
    assert np.sort(cubed.blanket) == pytest.approx(np.sort(threefold.blanket))
    # Two of three attributes: whichever they are, the same law.
    choice = mixture([(1 / 3, power(other, 2))] * 3)
    assert choice.classes == power(other, 2).classes
    assert choice.gamma == pytest.approx(power(other, 2).gamma)
    mixed = mixture([(0.3, one), (0.7, other)])
    assert mixed.gamma == pytest.approx(0.3 * one.gamma + 0.7 * other.gamma)
    assert mixed.epsilon == 1.0
    assert mixture([(1.0, one), (0.0, other)]) is one


def test_shortened_lists_lie_above() -> None:
    rng = np.random.default_rng(3)
    size = 400
    u, v = np.exp(rng.uniform(0, 2, size)), np.exp(rng.uniform(0, 2, size))
    masses = rng.dirichlet(np.ones(size))
    # One class more on each side makes both probabilities sum to one.
    scale = min(0.5 / (masses @ u), 0.5 / (masses @ v))
    masses = masses * scale
    left, right = 1 - masses @ u, 1 - masses @ v
    rest = 0.2
    law = from_ratios(
        np.append(masses, rest), np.append(u, left / rest), np.append(v, right / rest), 5
    )
    short = compact(law, 150)
    assert short.classes <= 170 < law.classes
    assert short.first.sum() == pytest.approx(1, abs=1e-9)
    assert short.gamma == pytest.approx(law.gamma)
    assert below(law, short)
    assert not below(short, law)


def test_a_law_must_add_up() -> None:
    half = np.array([0.5, 0.5])
    with pytest.raises(ValueError, match="sum to one"):
        Law(half, np.array([0.5, 0.4]), half / 2, 1.0)
    with pytest.raises(ValueError, match="positive mass"):
        Law(half, half, np.array([0.5, 0.0]), 1.0)
    with pytest.raises(ValueError, match="γ"):
        laws.corner(1.0, 0.3)
    with pytest.raises(ValueError, match="weights"):
        mixture([(0.5, laws.two_point(1.0))])
    with pytest.raises(ValueError, match="impossible"):
        laws.from_table(np.array([[1.0, 0.0], [0.5, 0.5]]))


def test_no_corner_exceeds_one_bit() -> None:
    """The observation of docs/decisions/0011: whatever γ is, G = u − e^ε·v of the corner law is
    below that of one bit in convex order."""
    for epsilon0, share in itertools.product((0.2, 1.0, 4.0), (0.01, 0.3, 0.9)):
        grown = math.exp(share * epsilon0)
        bit = laws.two_point(epsilon0)
        for gamma in np.linspace(math.exp(-epsilon0) * 1.0001, 1 - 1e-6, 12):
            corner = laws.corner(epsilon0, float(gamma))
            sides = [(law.blanket, (law.first - grown * law.second) / law.blanket)
                     for law in (corner, bit)]  # fmt: skip
            for t in np.concatenate([sides[0][1], sides[1][1], [0.0]]):
                small, large = (
                    float(mass @ np.maximum(value - t, 0.0)) + (1 - mass.sum()) * max(0.0, -t)
                    for mass, value in sides
                )
                assert small <= large + 1e-9 * (1 + abs(t))

"""The blanket's bound against what shuffling really does, and against published values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from mpmath import mp

from accounting.shuffle_oracle import mean_excess, response, several, true_delta, unary_table
from sudare.accounting.shuffle import blanket, laws
from sudare.accounting.shuffle.law import Law, power


@pytest.mark.parametrize(("n", "shown"), [(10**4, 0.0748), (10**5, 0.0227), (10**6, 0.0069)])
def test_algorithm_3_on_six_attributes(n: int, shown: float) -> None:
    """ε₀ = 2 in total, δ = 1e-10."""
    found = blanket.epsilon_of(power(laws.two_point(2 / 6), 6), n, 1e-10)
    assert found == pytest.approx(shown, rel=4e-3)


def never_below(law: Law, table: np.ndarray, n: int) -> list[float]:
    """Bound over truth at some ε; the bound is above for all values of everybody."""
    ratios = []
    for share in (0.0, 0.2, 0.6):
        true = true_delta(table, n, share * law.epsilon)
        found = blanket.delta_of(law, n, share * law.epsilon)
        assert found >= true * (1 - 1e-12)
        ratios.append(found / true)
    return ratios


@pytest.mark.parametrize("n", [1, 2, 4, 6])
@pytest.mark.parametrize("epsilon", [0.3, 1.5])
def test_randomised_response_of_three_values(n: int, epsilon: float) -> None:
    never_below(laws.grr(epsilon, 3), response(epsilon, 3), n)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_one_bit(n: int) -> None:
    never_below(laws.two_point(1.0), response(1.0, 2), n)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_two_bits(n: int) -> None:
    """All four combinations of values, the pairs that agree in one attribute among them."""
    never_below(power(laws.two_point(0.7), 2), several(response(0.7, 2), 2), n)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_unary_codes(n: int) -> None:
    e = math.exp(1.2)
    never_below(laws.oue(1.2, 3), unary_table(3, 0.5, 1 / (e + 1)), n)
    keep = 1 / (1 + math.exp(-0.6))
    never_below(laws.one_hot(1.2, 3), unary_table(3, keep, 1 - keep), n)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_any_table(n: int) -> None:
    """Arbitrary mechanisms of three values and three outcomes: the corner law holds for each."""
    rng = np.random.default_rng(5)
    for _ in range(15):
        table = rng.dirichlet(np.full(3, 4.0), size=3) * 0.9 + 0.1 / 3
        never_below(laws.from_table(table), table, n)


@pytest.mark.parametrize("n", [2, 9, 30])
def test_the_bound_is_computed_closely(n: int) -> None:
    """Against the expectation over all draws: never below, and no 5 % below goes unnoticed."""
    law = laws.grr(1.5, 4)
    for epsilon in (0.1, 0.6):
        values = (law.first - math.exp(epsilon) * law.second) / law.blanket
        true = mean_excess(n, values.tolist(), law.blanket.tolist()) / n
        found = blanket.delta_of(law, n, epsilon)
        assert true <= found <= 1.03 * true
    least = blanket.epsilon_of(law, n, 1e-3)
    assert blanket.delta_of(law, n, least) <= 1e-3 < blanket.delta_of(law, n, 0.99 * least)


def test_more_people_hide_better_and_more_epsilon_worse() -> None:
    law = laws.piecewise(1.0)
    by_n = [blanket.epsilon_of(law, n, 1e-8) for n in (10, 100, 10**4, 10**6, 10**9)]
    assert by_n == sorted(by_n, reverse=True)
    by_delta = [blanket.epsilon_of(law, 10**5, delta) for delta in (1e-15, 1e-10, 1e-5, 1e-2)]
    assert by_delta == sorted(by_delta, reverse=True)
    by_epsilon = [blanket.epsilon_of(laws.oue(e, 5), 10**5, 1e-8) for e in (0.1, 0.5, 1, 3, 6)]
    assert by_epsilon == sorted(by_epsilon)


def test_both_directions_count() -> None:
    """A law that is not symmetric: p₀ is far above the blanket somewhere, p₁ nowhere."""
    skew = Law(
        np.array([0.2, 0.8]), np.array([0.05, 0.95]), np.array([0.04, 0.7]), epsilon=math.log(4)
    )
    here, there = blanket.delta_of(skew, 500, 0.05), blanket.delta_of(skew.swapped(), 500, 0.05)
    assert here == there
    values = (skew.first - math.exp(0.05) * skew.second) / skew.blanket
    back = (skew.second - math.exp(0.05) * skew.first) / skew.blanket
    each = [mean_excess(40, v.tolist(), skew.blanket.tolist()) / 40 for v in (values, back)]
    assert blanket.delta_of(skew, 40, 0.05) >= max(each)
    assert each[0] != pytest.approx(each[1], rel=0.01)


@pytest.mark.parametrize("law", [laws.two_point(2.0), laws.grr(1.0, 5)], ids=["one bit", "grr"])
def test_a_thousand_million_people_in_forty_digits(law: Law) -> None:
    """The same expectation as an integral of mpmath's, at δ near 1e-10."""
    n = 10**9
    epsilon = blanket.epsilon_of(law, n, 1e-10)
    with mp.workdps(40):
        grown = mp.exp(mp.mpf(epsilon))
        masses = [mp.mpf(float(b)) for b in law.blanket]
        values = [
            (mp.mpf(float(a)) - grown * mp.mpf(float(c))) / b
            for a, c, b in zip(law.first, law.second, masses, strict=True)
        ]
        spread = mp.sqrt(n * mp.fsum(b * g**2 for b, g in zip(masses, values, strict=True)))
        tilt = 6 / spread

        def integrand(s: Any) -> Any:
            z = tilt + 1j * s
            terms = (b * mp.expm1(z * g) for b, g in zip(masses, values, strict=True))
            return ((1 + mp.fsum(terms)) ** n / z**2).real

        marks = [k / spread for k in (0, 2, 5, 10, 20, 40)]
        true = float(mp.quad(integrand, marks) / mp.pi / n)
    assert 0.995e-10 < true <= blanket.delta_of(law, n, epsilon) <= 1e-10

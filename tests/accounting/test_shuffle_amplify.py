"""All bounds together: the tightest, the edges, the way back, the groups."""

from __future__ import annotations

import itertools
import math

import pytest

from sudare.accounting.shuffle import laws
from sudare.accounting.shuffle.amplify import amplified, largest_epsilon0
from sudare.accounting.shuffle.catalog import Mechanism
from sudare.accounting.shuffle.groups import Group, account, largest_each, visible_groups
from sudare.accounting.shuffle.law import mixture, power, product

TWO_POINT = Mechanism("two-point")


def test_the_tightest_of_all() -> None:
    found = amplified(10**6, 2.0, 1e-10, laws.two_point(2.0))
    assert found.theorem4 == pytest.approx(0.0787, abs=6e-5)
    assert found.clones == pytest.approx(0.0213, abs=6e-5)
    assert found.blanket == pytest.approx(0.0119, abs=6e-5)
    assert found.epsilon == found.blanket
    assert found.reasons == {}


def test_without_a_law_the_clones_are_left() -> None:
    found = amplified(10**5, 2.0, 1e-10)
    assert found.blanket is None
    assert found.reasons == {"blanket": "unknown"}
    assert found.epsilon == found.clones


def test_outside_the_condition() -> None:
    found = amplified(1000, 4.0, 1e-10, laws.two_point(4.0))
    assert found.theorem4 is None
    assert found.reasons["theorem4"] == "condition"
    assert 3.99 <= found.epsilon <= 4.0


def test_no_delta_no_amplification() -> None:
    found = amplified(10**6, 1.5, 0.0, laws.two_point(1.5))
    assert found.epsilon == 1.5
    assert found.reasons["theorem4"] == "delta"


def test_a_local_delta_leaves_the_theorem() -> None:
    found = amplified(10**6, 2.0, 1e-8, laws.two_point(2.0), delta0=1e-16)
    assert found.epsilon == found.theorem4
    assert found.reasons == {"clones": "delta0", "blanket": "delta0"}
    assert amplified(10**6, 2.0, 1e-8, delta0=1e-9).epsilon == 2.0


@pytest.mark.parametrize("n", [1, 2, 10, 10**9, 10**14])
@pytest.mark.parametrize("epsilon0", [1e-6, 0.7, 20.0, 250.0])
def test_never_above_the_local_guarantee_and_never_a_crash(n: int, epsilon0: float) -> None:
    for delta, attributes in itertools.product((0.0, 1e-15, 1e-3), (1, 4)):
        law = TWO_POINT.law(epsilon0, attributes)
        found = amplified(n, epsilon0, delta, law)
        assert 0 <= found.epsilon <= epsilon0
        assert found.epsilon > 0 or delta > 0
        if n == 1 and delta < 1e-3:
            assert found.epsilon >= epsilon0 * 0.99 - 2 * delta


def test_one_person_alone_has_the_local_curve() -> None:
    """δ(ε) of one bit is (e^ε₀ − e^ε)/(e^ε₀ + 1)."""
    delta = 0.1
    true = math.log(math.exp(1.0) - delta * (math.exp(1.0) + 1))
    found = amplified(1, 1.0, delta, laws.two_point(1.0))
    assert found.epsilon == pytest.approx(true, rel=2e-5)
    assert found.epsilon >= true


def test_more_of_anything_moves_the_right_way() -> None:
    def at(n: int, epsilon0: float, delta: float) -> float:
        return amplified(n, epsilon0, delta, TWO_POINT.law(epsilon0, 3)).epsilon

    by_n = [at(n, 1.0, 1e-9) for n in (1, 3, 30, 1000, 10**5, 10**7)]
    assert by_n == sorted(by_n, reverse=True)
    by_epsilon = [at(10**4, epsilon0, 1e-9) for epsilon0 in (0.01, 0.1, 1.0, 3.0, 8.0, 20.0)]
    assert by_epsilon == sorted(by_epsilon)
    by_delta = [at(10**4, 1.0, delta) for delta in (1e-15, 1e-9, 1e-4, 0.1)]
    assert by_delta == sorted(by_delta, reverse=True)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("two-point", 0.05), ("two-point", 0.5), ("hybrid", 0.5), ("laplace", 0.2), ("any", 0.1)],
)
def test_there_and_back(name: str, wanted: float) -> None:
    mechanism, n = Mechanism(name), 10**5
    epsilon0 = largest_epsilon0(n, wanted, 1e-10, lambda e: mechanism.law(e, 4))
    assert epsilon0 > wanted
    assert amplified(n, epsilon0, 1e-10, mechanism.law(epsilon0, 4)).epsilon <= wanted
    more = epsilon0 * 1.001
    assert amplified(n, more, 1e-10, mechanism.law(more, 4)).epsilon > wanted


def test_the_way_back_without_delta_is_the_local_guarantee() -> None:
    assert largest_epsilon0(10**6, 0.5, 0.0, laws.two_point) == pytest.approx(0.5)


def test_reports_of_different_attributes() -> None:
    """Several mechanisms, shares of ε and a public choice: always at most the clones."""
    whole = product([laws.two_point(0.5), laws.grr(0.75, 6), laws.laplace(0.5), laws.oue(0.25, 3)])
    found = amplified(10**5, 2.0, 1e-10, whole)
    assert found.blanket is not None
    assert found.clones is not None
    assert found.blanket < 0.5 * found.clones
    # Two of six attributes at ε/2 each cost more than all six at ε/6, less than one at ε.
    one, two, six = (power(laws.piecewise(2 / k), k) for k in (1, 2, 6))
    by_choice = [amplified(10**5, 2.0, 1e-10, law).epsilon for law in (six, two, one)]
    assert by_choice == sorted(by_choice)
    mixed = mixture([(0.5, one), (0.5, six)])
    between = amplified(10**5, 2.0, 1e-10, mixed).epsilon
    assert by_choice[0] < between < by_choice[-1]


def test_a_law_that_costs_more_than_it_says_is_refused() -> None:
    with pytest.raises(ValueError, match="law"):
        amplified(100, 1.0, 1e-6, laws.two_point(1.1))
    for n, epsilon, delta in ((0, 1.0, 0.1), (5, -1.0, 0.1), (5, 1.0, 1.0)):
        with pytest.raises(ValueError, match=r"."):
            amplified(n, epsilon, delta)


def test_groups_hide_among_their_own() -> None:
    groups = visible_groups(20_000, 0, 3000, 4, 2)
    assert groups == (Group("joined", 20_000, 6), Group("b-only", 3000, 2))
    joined, alone = (account(group, TWO_POINT, 1 / 3, 1e-10) for group in groups)
    assert joined == amplified(20_000, 2.0, 1e-10, TWO_POINT.law(2.0, 6))
    assert alone.epsilon0 == pytest.approx(2 / 3)
    # Theorem 4's n = min(n_A, n_B) would have counted 20,000 for everybody.
    assert alone.epsilon > amplified(20_000, 2 / 3, 1e-10, TWO_POINT.law(2 / 3, 2)).epsilon


def test_what_fits_all_groups() -> None:
    groups = visible_groups(20_000, 500, 3000, 3, 3)
    each = largest_each(groups, TWO_POINT, 0.3, 1e-10)
    found = [account(group, TWO_POINT, each, 1e-10).epsilon for group in groups]
    assert max(found) <= 0.3
    assert max(account(group, TWO_POINT, each * 1.01, 1e-10).epsilon for group in groups) > 0.3

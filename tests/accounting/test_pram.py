"""Retention, ε and k against hand values, and against Bayes' rule over all permutations."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations, product

import pytest

from sudare.accounting.pram import (
    by_epsilon,
    by_retention,
    epsilon_for_pk,
    pk,
    record_epsilon,
    shared,
)


def test_by_hand() -> None:
    # ρ = 0.8 of 5 values: 0.84 stay, 0.04 go to each other value, so e^ε = 21.
    kept = by_retention(0.8, 5)
    assert kept.epsilon == pytest.approx(math.log(21))
    assert kept.unchanged == pytest.approx(0.84)
    # ε = ln 2 of 3 values: ρ = 1/4, and 1/2 stays against 1/4 each.
    found = by_epsilon(math.log(2), 3)
    assert found.retention == pytest.approx(1 / 4)
    assert found.unchanged == pytest.approx(1 / 2)
    # Two values are the randomised response of paper 001: (e^ε − 1)/(e^ε + 1).
    assert by_epsilon(3.0, 2).retention == pytest.approx(math.tanh(1.5))
    # e^{−2 ln 21 − 2 ln 9} = 1/35,721, with 1,000 records.
    pair = (by_retention(0.8, 5), by_retention(0.8, 2))
    assert record_epsilon(pair) == pytest.approx(math.log(21 * 9))
    assert pk(record_epsilon(pair), 1000) == pytest.approx(1 + 999 / 35_721)


@pytest.mark.parametrize("values", [2, 3, 50])
@pytest.mark.parametrize("epsilon", [1e-9, 0.5, 4.0, 30.0])
def test_there_and_back(values: int, epsilon: float) -> None:
    there = by_epsilon(epsilon, values)
    # Near ρ = 1 a double holds 1 − ρ to about 1e-16/(1 − ρ).
    slack = 1e-9 + 1e-15 * math.exp(epsilon)
    assert by_retention(there.retention, values).epsilon == pytest.approx(epsilon, abs=slack)
    stays, goes = there.unchanged, (1 - there.retention) / values
    assert stays / goes == pytest.approx(math.exp(epsilon), rel=slack)


def test_a_total_is_shared_and_a_k_is_reached() -> None:
    parts = shared(1.5, (5, 2, 7))
    assert record_epsilon(parts) == pytest.approx(1.5)
    assert {part.epsilon for part in parts} == {0.5}
    assert pk(epsilon_for_pk(10, 1000), 1000) == pytest.approx(10)
    assert pk(0.0, 77) == 77
    assert by_epsilon(1000.0, 5).retention == 1.0


def chances(retention: Fraction, values: int) -> dict[tuple[int, int], Fraction]:
    """P(published | original) of one attribute."""
    spread = (1 - retention) / values
    return {
        (original, published): spread + (retention if original == published else 0)
        for original, published in product(range(values), repeat=2)
    }


def worst_posterior(retentions: list[Fraction], values: list[int], records: int) -> Fraction:
    """The greatest probability, over all tables and all outputs, with which an attacker who knows
    every original record and holds all orders for equally likely names somebody's record."""
    tables = [chances(*pair) for pair in zip(retentions, values, strict=True)]
    domain = list(product(*map(range, values)))
    moved = {
        (a, b): math.prod(table[i, j] for table, i, j in zip(tables, a, b, strict=True))
        for a, b in product(domain, repeat=2)
    }
    orders = list(permutations(range(records)))
    worst = Fraction(0)
    for original in product(domain, repeat=records):
        for published in product(domain, repeat=records):
            odds = [
                math.prod(moved[original[i], published[order[i]]] for i in range(records))
                for order in orders
            ]
            mine = sum(odd for odd, order in zip(odds, orders, strict=True) if order[0] == 0)
            worst = max(worst, mine / sum(odds))
    return worst


@pytest.mark.parametrize(
    ("retentions", "values", "records"),
    [([0.5], [2], 4), ([0.25], [3], 3), ([0.8], [2], 3), ([0.5, 0.2], [2, 2], 2)],
)
def test_k_is_exact(retentions: list[float], values: list[int], records: int) -> None:
    exact = [Fraction(str(retention)) for retention in retentions]
    parts = [by_retention(r, v) for r, v in zip(retentions, values, strict=True)]
    k = pk(record_epsilon(parts), records)
    assert float(1 / worst_posterior(exact, values, records)) == pytest.approx(k, rel=1e-12)

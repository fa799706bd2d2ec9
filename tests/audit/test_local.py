"""One-run audits of the local mechanisms: the bound lies in [0.98 ε, ε], and a 5 % twin is caught.

Rates    the bound is stated with an error of 1e-6, and from so many canaries (a million at least,
         `support/canaries.py`) that it falls below 0.98 ε in less than 1e-6 of all runs. So every
         audit draws fresh bits. At 99 % exactly a million do, up to about one run in seventy at
         ε = 0.5 and in a hundred elsewhere, as `benchmarks/audit_local.py` shows.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sudare.randomness.bits import SystemBits
from support.canaries import NAMES, Look, bound, enough, of_cell, of_mechanism, of_row
from support.tiers import now_only

ERROR = 1e-6
TWIN = Fraction(105, 100)
EPSILONS = [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)]


def audited(look: Look, epsilon: Fraction) -> float:
    claimed = float(epsilon)
    return bound(look, SystemBits(), ERROR, enough(claimed), claimed)


@pytest.mark.parametrize("epsilon", now_only(EPSILONS, Fraction(2)))
@pytest.mark.parametrize("name", NAMES)
def test_the_bound_is_close_and_never_above(name: str, epsilon: Fraction) -> None:
    assert 0.98 * epsilon <= audited(of_mechanism(name, epsilon), epsilon) <= epsilon
    # The twin has 5 % more than it claims.
    assert audited(of_mechanism(name, epsilon * TWIN), epsilon) > epsilon


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(2)])
def test_a_cell_keeps_the_total(epsilon: Fraction) -> None:
    assert 0.98 * epsilon <= audited(of_cell(epsilon), epsilon) <= epsilon
    assert audited(of_cell(epsilon * TWIN), epsilon) > epsilon


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(2)])
@pytest.mark.parametrize("budget", ["split", "sample"])
def test_a_whole_row_keeps_the_total(budget: Any, epsilon: Fraction) -> None:
    assert 0.98 * epsilon <= audited(of_row(budget, epsilon), epsilon) <= epsilon
    assert audited(of_row(budget, epsilon * TWIN), epsilon) > epsilon

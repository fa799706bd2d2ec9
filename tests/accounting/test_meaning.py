"""Table 6 and equation (3) of paper 001."""

from __future__ import annotations

import math

import pytest

from sudare.accounting.meaning import TABLE_6, explain, honest_probability, least_miss_rate


def test_table_6() -> None:
    shown = [round(honest_probability(epsilon) * 100) for epsilon in TABLE_6]
    assert shown == [0, 5, 10, 33, 50, 91, 99, 100]
    # The paper prints 90 % for ε = 3; its formula gives 90.5 %, which rounds to 91 in integers.
    assert honest_probability(3) == pytest.approx(0.905, abs=5e-4)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("alarm", [0.0, 0.01, 0.3, 0.9])
def test_no_attacker_beats_the_bound(epsilon: float, alarm: float) -> None:
    miss = least_miss_rate(epsilon, alarm)
    assert alarm + math.exp(epsilon) * miss >= 1 - 1e-12
    assert math.exp(epsilon) * alarm + miss >= 1 - 1e-12
    tight = [alarm + math.exp(epsilon) * miss, math.exp(epsilon) * alarm + miss]
    assert miss == 0 or min(tight) == pytest.approx(1)


def test_repetition_adds_up() -> None:
    found = explain(0.5)
    assert [n for n, _, _ in found.repeated] == [1, 2, 5, 10, 100]
    assert found.repeated[3][1] == 5.0
    assert found.best_guess == pytest.approx(1 / (1 + math.exp(-0.5)))

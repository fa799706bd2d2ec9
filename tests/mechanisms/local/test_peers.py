"""Our reports read by others, and theirs by us: pure-ldp 1.2.0 and multi-freq-ldpy 0.2.5.

Estimates of one and the same set of reports are compared, so there is no chance in it: both sides
compute the same sums, and our probabilities, whole numbers of words, differ from theirs by less
than 1e-6.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_IBU, GRR_Aggregator_MI
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI

from sudare.local.estimates.bayes import fitted
from sudare.mechanisms.local.hashing import Hashing
from sudare.mechanisms.local.response import Response
from sudare.mechanisms.local.unary import Unary
from support.bits import CountedBits
from support.peers import DEClient, DEServer, LHServer, UEServer

pytestmark = pytest.mark.integration

EPSILONS = [0.5, 1.0, 3.0]
VALUES, PEOPLE = 6, 4000
TRUE = np.repeat(np.arange(VALUES), [1600, 1000, 700, 400, 200, 100])


def server(kind: Any, epsilon: float, reports: Any, **more: Any) -> np.ndarray[Any, Any]:
    found = kind(epsilon, VALUES, index_mapper=lambda x: x, **more)
    for report in reports:
        found.aggregate(report)
    return np.array([found.estimate(label, suppress_warnings=True) for label in range(VALUES)])


def clipped(sums: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    kept = sums.clip(0)
    return kept / kept.sum()


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_randomised_response(epsilon: float) -> None:
    mechanism = Response(Fraction(epsilon), VALUES)
    reports = mechanism.report(TRUE, CountedBits("peers"))
    sums = mechanism.scores(reports).sum(axis=0)
    assert server(DEServer, epsilon, reports) == pytest.approx(sums, rel=1e-4, abs=1e-3)
    assert GRR_Aggregator_MI(reports, VALUES, epsilon) == pytest.approx(clipped(sums), abs=1e-5)
    other = GRR_Aggregator_IBU(reports, VALUES, epsilon)
    counts = np.bincount(reports, minlength=VALUES).astype(float)
    even = np.full((1, VALUES), 1 / VALUES)
    own = fitted(counts[np.newaxis, :] / PEOPLE, mechanism.law(), even)[0]
    assert own == pytest.approx(other, abs=1e-3)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("optimal", [True, False])
def test_unary_codes(epsilon: float, optimal: bool) -> None:
    make = Unary.optimal if optimal else Unary.symmetric
    mechanism = make(Fraction(epsilon), VALUES)
    reports = mechanism.report(TRUE, CountedBits("peers"))
    bits = np.unpackbits(reports, axis=1, count=VALUES).astype(float)
    sums = mechanism.scores(reports).sum(axis=0)
    theirs = server(UEServer, epsilon, bits, use_oue=optimal)
    assert theirs == pytest.approx(sums, rel=1e-4, abs=1e-2)
    assert UE_Aggregator_MI(bits, epsilon, optimal) == pytest.approx(clipped(sums), abs=1e-5)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_hashing_has_their_groups_and_probabilities(epsilon: float) -> None:
    """Hash functions differ, so parameters are compared, and the debiasing of support counts."""
    mechanism = Hashing.optimal(Fraction(epsilon), VALUES)
    theirs = LHServer(epsilon, VALUES, use_olh=True)
    assert mechanism.groups == theirs.g
    assert mechanism.response.shares.chance_near == pytest.approx(theirs.p, rel=1e-6)
    reports = mechanism.report(TRUE, CountedBits("peers"))
    sums = mechanism.scores(reports).sum(axis=0)
    a, b, answer = reports.astype(np.int64).T
    support = [
        int((mechanism._hashed(a, b, np.array(label)) == answer).sum()) for label in range(VALUES)
    ]
    scale = theirs.g / (theirs.p * theirs.g - 1)
    wanted = scale * np.array(support) - PEOPLE / (theirs.p * theirs.g - 1)
    assert sums == pytest.approx(wanted, rel=1e-4, abs=1e-2)


def test_their_reports_have_our_law() -> None:
    """20,000 of pure-ldp's reports of one label; the own label within 6 standard errors of our p.
    At a neighbouring ε they would not be."""
    client, epsilon = DEClient(1.0, VALUES, index_mapper=lambda x: x), Fraction(1)
    kept = np.mean([client.privatise(2) == 2 for _ in range(20_000)])
    p = Response(epsilon, VALUES).shares.chance_near
    error = np.sqrt(p * (1 - p) / 20_000)
    assert abs(kept - p) < 6 * error
    assert abs(kept - Response(epsilon * Fraction(11, 10), VALUES).shares.chance_near) > error

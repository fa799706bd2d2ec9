"""Audit of what sample and aggregate makes of the blocks' answers.

One unit replaces the answer of one block. On all pairs of small vectors of answers that differ so,
the laws are exact: of the choices by permute-and-flip, and of the rounded noise of the smooth
median. No pair may show more than the claim; on the worst pair a twin that is 5 % wrong must show
as much more. The noisy sum of the winsorised mean goes through the harness of thresholds and low
bits, where it is tight: the twin breaks the claim. The false-alarm rate is 1e-6 a test.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.relation import Relation
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.mechanisms.laplace_smooth import LaplaceSmooth
from sudare.queries.blocks_median import Median
from sudare.queries.blocks_places import Choice
from sudare.queries.blocks_smooth import Smooth, laplace_median, student_median
from sudare.queries.blocks_winsorized import Winsorized
from sudare.randomness.bits import RandomBits
from support.audit import audit, in_parts
from support.bits import CountedBits
from support.flips import law

EPSILON = Fraction(2)
TWIN = Fraction(95, 100)
SPAN, BLOCKS, REACH = 3, 5, 3000
RELATION = Relation.ADD_REMOVE
Floats = NDArray[np.float64]
Answers = tuple[int, ...]


def pairs() -> Iterator[tuple[Answers, Answers]]:
    """Sorted answers of which one is replaced."""
    every = list(itertools.combinations_with_replacement(range(SPAN + 1), BLOCKS))
    for one, other in itertools.combinations(every, 2):
        counts = [np.bincount(each, minlength=SPAN + 1) for each in (one, other)]
        if np.abs(counts[0] - counts[1]).sum() == 2:
            yield one, other


def choices(way: Median | Winsorized) -> list[Choice]:
    return [way.choice] if isinstance(way, Median) else list(way.choices)


def chosen(way: Median | Winsorized, answers: Answers, by: Fraction) -> list[Floats]:
    """The laws of all choices, at a score sensitivity that is `by` of the true one."""
    found = []
    for choice in choices(way):
        wrong = replace(choice.mechanism, score_sensitivity=choice.mechanism.score_sensitivity * by)
        unit = Fraction(1, choice.level.denominator)
        found.append(law(choice.scores(np.array(answers)), unit, wrong))
    return found


def loss(one: list[Floats], other: list[Floats]) -> float:
    return float(sum(np.abs(np.log(a) - np.log(b)).max() for a, b in zip(one, other, strict=True)))


@pytest.mark.parametrize("way", [Median, Winsorized])
def test_choices_keep_their_claim_exactly(way: type[Median | Winsorized]) -> None:
    job = way(RELATION, SPAN, BLOCKS, EPSILON)
    claim = float(sum(choice.epsilon for choice in choices(job)))
    assert claim == (2.0 if way is Median else 1.0)
    losses = {(a, b): loss(*(chosen(job, t, Fraction(1)) for t in (a, b))) for a, b in pairs()}
    worst = max(losses, key=lambda pair: losses[pair])
    assert 0.35 * claim < losses[worst] <= claim
    assert loss(*(chosen(job, t, TWIN) for t in worst)) > 1.03 * losses[worst]


def test_the_events_of_every_way_add_up_to_its_share() -> None:
    delta = Fraction(1, 10**6)
    for share in (Fraction(1, 2), Fraction(9, 10)):
        for job in (
            Median(RELATION, SPAN, BLOCKS, share),
            Winsorized(RELATION, SPAN, BLOCKS, share),
            student_median(RELATION, SPAN, BLOCKS, share),
            laplace_median(RELATION, SPAN, BLOCKS, share, delta),
        ):
            spent = sum(event.epsilon for event in job.events())  # type: ignore[union-attr]
            assert spent == share


def rounded(value: int, scale: float, pure: bool) -> Floats:
    """P[value + round(scale·T) = t] for |t| <= REACH; the tails without cancellation."""
    far = (np.abs(np.arange(-REACH, REACH + 1) - value) - 0.5) / scale
    near, beyond = np.maximum(far, 0), far + 1 / scale
    if pure:
        roots = [np.sqrt(2 + y * y) for y in (near, beyond)]
        tails = [2 / (r * (r + y)) for r, y in zip(roots, (near, beyond), strict=True)]
    else:
        tails = [np.exp(-near), np.exp(-beyond)]
    found: Floats = tails[0] - tails[1]
    return np.where(far < 0, found, found / 2)


def scales(job: Smooth) -> dict[Answers, tuple[int, float]]:
    """For all vectors of answers the median and the scale that the way itself would use."""
    found = {}
    for answers in itertools.combinations_with_replacement(range(SPAN + 1), BLOCKS):
        caught: list[tuple[int, float]] = []

        class Spy(type(job.mechanism)):  # type: ignore[misc]
            def apply(
                self,
                value: int,
                bound: Fraction,
                bits: RandomBits,
                to: list[tuple[int, float]] = caught,
            ) -> int:
                to.append((value, float(self.factor * bound)))
                return value

        spied = replace(job, mechanism=Spy(**vars(job.mechanism)))
        spied.release(np.array(answers), CountedBits("unused"))
        found[answers] = caught[0]
        assert caught[0][0] == sorted(answers)[BLOCKS // 2]
    return found


def test_the_smooth_median_keeps_its_claim_exactly() -> None:
    job = student_median(RELATION, SPAN, BLOCKS, EPSILON)
    known = scales(job)
    laws = {t: rounded(*known[t], True) for t in known}
    assert all(abs(each.sum() - 1) < 1e-5 for each in laws.values())
    losses = {(a, b): loss([laws[a]], [laws[b]]) for a, b in pairs()}
    worst = max(losses, key=lambda pair: losses[pair])
    assert 0.4 * float(EPSILON) < losses[worst] <= EPSILON
    grown = max(abs(math.log(known[a][1] / known[b][1])) for a, b in pairs())
    assert 0.9 * float(job.mechanism.decay) < grown <= job.mechanism.decay
    slid = max(losses, key=lambda pair: abs(known[pair[0]][0] - known[pair[1]][0]))
    twins = [rounded(known[t][0], known[t][1] * float(TWIN), True) for t in slid]
    assert loss([twins[0]], [twins[1]]) > 1.02 * losses[slid]


def test_the_smooth_median_with_a_delta_keeps_its_claim_exactly() -> None:
    job = laplace_median(RELATION, SPAN, BLOCKS, Fraction(9, 10), Fraction(1, 50))
    assert isinstance(job.mechanism, LaplaceSmooth)
    known = scales(job)
    epsilon = float(job.mechanism.epsilon)

    def risk(pair: tuple[Answers, Answers], at: float, by: float = 1.0) -> float:
        one, other = (rounded(known[t][0], by * known[t][1], False) for t in pair)
        sides = ((one, other), (other, one))
        return float(max(np.maximum(a - math.exp(at) * b, 0).sum() for a, b in sides))

    assert max(risk(pair, epsilon) for pair in pairs()) <= job.mechanism.delta
    worst = max(pairs(), key=lambda pair: risk(pair, epsilon / 2))
    assert 0 < risk(worst, epsilon / 2) < risk(worst, epsilon / 2, float(TWIN))


def test_the_winsorised_sum_shows_its_claim_and_no_more() -> None:
    job = Winsorized(RELATION, 1000, BLOCKS, EPSILON)
    low, high = job.interval(400, 500)
    assert (low, high) == (250, 650)
    mechanism, claim = job.mechanism(low, high), float(EPSILON / 2)
    # The worst that one answer does to the sum: from one end of the interval to the other.
    totals = [int(np.clip([each, 500], low, high).sum()) for each in (0, 1000)]
    assert totals[1] - totals[0] == mechanism.l1_sensitivity

    def found(noise: DiscreteLaplace, label: str) -> float:
        bits = CountedBits(label)

        def drawn(total: int, count: int) -> NDArray[np.int64]:
            many = replace(noise, cells=count)
            return many.apply_array(np.full(count, total), bits)

        size = 2_000_000
        ends = [in_parts(lambda n, total=total: drawn(total, n)) for total in totals]
        return audit(*ends, size).epsilon

    assert 0.95 * claim <= found(mechanism, "winsorised") <= claim
    twin = replace(mechanism, scale=mechanism.scale * TWIN)
    assert found(twin, "winsorised twin") > claim

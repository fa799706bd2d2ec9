"""Figure 7: the correlations' error against ε₀, and ε* against ε′.

In paper mode the error is 0.054 on Adult even at ε₀ = 1e-5, where a report says nothing: it is what
printing the identity matrix scores, and correlations with the uncorrected diagonal are as good as
that matrix. Corrected mode draws the identity's error as a line, and what `sudare randomize` and
`sudare estimate` reach with the same total of ε.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from sudare.facts.local_plan import LocalPlan
from sudare.facts.reproduced import PaperFigure, Point
from sudare.local.paper.bounds import star
from sudare.local.paper.people import Floats, People, error, mean_and_error
from sudare.local.paper.trials import (
    correlation_of,
    estimated,
    exact,
    is_possible,
    job_of,
    paper_scores,
)
from sudare.mechanisms.local.two_point import TwoPoint
from sudare.randomness.bits import RandomBits

# ε₀, the ε of one attribute.
PLACES = (1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0)
CORRECTED = (1e-5, 1e-3, 0.01, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.6)
AXIS_STAR = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0)
ALGORITHM, IDENTITY, DEFAULT = "Algorithm 3", "identity", "default"


def identity_error(correlation: Floats) -> float:
    """The score of printing the identity matrix."""
    return error(np.eye(len(correlation)), correlation)


def figure_7(
    people: People,
    trials: int,
    delta: float,
    bits: Callable[[], RandomBits],
    step: Callable[[], None],
) -> PaperFigure:
    points: list[Point] = []
    own = bits()
    for epsilon in PLACES:
        points.append(_paper(people, epsilon, trials, own))
    step()
    for epsilon in CORRECTED:
        points += _corrected(people, epsilon, trials, bits)
        step()
    for epsilon in AXIS_STAR:
        points += star("ε*", people.count, epsilon, delta, len(people.names))
    return PaperFigure(7, "epsilon", tuple(points))


def _paper(people: People, epsilon: float, trials: int, bits: RandomBits) -> Point:
    mechanism = TwoPoint.best(exact(epsilon))
    errors = [
        error(np.asarray(np.corrcoef(paper_scores(people, mechanism, bits))), people.correlation)
        for _ in range(trials)
    ]
    return Point("paper", "correlation", ALGORITHM, epsilon, *mean_and_error(errors))


def _corrected(
    people: People, epsilon: float, trials: int, bits: Callable[[], RandomBits]
) -> Iterator[Point]:
    yield Point("corrected", "correlation", IDENTITY, epsilon, identity_error(people.correlation))
    total = epsilon * len(people.names)
    if not is_possible(total):
        return
    job = job_of(people, LocalPlan(exact(total)))
    errors = [
        error(correlation_of(estimated(people, job, bits), people), people.correlation)
        for _ in range(trials)
    ]
    yield Point("corrected", "correlation", DEFAULT, epsilon, *mean_and_error(errors))

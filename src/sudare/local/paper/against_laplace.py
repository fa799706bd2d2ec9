"""Figures 5 and 6: the covariances' error of Algorithm 3 against that of Laplace noise.

The paper's x is called ε, with ε/6 for each attribute, but its curves cross at 3.7, and they do so
where every *attribute* has 3.7: at a total of about 22. So x is the ε of one attribute here. The
crossing is one of the uncorrected diagonals, (b/a)² − E[x²] against 8/ε². Corrected mode compares
the same mechanisms where the variances are estimated rightly, with piecewise and hybrid beside them
and with what `sudare randomize` chooses for the same total.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from sudare.facts.local_plan import LocalPlan, Wish
from sudare.facts.reproduced import PaperFigure, Point
from sudare.local.paper.people import People, error, mean_and_error, off_diagonal
from sudare.local.paper.trials import (
    covariance_of,
    estimated,
    exact,
    is_possible,
    job_of,
    paper_covariance,
    paper_scores,
)
from sudare.mechanisms.local.laplace import Laplace
from sudare.mechanisms.local.two_point import TwoPoint
from sudare.randomness.bits import RandomBits

# ε of one attribute.
PLACES = (0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0, 10.0)
CORRECTED = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
PAPER = {"Algorithm 3": TwoPoint.best, "Laplace": Laplace}
SPLIT = {
    "Algorithm 3": "two-point",
    "Laplace": "laplace",
    "piecewise": "piecewise",
    "hybrid": "hybrid",
}
DEFAULT = "default"


def figure_5(
    people: People,
    trials: int,
    bits: Callable[[], RandomBits],
    step: Callable[[], None],
) -> PaperFigure:
    points: list[Point] = []
    for epsilon in PLACES:
        for name, mechanism in PAPER.items():
            points += _paper(people, name, mechanism(exact(epsilon)), epsilon, trials, bits())
        step()
    for epsilon in CORRECTED:
        for name in (*SPLIT, DEFAULT):
            points += _corrected(people, name, epsilon, trials, bits)
        step()
    return PaperFigure(5, "epsilon_per_attribute", tuple(points))


def _paper(
    people: People, name: str, mechanism: Any, epsilon: float, trials: int, bits: RandomBits
) -> Iterator[Point]:
    errors, apart = [], []
    for _ in range(trials):
        found = paper_covariance(paper_scores(people, mechanism, bits))
        errors.append(error(found, people.covariance))
        apart.append(off_diagonal(found, people.covariance))
    yield from _measured("paper", name, epsilon, errors)
    yield Point("paper", "off_diagonal", name, epsilon, *mean_and_error(apart))


def plan_of(name: str, total: float) -> LocalPlan:
    """ε split over all attributes with one mechanism, or what is chosen by default."""
    if name == DEFAULT:
        return LocalPlan(exact(total))
    return LocalPlan(exact(total), wishes=(("", Wish(SPLIT[name])),), budget="split")


def _corrected(
    people: People, name: str, epsilon: float, trials: int, bits: Callable[[], RandomBits]
) -> Iterator[Point]:
    total = epsilon * len(people.names)
    if name == DEFAULT and not is_possible(total):
        return
    job = job_of(people, plan_of(name, total))
    errors = [
        error(covariance_of(estimated(people, job, bits), people), people.covariance)
        for _ in range(trials)
    ]
    yield from _measured("corrected", name, epsilon, errors)


def _measured(mode: Any, name: str, epsilon: float, errors: list[float]) -> Iterator[Point]:
    yield Point(mode, "mae", name, epsilon, *mean_and_error(errors))
    yield Point(mode, "sd", name, epsilon, float(np.std(errors)))


def figure_6(fifth: PaperFigure) -> PaperFigure:
    """Laplace's error and its spread over those of Algorithm 3: above 1 Algorithm 3 is better."""
    points = []
    for quantity in ("mae", "sd"):
        for mode in ("paper", "corrected"):
            lines = [fifth.of(mode, quantity, name) for name in ("Laplace", "Algorithm 3")]
            for other, own in zip(*lines, strict=True):
                ratio = (other.value or 0.0) / own.value if own.value else None
                points.append(Point(mode, "ratio", quantity.upper(), own.x, ratio))
    return PaperFigure(6, "epsilon_per_attribute", tuple(points))


def crossing(sixth: PaperFigure) -> float | None:
    """The ε of one attribute from which Laplace's error is the smaller one, in paper mode."""
    line = [(p.x, p.value) for p in sixth.of("paper", "ratio", "MAE") if p.value is not None]
    for (low, above), (high, below) in pairwise(line):
        if above >= 1 > below:
            return low + (high - low) * (above - 1) / (above - below)
    return None


def diagonal_share(fifth: PaperFigure, attributes: int) -> float:
    """How much of Algorithm 3's error in paper mode the diagonal makes, at the ε of one attribute
    that is nearest to the paper's ε = 1."""
    whole = fifth.of("paper", "mae", "Algorithm 3")
    apart = fifth.of("paper", "off_diagonal", "Algorithm 3")
    place = min(range(len(whole)), key=lambda i: abs(whole[i].x - 1.0))
    rest = (apart[place].value or 0.0) * (attributes - 1) / attributes
    return 1 - rest / (whole[place].value or 1.0)

"""Figure 4: the covariances' error for several (a, b) of Algorithm 3.

The mechanism depends on b/a alone: P(1) = (ax + b)/2b, and the output is ±b/a. So the differences
that the paper sees between its a are Monte-Carlo noise, and no property of floating point.
Corrected mode shows it by giving every a the same random words; and it leaves out the diagonal,
which says nothing about the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from sudare.facts.reproduced import PaperFigure, Point
from sudare.local.paper.people import Floats, People, error, mean_and_error, off_diagonal
from sudare.local.paper.trials import paper_covariance, paper_scores
from sudare.mechanisms.local.two_point import TwoPoint
from sudare.randomness.bits import RandomBits

EPSILON = 1.0
# The paper's Algorithm 1 has a = e^{ε/6} − 1 = 0.18.
SIZES = (0.01, 0.1, round(math.expm1(EPSILON / 6), 3), 1.0, 10.0, 100.0, 1000.0)
# b over the least b that ε allows.
RATIOS = (1.0, 1.25, 1.5, 2.0)


class RecordedBits:
    """The same bits again: what was drawn once is played from the start."""

    def __init__(self, bits: RandomBits) -> None:
        self._bits, self._drawn, self._place = bits, bytearray(), 0

    def take(self, count: int) -> bytes:
        missing = self._place + count - len(self._drawn)
        if missing > 0:
            self._drawn += self._bits.take(missing)
        self._place += count
        return bytes(self._drawn[self._place - count : self._place])

    def rewind(self) -> RecordedBits:
        self._place = 0
        return self


def mechanism_of(a: float, ratio: float, attributes: int) -> TwoPoint:
    """Algorithm 3 with this a, and b `ratio` times the least that ε allows."""
    each = Fraction(EPSILON) / attributes
    least = a / math.tanh(float(each) / 2)
    return TwoPoint.of(each, Fraction(a), Fraction(ratio * least))


def figure_4(
    people: People, trials: int, bits: RandomBits, step: Callable[[], None]
) -> PaperFigure:
    points: list[Point] = []
    for ratio in RATIOS:
        series = f"b = {ratio:g} × least"
        points += _fresh(people, ratio, series, trials, bits)
        points += _same(people, ratio, series, trials, bits)
        step()
    return PaperFigure(4, "a", tuple(points))


def _fresh(
    people: People, ratio: float, series: str, trials: int, bits: RandomBits
) -> Iterator[Point]:
    """As the paper: every a has its own draws, and the diagonal is among the entries."""
    for a in SIZES:
        mechanism = mechanism_of(a, ratio, len(people.names))
        errors = [
            error(paper_covariance(paper_scores(people, mechanism, bits)), people.covariance)
            for _ in range(trials)
        ]
        mean, doubt = mean_and_error(errors)
        yield Point("paper", "mae", series, a, mean, doubt)
        yield Point("paper", "sd", series, a, float(np.std(errors)))


def _same(
    people: People, ratio: float, series: str, trials: int, bits: RandomBits
) -> Iterator[Point]:
    """Every a is given the same random words, and the diagonal is left out."""
    errors: dict[float, list[float]] = {a: [] for a in SIZES}
    for _ in range(trials):
        words = RecordedBits(bits)
        for a in SIZES:
            mechanism = mechanism_of(a, ratio, len(people.names))
            found = paper_covariance(paper_scores(people, mechanism, words.rewind()))
            errors[a].append(off_diagonal(found, people.covariance))
    for a, each in errors.items():
        mean, doubt = mean_and_error(each)
        yield Point("corrected", "mae", series, a, mean, doubt)
        yield Point("corrected", "sd", series, a, float(np.std(each)))


def spread(figure: PaperFigure, trials: int) -> float:
    """How much mean errors vary between a, against what their own noise makes them vary: the mean
    of s²(means) over s²/trials, near 1 if a does not matter."""
    found = []
    for series in dict.fromkeys(point.series for point in figure.points):
        means = _values(figure, "mae", series)
        noise = float((_values(figure, "sd", series) ** 2).mean()) / max(trials - 1, 1)
        found.append(float(np.var(means, ddof=1)) / noise)
    return float(np.mean(found))


def same_words(figure: PaperFigure) -> float:
    """The greatest difference between two a with the same random words."""
    return max(
        float(np.ptp([point.value for point in figure.of("corrected", "mae", series)]))
        for series in dict.fromkeys(point.series for point in figure.points)
    )


def _values(figure: PaperFigure, quantity: str, series: str) -> Floats:
    found = [point.value for point in figure.of("paper", quantity, series)]
    return np.array(found, np.float64)

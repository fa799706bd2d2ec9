"""Figures 1 to 3: what shuffling proves, by the paper's Theorem 4 and by the tightest bound.

Paper mode draws the theorem's formula as the paper does, in figure 3 also outside its condition,
where it is false. Corrected mode draws it only where it holds, and beside it the privacy blanket of
Algorithm 3 on as many attributes, which needs no condition.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from sudare.accounting.shuffle import theorem
from sudare.accounting.shuffle.amplify import amplified, largest_epsilon0
from sudare.accounting.shuffle.catalog import Mechanism
from sudare.facts.reproduced import Inverted, PaperFigure, Point

PEOPLE = (10**3, 10**4, 10**5, 10**6)
DELTAS = (1e-10, 1e-9, 1e-8, 1e-7)
# Figures 1 and 2 in corrected mode: the ε′ that this ε* allows.
WANTED = 1.0
AXIS_1 = (1e-12, 1e-10, 1e-8, 1e-6, 1e-4)
AXIS_2 = (10**3, 10**4, 10**5, 10**6, 10**7)
AXIS_3 = tuple(place / 2 for place in range(1, 17))
_TWO_POINT = Mechanism("two-point")
# ε* and the ε′ that the paper prints for it, at 10⁶ people and δ = 1e-10.
_PRINTED = ((0.1, 2.4), (0.2, 3.7), (0.5, 5.7), (1.0, 7.6))


def formula(n: int, epsilon: float, delta: float) -> float:
    """Theorem 4's ε*, whether or not its condition holds. Never a guarantee by itself."""
    e = math.exp(epsilon)
    inner = 8 * math.sqrt(e * math.log(4 / delta) / n) + 8 * e / n
    return math.log1p(math.tanh(epsilon / 2) * inner)


def figure_1(attributes: int) -> PaperFigure:
    """The greatest ε′ against δ, a line for each number of people."""
    places = [(f"n = {n:,}", n, delta, delta) for n in PEOPLE for delta in AXIS_1]
    return PaperFigure(1, "delta", tuple(_limits(places, attributes)))


def figure_2(attributes: int) -> PaperFigure:
    """The greatest ε′ against the number of people, a line for each δ."""
    places = [(f"δ = {delta:.0e}", n, delta, float(n)) for delta in DELTAS for n in AXIS_2]
    return PaperFigure(2, "n", tuple(_limits(places, attributes)))


def _limits(places: list[tuple[str, int, float, float]], attributes: int) -> Iterator[Point]:
    for series, n, delta, x in places:
        limit = theorem.limit(n, delta)
        # Below zero no ε′ satisfies the condition at all.
        yield Point("paper", "limit", series, x, limit if limit > 0 else None)
        yield Point("corrected", "allowed", series, x, allowed(n, WANTED, delta, attributes))


def figure_3(attributes: int, delta: float) -> PaperFigure:
    """ε* against ε′, a line for each number of people."""
    points = [
        point
        for n in PEOPLE
        for epsilon in AXIS_3
        for point in star(f"n = {n:,}", n, epsilon, delta, attributes)
    ]
    return PaperFigure(3, "epsilon_prime", tuple(points))


def star(series: str, n: int, epsilon: float, delta: float, attributes: int) -> Iterator[Point]:
    """ε* after shuffling, in both modes."""
    found = amplified(n, epsilon, delta, _TWO_POINT.law(epsilon, attributes))
    yield Point("paper", "epsilon_star", series, epsilon, formula(n, epsilon, delta))
    yield Point("corrected", "theorem", series, epsilon, found.theorem4)
    yield Point("corrected", "epsilon_star", series, epsilon, found.epsilon)


def allowed(n: int, epsilon: float, delta: float, attributes: int) -> float:
    """The ε′ of Algorithm 3 on so many attributes for which the tightest bound proves ε*."""
    return largest_epsilon0(n, epsilon, delta, lambda each: _TWO_POINT.law(each, attributes))


def inverted(attributes: int, n: int = 10**6, delta: float = 1e-10) -> tuple[Inverted, ...]:
    """The ε′ for the ε* that the paper names in its example."""
    return tuple(
        Inverted(
            wanted,
            printed,
            theorem.largest_epsilon0(n, wanted, delta),
            allowed(n, wanted, delta, attributes),
        )
        for wanted, printed in _PRINTED
    )

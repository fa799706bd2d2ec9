"""What shuffling really does, by going through every outcome: for few people and few outcomes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Histogram = dict[tuple[int, ...], float]


def response(epsilon: float, values: int) -> NDArray[np.float64]:
    """The table P(y | x) of randomised response."""
    e = math.exp(epsilon)
    return (np.ones((values, values)) + (e - 1) * np.eye(values)) / (e + values - 1)


def unary_table(values: int, keep: float, q: float) -> NDArray[np.float64]:
    """One bit a value, all patterns."""
    rows = []
    for x in range(values):
        chance = [keep if x == j else q for j in range(values)]
        patterns = itertools.product((0, 1), repeat=values)
        rows.append(
            [
                math.prod(c if bit else 1 - c for c, bit in zip(chance, bits, strict=True))
                for bits in patterns
            ]
        )
    return np.array(rows)


def several(table: NDArray[np.float64], attributes: int) -> NDArray[np.float64]:
    """Independent attributes: all combinations of values and of outcomes."""
    found = table
    for _ in range(attributes - 1):
        found = np.kron(found, table)
    return found


def shuffled(table: NDArray[np.float64], inputs: Sequence[int]) -> Histogram:
    """The law of how often each outcome is reported."""
    outcomes = table.shape[1]
    found: Histogram = {(0,) * outcomes: 1.0}
    for x in inputs:
        grown: Histogram = {}
        for counts, chance in found.items():
            for y in range(outcomes):
                longer = (*counts[:y], counts[y] + 1, *counts[y + 1 :])
                grown[longer] = grown.get(longer, 0.0) + chance * table[x, y]
        found = grown
    return found


def divergence(one: Histogram, other: Histogram, epsilon: float) -> float:
    """The hockey stick: the least δ at this ε, in one direction."""
    grown = math.exp(epsilon)
    return math.fsum(max(0.0, one[key] - grown * other.get(key, 0.0)) for key in one)


def everybody(values: int, others: int) -> Iterator[tuple[int, ...]]:
    """All that the others may have, up to order."""
    return itertools.combinations_with_replacement(range(values), others)


def true_delta(table: NDArray[np.float64], n: int, epsilon: float) -> float:
    """The least δ over all values of the others and both directions of all replacements."""
    worst = 0.0
    for others in everybody(len(table), n - 1):
        laws = [shuffled(table, (x, *others)) for x in range(len(table))]
        for one, other in itertools.permutations(laws, 2):
            worst = max(worst, divergence(one, other, epsilon))
    return worst


def binary_delta(epsilon0: Fraction | float, n: int, epsilon: float) -> float:
    """The same for one bit: the number of ones, convolved from two kinds of people."""
    p = 1 / (1 + math.exp(-float(epsilon0)))
    worst = 0.0
    for kind in range(n):
        law = np.ones(1)
        for chance in [p] * kind + [1 - p] * (n - 1 - kind):
            law = np.convolve(law, [1 - chance, chance])
        one, other = np.convolve(law, [1 - p, p]), np.convolve(law, [p, 1 - p])
        for first, second in ((one, other), (other, one)):
            worst = max(worst, math.fsum(np.maximum(first - math.exp(epsilon) * second, 0.0)))
    return worst


def mean_excess(n: int, values: Sequence[float], masses: Sequence[float]) -> float:
    """E[(G₁ + … + Gₙ)₊] over all ways to draw n times."""
    every = [*values, 0.0]
    chances = [*masses, 1 - math.fsum(masses)]
    terms = []
    for counts in _compositions(n, len(every)):
        total = math.fsum(k * value for k, value in zip(counts, every, strict=True))
        if total > 0:
            ways = math.factorial(n)
            for k in counts:
                ways //= math.factorial(k)
            chance = math.prod(c**k for c, k in zip(chances, counts, strict=True))
            terms.append(total * ways * chance)
    return math.fsum(terms)


def _compositions(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in _compositions(n - first, parts - 1):
            yield (first, *rest)

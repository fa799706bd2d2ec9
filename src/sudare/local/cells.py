"""Several numbers as one cell: each is rounded at random to −1, 0 or 1, or to −1 or 1, all of them
together are one label, and that label is randomised at the full ε.

Claim    the report is ε-LDP in the row, and `Told` reads x, x·y and, of three places, x² off it
         without bias (up to 2^−31), all from one report.
Source   k-ary randomised response (mechanisms/local/response.py); the rounding is derived here.
Symbols  t -> the place of a number: (b + b′)/2 for two independent bits b, b′ = ±1 that are 1 with
         probability (1 + x)/2; of two places, b alone. p, q -> probabilities of the own cell and
         of each other one.
Needs    fair bits; numbers on [−1, 1].
Gaps     none known.

Derivation. Privacy: the rounding is a random choice of the label, so a report's probability is a
mixture, with weights that sum to 1, of numbers from [q, p], and p/q <= e^ε. Nothing about the
rounding matters for that. Truth: bits are independent given the row, so E[t] = x,
E[t²] = (1 + E[b·b′])/2 = (1 + x²)/2, and for two numbers E[t·t′] = x·x′. No other rounding to
these three places tells more of x²: P(±1) = (α + βx² ± x)/2 must not be negative nor exceed 1 in
sum, which leaves α + β = 1 and β <= 1/2. Of two places E[t] = E[b] = x and t² = 1, which tells x²
only of a number that takes two values and is never missing; else squares are items of their own.
For a function g of the cell, the mean of g(report) is q·Σg + (p − q)·g(own cell);
solving for the latter gives its score.

Why. One of 27 moments a person leaves a 27th of the people for each; splitting ε multiplies the
noise of two reports. A pair's cell has 9 labels, and its report counts for five moments at once.
At a small ε labels are dear: 4 of them beside squares at full ε are then better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile
from sudare.facts.randomized import Item, NumberDomain, Randomized
from sudare.mechanisms.local.response import Response
from sudare.randomness.bits import RandomBits, words32

Floats = NDArray[np.float64]
# Cells beyond this many drown at every ε that a report may have.
MOST_CELLS = 3**7


def is_two_valued(domain: NumberDomain) -> bool:
    """Whether x is −1 or 1, and its square therefore 1."""
    return domain.complete and domain.high - domain.low == 1


def places_of(domains: Sequence[NumberDomain]) -> tuple[int, ...]:
    """The places of each number where squares are to be told."""
    return tuple(2 if is_two_valued(domain) else 3 for domain in domains)


def places_in(facts: Randomized, item: Item) -> tuple[int, ...]:
    """The places of each number of an item: the number of its labels says which they are."""
    domains = [facts.domains.get(column) for column in item.columns]
    numbers = [domain for domain in domains if isinstance(domain, NumberDomain)]
    for places in (places_of(numbers), (2,) * len(numbers)):
        if len(numbers) == len(domains) and math.prod(places) == item.parameters.get("values"):
            return places
    raise InvalidFile(
        "An item of the file has a mechanism that does not fit it.",
        "The file is damaged or was changed: randomise the data again.",
    )


def rounded(x: Sequence[Floats], places: Sequence[int], bits: RandomBits) -> NDArray[np.int64]:
    """The cell of each row, the first number's place counting most."""
    found = np.zeros(len(x[0]), np.int64)
    for values, count in zip(x, places, strict=True):
        found *= count
        for _ in range(count - 1):
            found += words32(bits, len(values)) < (values + 1.0) * 2.0**31
    return found


@dataclass(frozen=True)
class Told:
    """What a cell says: columns of `scores` (cells × width) are x, x² and x·y in this order."""

    pairs: tuple[tuple[int, int], ...]
    scores: Floats

    @classmethod
    def of(cls, mechanism: Response, places: tuple[int, ...]) -> Told:
        pairs = tuple((i, j) for j in range(len(places)) for i in range(j))
        functions = _functions(places)
        p, q = mechanism.shares.chance_near, mechanism.shares.chance_far
        return cls(pairs, (functions - q * functions.sum(axis=0)) / (p - q))


@lru_cache(maxsize=64)
def _functions(places: tuple[int, ...]) -> Floats:
    """Of the own cell: functions whose means over the rounding are x, x² and x·y."""
    grids = np.meshgrid(*(np.linspace(-1, 1, count) for count in places), indexing="ij")
    t = [grid.reshape(-1) for grid in grids]
    squares = [2 * each**2 - 1 for each in t]
    products = [t[i] * t[j] for j in range(len(t)) for i in range(j)]
    return np.stack([*t, *squares, *products], axis=1)

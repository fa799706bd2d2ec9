"""How well one organisation's reports would tell its numbers: what one person's report is worth.

Model    n times the variance of an estimate, from means m, deviations σ and covariances c of x in
         [−1, 1]. A value's report has noise ν at m and m ± σ; a centred product of two has variance
         (σ² + ν)(σ′² + ν′) + c², a centred square 2σ⁴ and the noise of what tells x². A cell's
         report has the law of randomised response over places that are rounded from x.
Source   the moments of a normal distribution (Isserlis 1918) for what the values themselves add;
         local/cells.py for cells.
Gaps     a prediction, for numbers that are nearly normal; numbers of one cell are taken as
         independent, and what a value's report says of x and of x² as uncorrelated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sudare.facts.randomized import Item, Randomized
from sudare.local.cells import Told, places_in
from sudare.mechanisms.local.mechanism import Numbers
from sudare.mechanisms.local.named import mechanism_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Spread:
    """Mean and variance of a number, in units of x."""

    mean: float
    variance: float


@dataclass(frozen=True)
class Reported:
    """One organisation's reports. Every function gives n times a variance; None where the reports
    do not tell it."""

    facts: Randomized
    numbers: Mapping[str, Spread]

    def mean(self, name: str) -> float | None:
        """Of a mean; the product of two organisations' is that of a covariance across them."""
        if (item := self.facts.item("value", name)) is not None:
            return (self._noise(item, name) + self.numbers[name].variance) / self._share()
        cells = self._cells(name)
        told = [self._read(cell, {name: 1.0}, {}) for cell in cells]
        return sum(told) / len(told) / self._share(len(cells)) if told else None

    def share(self, name: str) -> float:
        """Of the people who report something of a number."""
        return self._share(len(self._cells(name)) or 1)

    def variance(self, name: str) -> float | None:
        number, mean = self.numbers[name], self.mean(name)
        if mean is None:
            return None
        if (item := self.facts.item("square", name)) is not None:
            noises = [self._noise(item, name) / 4]
            if (value := self.facts.item("value", name)) is not None:
                noises += [each for each in (_squares(value, self._places(name)),) if each]
            # Two sources of the same mean are weighted by precision.
            precision = sum(self._share() / (noise + _of_squares(number)) for noise in noises)
            return 1 / precision + 4 * number.mean**2 * mean
        if (item := self.facts.item("value", name)) is not None:
            told = _squares(item, self._places(name))
            whole = None if told is None else told + 2 * number.variance**2
            noise = 4 * number.mean**2 * self._noise(item, name)
            return None if whole is None else (whole + noise) / self._share()
        cells = [c for c in self._cells(name) if self._places_in(c)[name] == 3]
        read = [self._read(cell, {name: -2 * number.mean, f"{name}²": 1.0}, {}) for cell in cells]
        return sum(read) / len(read) / self._share(len(cells)) if read else None

    def covariance(self, one: str, two: str, raw: float) -> float | None:
        """Of two numbers of this organisation, whose covariance is about `raw`."""
        a, b = self.numbers[one], self.numbers[two]
        square = min(raw**2, a.variance * b.variance)
        if (item := self.facts.item("product", one, two)) is not None:
            noise = float(_numbers(item).variance(np.array([a.mean * b.mean]))[0])
            means = [self.mean(one) or 0.0, self.mean(two) or 0.0]
            own = (noise + a.variance * b.variance + square) / self._share()
            return own + b.mean**2 * means[0] + a.mean**2 * means[1]
        items = [self.facts.item("value", name) for name in (one, two)]
        if None not in items and self._both():
            parts = [(self.mean(name) or 0.0) * self._share() for name in (one, two)]
            return (parts[0] * parts[1] + square) / self._both()
        cells = [cell for cell in self._cells(one) if two in cell.columns]
        weights = {one: -b.mean, two: -a.mean}
        read = [self._read(cell, weights, {(one, two): 1.0}) for cell in cells]
        return sum(read) / len(read) / self._share(len(cells)) if read else None

    def _share(self, items: int = 1) -> float:
        return items * self.facts.asked / len(self.facts.items)

    def _both(self) -> float:
        """The share of people who report two given items."""
        count = len(self.facts.items)
        return self.facts.asked * (self.facts.asked - 1) / (count * (count - 1)) if count > 1 else 0

    def _cells(self, name: str) -> list[Item]:
        return [i for i in self.facts.items if i.kind == "cell" and name in i.columns]

    def _places(self, name: str) -> Floats:
        number = self.numbers[name]
        deviation = math.sqrt(number.variance)
        return np.clip(number.mean + deviation * np.array([-1.0, 0.0, 1.0]), -1, 1)

    def _noise(self, item: Item, name: str) -> float:
        places = self._places(name)
        given = 2 * places**2 - 1 if item.kind == "square" else places
        return float(_numbers(item).variance(given).mean())

    def _places_in(self, cell: Item) -> dict[str, int]:
        return dict(zip(cell.columns, places_in(self.facts, cell), strict=True))

    def _read(
        self, cell: Item, singles: dict[str, float], pairs: dict[tuple[str, str], float]
    ) -> float:
        """The variance, over people and reports, of a weighted sum of what a cell's report says of
        x ("x"), x² ("x²") and x·y (a pair)."""
        mechanism: Any = mechanism_of(cell)
        places = self._places_in(cell)
        told = Told.of(mechanism, tuple(places.values()))
        names, size = list(places), len(places)
        weights = np.zeros(told.scores.shape[1])
        for place, name in enumerate(names):
            weights[place] = singles.get(name, 0.0)
            weights[size + place] = singles.get(f"{name}²", 0.0)
        for place, (i, j) in enumerate(told.pairs, start=2 * size):
            one, two = names[i], names[j]
            weights[place] = pairs.get((one, two), 0.0) + pairs.get((two, one), 0.0)
        own = np.ones(1)
        for name, count in places.items():
            own = np.outer(own, _rounded(self.numbers[name], count)).ravel()
        near, far = mechanism.shares.chance_near, mechanism.shares.chance_far
        law, scores = far + (near - far) * own, told.scores @ weights
        return float(law @ scores**2 - (law @ scores) ** 2)


def _numbers(item: Item) -> Numbers:
    return cast(Numbers, mechanism_of(item))


def _squares(item: Item, places: Floats) -> float | None:
    told = _numbers(item).square_variance(places)
    return None if told is None else float(told.mean())


def _of_squares(number: Spread) -> float:
    """The variance of x² of a normal number."""
    return 2 * number.variance**2 + 4 * number.mean**2 * number.variance


def _rounded(number: Spread, places: int) -> Floats:
    """How often a number is rounded to each of its places, over all people."""
    m, v = number.mean, number.variance
    if places == 2:
        return np.array([1 - m, 1 + m]) / 2
    return np.array([((1 - m) ** 2 + v) / 4, (1 - m**2 - v) / 2, ((1 + m) ** 2 + v) / 4])

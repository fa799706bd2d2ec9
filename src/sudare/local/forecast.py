"""How wrong a statistic will be, from the plan alone: the standard error times √n.

Claim    for x evenly spread over a few places of [−1, 1] and labels evenly spread, the mean over
         a statistic's entries of the standard deviation of one person's contribution.
Symbols  an item is reported by a share p = k/m of the people, two items together by
         k(k−1)/(m(m−1)). A cell of several numbers counts for each of them and for each pair.
Needs    nothing of the data; real spreads move all ways to spend ε in the same direction. Means are
         taken to lie halfway between the middle and an end of the bounds wherever their noise goes
         into a covariance: E[xy] − E[x]E[y] needs them the better the farther off they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from sudare.facts.local_plan import Statistic
from sudare.facts.randomized import Item
from sudare.local.crossed import error as crossed_error
from sudare.local.items import Way, pairs
from sudare.mechanisms.local.named import mechanism_of

_PLACES = np.array([-0.8, -0.4, 0.0, 0.4, 0.8])
_SQUARE = float((_PLACES**2).mean())
_FOURTH = float((_PLACES**4).mean())
# The square of a mean that lies halfway.
_OFF = 0.25


def forecast(way: Way, statistic: Statistic) -> float | None:
    """√n times the expected standard error; None where the way does not tell the statistic."""
    match statistic:
        case "mean":
            return _average([math.sqrt(_mean(way, column)) for column in _numbers(way)])
        case "covariance":
            return _covariance(way)
        case "histogram":
            items = _of(way, "label")
            return _average([_label(way, item) for item in items] or _joint(way))
        case "table":
            return _average(_joint(way) or _tables(way))
        case "distribution":
            return _average([_label(way, item) for item in _of(way, "bins")])
        case "synthesis":
            return crossed_error(way)


def _of(way: Way, kind: str) -> list[Item]:
    return [item for item in way.items if item.kind == kind]


def _average(found: Sequence[float]) -> float | None:
    return sum(found) / len(found) if found else None


def _share(way: Way) -> float:
    return way.asked / len(way.items)


def _pair_share(way: Way) -> float:
    count = len(way.items)
    return way.asked * (way.asked - 1) / (count * (count - 1)) if count > 1 else 0.0


def _numbers(way: Way) -> list[str]:
    """The columns whose own values are reported, alone or in cells."""
    items = _of(way, "value") + _of(way, "cell")
    return list(dict.fromkeys(column for item in items for column in item.columns))


def _mean(way: Way, column: str) -> float:
    """n times the variance of a mean."""
    cells = _cells_with(way, column)
    if cells:
        return _cell_noise(cells[0])[0] * len(way.items) / len(cells)
    return (_noise(_value(way, column)) + _SQUARE) / _share(way)


def _value(way: Way, column: str) -> Item:
    return way.telling["value", (column,)][0]


def _cells_with(way: Way, *columns: str) -> list[Item]:
    return way.telling.get(("cell", tuple(sorted(columns))), [])


def _cell_noise(cell: Item) -> tuple[float, float | None, float]:
    """The variances of what a cell's report says of x, x² and x·y; None where it does not tell x².
    Random places are −1, 0 and 1, or −1 and 1, evenly where the report is not the own cell."""
    return _noise_of_cells(cell.mechanism, cell.exact_epsilon, _key(cell), len(cell.columns))


@lru_cache(maxsize=4096)
def _noise_of_cells(
    name: str, epsilon: Fraction, parameters: tuple[tuple[str, Any], ...], numbers: int
) -> tuple[float, float | None, float]:
    item = Item("", "cell", ("",) * numbers, name, str(epsilon), dict(parameters))
    mechanism: Any = mechanism_of(item)
    p, q = mechanism.shares.chance_near, mechanism.shares.chance_far
    if mechanism.cells == 2**numbers:
        return 1 / (p - q) ** 2, None, 1 / (p - q) ** 2
    even, own = q * mechanism.cells, (1 + _SQUARE) / 2
    first = even * 2 / 3 + (p - q) * own
    # 2t² − 1 is 1/3 on average over the cells, and its own square is always 1.
    second = even + (p - q) - (even / 3 + (p - q) * _SQUARE) ** 2
    product = even * 4 / 9 + (p - q) * own**2
    return first / (p - q) ** 2, second / (p - q) ** 2, product / (p - q) ** 2


def _label(way: Way, item: Item) -> float:
    return math.sqrt(_label_noise(item) / _share(way))


def _joint(way: Way) -> list[float]:
    return [_label(way, item) for item in _of(way, "labels")]


def _tables(way: Way) -> list[float]:
    found = []
    for a, b in pairs([item.name for item in _of(way, "label")]):
        both = [_label_noise(item) for item in way.items if item.name in (a, b)]
        if _pair_share(way):
            found.append(math.sqrt(both[0] * both[1] / _pair_share(way)))
    return found


def _covariance(way: Way) -> float | None:
    """Off the diagonal, and half as much of the diagonal: a correlation's error depends on both."""
    numbers = _numbers(way)
    diagonal = [_square(way, column) for column in numbers]
    if not numbers or None in diagonal:
        return None
    # The derivative of the square of a mean is twice the mean.
    found = [
        0.5 * math.sqrt((each or 0.0) + 4 * _OFF * _mean(way, column))
        for each, column in zip(diagonal, numbers, strict=True)
    ]
    for a, b in pairs(numbers):
        pair = _pair(way, a, b)
        if pair is None:
            return None
        found.append(math.sqrt(pair))
    return _average(found)


def _square(way: Way, column: str) -> float | None:
    """n times the variance of a mean of squares."""
    cells = _cells_with(way, column)
    told = _cell_noise(cells[0])[1] if cells else None
    if told is not None:
        return told * len(way.items) / len(cells)
    own = way.telling.get(("square", (column,)))
    if own:
        # x² = (z+1)/2, so its noise is a quarter of z's.
        return (_noise(own[0]) / 4 + _FOURTH) / _share(way)
    noise = None if cells else _square_noise(_value(way, column))
    return None if noise is None else (noise + _FOURTH) / _share(way)


def _pair(way: Way, a: str, b: str) -> float | None:
    """n times the variance of a covariance."""
    cells = _cells_with(way, a, b)
    product = way.telling.get(("product", (a, b)), [])
    means = _OFF * (_mean(way, a) + _mean(way, b))
    if cells:
        return _cell_noise(cells[0])[2] * len(way.items) / len(cells) + means
    if product:
        return (_noise(product[0]) + _SQUARE**2) / _share(way) + means
    share = _pair_share(way)
    if not share:
        return None
    # People who report both centre their own reports, so that means hardly matter.
    noises = [_noise(_value(way, column)) + _SQUARE for column in (a, b)]
    return noises[0] * noises[1] / share


def _noise(item: Item) -> float:
    return _number_noise(item.mechanism, item.exact_epsilon, _key(item))[0]


def _square_noise(item: Item) -> float | None:
    return _number_noise(item.mechanism, item.exact_epsilon, _key(item))[1]


def _key(item: Item) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(item.parameters.items()))


@lru_cache(maxsize=4096)
def _number_noise(
    name: str, epsilon: Fraction, parameters: tuple[tuple[str, Any], ...]
) -> tuple[float, float | None]:
    item = Item("", "value", ("",), name, str(epsilon), dict(parameters))
    mechanism: Any = mechanism_of(item)
    squares = mechanism.square_variance(_PLACES)
    first = float(mechanism.variance(_PLACES).mean())
    return first, None if squares is None else float(squares.mean())


def _label_noise(item: Item) -> float:
    mechanism: Any = mechanism_of(item)
    return float(mechanism.variance(1 / mechanism.values))

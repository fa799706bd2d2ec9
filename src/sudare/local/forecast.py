"""How wrong a statistic will be, from the plan alone: the standard error times √n.

Claim    for x evenly spread over a few places of [−1, 1] and labels evenly spread, the mean over
         a statistic's entries of the standard deviation of one person's contribution.
Symbols  an item is reported by a share p = k/m of the people, two items together by
         k(k−1)/(m(m−1)).
Needs    nothing of the data; real spreads move all ways to spend ε in the same direction.
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
from sudare.local.items import Way, pairs
from sudare.mechanisms.local.named import mechanism_of

_PLACES = np.array([-0.8, -0.4, 0.0, 0.4, 0.8])
_SQUARE = float((_PLACES**2).mean())
_FOURTH = float((_PLACES**4).mean())


def forecast(way: Way, statistic: Statistic) -> float | None:
    """√n times the expected standard error; None where the way does not tell the statistic."""
    match statistic:
        case "mean":
            return _average([_value(way, item) for item in _of(way, "value")])
        case "covariance":
            return _covariance(way)
        case "histogram":
            items = _of(way, "label")
            return _average([_label(way, item) for item in items] or _joint(way))
        case "table":
            return _average(_joint(way) or _tables(way))
        case "distribution":
            return _average([_label(way, item) for item in _of(way, "bins")])


def _of(way: Way, kind: str) -> list[Item]:
    return [item for item in way.items if item.kind == kind]


def _average(found: Sequence[float]) -> float | None:
    return sum(found) / len(found) if found else None


def _share(way: Way) -> float:
    return way.asked / len(way.items)


def _pair_share(way: Way) -> float:
    count = len(way.items)
    return way.asked * (way.asked - 1) / (count * (count - 1)) if count > 1 else 0.0


def _value(way: Way, item: Item) -> float:
    return math.sqrt((_noise(item) + _SQUARE) / _share(way))


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
    values = _of(way, "value")
    diagonal = [_square(way, item) for item in values]
    if not values or None in diagonal:
        return None
    found = [0.5 * (each or 0.0) for each in diagonal]
    for a, b in pairs([item.columns[0] for item in values]):
        pair = _pair(way, a, b)
        if pair is None:
            return None
        found.append(pair)
    return _average(found)


def _square(way: Way, item: Item) -> float | None:
    for own in _of(way, "square"):
        if own.columns == item.columns:
            # x² = (z+1)/2, so its noise is a quarter of z's.
            return math.sqrt((_noise(own) / 4 + _FOURTH) / _share(way))
    noise = _square_noise(item)
    return None if noise is None else math.sqrt((noise + _FOURTH) / _share(way))


def _pair(way: Way, a: str, b: str) -> float | None:
    for item in _of(way, "product"):
        if set(item.columns) == {a, b}:
            return math.sqrt((_noise(item) + _SQUARE**2) / _share(way))
    share = _pair_share(way)
    if not share:
        return None
    noises = [_noise(i) + _SQUARE for i in _of(way, "value") if i.columns[0] in (a, b)]
    return math.sqrt(noises[0] * noises[1] / share)


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

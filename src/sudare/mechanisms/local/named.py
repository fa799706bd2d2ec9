"""Local mechanisms by the names under which files and commands know them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sudare.facts.errors import InvalidFile
from sudare.facts.randomized import Item
from sudare.mechanisms.local.hashing import Hashing
from sudare.mechanisms.local.hybrid import Hybrid
from sudare.mechanisms.local.laplace import Laplace
from sudare.mechanisms.local.mechanism import Labels, LocalMechanism, Numbers
from sudare.mechanisms.local.piecewise import Piecewise
from sudare.mechanisms.local.response import Response
from sudare.mechanisms.local.square_wave import SquareWave
from sudare.mechanisms.local.two_point import TwoPoint
from sudare.mechanisms.local.unary import Unary

NUMBERS = {"two-point": TwoPoint, "piecewise": Piecewise, "hybrid": Hybrid, "laplace": Laplace}
LABELS = {
    "grr": Response,
    "pram": Response,
    "oue": Unary,
    "one-hot": Unary,
    "olh": Hashing,
    "square-wave": SquareWave,
}
_KINDS: dict[str, Any] = {**NUMBERS, **LABELS}


def best_for_numbers(name: str, epsilon: Fraction) -> Numbers:
    """The least noisy mechanism of that name at ε."""
    match name:
        case "two-point":
            return TwoPoint.best(epsilon)
        case "piecewise":
            return Piecewise.best(epsilon)
        case "hybrid":
            return Hybrid.best(epsilon)
        case _:
            return Laplace(epsilon)


def best_for_labels(name: str, epsilon: Fraction, values: int) -> Labels:
    match name:
        case "oue":
            return Unary.optimal(epsilon, values)
        case "one-hot":
            return Unary.symmetric(epsilon, values)
        case "olh":
            return Hashing.optimal(epsilon, values)
        case "square-wave":
            return SquareWave.best(epsilon, values)
        case _:
            return Response(epsilon, values)


def mechanism_of(item: Item) -> LocalMechanism:
    """The mechanism whose reports an item holds."""
    try:
        found: LocalMechanism = _KINDS[item.mechanism](item.exact_epsilon, **item.parameters)
    except (KeyError, TypeError, ValueError):
        raise InvalidFile(
            "The file names a mechanism that this version does not know.",
            "Randomise the data again, or use the version that wrote the file.",
        ) from None
    return found

"""The mechanisms by name, and the law of a report of several attributes of one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sudare.accounting.shuffle import laws
from sudare.accounting.shuffle.law import Law, power

ANY = "any"
# Above this e^ε₀ nears the end of the floating-point numbers, and there is nothing to amplify.
LARGEST_EPSILON = 300.0
# Those of categories need to know how many values there are.
_CATEGORICAL: dict[str, Callable[[float, int], Law]] = {
    "grr": laws.grr,
    "pram": laws.grr,
    "oue": laws.oue,
    "one-hot": laws.one_hot,
}
_NUMERIC: dict[str, Callable[[float], Law]] = {
    "two-point": laws.two_point,
    "piecewise": laws.piecewise,
    "hybrid": laws.hybrid,
    "square-wave": laws.square_wave,
    "olh": laws.olh,
}
LAPLACE = "laplace"
NAMES: tuple[str, ...] = (*_NUMERIC, LAPLACE, *_CATEGORICAL, ANY)
NEEDS_VALUES: frozenset[str] = frozenset(_CATEGORICAL)
# The ratios of m Laplace attributes in c cells lie on a grid of (mc + 1)² points.
_LAPLACE_POINTS = 60


@dataclass(frozen=True)
class Mechanism:
    """A named mechanism, the same for every attribute; `values` where it is for categories."""

    name: str
    values: int | None = None

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise ValueError(f"there is no mechanism {self.name}")
        if self.name in NEEDS_VALUES and (self.values is None or self.values < 2):
            raise ValueError("a mechanism for categories needs the number of values")

    def law(self, epsilon0: float, attributes: int) -> Law | None:
        """A report of so many attributes with ε₀ in total, in equal parts; None where it is not
        known, or where ε₀ leaves nothing to hide."""
        if self.name == ANY or epsilon0 > LARGEST_EPSILON:
            return None
        return power(self._one(epsilon0 / attributes, attributes), attributes)

    def _one(self, epsilon: float, attributes: int) -> Law:
        if self.name == LAPLACE:
            return laws.laplace(epsilon, max(1, min(64, _LAPLACE_POINTS // attributes)))
        if self.name in _NUMERIC:
            return _NUMERIC[self.name](epsilon)
        assert self.values is not None
        return _CATEGORICAL[self.name](epsilon, self.values)

"""The law of one person's report as the privacy blanket needs it: a short list of classes.

A report y falls into a class. Of each class a Law holds three numbers: the probability p₀ that a
person with the first value reports it, p₁ with the second value, and the blanket's mass b, which
is at most the probability of the class for a person with any value whatsoever. What matters of a
class are the ratios u = p₀/b and v = p₁/b.

Order    A ≼ B where, for all α, β ≥ 0, αu − βv under A (and 0 where the blanket is not drawn) is
         dominated by that under B in convex order: every convex function has a mean at least as
         large. The bound of `blanket.py` grows along ≼, and ≼ survives products and mixtures,
         because conditional on the other factors, αu − βv is again of this form.
Claim    every function here returns a law that is the true one or lies above it in ≼:
         * product: independent attributes; probabilities and masses multiply.
         * mixture: a public choice that is drawn independently of the value and seen in the
           report (which attributes are reported, which mechanism was used).
         Long lists are shortened by `compact.py`.
Margins  `slack` bounds the relative error that rounding has made in ratios and masses; `lost` is
         the probability, for either value, of classes too rare to keep, to be added to δ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sudare.accounting.shuffle.compact import MOST_PAIRS, compact, small_enough

Array: TypeAlias = NDArray[np.float64]

UNIT = 2.0**-53
# Classes that are rarer than this together are not kept.
_RARE = 1e-28


@dataclass(frozen=True)
class Law:
    """Classes of a report: probabilities under two values, and the blanket's mass.

    `epsilon` is what the report satisfies locally. `symmetric` says that exchanging the two values
    gives the same law. `binary` says that the whole report is one bit (see `binary.py`).
    """

    first: Array
    second: Array
    blanket: Array
    epsilon: float
    symmetric: bool = False
    binary: bool = False
    slack: float = 16 * UNIT
    lost: float = 0.0

    def __post_init__(self) -> None:
        together = np.concatenate([self.first, self.second, self.blanket])
        if not (np.isfinite(together).all() and (self.blanket > 0).all()):
            raise ValueError("every class needs a finite positive mass in the blanket")
        for side in (self.first, self.second):
            if abs(float(side.sum()) - 1) > 1e-6:
                raise ValueError("the classes of a law do not sum to one")
        if float(self.blanket.sum()) > 1 + 1e-9:
            raise ValueError("the blanket has more mass than one")

    @property
    def gamma(self) -> float:
        """The probability that a person's report says nothing of the person's value."""
        return float(self.blanket.sum())

    @property
    def classes(self) -> int:
        return len(self.blanket)

    def swapped(self) -> Law:
        return replace(self, first=self.second, second=self.first)


def from_ratios(
    masses: Sequence[float] | Array,
    first: Sequence[float] | Array,
    second: Sequence[float] | Array,
    epsilon: float,
    *,
    symmetric: bool = False,
    binary: bool = False,
) -> Law:
    """A law from the blanket's masses b and the ratios u, v; classes without mass are left out."""
    b, u, v = (np.asarray(each, dtype=np.float64) for each in (masses, first, second))
    there = b > 0
    b, u, v = b[there], u[there], v[there]
    # A blanket may always be smaller: so the rounding of its masses errs on the safe side.
    return Law(b * u, b * v, b * (1 - 8 * UNIT), epsilon, symmetric, binary)


def product(laws: Sequence[Law]) -> Law:
    """Attributes that are randomised independently, all of them reported."""
    if not laws:
        raise ValueError("a report has at least one attribute")
    # Like with like first: their ratios coincide, and classes join.
    return reduce(_times, sorted(laws, key=lambda law: (law.epsilon, law.classes)))


def power(law: Law, times: int) -> Law:
    """The same law for so many independent attributes."""
    if times < 1:
        raise ValueError("a report has at least one attribute")
    if times == 1:
        return law
    found = power(law, times // 2)
    rest = times - times // 2
    if found.classes**2 > MOST_PAIRS >= rest * found.classes * law.classes / 4:
        # One attribute at a time keeps a long list exact where its square would be shortened.
        for _ in range(rest):
            found = _times(found, law)
        return found
    found = _times(found, found)
    return _times(found, law) if times % 2 else found


def mixture(parts: Sequence[tuple[float, Law]]) -> Law:
    """A public choice: with each weight its law, the choice seen in the report."""
    chosen = [(weight, law) for weight, law in parts if weight > 0]
    if not chosen or abs(sum(weight for weight, _ in chosen) - 1) > 1e-9:
        raise ValueError("the weights of a mixture sum to one")
    if len(chosen) == 1:
        return chosen[0][1]
    most = max(16, MOST_PAIRS // len(chosen))
    chosen = [(weight, compact(law, most)) for weight, law in chosen]
    mixed = Law(
        np.concatenate([weight * law.first for weight, law in chosen]),
        np.concatenate([weight * law.second for weight, law in chosen]),
        np.concatenate([weight * law.blanket for weight, law in chosen]),
        max(law.epsilon for _, law in chosen),
        all(law.symmetric for _, law in chosen),
        slack=max(law.slack for _, law in chosen) + 4 * UNIT,
        lost=sum(weight * law.lost for weight, law in chosen),
    )
    return compact(mixed)


def _times(one: Law, other: Law) -> Law:
    one, other = small_enough(one, other)
    first = np.outer(one.first, other.first).ravel()
    second = np.outer(one.second, other.second).ravel()
    kept, lost = _common(np.maximum(first, second))
    law = Law(
        first[kept],
        second[kept],
        np.outer(one.blanket, other.blanket).ravel()[kept],
        one.epsilon + other.epsilon,
        one.symmetric and other.symmetric,
        slack=one.slack + other.slack + 4 * UNIT,
        lost=one.lost + other.lost + lost,
    )
    return compact(law)


def _common(chances: Array) -> tuple[NDArray[np.bool_], float]:
    """Which classes to keep, and the total chance of the others."""
    kept = chances > _RARE / len(chances)
    return kept, float(chances[~kept].sum())

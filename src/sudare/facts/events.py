"""Privacy events: frozen statements of what one noisy answer does, read by the accountants.

An event names its sensitivity *and* its neighbour relation, because neither means anything alone.
`epsilon` is exact (a Fraction); accountants round up, events never round.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.relation import Relation


@dataclass(frozen=True)
class LaplaceEvent:
    """Integer vector + discrete Laplace noise of `scale` in every cell."""

    relation: Relation
    l1_sensitivity: int
    scale: Fraction
    cells: int

    @property
    def epsilon(self) -> Fraction:
        return self.l1_sensitivity / self.scale


@dataclass(frozen=True)
class GaussianEvent:
    """Integer vector + discrete Gaussian noise of variance parameter `sigma`² in every cell."""

    relation: Relation
    l2_sensitivity_squared: int
    sigma: Fraction
    cells: int

    @property
    def rho(self) -> Fraction:
        return self.l2_sensitivity_squared / (2 * self.sigma**2)


@dataclass(frozen=True)
class BoxEvent:
    """Integer vector + noise whose chance falls with its largest entry, by e^(1/`scale`) a step."""

    relation: Relation
    largest_sensitivity: int
    scale: Fraction
    cells: int

    @property
    def epsilon(self) -> Fraction:
        return self.largest_sensitivity / self.scale


@dataclass(frozen=True)
class SelectionEvent:
    """A private choice among candidates (permute-and-flip): pure ε, nothing finer is claimed."""

    relation: Relation
    score_sensitivity: Fraction
    candidates: int
    epsilon: Fraction


@dataclass(frozen=True)
class SmoothEvent:
    """A number + noise in proportion to its smooth sensitivity, which shrinks by e^-`decay` a
    step at most; (ε, δ) as the mechanism proves it."""

    relation: Relation
    epsilon: Fraction
    delta: Fraction
    decay: Fraction


@dataclass(frozen=True)
class LocalEvent:
    """One unit's reports, randomised before anyone collects them: ε-LDP, hence ε-DP of the table
    of reports under replace-one."""

    relation: Relation
    epsilon: Fraction


@dataclass(frozen=True)
class PublicEvent:
    """A number that the relation itself makes public; costs nothing."""

    relation: Relation


PrivacyEvent = (
    LaplaceEvent
    | GaussianEvent
    | BoxEvent
    | SelectionEvent
    | SmoothEvent
    | LocalEvent
    | PublicEvent
)

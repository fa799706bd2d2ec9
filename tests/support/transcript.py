"""The exact ε between two tables, through the public function of a job.

Everything random that a release may depend on goes through a mechanism, or draws from the `bits` of
the job. Run the job on one table and write down what every mechanism gave (the transcript); run it
on a neighbour with the same bits and let every mechanism give the same again. Then

1. the two releases are equal, or something else than the mechanisms looked at the rows: a number
   that is not noised, a forecast made from data, noise drawn past the mechanisms (`Leak`);
2. the mechanisms themselves are equal, or their noise was chosen by looking at the rows (`Leak`);
3. the largest log ratio of the laws of each step, over all of its outputs, adds up to what this
   transcript can show of ε: exact for discrete Laplace and box noise, by quadrature for
   permute-and-flip, on a dense grid for Student's law; a Gaussian shows ρ = Δ²/2σ².

A question that looks more than once chooses its later steps by what the earlier ones gave, so its
claim must hold for every transcript: such jobs are run with several.

Mutant. `shrink` makes the noise of every mechanism smaller by that factor while the claim stays; a
smooth bound becomes that much less smooth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sudare.mechanisms.box_noise import BoxNoise
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.mechanisms.laplace_smooth import LaplaceSmooth
from sudare.mechanisms.permute_and_flip import PermuteAndFlip
from sudare.mechanisms.student_smooth import StudentSmooth
from support.bits import CountedBits
from support.flips import law

HOOKS = (
    (DiscreteLaplace, "apply"),
    (DiscreteLaplace, "apply_array"),
    (DiscreteGaussian, "apply"),
    (DiscreteGaussian, "apply_array"),
    (BoxNoise, "apply"),
    (PermuteAndFlip, "apply_rows"),
    (StudentSmooth, "apply"),
    (LaplaceSmooth, "apply"),
)
GRID = np.concatenate([-np.geomspace(1e6, 1e-4, 4000), [0.0], np.geomspace(1e-4, 1e6, 4000)])


class Leak(AssertionError):
    """The release depends on the rows past its mechanisms."""


@dataclass(frozen=True)
class Step:
    """What one mechanism was given, and what it gave."""

    mechanism: Any
    given: tuple[Any, ...]
    output: Any


@dataclass(frozen=True)
class Shown:
    """What a pair of tables shows: a pure ε, a ρ of Gaussian noise, and a δ."""

    epsilon: float = 0.0
    rho: float = 0.0
    delta: float = 0.0

    def __add__(self, other: Shown) -> Shown:
        return Shown(self.epsilon + other.epsilon, self.rho + other.rho, self.delta + other.delta)


@dataclass
class Transcript:
    """The steps of one run. Without `told` they are drawn; with it they are given again."""

    label: str
    shrink: Fraction = Fraction(1)
    told: list[Step] | None = None
    steps: list[Step] = field(default_factory=list)

    @contextmanager
    def played(self) -> Iterator[None]:
        bits = CountedBits(f"transcript {self.label}")
        with pytest.MonkeyPatch.context() as patch:
            for kind, name in HOOKS:
                original = getattr(kind, name)

                def step(mechanism: Any, *given: Any, drawn: Any = original) -> Any:
                    smaller, values = _shrunk(mechanism, given[:-1], self.shrink)
                    if self.told is None:
                        output = drawn(smaller, *values, bits)
                    else:
                        output = self._again(smaller)
                    self.steps.append(Step(smaller, values, output))
                    return output

                patch.setattr(kind, name, step)
            yield

    def _again(self, mechanism: Any) -> Any:
        place = len(self.steps)
        if self.told is None or place >= len(self.told):
            raise Leak("The neighbour asks for more noise.")
        if self.told[place].mechanism != mechanism:
            raise Leak("The noise itself was chosen by looking at the rows.")
        return self.told[place].output


def shown_by(
    run: Callable[[Any], Any], one: Any, others: list[Any], label: str, shrink: Fraction | int = 1
) -> list[Shown]:
    """What the outputs of `run` on one table show against each of its neighbours. `run` gives what
    leaves the house, without what is no answer: identifiers and times."""
    first = Transcript(label, Fraction(shrink))
    with first.played():
        left = run(one)
    found = []
    for other in others:
        second = Transcript(label, Fraction(shrink), first.steps)
        with second.played():
            right = run(other)
        if len(first.steps) != len(second.steps):
            raise Leak("The neighbour asks for less noise.")
        if left != right:
            raise Leak("The same noisy numbers made two different releases.")
        parts = zip(first.steps, second.steps, strict=True)
        found.append(sum((difference(*pair) for pair in parts), Shown()))
    return found


def difference(one: Step, other: Step) -> Shown:
    """The largest log ratio of the two laws of a step."""
    kind = one.mechanism
    if isinstance(kind, DiscreteLaplace):
        return Shown(float(sum(_moved(one, other)) / kind.scale))
    if isinstance(kind, DiscreteGaussian):
        return Shown(rho=float(sum(each**2 for each in _moved(one, other)) / (2 * kind.sigma**2)))
    if isinstance(kind, BoxNoise):
        moved = zip(_moved(one, other), kind.steps, strict=True)
        return Shown(float(max(each * step for each, step in moved) / kind.scale))
    if isinstance(kind, PermuteAndFlip):
        return Shown(sum(_choice(kind, *rows) for rows in _rows(one, other)))
    if isinstance(kind, StudentSmooth):
        return Shown(_student(kind, one.given, other.given))
    assert isinstance(kind, LaplaceSmooth)
    return _laplace(kind, one.given, other.given)


def _moved(one: Step, other: Step) -> list[int]:
    return [abs(int(a) - int(b)) for a, b in zip(one.given[0], other.given[0], strict=True)]


def _rows(one: Step, other: Step) -> Iterator[tuple[Any, Any, Fraction]]:
    for mine, yours in zip(one.given[0], other.given[0], strict=True):
        yield mine, yours, one.given[1]


def _choice(kind: PermuteAndFlip, mine: Any, yours: Any, unit: Fraction) -> float:
    laws = [law(scores, unit, kind) for scores in (mine, yours)]
    return float(np.abs(np.log(laws[0]) - np.log(laws[1])).max())


def _student(kind: StudentSmooth, *given: tuple[Any, ...]) -> float:
    """The real laws, of which the released ones are roundings."""
    sizes = [float(kind.factor * bound) for _, bound in given]
    places = [float(value) for value, _ in given]
    points = np.concatenate(
        [place + size * GRID for place, size in zip(places, sizes, strict=True)]
    )
    logs = [
        -1.5 * np.log1p(((points - place) / size) ** 2 / 2) - np.log(size)
        for place, size in zip(places, sizes, strict=True)
    ]
    return float(np.abs(logs[0] - logs[1]).max())


def _laplace(kind: LaplaceSmooth, *given: tuple[Any, ...]) -> Shown:
    """Its ε with the δ that the two roundings need at that ε."""
    reach = np.arange(-4000, 4001)
    laws = []
    for value, bound in given:
        size = float(kind.factor * bound)
        edges = np.abs(np.arange(-4000, 4002) - 0.5 - value) / size
        upper = np.exp(-edges) / 2
        below = np.arange(-4000, 4002) - 0.5 < value
        centre = np.where(below, upper, 1 - upper)
        same = below[1:] == below[:-1]
        laws.append(np.where(same, np.abs(np.diff(upper)), np.diff(centre)))
    assert len(laws[0]) == len(reach)
    epsilon = float(kind.epsilon)
    sides = (laws, laws[::-1])
    delta = max(float(np.maximum(a - np.exp(epsilon) * b, 0).sum()) for a, b in sides)
    return Shown(epsilon, delta=delta)


def _shrunk(kind: Any, given: tuple[Any, ...], by: Fraction) -> tuple[Any, tuple[Any, ...]]:
    """The mechanism, or what it is given, with noise that is `by` of the right one."""
    if by == 1:
        return kind, given
    if isinstance(kind, DiscreteLaplace):
        return replace(kind, scale=kind.scale * by), given
    if isinstance(kind, DiscreteGaussian):
        return replace(kind, sigma=kind.sigma * by), given
    if isinstance(kind, BoxNoise):
        return replace(kind, epsilon=kind.epsilon / by), given
    if isinstance(kind, PermuteAndFlip):
        return replace(kind, score_sensitivity=kind.score_sensitivity * by), given
    # A bound that is too small, and follows the rows faster than it may.
    return kind, (given[0], Fraction((float(given[1]) / 8) ** float(1 / by)))

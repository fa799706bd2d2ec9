"""The figures of a paper, computed again: as it computes them, and as they should be.

Only data that everybody may have is used for this (Adult, the made town), so that errors against
the true matrix may be shown. It is no release and costs nothing.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Mode = Literal["paper", "corrected"]


@dataclass(frozen=True)
class Point:
    """One number of a figure. `error` is the standard error of a mean over trials, where it is one;
    `value` is None where nothing may be said."""

    mode: Mode
    quantity: str
    series: str
    x: float
    value: float | None
    error: float | None = None


@dataclass(frozen=True)
class PaperFigure:
    """A figure as a list of points; `axis` names what x is."""

    number: int
    axis: str
    points: tuple[Point, ...]

    def of(self, mode: Mode, quantity: str, series: str | None = None) -> tuple[Point, ...]:
        """The points of one panel, or of one line in it."""
        return tuple(
            point
            for point in self.points
            if (point.mode, point.quantity) == (mode, quantity) and series in (None, point.series)
        )


@dataclass(frozen=True)
class Inverted:
    """The ε′ that a wanted ε* allows: as the paper prints it, by its theorem, by the tightest
    bound. None where the theorem's condition allows nothing."""

    epsilon_star: float
    printed: float
    theorem: float | None
    tightest: float


@dataclass(frozen=True)
class Findings:
    """What the figures show, in numbers.

    `identity` is the error of printing the identity matrix for the correlations; `left_end` that of
    figure 7 at its smallest ε₀. `diagonal` is the share of the covariances' error that comes from
    the diagonal. The curves of figure 5 cross at `crossing` per attribute. `spread` compares how
    much the mean errors of figure 4 differ between its a with what their own noise explains (1 is
    as much as noise); `same_words` is the greatest difference between them where all use the same
    random words. `allowed` is the greatest ε′ of the theorem's condition for this many people.
    """

    identity: float
    left_end: float
    diagonal: float
    crossing: float | None
    spread: float
    same_words: float
    allowed: float
    inverted: tuple[Inverted, ...]


@dataclass(frozen=True)
class Reproduced:
    """All figures for one data set."""

    data: str
    rows: int
    attributes: tuple[str, ...]
    trials: int
    delta: float
    figures: tuple[PaperFigure, ...]
    findings: Findings

    def figure(self, number: int) -> PaperFigure:
        return self.figures[number - 1]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

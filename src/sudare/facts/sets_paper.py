"""Figures 3 to 7 of paper 004 made again: what was lost in which setting, as the paper suppresses
and as this house does.

Only data that everybody may have are used for this (BMS-WebView-1 and -2, the made town), and the
sensitive items are drawn by lot. It is no release.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import fmean, stdev
from typing import Any, Literal, get_args

from sudare.facts.errors import UsageError

Mode = Literal["paper", "default"]
Setting = Literal["fixed", "personalized", "fixed+", "personalized+"]
# `exposed`: of fresh attackers, the share who succeed, for the size of knowledge where it is most.
Quantity = Literal["util1", "util2", "util_mining", "exposed"]
Axis = Literal["rho", "epsilon", "share"]
MODES: tuple[Mode, ...] = get_args(Mode)
FIGURES = (3, 4, 5, 6, 7)
# What a figure shows, over what, and in which settings.
QUANTITIES: dict[int, tuple[Quantity, ...]] = {
    3: ("util1",),
    4: ("util2",),
    5: ("util1", "exposed"),
    6: ("util1",),
    7: ("util_mining",),
}
AXES: dict[int, Axis] = {3: "rho", 4: "rho", 5: "epsilon", 6: "share", 7: "share"}
BASIC: tuple[Setting, ...] = ("fixed", "personalized")
PLUS: tuple[Setting, ...] = ("fixed+", "personalized+")


@dataclass(frozen=True)
class Spot:
    """One place of a figure: `values` has one number for every repetition. In figure 5 an x of 0
    is the exact release, safe from every attacker."""

    data: str
    mode: Mode
    setting: Setting
    quantity: Quantity
    x: float
    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def deviation(self) -> float | None:
        """The standard deviation between repetitions; one alone has none."""
        return stdev(self.values) if len(self.values) > 1 else None


@dataclass(frozen=True)
class SetsFigure:
    """One figure for all data sets."""

    number: int
    spots: tuple[Spot, ...]

    @property
    def axis(self) -> Axis:
        return AXES[self.number]

    def of(self, data: str, mode: Mode, quantity: Quantity) -> tuple[Spot, ...]:
        """The places of one panel."""
        wanted = (data, mode, quantity)
        return tuple(s for s in self.spots if (s.data, s.mode, s.quantity) == wanted)

    def at(
        self, data: str, mode: Mode, setting: Setting, x: float, quantity: Quantity | None = None
    ) -> float:
        """The mean at one place."""
        quantity = quantity or QUANTITIES[self.number][0]
        found = self.of(data, mode, quantity)
        return next(spot.mean for spot in found if (spot.setting, spot.x) == (setting, x))


@dataclass(frozen=True)
class PublicBaskets:
    """A data set: `short` of its records have at most five items."""

    name: str
    records: int
    short: int
    items: int
    longest: int


@dataclass(frozen=True)
class SetsPaper:
    """All figures that were asked for."""

    data: tuple[PublicBaskets, ...]
    modes: tuple[Mode, ...]
    repeats: int
    figures: tuple[SetsFigure, ...]
    verified: int
    seconds: float

    def figure(self, number: int) -> SetsFigure | None:
        return next((each for each in self.figures if each.number == number), None)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        found = asdict(self)
        for figure, made in zip(found["figures"], self.figures, strict=True):
            figure["axis"] = made.axis
            for plain, spot in zip(figure["spots"], made.spots, strict=True):
                plain |= {"mean": spot.mean, "deviation": spot.deviation}
        return found


def read_figures(text: str) -> tuple[int, ...]:
    """3,5 or 3-7, in ascending order and each once."""
    found: set[int] = set()
    try:
        for part in text.split(","):
            first, _, last = part.partition("-")
            found |= set(range(int(first), int(last or first) + 1))
    except ValueError:
        found = set()
    if not found or not found <= set(FIGURES):
        raise UsageError("The paper's figures are 3 to 7.", "Examples: --figures 3,4 or 5-7")
    return tuple(sorted(found))

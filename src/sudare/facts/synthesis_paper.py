"""Tables 3 to 5 of paper 002 made again: what was drawn by which method, how far it is off, and
what the paper prints.

Only data that everybody may have are used for this (Adult, Census-Income), so that exact values of
the real rows may stand beside synthetic ones. It is no release and costs nothing.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Quantity = Literal[
    "ave_mean",
    "ave_cov",
    "ave_cross_cells",
    "ave_cross",
    "ave_spearman_tied",
    "ave_spearman",
    "two_way_tv",
]
QUANTITIES: tuple[Quantity, ...] = (
    "ave_mean",
    "ave_cov",
    "ave_cross_cells",
    "ave_cross",
    "ave_spearman_tied",
    "ave_spearman",
    "two_way_tv",
)
# The paper's methods, its method with other roots and another decoding, and this house's own.
METHODS = ("a", "b", "paper", "argmax", "literal", "moments", "tables")
# Tables 3, 4 and 5 as printed, for methods A, B and the proposed one.
PRINTED: dict[tuple[str, Quantity], dict[str, float]] = {
    ("adult", "ave_mean"): {"a": 6.58e2, "b": 0.0, "paper": 0.0},
    ("census", "ave_mean"): {"a": 29.25, "b": 0.0, "paper": 0.0},
    ("adult", "ave_cov"): {"a": 1.92e6, "b": 0.0, "paper": 0.0},
    ("census", "ave_cov"): {"a": 2.53e5, "b": 0.0, "paper": 0.0},
    ("adult", "ave_cross_cells"): {"a": 0.1191, "b": 0.2518, "paper": 0.2331},
    ("census", "ave_cross_cells"): {"a": 0.5684, "b": 0.2385, "paper": 0.7447},
    ("adult", "ave_spearman_tied"): {"a": 0.0858, "b": 0.0858, "paper": 0.0666},
    ("census", "ave_spearman_tied"): {"a": 0.1192, "b": 0.1242, "paper": 0.1232},
}


@dataclass(frozen=True)
class Drawing:
    """One method on one data set. AveCross is in %, as the mean over all cells and as equation (4)
    prints it. AveSpearCorr is by frequency, equal ones sharing a rank, and with numbers by value.
    `largest` is the largest error of a mean or a covariance in standard deviations; `outside` the
    share of numbers outside their declared bounds, `fractions` that of whole numbers that came out
    with a fraction."""

    method: str
    ave_mean: float
    ave_cov: float
    ave_cross_cells: float
    ave_cross: float
    ave_spearman_tied: float
    ave_spearman: float
    two_way_tv: float
    largest: float
    outside: float
    fractions: float
    seconds: float

    def of(self, quantity: Quantity) -> float:
        return float(getattr(self, quantity))


@dataclass(frozen=True)
class Redrawn:
    """All methods on one data set of `rows` complete rows."""

    data: Literal["adult", "census"]
    rows: int
    numbers: int
    categories: int
    constants: tuple[str, ...]
    drawings: tuple[Drawing, ...]

    def drawing(self, method: str) -> Drawing | None:
        return next((each for each in self.drawings if each.method == method), None)


@dataclass(frozen=True)
class SynthesisPaper:
    """Both data sets; `rows` synthetic rows by every method."""

    rows: int
    tables: tuple[Redrawn, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, with the paper's own beside them."""
        found = asdict(self)
        found["printed"] = [
            {"data": data, "quantity": quantity, **values}
            for (data, quantity), values in PRINTED.items()
        ]
        return found

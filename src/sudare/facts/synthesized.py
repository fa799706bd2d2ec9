"""What is told of a synthetic file: where it comes from, what it keeps, and what it promises.

It is made of statistics and synthetic rows alone; of the real rows it holds no more than the
statistics do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from sudare.facts.statistics import Origin

Mode = Literal["default", "paper", "a", "b"]
Preserve = Literal["tables", "moments"]
MODES: tuple[Mode, ...] = ("default", "paper", "a", "b")


@dataclass(frozen=True)
class MomentGap:
    """How far the synthetic moments are from the stated ones: the largest error of a mean in
    standard deviations, of a covariance in units of both deviations, and the paper's averages."""

    mean: float
    covariance: float
    ave_mean: float
    ave_cov: float
    ave_mean_relative: float
    ave_cov_relative: float


@dataclass(frozen=True)
class Kept:
    """One column beside its statistics: shares of the same bins."""

    column: str
    labels: tuple[str, ...]
    stated: tuple[float, ...]
    synthetic: tuple[float, ...]


@dataclass(frozen=True)
class Correlations:
    """Of the numbers, as stated and as they came out."""

    columns: tuple[str, ...]
    stated: tuple[tuple[float | None, ...], ...]
    synthetic: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class RuleKept:
    """A rule and how many synthetic rows break it."""

    rule: str
    broken: int


@dataclass(frozen=True)
class Synthesized:
    """The certificate of a synthetic file. `guarantee` is that of the statistics: None means that
    they were exact and nothing is promised. `drawn`, `before` and `after` are the gaps of the
    moments as first drawn, and before and after rounding to whole numbers. `clashes` are rules that
    some of the rows behind exact statistics break, and the share of those rows. `two_way` is the
    mean total variation of two-way tables: from those of the real rows, over the cells of `sudare
    compare`, or where no row is at hand from the stated ones, over their own cells. `nearness` is
    what was found when exact statistics were tested on people held out; None where nothing was."""

    table: str
    rows: int
    created: str
    software: str
    origin: Origin
    mode: Mode
    preserve: Preserve
    guarantee: Mapping[str, Any] | None
    source: Mapping[str, Any]
    used: Mapping[str, Any]
    marginals: tuple[Kept, ...]
    correlations: Correlations | None = None
    drawn: MomentGap | None = None
    before: MomentGap | None = None
    after: MomentGap | None = None
    rounded: tuple[str, ...] = ()
    two_way: float | None = None
    two_way_of: Literal["real", "stated"] = "stated"
    rules: tuple[RuleKept, ...] = ()
    clashes: tuple[tuple[str, float], ...] = ()
    exclusive: tuple[tuple[str, str], ...] = ()
    proposals: tuple[str, ...] = ()
    closeness: Mapping[str, Any] | None = None
    nearness: Mapping[str, Any] | None = None
    recovered: tuple[tuple[str, str], ...] = ()
    lost: tuple[tuple[str, str], ...] = ()
    panel: Mapping[str, Any] | None = None
    file: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

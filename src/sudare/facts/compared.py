"""What a comparison of real and synthetic rows found. It holds exact figures of the real rows, so
it is the steward's own and is not for publication."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from sudare.facts.microdata import ColumnKind


@dataclass(frozen=True)
class ColumnMoments:
    """Mean and standard deviation of a number in both tables; `scaled` is the difference of the
    means in standard deviations of the real rows."""

    column: str
    type: ColumnKind
    means: tuple[float, float]
    deviations: tuple[float, float]
    scaled: float


@dataclass(frozen=True)
class MomentErrors:
    """AveMean (2) and AveCov (3) in the units of the data, in standard deviations, and at worst."""

    ave_mean: float
    ave_cov: float
    ave_mean_scaled: float
    ave_cov_scaled: float
    max_mean_scaled: float
    max_cov_scaled: float
    columns: tuple[ColumnMoments, ...]


@dataclass(frozen=True)
class Marginal:
    """Shares of the cells of one column; a label of None means missing."""

    column: str
    type: ColumnKind
    labels: tuple[str | None, ...]
    real: tuple[float, ...]
    synthetic: tuple[float, ...]
    total_variation: float


@dataclass(frozen=True)
class PairError:
    """How far one two-way table is off: the mean over its cells in %, and the total variation."""

    columns: tuple[str, str]
    cells: int
    mean_percent: float
    total_variation: float


@dataclass(frozen=True)
class CrossTable:
    """One two-way table in both, as shares; labels as in `Marginal`."""

    columns: tuple[str, str]
    labels: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    real: tuple[tuple[float, ...], ...]
    synthetic: tuple[tuple[float, ...], ...]
    total_variation: float


@dataclass(frozen=True)
class CrossErrors:
    """AveCross (4) in %: `ave_cross` as printed, `ave_cross_cells` as the mean over all cells of
    all pairs. Total variations are means over columns and over pairs of different columns. `pairs`
    and `worst` run from the worst on."""

    ave_cross: float
    ave_cross_cells: float
    one_way_tv: float
    two_way_tv: float
    max_two_way_tv: float
    marginals: tuple[Marginal, ...]
    pairs: tuple[PairError, ...]
    worst: tuple[CrossTable, ...]


@dataclass(frozen=True)
class RankErrors:
    """AveSpearCorr (5): `ave_spearman` ranks labels by their frequency in their own table and
    numbers by value; `ave_spearman_shared` ranks labels by the frequencies of the real rows in
    both; `ave_spearman_printed` ranks every value by its frequency. The matrices are the
    correlations of the first."""

    ave_spearman: float
    ave_spearman_shared: float
    ave_spearman_printed: float
    max_spearman: float
    columns: tuple[str, ...]
    real: tuple[tuple[float, ...], ...]
    synthetic: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Measures:
    """The measures of every value: quick, exact, of all rows."""

    rows: tuple[int, int]
    moments: MomentErrors
    crosses: CrossErrors
    ranks: RankErrors

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Discriminator:
    """How well a model tells synthetic rows from real ones. pMSE is that of a logistic regression
    (0 where it cannot tell, 0.25 where it always can), `pmse_expected` its mean if the synthetic
    rows came from a right model of the real ones; the areas under the curve are out of sample,
    0.5 where it cannot tell."""

    rows: int
    parameters: int
    pmse: float
    pmse_expected: float
    auc_logistic: Estimate
    auc_boosting: Estimate


@dataclass(frozen=True)
class Coefficient:
    """One term of a regression in both tables: values and standard errors, and the overlap of
    their 95 % intervals (1: the same, 0: apart). A label of None stands for the number itself, an
    empty one for what is missing."""

    column: str
    label: str | None
    values: tuple[float, float]
    errors: tuple[float, float]
    overlap: float


@dataclass(frozen=True)
class Regression:
    """A linear regression of a number, or a logistic regression of `event`. Standard errors of
    the synthetic rows are those of as many rows as the real table gave. `left_out` are terms that
    the others determine already."""

    kind: str
    target: str
    event: str | None
    rows: tuple[int, int]
    coefficients: tuple[Coefficient, ...]
    left_out: int
    mean_overlap: float
    same_sign: float


@dataclass(frozen=True)
class Score:
    """One score of the models trained on real and on synthetic rows, and of a blind guess."""

    name: str
    real: Estimate
    synthetic: Estimate
    blind: float


@dataclass(frozen=True)
class Learning:
    """A model that predicts the target, trained on either table and tested on real rows that
    neither model was trained on."""

    target: str
    rows: tuple[int, int]
    test_rows: int
    held_out: bool
    scores: tuple[Score, ...]


@dataclass(frozen=True)
class Nearest:
    """Distances to the nearest real row: of synthetic rows, and of real rows held aside. `ratio`
    is that of the 5th percentiles; None where the latter is 0."""

    rows: tuple[int, int]
    reference_rows: int
    identical: float
    identical_nearby: Estimate
    identical_control: Estimate
    percentile5: tuple[float, float]
    median: tuple[float, float]
    ratio: float | None


@dataclass(frozen=True)
class Attack:
    """An attack through the synthetic rows: how often it succeeds, how often the control does, how
    often a blind guess would; and the share of what the control leaves that the attack wins."""

    kind: str
    column: str | None
    attacks: int
    success: Estimate
    control: Estimate
    blind: float | None
    risk: Estimate


@dataclass(frozen=True)
class Membership:
    """Can the distance to the nearest synthetic row tell who was in the data? The area under the
    curve (0.5: no), and the share of members found among at most 1 % and 10 % false ones."""

    attacks: tuple[int, int]
    auc: Estimate
    found_at_1: float
    found_at_10: float


@dataclass(frozen=True)
class Attacks:
    """`control` says what the attacks are measured against: "holdout" rows that the synthesiser
    never saw, or "other_rows": the same attack through other real rows of the same table."""

    control: str
    reference_rows: int
    membership: Membership | None
    linkage: Attack | None
    inference: tuple[Attack, ...]


@dataclass(frozen=True)
class Verdict:
    """One line of the summary: its topic, green, amber or red, and the figures it rests on."""

    topic: str
    light: str
    figures: dict[str, float | None]


@dataclass(frozen=True)
class Compared:
    """Everything that `sudare compare` found."""

    table: str
    columns: tuple[str, ...]
    left_out: tuple[str, ...]
    target: str
    target_chosen: bool
    holdout_rows: int
    outside: dict[str, int]
    measures: Measures
    discriminator: Discriminator
    regression: Regression | None
    learning: Learning | None
    nearest: Nearest
    attacks: Attacks
    verdicts: tuple[Verdict, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

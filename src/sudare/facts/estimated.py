"""What is estimated from randomised reports: what is wanted, and what came out.

Every number stands beside its standard error, a 95 % interval, what a guess without any data would
have said, and whether it can be told from that.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, is_dataclass
from types import UnionType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from sudare.facts.errors import UsageError

Statistic = Literal[
    "mean",
    "covariance",
    "correlation",
    "histogram",
    "table",
    "pca",
    "regression",
    "logistic",
    "svm",
]
Method = Literal["em", "inverse"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)
MODELS: frozenset[Statistic] = frozenset({"regression", "logistic", "svm"})
# Names under which `sudare randomize` knows what is shown with others here.
_SHOWN_WITH: dict[str, Statistic] = {"variance": "mean", "distribution": "histogram"}
_ALWAYS: frozenset[Statistic] = frozenset({"mean", "covariance", "correlation", "histogram", "pca"})
# Why a statistic is missing: reports of no value, of no square, of no pair; noise too large; the
# target or the columns are of another kind.
Reason = Literal[
    "no_value", "no_square", "no_pair", "no_label", "no_people", "drowned", "not_two", "no_columns"
]


@dataclass(frozen=True)
class Wanted:
    """The statistics that are asked for; none means all that need no further word, and models of a
    target that is named. Tables name two columns each; none named are those of all columns that
    were reported together."""

    statistics: frozenset[Statistic] = frozenset()
    target: str | None = None
    tables: tuple[tuple[str, str], ...] = ()
    histogram_method: Method = "em"

    def __post_init__(self) -> None:
        if self.statistics & MODELS and self.target is None:
            raise UsageError(
                "A regression, logistic regression or SVM needs a target.",
                "Name the column that is to be explained: --target income",
            )

    @property
    def all(self) -> frozenset[Statistic]:
        """What is meant by naming nothing, and what is meant by naming columns."""
        named = self.statistics or _ALWAYS | (MODELS if self.target is not None else frozenset())
        return named | {"table"} if self.tables else named

    @property
    def needs_moments(self) -> bool:
        return bool(self.all - {"mean", "histogram", "table"})


def read_statistics(text: str) -> frozenset[Statistic]:
    """ "mean,correlation" as statistics."""
    named = [part.strip() for part in text.split(",") if part.strip()]
    names = [_SHOWN_WITH.get(name, name) for name in named]
    if not set(names) <= set(STATISTICS):
        known = ", ".join((*STATISTICS, *_SHOWN_WITH))
        raise UsageError("A statistic is not known.", f"Known: {known}.")
    return frozenset(cast(Statistic, name) for name in names)


@dataclass(frozen=True)
class Figure:
    """A number. `raw` is unbiased, `value` is what is published: the same within what is possible.
    Both are None where the file does not tell it; dates are ISO texts, errors then days."""

    value: float | str | None
    raw: float | None = None
    standard_error: float | None = None
    interval95: tuple[float | str, float | str] | None = None
    trivial: float | str | None = None
    distinguishable: bool = False


Verdict = Literal["beats", "hardly", "beaten"]


@dataclass(frozen=True)
class Score:
    """How far off the published numbers are expected to be on average, and a guess without data.
    `distinguishable`: all numbers together cannot be noise around that guess (99 %)."""

    expected_error: float
    trivial_error: float
    distinguishable: bool

    @property
    def verdict(self) -> Verdict:
        """What is presented as a result is to be at least twice as good as the guess. Both errors
        are estimates: at one half of the guess's, about half of such results would be worse than
        that. So at most two fifths are expected of a result; how much room is needed was not
        derived, but tried (docs/reproduce.md)."""
        if not self.distinguishable or self.expected_error >= self.trivial_error:
            return "beaten"
        return "beats" if 5 * self.expected_error <= 2 * self.trivial_error else "hardly"

    @property
    def beats_trivial(self) -> bool:
        return self.verdict == "beats"


@dataclass(frozen=True)
class Mean:
    """`missing_as_middle`: people without a value counted as the middle of the bounds."""

    column: str
    type: str
    bounds: tuple[float | str, float | str]
    mean: Figure
    variance: Figure | None
    missing_as_middle: bool


@dataclass(frozen=True)
class Matrix:
    """Covariances or correlations, positive semidefinite as published."""

    columns: tuple[str, ...]
    entries: tuple[tuple[Figure, ...], ...]
    score: Score | None


@dataclass(frozen=True)
class Histogram:
    """Shares of labels, or of bins between `edges`."""

    column: str
    labels: tuple[str | None, ...]
    edges: tuple[float | str, ...] | None
    shares: tuple[Figure, ...]
    method: str
    score: Score | None


@dataclass(frozen=True)
class Table:
    """Shares of pairs of labels; the trivial guess is the product of the margins, and a cell is
    distinguishable where it differs from that."""

    columns: tuple[str, str]
    labels: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    shares: tuple[tuple[Figure, ...], ...]
    score: Score | None


@dataclass(frozen=True)
class Component:
    """One principal component of the correlations."""

    eigenvalue: Figure
    share: Figure
    loadings: tuple[Figure, ...]


@dataclass(frozen=True)
class Components:
    columns: tuple[str, ...]
    components: tuple[Component, ...]


@dataclass(frozen=True)
class Model:
    """A linear regression (score: R²), or an approximate logistic regression or linear SVM (score:
    accuracy under normal columns; its trivial value is that of always naming the larger class).
    `ridge` is what was added to the diagonal of the correlations, 0 where they were well
    determined."""

    kind: Literal["regression", "logistic", "svm"]
    target: str
    classes: tuple[str, str] | None
    columns: tuple[str, ...]
    intercept: Figure
    coefficients: tuple[Figure, ...]
    score: Figure
    ridge: float
    approximate: bool


@dataclass(frozen=True)
class Untold:
    """A statistic that the file does not tell."""

    statistic: Statistic
    columns: tuple[str, ...]
    reason: Reason


@dataclass(frozen=True)
class Estimated:
    """All that was estimated from one file."""

    table: str
    rows: int
    epsilon: float
    means: tuple[Mean, ...] = ()
    covariance: Matrix | None = None
    correlation: Matrix | None = None
    histograms: tuple[Histogram, ...] = ()
    tables: tuple[Table, ...] = ()
    pca: Components | None = None
    models: tuple[Model, ...] = ()
    untold: tuple[Untold, ...] = ()
    guarantee: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return cast("dict[str, Any]", _plain(asdict(self)))

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Estimated:
        return cast(Estimated, _built(cls, values))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def _built(kind: Any, value: Any) -> Any:
    """A value of this type from plain ones: facts from dictionaries, tuples from lists."""
    if is_dataclass(kind) and isinstance(value, dict):
        kinds = get_type_hints(kind)
        return cast(Any, kind)(**{name: _built(kinds[name], each) for name, each in value.items()})
    parts = get_args(kind)
    if get_origin(kind) is UnionType and value is not None:
        return _built(next((part for part in parts if is_dataclass(part)), parts[0]), value)
    if isinstance(value, list):
        each = parts[0] if parts else None
        return tuple(_built(each, part) for part in value)
    return value

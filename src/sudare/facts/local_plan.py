"""A plan of local randomisation: which columns, at which ε, by which mechanisms, for which
statistics."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, cast, get_args

from sudare.facts.errors import InvalidPlan
from sudare.facts.numbers import exact_share

Statistic = Literal["mean", "covariance", "histogram", "table", "distribution", "synthesis"]
Budget = Literal["auto", "split", "sample", "statistic"]
NumberMechanism = Literal["two-point", "piecewise", "hybrid", "laplace", "square-wave"]
LabelMechanism = Literal["grr", "oue", "olh", "one-hot", "pram"]
NUMBER_MECHANISMS: tuple[str, ...] = get_args(NumberMechanism)
LABEL_MECHANISMS: tuple[str, ...] = get_args(LabelMechanism)
# What is computed from means and covariances needs those.
_SAME = dict.fromkeys(
    ("variance", "correlation", "pca", "regression", "logistic", "svm"), "covariance"
)
MOST_BINS = 1024


@dataclass(frozen=True)
class Wish:
    """A mechanism that was asked for by name; two-point may carry (a, b), PRAM its retention."""

    mechanism: str
    numbers: tuple[Fraction, ...] = ()


@dataclass(frozen=True)
class LocalPlan:
    """`columns` empty means every column that can be randomised; `wishes` are by column, those
    under "" for every column that they fit; `report` is how many items a person reports."""

    epsilon: Fraction
    columns: tuple[str, ...] = ()
    wishes: tuple[tuple[str, Wish], ...] = ()
    statistics: tuple[Statistic, ...] = ()
    budget: Budget = "auto"
    report: int | None = None
    bins: int = 32
    shuffle: bool = False
    delta: Fraction = Fraction(0)
    paper: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.bins <= MOST_BINS:
            raise InvalidPlan(f"Bins are between 2 and {MOST_BINS}.", "Example: --bins 32")
        if self.report is not None and self.report < 1:
            raise InvalidPlan("A person reports at least one item.", "Example: --report 2")
        if self.report is not None and self.budget not in ("auto", "sample"):
            raise InvalidPlan(
                "A number of items to report goes with --budget sample.",
                "split reports all of them, statistic one.",
            )
        if self.delta and not self.shuffle:
            raise InvalidPlan(
                "A local guarantee needs no δ.", "Leave --delta out, or add --shuffle."
            )
        if self.paper and (self.wishes or self.budget not in ("auto", "split")):
            raise InvalidPlan(
                "Paper mode has its own mechanism and budget.",
                "Leave --mechanism and --budget out, or leave --paper out.",
            )

    def wish(self, column: str, known: tuple[str, ...]) -> Wish | None:
        """What was asked for a column, by name or for all that `known` mechanisms fit."""
        for name, wish in self.wishes:
            if name and name == column:
                return wish
        for name, wish in self.wishes:
            if not name and wish.mechanism in known:
                return wish
        return None

    def digest(self, schema_digest: str) -> str:
        """SHA-256 of the plan under its schema: what an idempotency key stands for."""
        wishes = [[name, wish.mechanism, *map(str, wish.numbers)] for name, wish in self.wishes]
        parts = [
            str(self.epsilon),
            list(self.columns),
            wishes,
            list(self.statistics),
            self.budget,
            self.report,
            self.bins,
            self.shuffle,
            str(self.delta),
            self.paper,
        ]
        text = json.dumps(["randomize", schema_digest, parts], ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def read_statistics(text: str) -> tuple[Statistic, ...]:
    """ "mean,correlation" as statistics; a correlation needs what a covariance needs."""
    names = [part.strip() for part in text.split(",") if part.strip()]
    found = list(dict.fromkeys(_SAME.get(name, name) for name in names))
    if not set(found) <= set(get_args(Statistic)):
        raise InvalidPlan(
            "A statistic is not known.",
            "Known: mean, variance, covariance, correlation, histogram, table, distribution, pca, "
            "regression, logistic, svm, synthesis.",
        )
    if "synthesis" in found and len(found) > 1:
        raise InvalidPlan(
            "Reports for synthesis serve nothing else.",
            "Write --statistics synthesis alone: tables of all pairs can be estimated from them.",
        )
    return tuple(cast(Statistic, name) for name in found)


def read_wishes(texts: list[str] | tuple[str, ...]) -> tuple[tuple[str, Wish], ...]:
    """Mechanisms as people write them: auto, piecewise, age=two-point:1,3, sex=pram:0.8."""
    return tuple(_wish(text) for text in texts if text.strip() != "auto")


def _wish(text: str) -> tuple[str, Wish]:
    column, _, named = text.rpartition("=")
    name, _, rest = named.strip().partition(":")
    numbers = tuple(_number(part) for part in rest.split(",")) if rest else ()
    if name not in (*NUMBER_MECHANISMS, *LABEL_MECHANISMS):
        raise InvalidPlan(
            "A mechanism is not known.",
            f"Known: auto, {', '.join((*NUMBER_MECHANISMS, *LABEL_MECHANISMS))}; for one column "
            "write --mechanism age=piecewise.",
        )
    wanted = {"pram": (1,), "two-point": (0, 2)}.get(name, (0,))
    if len(numbers) not in wanted:
        raise InvalidPlan(
            "A mechanism has the wrong numbers behind it.",
            "Write sex=pram:0.8 (the probability of keeping a value) or age=two-point:1,3 (a, b).",
        )
    if name == "pram" and not 0 < numbers[0] < 1:
        raise InvalidPlan(
            "A retention probability lies between 0 and 1.", "Example: --mechanism sex=pram:0.8"
        )
    return column.strip(), Wish(name, numbers)


def _number(text: str) -> Fraction:
    return exact_share(text) or Fraction(0)

"""What an organisation releases of its own columns under central differential privacy, as read back
from an ordinary release of `sudare ask`: means, variances and covariances with standard errors."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.cost import NANO, to_units
from sudare.facts.errors import InvalidPlan
from sudare.facts.estimated import Figure, Mean
from sudare.facts.randomized import NumberDomain
from sudare.facts.relation import Relation
from sudare.facts.release import Answer, Release

Floats = NDArray[np.float64]
# error95 of a release is its standard error times this, as for a normal deviation.
NORMAL_REACH = 1.959964
_EPOCH = dt.date(1970, 1, 1)


@dataclass(frozen=True)
class OwnColumn:
    """A number by its name in the organisation's schema and by its name in the joined table."""

    column: str
    name: str
    domain: NumberDomain


def own_questions(columns: Sequence[str]) -> tuple[str, ...]:
    """What an organisation asks of its own numbers: the plan of its central release."""
    quoted = ['"' + column.replace('"', '""') + '"' for column in columns]
    spread = f"covariance({', '.join(quoted)})" if len(quoted) > 1 else f"variance({quoted[0]})"
    return (*(f"mean({each})" for each in quoted), spread)


@dataclass(frozen=True)
class OwnRelease:
    """One organisation's answers to `own_questions`."""

    party: str
    columns: tuple[OwnColumn, ...]
    release: Release

    @property
    def epsilon(self) -> float:
        """Under replace-one, as reports are counted: an ε of add-remove counts twice."""
        guarantee = self.release.guarantee
        times = 2 if guarantee["neighbours"] == str(Relation.ADD_REMOVE) else 1
        return to_units(Fraction(str(guarantee["epsilon"])) * times, NANO) / NANO

    def covariances(self) -> tuple[Floats, Floats]:
        """Of x in [−1, 1], with standard errors."""
        names = tuple(each.column for each in self.columns)
        halves = np.array([each.domain.half for each in self.columns])
        units = np.outer(halves, halves)
        if len(names) == 1:
            answer = self._answer("variance", names)
            return _number(answer.value) / units, answer.error95 / NORMAL_REACH / units
        answer = self._answer("covariance", names)
        values, errors = (_square(each, names) for each in (answer.value, answer.errors95))
        return values / units, errors / NORMAL_REACH / units

    def means(self, variances: Sequence[Figure]) -> tuple[Mean, ...]:
        return tuple(
            self._mean(each, variance)
            for each, variance in zip(self.columns, variances, strict=True)
        )

    def _mean(self, own: OwnColumn, variance: Figure) -> Mean:
        answer, domain = self._answer("mean", (own.column,)), own.domain
        raw = _number(answer.value)
        ends = (domain.low * domain.step, domain.high * domain.step)
        low, high = (min(max(raw + way * answer.error95, ends[0]), ends[1]) for way in (-1, 1))
        shown = Figure(
            value=_shown(raw, domain),
            raw=raw,
            standard_error=answer.error95 / NORMAL_REACH,
            interval95=(_shown(low, domain), _shown(high, domain)),
            trivial=_shown(domain.middle, domain),
            distinguishable=abs(raw - domain.middle) > answer.error95,
        )
        bounds = (_shown(ends[0], domain), _shown(ends[1], domain))
        # The engine leaves missing values out of a mean; only reports count them as the middle.
        return Mean(own.name, domain.type, bounds, shown, variance, False)

    def _answer(self, function: str, columns: tuple[str, ...]) -> Answer:
        for answer in self.release.answers:
            if answer.function == function and answer.columns == columns and not answer.by:
                return answer
        raise InvalidPlan(
            f"The own release of '{self.party}' does not answer all that the hybrid way needs.",
            "It asks mean(…) of every number and covariance(…) of all of them, in their order.",
        )


def _square(nested: Any, names: Sequence[str]) -> Floats:
    return np.array([[nested[a][b] for b in names] for a in names], np.float64)


def _number(value: Any) -> float:
    """A mean as a number; a date as days."""
    if isinstance(value, str):
        return float((dt.date.fromisoformat(value) - _EPOCH).days)
    return float(value)


def _shown(value: float, domain: NumberDomain) -> float | str:
    if domain.type != "date":
        return value
    return (_EPOCH + dt.timedelta(days=round(value))).isoformat()

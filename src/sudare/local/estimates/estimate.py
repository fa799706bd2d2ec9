"""All wanted statistics of a randomised file, in one pass over its reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sudare.facts.errors import InvalidPlan, UsageError
from sudare.facts.estimated import (
    Components,
    Estimated,
    Histogram,
    Matrix,
    Model,
    Reason,
    Statistic,
    Table,
    Untold,
    Wanted,
)
from sudare.facts.randomized import NumberDomain, Randomized
from sudare.facts.reported import Batch
from sudare.local.estimates.channels import lay_out
from sudare.local.estimates.components import components
from sudare.local.estimates.correlations import Correlations, correlations, gaps
from sudare.local.estimates.histograms import histogram
from sudare.local.estimates.matrices import correlation_matrix, covariance_matrix
from sudare.local.estimates.means import means
from sudare.local.estimates.models import fit
from sudare.local.estimates.moments import Moments, moments
from sudare.local.estimates.regression import Kind
from sudare.local.estimates.sums import Progress, Sums, accumulate
from sudare.local.estimates.tables import two_way

_KINDS: tuple[Kind, ...] = ("regression", "logistic", "svm")


def estimate(
    facts: Randomized,
    batches: Iterable[Batch],
    wanted: Wanted,
    progress: Progress = lambda rows: None,
) -> Estimated:
    """What the reports tell. Names in `wanted` that the file does not have are refused first."""
    _check(facts, wanted)
    wanted = replace(wanted, tables=wanted.tables or _told_pairs(facts, wanted))
    sums = accumulate(lay_out(facts, wanted), batches, progress)
    return _Estimate(facts, sums, wanted).all()


def _check(facts: Randomized, wanted: Wanted) -> None:
    names = [wanted.target, *(name for pair in wanted.tables for name in pair)]
    for name in names:
        if name is not None and name not in facts.domains:
            known = ", ".join(list(facts.domains)[:12])
            raise InvalidPlan(
                f"Column '{name}' is not in the file of reports.", f"It has reports of {known}."
            )


def _told_pairs(facts: Randomized, wanted: Wanted) -> tuple[tuple[str, str], ...]:
    """The two columns of every table that was reported as such, where nothing else is asked for."""
    if wanted.statistics and "table" not in wanted.statistics:
        return ()
    pairs = [item.columns for item in facts.items if item.kind == "labels"]
    found = tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2)
    if wanted.statistics and not found:
        raise UsageError("A table needs two columns.", "Name them: --table sex,region")
    return found


@dataclass
class _Estimate:
    """The statistics one after the other; what cannot be told is noted in `untold`."""

    facts: Randomized
    sums: Sums
    wanted: Wanted
    untold: list[Untold] = field(default_factory=list)

    def all(self) -> Estimated:
        wanted = self.wanted.all
        every = moments(self.facts, self.sums, self.wanted.target)
        numbers = every.of(tuple(c for c in every.columns if self._is_number(c)))
        found = correlations(numbers) if self.wanted.needs_moments else None
        if found is not None:
            self._note_moments(numbers, found)
        return Estimated(
            table=self.facts.table,
            rows=int(self.sums.rows.sum()),
            epsilon=self.facts.epsilon,
            means=means(self.facts, self.sums, numbers) if "mean" in wanted else (),
            covariance=self._covariance(numbers, found),
            correlation=self._correlation(numbers, found),
            histograms=self._histograms() if "histogram" in wanted else (),
            tables=self._tables(),
            pca=self._pca(found),
            models=self._models(every),
            untold=tuple(self.untold),
            guarantee=self.facts.guarantee,
        )

    def _is_number(self, column: str) -> bool:
        return isinstance(self.facts.domains[column], NumberDomain)

    def _note(self, statistic: Statistic, columns: Sequence[str], reason: Reason) -> None:
        self.untold.append(Untold(statistic, tuple(columns), reason))

    def _note_moments(self, numbers: Moments, found: Correlations) -> None:
        """What covariances and correlations lack, each once."""
        asked = self.wanted.all & {"covariance", "correlation", "pca"}
        if not asked:
            return
        if not numbers.columns and self.wanted.statistics:
            self._note(min(asked), (), "no_value")
        for columns, reason in gaps(numbers, found):
            self._note(min(asked & {"covariance", "correlation"} or asked), columns, reason)

    def _covariance(self, numbers: Moments, found: Correlations | None) -> Matrix | None:
        if found is None or "covariance" not in self.wanted.all or not numbers.columns:
            return None
        return covariance_matrix(self.facts, numbers, found)

    def _correlation(self, numbers: Moments, found: Correlations | None) -> Matrix | None:
        is_wanted = "correlation" in self.wanted.all and len(numbers.columns) > 1
        if found is None or not is_wanted:
            return None
        return correlation_matrix(numbers, found)

    def _pca(self, found: Correlations | None) -> Components | None:
        """Of columns whose correlations are all told."""
        if found is None or "pca" not in self.wanted.all or len(found.columns) < 2:
            return None
        return components(found) if np.isfinite(found.errors).all() else None

    def _histograms(self) -> tuple[Histogram, ...]:
        found = []
        for item in self.facts.items:
            if item.kind in ("label", "bins"):
                one = histogram(self.facts, self.sums, item, self.wanted.histogram_method)
                if one is None:
                    self._note("histogram", item.columns, "no_people")
                else:
                    found.append(one)
        return tuple(found)

    def _tables(self) -> tuple[Table, ...]:
        found = []
        for a, b in self.wanted.tables:
            one = two_way(self.facts, self.sums, a, b)
            if one is None:
                self._note("table", (a, b), "no_pair")
            else:
                found.append(one)
        return tuple(found)

    def _models(self, every: Moments) -> tuple[Model, ...]:
        found = []
        for kind in _KINDS:
            if kind not in self.wanted.all or self.wanted.target is None:
                continue
            one = fit(self.facts, every, self.wanted.target, kind)
            if isinstance(one, Model):
                found.append(one)
            elif one != "not_two" or kind in self.wanted.statistics:
                self._note(kind, (self.wanted.target,), one)
        return tuple(found)

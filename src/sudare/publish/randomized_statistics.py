"""Statistics from a file of randomised reports. It reads reports alone, so it costs nothing: what
is computed from them, synthetic rows included, has their guarantee.

Every table is unbiased and noisy, and says how noisy; what noise alone could have made is taken out
where the rows are fitted (synthesis/denoising.py, synthesis/gating.py). No schema is needed: the
file carries the domains of its columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.engines.border import guarded
from sudare.engines.reports import OpenReports, open_reports
from sudare.facts.errors import InvalidFile
from sudare.facts.estimated import Wanted
from sudare.facts.randomized import LabelDomain, NumberDomain, Randomized
from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.local.estimates.channels import lay_out
from sudare.local.estimates.crossed import (
    WIDEST,
    Told,
    noise_of,
    single_size,
    told_column,
    told_table,
)
from sudare.local.estimates.jackknife import REACH
from sudare.local.estimates.moments import Moments, moments
from sudare.local.estimates.shifts import Shift, told_shift
from sudare.local.estimates.sums import Sums, accumulate
from sudare.publish.randomized_moments import histogram_of, number_moments
from sudare.publish.statistics import Progress, silent
from sudare.synthesis.public_bins import clear_labels, clear_levels

Pair = tuple[str, str]


def randomized_statistics(path: str | Path, progress: Progress = silent) -> Statistics:
    """Histograms of all columns and tables of all pairs that the reports tell."""
    opened = open_reports(path)
    if opened.rows == 0:
        raise InvalidFile(
            "The file holds no report, so there is nothing to make rows from.",
            "Of a join: nobody was held by all organisations; compare keys and rules.",
        )
    contradiction = InvalidFile(
        "The file of reports contradicts itself.",
        "It was changed after it was written; fetch it anew from its sender.",
    )
    return guarded(lambda: _statistics(opened, progress), contradiction)


def _statistics(opened: OpenReports, progress: Progress) -> Statistics:
    facts = opened.facts
    whole = max(opened.rows, 1)
    sums = accumulate(
        lay_out(facts, _wanted(facts)),
        opened.batches(),
        lambda done: progress("reports", done / whole),
    )
    progress("tables", 0.0)
    found = _Told(facts, sums, moments(facts, sums), float(sums.rows.sum()))
    return found.statistics()


def _wanted(facts: Randomized) -> Wanted:
    """Moments, and products of two reports of one person where there are few labels."""
    narrow = [name for name in facts.domains if (single_size(facts, name) or WIDEST + 1) <= WIDEST]
    pairs = tuple(combinations(narrow, 2))
    return Wanted(frozenset({"covariance", "histogram"}), tables=pairs)


@dataclass(frozen=True, eq=False)
class _Column:
    """A column's marginal, the noise of its bins in counts, and the level of every label or bin of
    the reports; −1 where it is left out."""

    marginal: Marginal
    noise: float
    place: NDArray[np.int64]

    def gathered(self, values: Floats, axis: int) -> Floats:
        """Labels or bins gathered into levels."""
        chosen = (self.place[:, None] == np.arange(self.marginal.levels)).astype(np.float64)
        return np.moveaxis(np.tensordot(values, chosen, axes=(axis, 0)), -1, axis)


@dataclass(frozen=True, eq=False)
class _Told:
    facts: Randomized
    sums: Sums
    moments: Moments
    rows: float

    def statistics(self) -> Statistics:
        columns = {name: self._column(name) for name in self.facts.domains}
        known = {name: each for name, each in columns.items() if each is not None}
        crosses: dict[Pair, Floats] = {}
        noise = {(name, name): each.noise for name, each in known.items()}
        shifts: dict[Pair, Floats] = {}
        numbers, errors = number_moments(self.facts, self.moments)
        for a, b in combinations(known, 2):
            table = told_table(self.facts, self.sums, a, b)
            if table is not None and table.shape[1:] == (len(known[a].place), len(known[b].place)):
                table = known[b].gathered(known[a].gathered(table, 1), 2)
                crosses[a, b], noise[a, b] = table[0] * self.rows, noise_of(table) * self.rows
            for number, other in ((a, b), (b, a)):
                shift = told_shift(self.facts, self.sums, number, other)
                if shift is not None:
                    shifts[number, other], error = self._shift(shift, known[number], known[other])
                    errors = {**errors, (number, other): error}
        return Statistics(
            self.facts.table,
            "randomized",
            self.rows,
            tuple(each.marginal for each in known.values()),
            crosses,
            numbers,
            shifts,
            noise,
            provenance=self._provenance([name for name in columns if name not in known]),
            errors=errors,
        )

    def _provenance(self, untold: list[str]) -> dict[str, Any]:
        found = {"epsilon": self.facts.epsilon, "guarantee": self.facts.guarantee}
        return {**found, "untold": untold} if untold else found

    def _column(self, name: str) -> _Column | None:
        """None where the reports say nothing of the column."""
        domain, told = self.facts.domains[name], told_column(self.facts, self.sums, name)
        if isinstance(domain, LabelDomain):
            return None if told is None else self._labels(name, domain, told)
        if told is not None:
            return self._bins(name, domain, told)
        return self._drawn_out(name, domain)

    def _labels(self, name: str, domain: LabelDomain, told: Told) -> _Column:
        """Missing values are kept where the reports show that there are any."""
        noise = _mean_square(told.errors) * self.rows
        present = np.array([label is not None for label in domain.labels])
        counts = told.shares * self.rows
        may_miss = bool(np.any(told.shares[~present] > REACH * told.errors[~present]))
        levels = clear_labels(counts[present], noise)
        place = np.full(len(domain.labels), -1, np.int64)
        place[present] = levels
        if may_miss:
            place[~present] = int(levels.max()) + 1
        marginal = Marginal(
            name,
            "category",
            counts[present],
            levels,
            float(counts[~present].sum()) if may_miss else 0.0,
            may_miss,
            tuple(label for label in domain.labels if label is not None),
        )
        return _Column(marginal, noise, place)

    def _bins(self, name: str, domain: NumberDomain, told: Told) -> _Column:
        noise = _mean_square(told.errors) * self.rows
        counts = told.shares * self.rows
        levels = clear_levels(np.array(told.starts, np.int64), counts, noise)
        return _Column(_number(name, domain, counts, levels, told.starts), noise, levels)

    def _drawn_out(self, name: str, domain: NumberDomain) -> _Column | None:
        """A number of which only mean and variance are reported."""
        if name not in self.moments.columns:
            return None
        starts, shares, error = histogram_of(self.moments, name, domain)
        levels = np.arange(len(starts), dtype=np.int64)
        marginal = _number(name, domain, shares * self.rows, levels, starts)
        return _Column(marginal, error * self.rows, np.zeros(0, np.int64))

    def _shift(self, shift: Shift, number: _Column, other: _Column) -> tuple[Floats, float]:
        """Sums of a number within levels, and their standard error: what the shift is away from
        the mean, and the mean itself for everyone in the level."""
        domain = self.facts.domains[number.marginal.name]
        assert isinstance(domain, NumberDomain)
        gathered = partial(other.gathered, axis=1)
        away, errors = shift.by(gathered)
        counts = np.maximum(other.marginal.level_counts, 0.0)
        mean = domain.middle + domain.half * float(np.clip(shift.mean, -1, 1))
        sums = away * (domain.half * self.rows) + mean * counts
        return sums, _mean_square(errors) * domain.half * self.rows


def _number(
    name: str,
    domain: NumberDomain,
    counts: Floats,
    levels: NDArray[np.int64],
    starts: tuple[int, ...],
) -> Marginal:
    return Marginal(
        name,
        domain.type,
        counts,
        levels,
        starts=starts,
        high=domain.high,
        step=domain.step,
    )


def _mean_square(errors: Floats) -> float:
    return float(np.sqrt(np.mean(errors**2)))

"""The hybrid way: own blocks from each organisation's central release, cross blocks from the join.

Claim    every raw entry is that of its source, with its source's standard error; the published
         matrix is positive semidefinite. It is made of released numbers only, so that it costs no ε
         beyond what both sources cost: for a person, the sum of the two in every organisation.
Source   correlations.py for the last step: what is expected of an entry after its raw value has
         been seen, then the nearest correlation matrix, where an entry moves the more the less is
         known of it (Higham 2002).
Symbols  R = c/(σ·σ′); its error² = (error of c/σσ′)² + (R/2)²·((error of σ²/σ²)² + the same of σ′).
Needs    the joined people resemble each organisation's people: own blocks are of all its rows,
         cross blocks of the joined ones. Every number is named once over all organisations.
Gaps     own errors are of the noise alone, cross errors also of who happens to be in the tables.
         Own blocks leave a missing value out, cross blocks count it as the middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidPlan
from sudare.facts.estimated import Estimated, Figure, Matrix
from sudare.facts.randomized import NumberDomain
from sudare.link.own_release import NORMAL_REACH, Floats, OwnColumn, OwnRelease
from sudare.local.estimates.correlations import nearest, shrunk
from sudare.local.estimates.figures import UNTOLD, figure
from sudare.local.estimates.matrices import scored

_ONE = Figure(1.0, 1.0, 0.0, (1.0, 1.0), 1.0, True)


def hybrid(
    owns: Sequence[OwnRelease], joined: Estimated, others: Sequence[OwnColumn] = ()
) -> Estimated:
    """One covariance and correlation matrix; `joined` may come from randomised reports or from a
    secure computation. Its other statistics are kept. `others` are numbers of organisations that
    release nothing of their own: all their entries come from the join, as far as it tells them."""
    blocks = _Blocks.of(owns, joined, others)
    covariance, correlation = blocks.matrices()
    variances = {
        name: covariance.entries[place][place] for place, name in enumerate(blocks.columns)
    }
    means = [own.means([variances[each.name] for each in own.columns]) for own in owns]
    kept = {each.name for own in owns for each in own.columns}
    return replace(
        joined,
        epsilon=joined.epsilon + sum(own.epsilon for own in owns),
        means=(
            *(m for part in means for m in part),
            *(m for m in joined.means if m.column not in kept),
        ),
        covariance=covariance,
        correlation=correlation,
        # Those of the join were made without the own releases.
        pca=None,
        models=(),
        untold=tuple(u for u in joined.untold if u.statistic not in ("covariance", "correlation")),
        guarantee={
            "kind": "hybrid",
            "own": {own.party: own.epsilon for own in owns},
            "joined": {"epsilon": joined.epsilon, **joined.guarantee},
        },
    )


@dataclass(frozen=True, eq=False)
class _Blocks:
    """Raw covariances of x in [−1, 1] and their errors; NaN where nothing is told."""

    columns: tuple[str, ...]
    domains: tuple[NumberDomain, ...]
    raw: Floats
    errors: Floats

    @classmethod
    def of(
        cls, owns: Sequence[OwnRelease], joined: Estimated, others: Sequence[OwnColumn]
    ) -> _Blocks:
        every = [*(each for own in owns for each in own.columns), *others]
        names, domains = tuple(e.name for e in every), tuple(e.domain for e in every)
        if joined.covariance is None:
            raise InvalidPlan(
                "The join tells no covariances between organisations.",
                "The hybrid way needs numbers on both sides and enough people; see the estimates.",
            )
        raw, errors = _crossed(joined.covariance, names, domains)
        start = 0
        for own in owns:
            inside = slice(start, start + len(own.columns))
            raw[inside, inside], errors[inside, inside] = own.covariances()
            start += len(own.columns)
        return cls(names, domains, raw, errors)

    def matrices(self) -> tuple[Matrix, Matrix]:
        """Covariances in the columns' own units, and correlations."""
        variances, doubts = np.diag(self.raw), np.diag(self.errors)
        told = np.flatnonzero(variances > NORMAL_REACH * doubts)
        deviations = np.sqrt(variances[told])
        units = np.outer(deviations, deviations)
        raw, errors = self._correlations(units, told)
        published = raw
        if len(told) > 1:
            published = nearest(*shrunk(raw[np.newaxis], errors))[0]
        place = {int(column): number for number, column in enumerate(told)}
        size = range(len(self.columns))
        found = _Found(raw, errors, published, units)
        covariances = [[self._covariance(i, j, place, found) for j in size] for i in size]
        correlations = [[_correlation(i, j, place, found) for j in size] for i in size]
        halves = np.array([domain.half for domain in self.domains])
        return (
            self._matrix(covariances, np.outer(halves, halves)),
            self._matrix(correlations, 1.0),
        )

    def _correlations(self, units: Floats, told: NDArray[np.int64]) -> _Pair:
        """Raw correlations, zero where nothing is told, with infinite errors there."""
        inside = np.ix_(told, told)
        with np.errstate(invalid="ignore"):
            raw = self.raw[inside] / units
            parts = (np.diag(self.errors) / np.diag(self.raw))[told] ** 2 / 4
            errors = (self.errors[inside] / units) ** 2 + raw**2 * np.add.outer(parts, parts)
        is_told = np.isfinite(raw) & np.isfinite(errors)
        raw, errors = np.where(is_told, raw, 0.0), np.where(is_told, np.sqrt(errors), np.inf)
        np.fill_diagonal(raw, 1.0)
        np.fill_diagonal(errors, 0.0)
        return raw, errors

    def _covariance(self, i: int, j: int, place: dict[int, int], found: _Found) -> Figure:
        scale = self.domains[i].half * self.domains[j].half
        raw, error = np.array([self.raw[i, j] * scale]), float(self.errors[i, j] * scale)
        if not (math.isfinite(raw[0]) and math.isfinite(error)):
            return UNTOLD
        if i == j:
            return replace(figure(raw, error=error, low=0, high=scale), trivial=scale / 3)
        if i not in place or j not in place:
            return figure(raw, error=error, low=-scale, high=scale)
        a, b = place[i], place[j]
        value = float(found.published[a, b] * found.units[a, b] * scale)
        return figure(raw, error=error, published=value)

    def _matrix(self, entries: list[list[Figure]], units: Floats | float) -> Matrix:
        return Matrix(self.columns, tuple(map(tuple, entries)), scored(entries, units))


_Pair = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class _Found:
    """Correlations of the columns whose variance cannot be zero, and σ·σ′."""

    raw: Floats
    errors: Floats
    published: Floats
    units: Floats


def _correlation(i: int, j: int, place: dict[int, int], found: _Found) -> Figure:
    if i not in place or j not in place:
        return UNTOLD
    if i == j:
        return _ONE
    a, b = place[i], place[j]
    if not math.isfinite(found.errors[a, b]):
        return UNTOLD
    raw, published = np.array([found.raw[a, b]]), float(found.published[a, b])
    return figure(raw, error=float(found.errors[a, b]), published=published, low=-1, high=1)


def _crossed(matrix: Matrix, names: Sequence[str], domains: Sequence[NumberDomain]) -> _Pair:
    """The joined table's raw covariances of x, own blocks still among them."""
    place = {name: number for number, name in enumerate(matrix.columns)}
    raw = np.full((len(names), len(names)), np.nan)
    errors = raw.copy()
    for i, one in enumerate(names):
        for j, two in enumerate(names):
            if one not in place or two not in place:
                continue
            entry = matrix.entries[place[one]][place[two]]
            if entry.raw is not None and entry.standard_error is not None:
                unit = domains[i].half * domains[j].half
                raw[i, j], errors[i, j] = entry.raw / unit, entry.standard_error / unit
    return raw, errors

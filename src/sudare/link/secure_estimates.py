"""What opened cells tell: means, covariances across organisations, cross tables, with errors.

Claim    standard errors are those of the two noises, to first order in noise over rows; they do not
         cover which people happen to be in the tables.
Symbols  N, S_i, P_ij -> noisy count, sums and products in units of reach; m = S/N.
         cov = P/N − m_i·m_j, so N·d cov = dP − m_j·dS_i − m_i·dS_j + (2·m_i·m_j − P/N)·dN.
Needs    N well above its noise, else nothing is told ("drowned").
Gaps     covariances inside an organisation are not told: its own release does (hybrid.py).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sudare.facts.estimated import Estimated, Figure, Matrix, Mean, Untold
from sudare.link.secure_job import SecureJob, noise_variance
from sudare.link.secure_tables import Shares
from sudare.local.estimates.figures import UNTOLD, figure, in_units, own_units, score
from sudare.local.estimates.jackknife import REACH

Floats = NDArray[np.float64]


def estimated(job: SecureJob, cells: NDArray[np.int64], table: str) -> Estimated:
    """The opened cells as facts; `table` names the session."""
    numbers = _Numbers(job, cells)
    found = [Shares(job, cells, place).table() for place in range(len(job.tables))]
    drowned = [t.columns for t, made in zip(job.tables, found, strict=True) if made is None]
    untold = [Untold("table", columns, "drowned") for columns in drowned]
    if job.has_numbers and numbers.is_drowned:
        untold.append(Untold("covariance", numbers.names, "drowned"))
    return Estimated(
        table=table,
        rows=_rows(job, cells),
        epsilon=float(job.epsilon),
        means=numbers.means() if job.has_numbers and not numbers.is_drowned else (),
        covariance=numbers.covariance() if job.has_numbers and not numbers.is_drowned else None,
        tables=tuple(each for each in found if each is not None),
        untold=tuple(untold),
        guarantee=guarantee(job),
    )


def guarantee(job: SecureJob) -> dict[str, object]:
    """What a certificate says of the noise, plain values for JSON."""
    return {
        "kind": "secure",
        "relation": "replace-one",
        "epsilon": float(job.epsilon),
        "by_party": {
            party: {
                "epsilon": float(job.epsilon),
                "attributes": float(job.attributes_epsilon(party)),
            }
            for party in job.parties
        },
        "noise": [
            {"cells": event.cells, "sensitivity": event.l1_sensitivity, "scale": str(event.scale)}
            for event in job.blocks
        ],
        "noises": 2,
    }


def _rows(job: SecureJob, cells: NDArray[np.int64]) -> int:
    """The noisy number of common rows, or the total of the first table."""
    if job.has_numbers:
        return max(0, int(cells[job.number_cells - 1]))
    return max(0, int(cells[: job.tables[0].product.cells].sum()))


class _Numbers:
    """The block of numbers, every cell in units of reach."""

    def __init__(self, job: SecureJob, cells: NDArray[np.int64]) -> None:
        self._job = job
        self.names = tuple(number.name for _, number in job.numbers)
        if not job.has_numbers:
            return
        reaches = np.array([number.reach for _, number in job.numbers], np.float64)
        deviations = np.sqrt([noise_variance(scale) for scale in job.scales[: job.number_cells]])
        size = len(reaches)
        self._count, self._count_error = float(cells[job.number_cells - 1]), float(deviations[-1])
        # What is nearly all noise is no divisor.
        self.is_drowned = self._count <= 2 * REACH * self._count_error
        if self.is_drowned:
            return
        self._means = cells[:size] / reaches / self._count
        self._sum_errors = deviations[:size] / reaches
        units = np.outer(reaches, reaches)
        self._products = self._filled(cells[size : job.number_cells - 1]) / units / self._count
        self._product_errors = self._filled(deviations[size : job.number_cells - 1]) / units

    def _filled(self, cells: NDArray[np.generic]) -> Floats:
        """Products as a symmetric matrix of all numbers, NaN inside organisations."""
        place = {entry: number for number, (entry, _) in enumerate(self._job.numbers)}
        found = np.full((len(place), len(place)), np.nan)
        start = 0
        for product in self._job.pairs:
            i, j = place[product.first], place[product.second]
            block = cells[start : start + product.cells].reshape(product.rows, product.columns)
            found[i : i + product.rows, j : j + product.columns] = block
            found[j : j + product.columns, i : i + product.rows] = block.T
            start += product.cells
        return found

    def means(self) -> tuple[Mean, ...]:
        found = []
        for place, (_, number) in enumerate(self._job.numbers):
            mean, domain = self._means[place], number.domain
            error = math.hypot(self._sum_errors[place], mean * self._count_error) / self._count
            told = figure(np.array([mean]), error=error, low=-1, high=1)
            bounds = (own_units(-1.0, domain), own_units(1.0, domain))
            shown = in_units(told, domain)
            found.append(Mean(number.name, domain.type, bounds, shown, None, not domain.complete))
        return tuple(found)

    def covariance(self) -> Matrix:
        """In the columns' own units; the score in units of half their declared ranges."""
        raw, errors = self._covariances()
        halves = [number.domain.half for _, number in self._job.numbers]
        entries = tuple(
            tuple(
                _covariance(raw[i, j], errors[i, j], halves[i] * halves[j])
                for j in range(len(halves))
            )
            for i in range(len(halves))
        )
        told = np.isfinite(raw) & np.triu(np.ones_like(raw, bool))
        cut = np.clip(raw[told], -1, 1)
        return Matrix(self.names, entries, score(cut, raw[told], errors[told], 0.0))

    def _covariances(self) -> tuple[Floats, Floats]:
        mean, products = self._means, self._products
        together = np.outer(mean, mean)
        own = self._sum_errors**2
        variance = self._product_errors**2 + np.outer(own, mean**2) + np.outer(mean**2, own)
        variance += (2 * together - products) ** 2 * self._count_error**2
        return products - together, np.sqrt(variance) / self._count


def _covariance(raw: float, error: float, scale: float) -> Figure:
    if not math.isfinite(raw):
        return UNTOLD
    one = np.array([raw * scale])
    return figure(one, error=float(error * scale), low=-scale, high=scale)

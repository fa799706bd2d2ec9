"""Cross tables from opened cells: shares with errors, beside those of independent labels.

Claim    standard errors are those of the two noises, to first order in noise over rows.
Symbols  a cell c of a table of a × b cells with total T: share s = c/T, T·ds = dc − s·dT;
         r_i, k_j -> the shares of rows and columns, away = s_ij − r_i·k_j.
Gaps     a cell that is told from independence is so for the very people of the tables; whether for
         the population they come from, these errors do not say.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sudare.facts.estimated import Figure, Table
from sudare.link.secure_job import SecureJob, noise_variance
from sudare.local.estimates.figures import score
from sudare.local.estimates.jackknife import REACH
from sudare.local.estimates.shares import projected

Floats = NDArray[np.float64]


class Shares:
    """One table."""

    def __init__(self, job: SecureJob, cells: NDArray[np.int64], place: int) -> None:
        before = sum(table.product.cells for table in job.tables[:place])
        start = job.number_cells + before
        self._table = job.tables[place]
        product = self._table.product
        self._cells = cells[start : start + product.cells].reshape(product.rows, product.columns)
        self._variance = noise_variance(job.scales[start])

    def table(self) -> Table | None:
        """Shares beside those of independence; None where the noise is all there is."""
        total = float(self._cells.sum())
        if total <= 2 * REACH * math.sqrt(self._variance * self._cells.size):
            return None
        raw = self._cells / total
        published = projected(raw.ravel()).reshape(raw.shape)
        errors = np.sqrt(self._variance * (1 - 2 * raw + raw**2 * raw.size)) / total
        differs = np.abs(raw - _independent(raw)) > REACH * self._away_errors(raw) / total
        guess = _independent(published)
        shares = tuple(
            tuple(
                _share(raw[i, j], published[i, j], errors[i, j], guess[i, j], bool(differs[i, j]))
                for j in range(raw.shape[1])
            )
            for i in range(raw.shape[0])
        )
        scored = score(published, raw, errors, guess)
        return Table(self._table.columns, self._table.labels, shares, scored)

    def _away_errors(self, raw: Floats) -> Floats:
        """T times the errors of s_ij − r_i·k_j. Its derivative to a cell is, over T, g = 2·r·k − s
        plus 1 in the cell itself, −k in its row and −r in its column."""
        rows, columns = raw.sum(axis=1)[:, np.newaxis], raw.sum(axis=0)[np.newaxis, :]
        g = 2 * rows * columns - raw
        a, b = raw.shape
        squares = (1 - columns - rows + g) ** 2 + (b - 1) * (g - columns) ** 2
        squares = squares + (a - 1) * (g - rows) ** 2 + (a - 1) * (b - 1) * g**2
        return np.asarray(np.sqrt(self._variance * squares))


def _independent(shares: Floats) -> Floats:
    return np.asarray(shares.sum(axis=1, keepdims=True) * shares.sum(axis=0, keepdims=True))


def _share(raw: float, published: float, error: float, guess: float, differs: bool) -> Figure:
    low, high = (min(max(float(raw + way * REACH * error), 0.0), 1.0) for way in (-1, 1))
    return Figure(float(published), float(raw), float(error), (low, high), float(guess), differs)

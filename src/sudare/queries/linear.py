"""linear(y ~ x1, …) and ridge(y ~ x1, …; alpha=…): coefficients from noisy second moments.

Noise    queries/second_moments.py over the predictors and the target; the rest is computed from
         the released cells, at no further cost.
Fit      slopes (C_xx + (alpha/n + λ)I)⁻¹ c_xy of columns scaled to [−1, 1] by their declared
         bounds, then brought to the columns' own units. alpha is scikit-learn's, on those scales,
         and does not touch the intercept. λ is 0 unless the least eigenvalue of C_xx lies below
         what noise alone makes of a zero matrix, τ = σ√p/n for p predictors and noise σ in a cell;
         then λ lifts it to τ, and details["lifted"] says so: such slopes are drawn to 0.
Error    95 % half widths √(a² + b²). a: the slopes are computed again from the released cells with
         fresh noise of the same law, 95 % of them stay within a (details["noise_only_errors95"]).
         b: 1.96 standard errors of least squares for rows drawn independently with errors of one
         variance, all from the released moments.
Gaps     b takes rows as independent and errors as equally spread: a second moment tells no more.
         Where λ > 0 the shrinkage is a bias that the interval does not hold.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from sudare.facts.aggregate import Moments
from sudare.facts.query import Query
from sudare.facts.release import Answer
from sudare.facts.schema import Schema
from sudare.queries.coefficients import (
    INTERCEPT,
    Scales,
    intervals,
    predictor_grids,
    undecided,
)
from sudare.queries.interval import GAUSSIAN_95
from sudare.queries.learning import (
    MomentsQuestion,
    bounds_of,
    named_numbers,
    nested_numbers,
    penalty_option,
)
from sudare.queries.measurement import Forecast, Share
from sudare.queries.numbers import number_grid
from sudare.queries.second_moments import Array
from sudare.queries.spread import DRAWS, Spread, reach95, spread_of
from sudare.randomness.bits import RandomBits


class Linear(MomentsQuestion):
    """Least squares of a target on predictors, with `ridge` drawn to zero by alpha."""

    def __init__(self, query: Query, schema: Schema) -> None:
        assert query.target is not None
        self.target = query.target
        grids = predictor_grids(query, schema)
        own = number_grid(self.target, schema, 2, dates=False)
        super().__init__(query, schema, (*query.columns, self.target), (*grids, own))
        usual = Fraction(1 if query.function == "ridge" else 0)
        self.alpha = penalty_option(query, usual)
        self.scales = Scales.of(grids, own)
        self.keys = (INTERCEPT, *query.columns)

    def forecast(self, share: Share) -> Forecast:
        """The slope of two columns that are uniform over their bounds and independent."""
        rows = max(1.0, self.expected_rows)
        # Var y = 1/3, so noise in Σ y_i·y_j counts three times; a standard error is 1/√n.
        noise = GAUSSIAN_95 * 3 * self.moments.deviation(self.noising(share).noises()) / rows
        whole = float(np.hypot(min(noise, 2.0), GAUSSIAN_95 / np.sqrt(rows)))
        return Forecast(whole * self.scales.steepest, whole, noise)

    def answer(self, moments: Moments, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        noising = self.noising(share)
        noises = noising.noises()
        cells = self.released(moments, noising, bits)
        least = self.least_rows(noises)
        spread = spread_of(self.moments.matrices(cells), least)
        again = spread_of(self.moments.simulated(cells, noises, DRAWS, bits), least)
        noise = self.moments.deviation(noises)
        found, lifted = self._coefficients(spread, noise)
        redrawn, _ = self._coefficients(again, noise)
        noise_only = reach95(redrawn - found)
        sampling, explained = self._sampling(spread, noise)
        errors = np.hypot(noise_only, GAUSSIAN_95 * np.sqrt(np.diagonal(sampling)))
        together = np.atleast_2d(np.cov(redrawn, rowvar=False)) + sampling
        return Answer(
            query=self.query.text,
            function=self.query.function,
            value=named_numbers(self.keys, found),
            error95=float(errors.max()),
            epsilon=epsilon,
            errors95=named_numbers(self.keys, errors),
            interval=intervals(self.keys, found, errors),
            drowned=undecided(self.keys, found, errors),
            clips=self.clips(),
            columns=self.query.columns,
            noise=noising.facts(),
            details=self._details(spread, noise_only, together)
            | {"r2": explained, "lifted": lifted},
        )

    def _coefficients(self, spread: Spread, noise: float) -> tuple[Array, bool]:
        """(intercept, slopes…) in column units, one row a draw; whether λ > 0."""
        system, lifted = self._system(spread, noise)
        wanted = spread.covariances[..., :-1, -1:]
        slopes: Array = np.linalg.solve(system, wanted)[..., 0].astype(np.float64)
        level = spread.means[..., -1] - (slopes * spread.means[..., :-1]).sum(axis=-1)
        return self.scales.in_units(level, slopes), lifted

    def _system(self, spread: Spread, noise: float) -> tuple[Array, bool]:
        inner = spread.covariances[..., :-1, :-1]
        size = inner.shape[-1]
        floor = noise * np.sqrt(size) / spread.rows
        missing = np.maximum(0.0, floor - np.linalg.eigvalsh(inner)[..., 0])
        lift = self.alpha / spread.rows + missing
        return inner + lift[..., None, None] * np.eye(size), bool(np.any(missing > 0))

    def _sampling(self, spread: Spread, noise: float) -> tuple[Array, float]:
        """The covariance of the coefficients over samples, in column units; and r²."""
        system, _ = self._system(spread, noise)
        inverse = np.linalg.inv(system)
        inner, mixed = spread.covariances[:-1, :-1], spread.covariances[:-1, -1]
        slopes = inverse @ mixed
        whole = float(spread.covariances[-1, -1])
        rest = max(0.0, whole - 2 * float(slopes @ mixed) + float(slopes @ inner @ slopes))
        rows = float(spread.rows)
        # What noise may have taken from the variance of the errors is put back.
        variance = rest + noise / rows
        of_slopes = (
            variance / rows * inverse @ (inner + np.eye(len(inner)) * noise / rows) @ inverse
        )
        explained = min(1.0, max(0.0, 1 - rest / whole)) if whole > 0 else 0.0
        return self.scales.covariance(variance / rows, of_slopes, spread.means[:-1]), explained

    def _details(self, spread: Spread, noise_only: Array, together: Array) -> dict[str, Any]:
        return {
            "target": self.target,
            "columns": list(self.query.columns),
            "bounds": bounds_of(self.named, self.moments.grids),
            "alpha": self.alpha,
            "rows": float(spread.rows),
            "noise_only_errors95": named_numbers(self.keys, noise_only),
            "covariance": nested_numbers(self.keys, together),
        }

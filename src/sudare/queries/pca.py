"""pca(x, y, …; components=2, scaled=…): principal components from noisy second moments.

Noise    queries/second_moments.py; the rest is computed from the released cells.
Scales   `scaled=range` (the default) measures each column in its declared range max − min: public
         scales without noise in them. `scaled=true` takes the correlation matrix, whose scales are
         noisy deviations. `scaled=false` takes the columns' own units, where the column with the
         largest numbers is the first component.
Signs    the largest loading of a component is positive.
Error    variances, shares and directions are computed again from the released cells with fresh
         noise of the same law added; 95 % of these stay within the stated errors. Variances are
         compared before they are cut off at 0, and where they are too near to each other to be
         told apart, all noise in their directions counts (Weyl's inequality). That is the noise's
         part: the sample is taken as it is. Noise lifts large eigenvalues and lowers small ones,
         so the components of a small table look clearer than they are; angle95 says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sudare.facts.aggregate import Moments
from sudare.facts.errors import InvalidPlan
from sudare.facts.query import Query
from sudare.facts.release import Answer
from sudare.facts.schema import Schema
from sudare.queries.learning import (
    MomentsQuestion,
    bounds_of,
    centers,
    halves,
    named_numbers,
    whole_option,
)
from sudare.queries.measurement import Forecast, Share
from sudare.queries.numbers import number_grid
from sudare.queries.second_moments import Array
from sudare.queries.spread import DRAWS, Spread, reach95, spread_of
from sudare.randomness.bits import RandomBits

_SCALES = ("range", "true", "false")
_TAKEN = frozenset({"variance", "share"})


class Pca(MomentsQuestion):
    """The first components of the columns."""

    def __init__(self, query: Query, schema: Schema) -> None:
        grids = tuple(number_grid(name, schema, 2, dates=False) for name in query.columns)
        super().__init__(query, schema, query.columns, grids)
        self.components = whole_option(query, "components", 2, 1, len(grids))
        scaled = query.option("scaled") or "range"
        if scaled not in _SCALES:
            raise InvalidPlan("scaled must be range, true or false.", "Example: scaled=true.")
        self.scaled = str(scaled)
        if _TAKEN & set(query.columns):
            raise InvalidPlan(
                "pca() answers under the names variance and share.", "Rename that column."
            )

    def forecast(self, share: Share) -> Forecast:
        """The first variance of columns that are uniform over their bounds."""
        size = 1 / 12 if self.scaled == "range" else 1.0
        if self.scaled == "false":
            size = max((grid.span * grid.step) ** 2 for grid in self.moments.grids) / 12
        # In units of y a variance is 1/3, and the noise of Σy² is that of three cells.
        relative = (
            3
            * np.sqrt(3.0)
            * self.moments.deviation(self.noising(share).noises())
            / max(1.0, self.expected_rows)
        )
        error = min(3.0, 1.96 * float(relative))
        return Forecast(size * error, error, 1.96 * float(relative))

    def answer(self, moments: Moments, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        noising = self.noising(share)
        noises = noising.noises()
        cells = self.released(moments, noising, bits)
        least = self.least_rows(noises)
        spread = spread_of(self.moments.matrices(cells), least)
        # Redrawn variances that are cut off at 0 would all be alike and show no error at all.
        uncut = spread_of(self.moments.matrices(cells), least, is_cut=False)
        again = spread_of(self.moments.simulated(cells, noises, DRAWS, bits), least, is_cut=False)
        floor = self.moments.deviation(noises) / float(spread.rows)
        values, vectors = _eigen(self._matrices(spread.covariances, floor))
        values, shares = np.maximum(values, 0.0), _shares(np.maximum(values, 0.0))
        plain, more = (self._matrices(each.covariances, floor) for each in (uncut, again))
        plain_values, plain_vectors = _eigen(plain)
        more_values, more_vectors = _eigen(more)
        errors = np.maximum(
            reach95(more_values - plain_values), _crowded(plain_values, plain_vectors, more - plain)
        )
        share_errors = reach95(_shares(more_values) - _shares(plain_values))
        loadings = reach95(_turned(more_vectors, vectors) - vectors)
        names = [str(place + 1) for place in range(self.components)]
        return Answer(
            query=self.query.text,
            function="pca",
            value={
                name: {"variance": float(values[k]), "share": float(shares[k])}
                | dict(zip(self.query.columns, vectors[:, k].tolist(), strict=True))
                for k, name in enumerate(names)
            },
            error95=float(errors[: self.components].max()),
            epsilon=epsilon,
            errors95={
                name: {"variance": float(errors[k]), "share": float(share_errors[k])}
                | dict(zip(self.query.columns, loadings[:, k].tolist(), strict=True))
                for k, name in enumerate(names)
            },
            drowned=tuple(
                name
                for k, name in enumerate(names)
                if errors[k] >= values[k] or self._is_unscalable(spread, again)
            ),
            clips=self.clips(),
            columns=self.query.columns,
            noise=noising.facts(),
            details=self._details(spread, floor, values, errors, _angles(vectors, more_vectors)),
        )

    def _is_unscalable(self, spread: Spread, again: Spread) -> bool:
        """Whether a column would be divided by a deviation that noise alone could have made; then
        correlations, which hold every column to the variance 1, say nothing."""
        if self.scaled != "true":
            return False
        own = np.diagonal(spread.covariances)
        redrawn = np.diagonal(again.covariances, axis1=-2, axis2=-1)
        return bool((reach95(redrawn - own) >= own).any())

    def _matrices(self, covariances: Array, floor: float) -> Array:
        """Covariances in the wanted scales."""
        if self.scaled == "true":
            variances = np.diagonal(covariances, axis1=-2, axis2=-1)
            # A variance that noise alone could have made is no scale to divide by.
            deviations = np.sqrt(np.maximum(variances, floor))
            found = covariances / (deviations[..., :, None] * deviations[..., None, :])
            places = np.arange(self.moments.size)
            found[..., places, places] = 1.0
            held: Array = np.clip(found, -1.0, 1.0)
            return held
        scales = self._scales()
        return covariances * scales[:, None] * scales[None, :]

    def _scales(self) -> Array:
        """What a step of y, half a declared range, is in the wanted scales."""
        if self.scaled == "false":
            return halves(self.moments.grids)
        return np.full(self.moments.size, 0.5)

    def _units(self, spread: Spread, floor: float) -> Array:
        """What a column is divided by, in its own units."""
        sizes = halves(self.moments.grids)
        if self.scaled == "true":
            found: Array = sizes * np.sqrt(np.maximum(np.diagonal(spread.covariances), floor))
            return found
        return np.ones(len(sizes)) if self.scaled == "false" else 2 * sizes

    def _details(
        self, spread: Spread, floor: float, values: Array, errors: Array,
        angles: tuple[Array, Array],
    ) -> dict[str, Any]:  # fmt: skip
        alone, together = angles
        grids = self.moments.grids
        return {
            "scaled": {"true": True, "false": False}.get(self.scaled, self.scaled),
            "columns": list(self.query.columns),
            "means": named_numbers(self.named, centers(grids) + halves(grids) * spread.means),
            "scales": named_numbers(self.named, self._units(spread, floor)),
            "bounds": bounds_of(self.named, grids),
            "rows": float(spread.rows),
            "scree": [
                {"component": k + 1, "variance": v, "low": max(0.0, v - e), "high": v + e}
                for k, (v, e) in enumerate(zip(values.tolist(), errors.tolist(), strict=True))
            ],
            "angle95": {str(k + 1): float(alone[k]) for k in range(self.components)},
            "subspace95": float(together[self.components - 1]),
        }


def _eigen(matrices: Array) -> tuple[Array, Array]:
    """Eigenvalues from the largest on, and unit vectors whose largest entry is positive."""
    values, vectors = np.linalg.eigh(matrices)
    values, vectors = values[..., ::-1], vectors[..., ::-1]
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=-2, keepdims=True), axis=-2)
    return values, vectors * np.where(largest < 0, -1.0, 1.0)


def _crowded(values: Array, vectors: Array, noise: Array) -> Array:
    """What noise may do to variances that it cannot tell apart. It drives them apart, and once they
    are, fresh noise does so no more; so the whole noise in their directions counts (Weyl)."""
    reach = float(reach95(_largest(noise)))
    found = np.empty(len(values))
    for place, value in enumerate(values):
        near = vectors[:, np.abs(values - value) <= 2 * reach]
        found[place] = reach95(_largest(near.T @ noise @ near))
    return found


def _largest(matrices: Array) -> Array:
    """The largest eigenvalue in size."""
    found: Array = np.abs(np.linalg.eigvalsh(matrices)).max(axis=-1)
    return found


def _turned(vectors: Array, towards: Array) -> Array:
    """Directions with the sign that is nearer to `towards`."""
    same = (vectors * towards).sum(axis=-2, keepdims=True)
    found: Array = vectors * np.where(same < 0, -1.0, 1.0)
    return found


def _shares(values: Array) -> Array:
    """Each variance as a part of all; where there is none, even parts."""
    total = values.sum(axis=-1, keepdims=True)
    even = np.full_like(values, 1 / values.shape[-1])
    found: Array = np.where(total > 0, values / np.where(total > 0, total, 1.0), even)
    return found


def _angles(vectors: Array, again: Array) -> tuple[Array, Array]:
    """Degrees that 95 % of redrawn directions stay within: of each component, and of the span of
    the first 1, 2, … components."""
    cosines = np.swapaxes(again, -1, -2) @ vectors
    alone = np.degrees(np.arccos(np.minimum(1.0, np.abs(np.diagonal(cosines, axis1=-2, axis2=-1)))))
    size = vectors.shape[-1]
    spans = [np.linalg.svd(cosines[:, :k, :k], compute_uv=False)[:, -1] for k in range(1, size + 1)]
    together = np.degrees(np.arccos(np.minimum(1.0, np.stack(spans, axis=-1))))
    return reach95(alone), reach95(together)

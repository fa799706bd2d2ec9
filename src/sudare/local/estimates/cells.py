"""Moments from reports of cells, those of all items that tell the same one brought together.

Claim    every moment is unbiased up to order 1/n²: a weighted mean of unbiased ones. The weights
         are those of generalised least squares with the covariances that the reports themselves
         have, so that what an item says of one moment also serves the others it is correlated with.
Source   Aitken 1936.
Symbols  θ = (Σ_k A_k′ P_k A_k)⁻¹ Σ_k A_k′ P_k s_k: s_k -> the scores of item k, P_k -> the inverse
         of their covariance, A_k -> which of all moments they are.
Needs    items drawn without looking at the data.
Gaps     weights are estimated, and held fixed over replicates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sudare.facts.randomized import Item, Randomized
from sudare.local.cells import Told, places_in
from sudare.local.estimates.channels import Scores, labels_of
from sudare.local.estimates.jackknife import replicates
from sudare.local.estimates.sums import Sums
from sudare.mechanisms.local.response import Response

# An even spread over the cells, of so many people, is added where covariances are estimated.
_EVEN = 10.0


@dataclass(frozen=True)
class CellMoments:
    """Replicates of E[x] and of E[x·y], E[x²] on the diagonal: R × d and R × d × d. NaN where no
    item tells it."""

    columns: tuple[str, ...]
    means: Scores
    seconds: Scores

    def mean(self, column: str) -> Scores:
        return self.means[:, self.columns.index(column)]

    def second(self, one: str, two: str) -> Scores:
        return self.seconds[:, self.columns.index(one), self.columns.index(two)]


def cell_moments(facts: Randomized, sums: Sums) -> CellMoments:
    """From all items of cells that somebody reports."""
    items = [item for item in facts.items if item.kind == "cell"]
    columns = tuple(dict.fromkeys(column for item in items for column in item.columns))
    count = len(columns)
    width = 2 * count + count * count
    total, told = np.zeros((width, width)), np.zeros((width, len(sums.rows) + 1))
    for item in items:
        _add(total, told, facts, sums, item, columns)
    known = np.flatnonzero(np.diag(total) > 0)
    found = np.full((width, told.shape[1]), np.nan)
    if len(known):
        found[known] = np.linalg.solve(total[np.ix_(known, known)], told[known])
    return _arranged(columns, found.T)


def _add(
    total: Scores,
    told: Scores,
    facts: Randomized,
    sums: Sums,
    item: Item,
    columns: tuple[str, ...],
) -> None:
    """One item's part of the normal equations."""
    mechanism = labels_of(item, facts)
    counts = sums.cells[item.name]
    people = replicates(counts.sum(axis=1))
    if not isinstance(mechanism, Response) or people.min() < 1:
        return
    places = places_in(facts, item)
    says = Told.of(mechanism, places)
    own = [columns.index(column) for column in item.columns]
    # Two places do not tell the square.
    kept = np.array([True] * len(own) + [n == 3 for n in places] + [True] * len(says.pairs))
    scores, precision = _weighed(counts.sum(axis=0), says.scores[:, kept])
    where = np.array(_places(own, says.pairs, len(columns)))[kept]
    total[np.ix_(where, where)] += precision
    told[where] += precision @ (replicates(counts) @ scores / people[:, np.newaxis]).T


def _weighed(counts: Scores, scores: Scores) -> tuple[Scores, Scores]:
    """The scores, and the inverse of the covariance of their mean."""
    counts = np.maximum(counts, 0.0)
    people = counts.sum() + _EVEN
    shares = (counts + _EVEN / len(counts)) / people
    centred = scores - shares @ scores
    return scores, np.linalg.inv((centred * shares[:, np.newaxis]).T @ centred / people)


def _places(own: list[int], pairs: tuple[tuple[int, int], ...], count: int) -> list[int]:
    """Where an item's moments stand among all: means, squares, products by rows."""
    products = [sorted((own[i], own[j])) for i, j in pairs]
    return [*own, *(count + i for i in own), *(2 * count + i * count + j for i, j in products)]


def _arranged(columns: tuple[str, ...], found: Scores) -> CellMoments:
    count = len(columns)
    seconds = found[:, 2 * count :].reshape(len(found), count, count)
    rows, others = np.triu_indices(count, 1)
    seconds[:, others, rows] = seconds[:, rows, others]
    places = np.arange(count)
    seconds[:, places, places] = found[:, count : 2 * count]
    return CellMoments(columns, found[:, :count], seconds)

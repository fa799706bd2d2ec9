"""Means and covariances of the numbers, in units of x in [−1, 1], with all their replicates.

Claim    every entry is unbiased, up to order 1/n² and the rounding that mechanisms state: means
         from scores; products from a product item or from two values that one person reports, whose
         randomisations are independent; squares from a square item or from what a mechanism's
         report says of x², never from the square of a score; all three from cells (cells.py).
Source   paper 000, Theorem 2 and its correction in papers/README.md ("Diagonal").
Symbols  m, c -> means, covariances; R × d and R × d × d over replicates, the first of all rows.
Needs    items drawn without looking at the data.
Gaps     where several sources tell the same number they are weighted by their estimated precision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.randomized import Item, LabelDomain, Randomized
from sudare.local.cells import is_two_valued
from sudare.local.estimates.cells import CellMoments, cell_moments
from sudare.local.estimates.channels import (
    Scores,
    number_names,
    square_name,
    target_name,
    two_labels,
    two_places,
)
from sudare.local.estimates.jackknife import GROUPS, spread
from sudare.local.estimates.shares import label_shares
from sudare.local.estimates.sums import Sums


@dataclass(frozen=True)
class Moments:
    """NaN stands where the file does not tell an entry."""

    columns: tuple[str, ...]
    means: Scores
    covariances: Scores

    def of(self, columns: tuple[str, ...]) -> Moments:
        """Some of the columns."""
        places = [self.columns.index(column) for column in columns]
        return Moments(columns, self.means[:, places], self.covariances[:, places][:, :, places])

    def told(self) -> NDArray[np.bool_]:
        """Which entries the file tells: d × d."""
        found: NDArray[np.bool_] = np.logical_and.reduce(np.isfinite(self.covariances), axis=0)
        return found


@dataclass(frozen=True)
class _Number:
    """A column, and the channel and item that tell it."""

    column: str
    channel: str
    item: Item


def moments(facts: Randomized, sums: Sums, target: str | None = None) -> Moments:
    """Of all columns with an item of their own value, and of a target with two labels."""
    numbers = _numbers(facts, target)
    if not numbers:
        return Moments((), np.zeros((GROUPS + 1, 0)), np.zeros((GROUPS + 1, 0, 0)))
    cells = cell_moments(facts, sums)
    means = np.stack([_mean(facts, sums, cells, each) for each in numbers], axis=1)
    count = len(numbers)
    found = np.full((len(means), count, count), np.nan)
    for i, one in enumerate(numbers):
        found[:, i, i] = _variance(facts, sums, cells, one, means[:, i])
        for j in range(i):
            both = means[:, [i, j]]
            entry = _covariance(facts, sums, cells, one, numbers[j], both)
            found[:, i, j] = found[:, j, i] = entry
    return Moments(tuple(each.column for each in numbers), means, found)


def _numbers(facts: Randomized, target: str | None) -> list[_Number]:
    """In the order of the table, then the target with two labels; cells come in any order."""
    found: dict[str, _Number] = {}
    for item in facts.items:
        for column in item.columns if item.kind in ("value", "cell") else ():
            found.setdefault(column, _Number(column, item.name, item))
    ordered = [found[column] for column in facts.domains if column in found]
    labels = two_labels(facts, target)
    if labels is not None:
        ordered.append(_Number(labels.columns[0], target_name(labels), labels))
    return ordered


def _mean(facts: Randomized, sums: Sums, cells: CellMoments, number: _Number) -> Scores:
    if number.item.kind == "cell":
        return cells.mean(number.column)
    if number.item.kind == "value":
        return sums.mean(number.channel, number.item.name)[:, 0]
    first, second = two_places(facts, number.column)
    shares = label_shares(facts, sums, number.item)
    return shares[:, second] - shares[:, first]


def _variance(
    facts: Randomized, sums: Sums, cells: CellMoments, number: _Number, means: Scores
) -> Scores:
    # The square of a noisy mean is too large by the variance of its noise.
    return _square(facts, sums, cells, number, means) - means**2 + spread(means) ** 2


def _square(
    facts: Randomized, sums: Sums, cells: CellMoments, number: _Number, means: Scores
) -> Scores:
    """Replicates of the mean of x²."""
    domain = facts.domains[number.column]
    if isinstance(domain, LabelDomain):
        first, second = two_places(facts, number.column)
        shares = label_shares(facts, sums, number.item)
        return shares[:, first] + shares[:, second]
    if is_two_valued(domain):
        return np.ones_like(means)
    sources = []
    if number.item.kind == "cell":
        sources.append(cells.second(number.column, number.column))
    square = facts.item("square", number.column)
    if square is not None:
        sources.append((sums.mean(square.name, square.name)[:, 0] + 1) / 2)
    own = square_name(number.item)
    if own in sums.scores:
        sources.append(sums.mean(own, number.item.name)[:, 0])
    return pooled(sources, means)


def _covariance(
    facts: Randomized,
    sums: Sums,
    cells: CellMoments,
    one: _Number,
    two: _Number,
    means: Scores,
) -> Scores:
    second = np.full(len(means), np.nan)
    if one.item.kind == "cell" and two.item.kind == "cell":
        second = cells.second(one.column, two.column)
    if np.isfinite(second).all():
        return second - means[:, 0] * means[:, 1] + _shared_noise(means)
    sources = []
    product = facts.item("product", one.column, two.column)
    if product is not None:
        mean = sums.mean(product.name, product.name)[:, 0]
        sources.append(mean - means[:, 0] * means[:, 1])
    names = [_channels(facts, each) for each in (one, two)]
    if sums.products is not None and sums.products.has(*names[0], *names[1]):
        product_mean, first, second = sums.products.between(*names)
        # Means over all who report one of the two are better than over those who report both.
        beside = means[:, 0] * second[:, 0] + means[:, 1] * first[:, 0]
        sources.append(product_mean[:, 0, 0] - beside + means[:, 0] * means[:, 1])
    return pooled(sources, means[:, 0])


def _channels(facts: Randomized, number: _Number) -> tuple[str, ...]:
    """What tells the number of one person: of cells, each that it is in."""
    if number.item.kind == "cell":
        return number_names(facts, number.column)
    return (number.channel,)


def _shared_noise(means: Scores) -> Scores:
    """The covariance of the noise of two means, which their product has too much of."""
    away, groups = means[1:] - means[:1], len(means) - 1
    found: Scores = (groups - 1) / groups * (away[:, 0] * away[:, 1]).sum(keepdims=True)
    return found


def pooled(sources: list[Scores], like: Scores) -> Scores:
    """Several estimates of one number, weighted by precision; NaN if there is none."""
    told = [source for source in sources if np.isfinite(source).all()]
    if len(told) < 2:
        return told[0] if told else np.full_like(like, np.nan)
    weights = np.array([1 / max(float(spread(source)), 1e-150) ** 2 for source in told])
    found: Scores = np.tensordot(weights / weights.sum(), np.stack(told), axes=1)
    return found

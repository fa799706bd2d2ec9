"""Histograms and two-way tables of labels and bins, from all the items that tell them.

A table comes from blocks in which both columns are, and from two reports of one person; a histogram
from a column's own item and from every block that it is in. Sources are weighted by precision. All
are unbiased replicates (jackknife.py): negative shares are left for whoever fits them together.

Claim    `noise_of` is the standard deviation of the cells of a table whose noise, if it were even,
         would be as large as this one's in its worst direction in 95 % of cases. The noise of
         shares that are sampled gathers where people are, so its worst direction is worse than
         that of even noise with the same sum of squares.
Method   sums of the replicates' deviations with the signs of Sylvester's matrix: each is a draw of
         the noise (wild bootstrap: Wu 1986), and no entropy is needed for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sudare.facts.randomized import Item, NumberDomain, Randomized
from sudare.local.blocks import bin_starts, sizes_in
from sudare.local.estimates.bins import Bins
from sudare.local.estimates.channels import Scores
from sudare.local.estimates.histograms import histogram
from sudare.local.estimates.jackknife import spread
from sudare.local.estimates.shares import label_shares
from sudare.local.estimates.sums import Sums

# Two reports of one person are multiplied for columns of at most so many labels or bins.
WIDEST = 128
_DRAWS = 64
_SURE = 95.0


@dataclass(frozen=True)
class Told:
    """Shares of a column's labels or bins, their standard errors, and where a number's bins start
    (first grid indices)."""

    shares: Scores
    errors: Scores
    starts: tuple[int, ...] = ()


def told_column(facts: Randomized, sums: Sums, column: str) -> Told | None:
    """The histogram of a column; None where the file does not tell it."""
    domain, item = facts.domains[column], facts.item("bins", column)
    found = list(_margins(facts, sums, column))
    if not found and item is not None and isinstance(domain, NumberDomain):
        shown = histogram(facts, sums, item, "em")
        if shown is None:
            return None
        shares = np.array([float(each.value or 0.0) for each in shown.shares])
        errors = np.array([each.standard_error or 0.0 for each in shown.shares])
        return Told(shares, errors, equal_starts(domain, item))
    if not found:
        return None
    shares = pooled([values for values, _ in found])
    size = found[0][1]
    starts = bin_starts(domain, size) if isinstance(domain, NumberDomain) else ()
    return Told(shares[0], spread(shares), starts)


def told_table(facts: Randomized, sums: Sums, a: str, b: str) -> Scores | None:
    """Replicates of the table of two columns, R × a × b; None where the file does not tell it."""
    found = []
    for item in facts.items:
        if item.kind == "labels" and {a, b} <= set(item.columns):
            axes = (item.columns.index(a), item.columns.index(b))
            found.append(_gathered(facts, sums, item, axes))
    one, two = _single(facts, a), _single(facts, b)
    products = sums.products
    if one and two and products is not None and products.has(one.name, two.name):
        found.append(products.between((one.name,), (two.name,))[0])
    known = [each for each in found if np.isfinite(each).all()]
    return pooled(known) if known else None


def _margins(facts: Randomized, sums: Sums, column: str) -> Iterator[tuple[Scores, int]]:
    for item in facts.items:
        if item.kind in ("label", "labels") and column in item.columns:
            shares = _gathered(facts, sums, item, (item.columns.index(column),))
            if np.isfinite(shares).all():
                yield shares, shares.shape[1]


def _gathered(facts: Randomized, sums: Sums, item: Item, axes: tuple[int, ...]) -> Scores:
    """Replicates of a block's shares by some of its columns, in this order."""
    sizes = sizes_in(facts, item) or ()
    shares = label_shares(facts, sums, item).reshape(-1, *sizes)
    rest = tuple(place + 1 for place in range(len(sizes)) if place not in axes)
    found: Scores = shares.sum(axis=rest)
    return np.swapaxes(found, 1, 2) if len(axes) == 2 and axes[0] > axes[1] else found


def _single(facts: Randomized, column: str) -> Item | None:
    kinds = ("label", "labels", "bins")
    return next(
        (item for item in facts.items if item.kind in kinds and item.columns == (column,)), None
    )


def single_size(facts: Randomized, column: str) -> int | None:
    """The labels or bins of a column that is reported alone."""
    item = _single(facts, column)
    return None if item is None else int(item.parameters["values"])


def equal_starts(domain: NumberDomain, item: Item) -> tuple[int, ...]:
    """Where the equal bins of an item of its own start."""
    bins, span = Bins.of(domain, item, fitted=True), domain.high - domain.low
    return tuple(domain.low + -(-start * span // bins.count) for start in bins.starts)


def pooled(sources: list[Scores]) -> Scores:
    """Several estimates of the same shares, weighted by precision."""
    if len(sources) == 1:
        return sources[0]
    weights = np.array([1 / max(float(np.mean(spread(each) ** 2)), 1e-300) for each in sources])
    found: Scores = np.tensordot(weights / weights.sum(), np.stack(sources), axes=1)
    return found


def noise_of(tables: Scores) -> float:
    """What the noise of a table's replicates amounts to, a cell."""
    even = float(np.sqrt(np.mean(spread(tables) ** 2)))
    height, width = tables.shape[1:]
    if min(height, width) < 2:
        return even
    away = tables[1:] - tables[:1]
    away = away - away.mean(axis=1, keepdims=True)
    away = away - away.mean(axis=2, keepdims=True)
    groups = len(away)
    drawn = np.sqrt((groups - 1) / groups) * np.tensordot(_signs(groups), away, axes=1)
    worst = np.linalg.svd(drawn, compute_uv=False)[:, 0]
    edge = math.sqrt(height - 1) + math.sqrt(width - 1)
    return max(even, float(np.percentile(worst, _SURE)) / edge)


def _signs(groups: int) -> Scores:
    """Some rows of Sylvester's matrix: +1 and −1, each row orthogonal to all others."""
    rows, columns = np.arange(1, _DRAWS + 1), np.arange(groups)
    ones = np.bitwise_count(rows[:, np.newaxis] & columns[np.newaxis, :])
    found: Scores = 1.0 - 2.0 * (ones % 2).astype(np.float64)
    return found

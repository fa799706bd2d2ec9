"""From noisy margins and residuals to the unbiased table.

Claim    the result is linear in the measurements and unbiased; where all groups of a level are of
         one size it is the generalised least squares estimate, the best linear one.
Derivation
         y_A spread evenly over the finest cells below it has mean Π_A x, and E_B Π_A = E_B for
         B <= A. So E_B of it is unbiased for E_B x, with variance v_A h[A, B]; components are
         averaged with the inverse variances (`gains`) as weights. Equal groups: the noise of y_A
         is white in every component, and different components are uncorrelated.
Gaps     With unequal groups the weights are right on average over a component only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sudare.facts.cube import Array, Dimension, Margin, every_margin
from sudare.tables.algebra import Factors, Pyramid, differences, means, spread, sums


def unbiased(
    measured: Sequence[tuple[Margin, Array, Factors]],
    dimensions: Sequence[Dimension],
    known: Mapping[Margin, Array] | None = None,
) -> Array:
    """The table of finest cells, real numbers of either sign. A measurement is its margin, its
    noisy array and what it adds to the precision of every component (one axis a dimension).
    `known` is a public margin; its components are taken from it alone. Components that nothing
    tells of are 0: spread evenly."""
    total = np.sum([gains for _, _, gains in measured], axis=0)
    parts: Pyramid = {}
    for margin, noisy, gains in measured:
        weights = np.divide(gains, total, out=np.zeros_like(total), where=total > 0)
        for public in known or ():
            weights = np.where(_at_or_below(public, dimensions), 0.0, weights)
        _add(parts, noisy, margin, weights, dimensions)
    for public, counts in (known or {}).items():
        _add(parts, counts, public, _at_or_below(public, dimensions).astype(np.float64), dimensions)
    return spread(parts, dimensions)


def _add(
    parts: Pyramid, array: Array, margin: Margin, weights: Factors, dimensions: Sequence[Dimension]
) -> None:
    """Σ_B w_B E_B of one array, kept as margins."""
    coefficients = differences(weights)
    found = sums(array.astype(np.float64), dimensions, margin)
    wanted = {place: values for place, values in found.items() if coefficients[place] != 0}
    for place, average in means(wanted, dimensions).items():
        average *= coefficients[place]
        parts[place] = parts[place] + average if place in parts else average


def _at_or_below(margin: Margin, dimensions: Sequence[Dimension]) -> Array:
    """Which components a margin tells everything about."""
    shape = tuple(each.depth + 1 for each in dimensions)
    found = np.zeros(shape, dtype=bool)
    for place in every_margin(dimensions):
        found[place] = all(b <= a for a, b in zip(margin, place, strict=True))
    return found

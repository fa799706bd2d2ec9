"""A number within the labels of a category: E[x·1{label}] − E[x]·P(label), from the people who
report both, whose two randomisations are independent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sudare.facts.randomized import NumberDomain, Randomized
from sudare.local.estimates.cells import cell_moments
from sudare.local.estimates.channels import Scores, number_names
from sudare.local.estimates.jackknife import spread
from sudare.local.estimates.shares import label_shares
from sudare.local.estimates.sums import Sums


@dataclass(frozen=True)
class Shift:
    """`mean` of x; replicates, R × labels, of what each label moves."""

    mean: float
    away: Scores

    def by(self, gathered: Callable[[Scores], Scores]) -> tuple[Scores, Scores]:
        """What levels of labels move, and the standard errors of that."""
        found = gathered(self.away)
        return found[0], spread(found)


def told_shift(facts: Randomized, sums: Sums, number: str, other: str) -> Shift | None:
    """None where nobody reports both, or one of the two is of another kind."""
    ones, two = number_names(facts, number), facts.item("label", other)
    if not ones or two is None or sums.products is None:
        return None
    if not isinstance(facts.domains[number], NumberDomain):
        return None
    if not sums.products.has(*ones, two.name):
        return None
    product, first, second = sums.products.between(ones, (two.name,))
    item = facts.item("value", number)
    if item is None:
        mean = cell_moments(facts, sums).mean(number)[:, np.newaxis]
    else:
        mean = sums.mean(item.name, item.name)
    shares = label_shares(facts, sums, two)
    # Means over all who report one of the two are better than over those who report both.
    away = product[:, 0, :] - mean * second - shares * first + mean * shares
    return Shift(float(mean[0, 0]), away) if np.isfinite(away).all() else None

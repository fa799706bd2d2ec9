"""Means and variances of numbers in their own units."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sudare.facts.estimated import Figure, Mean
from sudare.facts.randomized import Item, NumberDomain, Randomized
from sudare.local.estimates.bins import Bins, bin_shares
from sudare.local.estimates.channels import Scores, labels_of
from sudare.local.estimates.figures import UNTOLD, figure, in_units, own_units
from sudare.local.estimates.moments import Moments
from sudare.local.estimates.sums import Sums


def means(facts: Randomized, sums: Sums, moments: Moments) -> tuple[Mean, ...]:
    """Of every number, in the order of the file."""
    found = []
    for column, domain in facts.domains.items():
        if not isinstance(domain, NumberDomain):
            continue
        if column in moments.columns:
            place = moments.columns.index(column)
            values = moments.means[:, place]
            variance = variance_figure(moments.covariances[:, place, place], domain)
        elif (item := facts.item("bins", column)) is not None:
            values, variance = _from_bins(facts, sums, item, domain), UNTOLD
        else:
            continue
        told = in_units(figure(values, low=-1, high=1), domain)
        bounds = (own_units(-1.0, domain), own_units(1.0, domain))
        found.append(Mean(column, domain.type, bounds, told, variance, not domain.complete))
    return tuple(found)


def variance_figure(values: Scores, domain: NumberDomain, deviation: float | None = None) -> Figure:
    """A variance beside that of an even spread over the declared bounds; it is distinguishable
    where it can be told from zero. A deviation that was found otherwise is published squared."""
    square, published = domain.half**2, None if deviation is None else deviation**2 * domain.half**2
    # No spread is wider than all at the two ends.
    found = figure(values * square, published=published, low=0, high=square)
    return found if found.value is None else replace(found, trivial=square / 3)


def _from_bins(facts: Randomized, sums: Sums, item: Item, domain: NumberDomain) -> Scores:
    """The mean of the middles of the bins, weighted by their fitted shares."""
    law = labels_of(item, facts).law()
    if law is None or np.count_nonzero(sums.people[item.name]) < 2:
        return np.full(2, np.nan)
    bins = Bins.of(domain, item, fitted=True)
    shares, _ = bin_shares(sums, item, bins.law(law))
    found: Scores = shares @ bins.middles
    return found

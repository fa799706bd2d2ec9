"""Histograms of labels and of bins of numbers.

By `inverse` the unbiased shares are moved to the nearest ones that can be; by `em` the shares are
those under which the reports are most likely. Reports that are no cells (rows of bits, hashes) have
no table of probabilities to iterate over and are always inverted.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.estimated import Figure, Histogram, Method
from sudare.facts.randomized import Item, NumberDomain, Randomized
from sudare.local.estimates.bayes import fitted
from sudare.local.estimates.bins import Bins, fit_bins
from sudare.local.estimates.channels import Scores, labels_of
from sudare.local.estimates.figures import figure, score
from sudare.local.estimates.jackknife import spread
from sudare.local.estimates.shares import Shares, label_shares, projected, with_doubt
from sudare.local.estimates.sums import Sums


def histogram(facts: Randomized, sums: Sums, item: Item, method: Method) -> Histogram | None:
    """The histogram of an item; None where so few report it that there is no error to tell."""
    if np.count_nonzero(sums.people[item.name]) < 2:
        return None
    law = labels_of(item, facts).law() if item.name in sums.cells else None
    method = "inverse" if law is None else method
    domain = facts.domains[item.columns[0]]
    if isinstance(domain, NumberDomain):
        bins = Bins.of(domain, item, fitted=method == "em")
        if method == "em" and law is not None:
            found = fit_bins(sums, item, bins.law(law))
        else:
            found = _inverted(facts, sums, item)
        return _made(item, bins.names(), bins.edges(), found, bins.widths, method)
    found = _inverted(facts, sums, item)
    if method == "em" and law is not None:
        found = _fitted(sums, item, law, found)
    # Whoever knows the declared labels alone would not guess that as many have none of them.
    is_label = np.array([label is not None for label in domain.labels])
    return _made(item, domain.labels, None, found, is_label / is_label.sum(), method)


def _inverted(facts: Randomized, sums: Sums, item: Item) -> Shares:
    raw = label_shares(facts, sums, item)
    errors = spread(raw)
    if item.kind == "label":
        people = float(sums.people[item.name].sum())
        errors = with_doubt(labels_of(item, facts), raw[0], people, errors)
    return Shares(projected(raw[0]), raw[0], errors)


def _fitted(sums: Sums, item: Item, law: Scores, told: Shares) -> Shares:
    """The likeliest shares of labels. They have the errors of the unbiased shares, which the fit
    only moves where they are impossible."""
    counts = sums.cells[item.name].sum(axis=0, keepdims=True)
    # A share of exactly zero would never grow again.
    start = 0.99 * told.published[np.newaxis] + 0.01 / len(told.raw)
    return Shares(fitted(counts / counts.sum(), law, start)[0], told.raw, told.errors)


def _made(
    item: Item,
    labels: tuple[str | None, ...],
    edges: tuple[float | str, ...] | None,
    found: Shares,
    even: Scores,
    method: Method,
) -> Histogram:
    shares = tuple(_share(found, even, i) for i in range(len(even)))
    told = score(found.published, found.raw, found.errors, even)
    return Histogram(item.columns[0], labels, edges, shares, method, told)


def _share(found: Shares, even: Scores, place: int) -> Figure:
    return figure(
        found.raw[place : place + 1],
        published=float(found.published[place]),
        trivial=float(even[place]),
        low=0,
        high=1,
        error=float(found.errors[place]),
    )

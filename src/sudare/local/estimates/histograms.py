"""Histograms of labels and of bins of numbers.

By `inverse` the unbiased shares are moved to the nearest ones that can be; by `em` the shares are
those under which the reports are most likely. Reports that are no cells (rows of bits, hashes) have
no table of probabilities to iterate over and are always inverted.
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass

import numpy as np

from sudare.facts.estimated import Figure, Histogram, Method
from sudare.facts.randomized import Item, LabelDomain, NumberDomain, Randomized
from sudare.local.estimates.bayes import best_smoothing, fitted, less
from sudare.local.estimates.channels import Scores, labels_of
from sudare.local.estimates.figures import figure, score
from sudare.local.estimates.jackknife import replicates, spread
from sudare.local.estimates.shares import label_shares, projected
from sudare.local.estimates.sums import Sums

_EPOCH = dt.date(1970, 1, 1)
# Replicates of a smoothed histogram.
_FEWER = 16


@dataclass(frozen=True)
class Shares:
    """Shares as they are published, unbiased ones (or the same) and their standard errors."""

    published: Scores
    raw: Scores
    errors: Scores


def histogram(facts: Randomized, sums: Sums, item: Item, method: Method) -> Histogram | None:
    """The histogram of an item; None where nobody reports it."""
    if not sums.people[item.name].any():
        return None
    domain = facts.domains[item.columns[0]]
    law = labels_of(item, facts).law() if item.name in sums.cells else None
    if method == "em" and law is not None:
        found = _by_bayes(facts, sums, item, law)
    else:
        method, raw = "inverse", label_shares(facts, sums, item)
        found = Shares(projected(raw[0]), raw[0], spread(raw))
    count = len(found.raw)
    return Histogram(
        column=item.columns[0],
        labels=domain.labels if isinstance(domain, LabelDomain) else bin_names(domain, count),
        edges=_edges(domain, count) if isinstance(domain, NumberDomain) else None,
        shares=_figures(found),
        method=method,
        score=score(found.published, found.raw, found.errors, 1 / count),
    )


def _figures(found: Shares) -> tuple[Figure, ...]:
    even = 1 / len(found.raw)
    return tuple(
        figure(raw[np.newaxis], published=share, trivial=even, low=0, high=1, error=error)
        for raw, share, error in zip(
            found.raw, found.published.tolist(), found.errors.tolist(), strict=True
        )
    )


def _by_bayes(facts: Randomized, sums: Sums, item: Item, law: Scores) -> Shares:
    """The fitted shares. For labels the errors are those of the unbiased shares, which the fit only
    moves where they are impossible."""
    if item.kind == "bins":
        return _of_bins(sums, item, law)
    raw = label_shares(facts, sums, item)
    counts = sums.cells[item.name].sum(axis=0, keepdims=True)
    # A share of exactly zero would never grow again.
    start = 0.99 * projected(raw[:1]) + 0.01 / raw.shape[1]
    return Shares(fitted(counts / counts.sum(), law, start)[0], raw[0], spread(raw))


def _of_bins(sums: Sums, item: Item, law: Scores) -> Shares:
    """Bins are smoothed, because their inverse would be far noisier. Beside the noise, the errors
    hold what clearly less smoothing changes in a bin and its neighbours."""
    found, smoothing = bin_shares(sums, item, law)
    rougher = fitted(_told(sums, item)[:1], law, found[:1], less(smoothing))[0]
    moved = np.pad((rougher - found[0]) ** 2, 1, mode="edge")
    near = (moved[:-2] + moved[1:-1] + moved[2:]) / 3
    return Shares(found[0], found[0], np.sqrt(spread(found) ** 2 + near))


def bin_shares(sums: Sums, item: Item, law: Scores) -> tuple[Scores, float]:
    """Replicates of the smoothed shares of bins, R × v, and how much they are smoothed. Each fit
    takes its time, so groups are taken together for fewer replicates."""
    smoothing = best_smoothing(sums.cells[item.name], law)
    told = _told(sums, item)
    best = fitted(told[:1], law, np.full((1, law.shape[1]), 1 / law.shape[1]), smoothing)
    return fitted(told, law, np.repeat(best, len(told), axis=0), smoothing), smoothing


def _told(sums: Sums, item: Item) -> Scores:
    """Replicates of the shares of reports."""
    cells = sums.cells[item.name]
    counts = replicates(cells.reshape(_FEWER, -1, cells.shape[1]).sum(axis=1))
    found: Scores = counts / counts.sum(axis=1, keepdims=True)
    return found


def _edges(domain: NumberDomain, bins: int) -> tuple[float | str, ...]:
    """The ends of the bins in the column's own units; dates as dates."""
    ends = [domain.middle + domain.half * (2 * i / bins - 1) for i in range(bins + 1)]
    if domain.type != "date":
        return tuple(ends)
    return tuple((_EPOCH + dt.timedelta(days=math.ceil(end))).isoformat() for end in ends)


def bin_names(domain: NumberDomain, bins: int) -> tuple[str, ...]:
    """What stands in each bin: its first and its last value where they are whole numbers or dates,
    else its ends."""
    if domain.step != 1 or domain.type == "real":
        ends = [f"{end:.6g}" for end in _edges(domain, bins)]
        return tuple(f"{ends[i]} – {ends[i + 1]}" for i in range(bins))
    firsts = [domain.low + math.ceil(i * (domain.high - domain.low) / bins) for i in range(bins)]
    lasts = [*(first - 1 for first in firsts[1:]), domain.high]
    return tuple(_span(domain, *ends) for ends in zip(firsts, lasts, strict=True))


def _span(domain: NumberDomain, first: int, last: int) -> str:
    names = [_name(domain, end) for end in (first, last)]
    return names[0] if first == last else f"{names[0]} – {names[1]}"


def _name(domain: NumberDomain, value: int) -> str:
    if domain.type != "date":
        return str(value)
    return (_EPOCH + dt.timedelta(days=value)).isoformat()

"""Unbiased shares of labels and bins, and their projection to shares that can be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sudare.facts.randomized import Item, Randomized
from sudare.local.estimates.channels import Scores, labels_of
from sudare.local.estimates.jackknife import REACH, replicates
from sudare.local.estimates.sums import Sums
from sudare.mechanisms.local.mechanism import Labels
from sudare.mechanisms.local.response import Response


@dataclass(frozen=True)
class Shares:
    """Shares as they are published, unbiased ones (or the same) and their standard errors."""

    published: Scores
    raw: Scores
    errors: Scores


def label_shares(facts: Randomized, sums: Sums, item: Item) -> Scores:
    """Replicates of the unbiased shares of an item's labels or bins: R × v."""
    if item.name not in sums.cells:
        return sums.mean(item.name, item.name)
    with np.errstate(invalid="ignore", divide="ignore"):
        people = replicates(sums.people[item.name])[:, np.newaxis]
        told = replicates(sums.cells[item.name]) / people
    mechanism = labels_of(item, facts)
    if isinstance(mechanism, Response):
        # Every report scores alike for its own label and for all others; a matrix of v × v
        # numbers, of which only two differ, would be large.
        own, other = mechanism.scores(np.zeros(1, np.int64))[0, :2]
        found: Scores = other + (own - other) * told
        return found
    return told @ mechanism.scores(np.arange(told.shape[1]))


def with_doubt(mechanism: Labels, shares: Scores, people: float, errors: Scores) -> Scores:
    """The errors, where a share near 0 or 1 has no less than its reports leave open: that of the
    share with two more people who have the label and two who do not. Nobody may have reported a
    rare label; then all replicates agree, and their spread would be none.

    Source   Agresti, Coull 1998: with 2 and 2 more the 95 % interval of a proportion holds.
    """
    possible = np.clip(shares, 0, 1)
    variance = np.vectorize(mechanism.variance, otypes=[np.float64])
    least = np.sqrt(variance((people * possible + 2) / (people + 4)) / people)
    is_near = np.minimum(possible, 1 - possible) < REACH * least
    found: Scores = np.where(is_near, np.maximum(errors, least), errors)
    return found


def projected(shares: Scores) -> Scores:
    """The nearest shares (in the sum of squares) that are not negative and sum to 1, along the
    last axis: what is below zero is cut off and the excess taken evenly from the rest.

    Source   Wang, Lopuhaä-Zwakenberg, Li, Skoric, Li 2020, "Norm-Sub".
    """
    ordered = -np.sort(-shares, axis=-1)
    counts = np.arange(1, shares.shape[-1] + 1)
    excess = (np.cumsum(ordered, axis=-1) - 1) / counts
    kept = (ordered > excess).sum(axis=-1, keepdims=True)
    level = np.take_along_axis(excess, kept - 1, axis=-1)
    found: Scores = np.maximum(shares - level, 0)
    return found

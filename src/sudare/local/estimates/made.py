"""What a made-up row is expected to add to the sums of a file that has such rows.

Claim    a dummy's row is randomised as everyone's is, from numbers in the middle of their bounds
         (x = 0) and labels drawn evenly and independently; so the mean of each score is the true
         value of what it is unbiased for, and that of a product of scores of two columns is the
         product of their means.
Needs    dummies that report the items as often as people do (link/dummies.py).
Gaps     the number of dummies is secret. Their expected number is taken out: what is left of the
         difference moves a mean by its part of the rows, towards or from the middle.
"""

from __future__ import annotations

import math

import numpy as np

from sudare.facts.randomized import Item, LabelDomain, NumberDomain, Randomized
from sudare.local.blocks import bins_of, sizes_in
from sudare.local.cells import places_in
from sudare.local.estimates.channels import NUMBER_KINDS, Channel, Scores, labels_of
from sudare.mechanisms.local.response import Response


def made_scores(facts: Randomized, channel: Channel) -> Scores:
    """The mean scores of a channel, over dummies that report its item."""
    item = next(each for each in facts.items if each.name == channel.item)
    if item.kind == "square":
        # Reported is 2x² − 1.
        return np.array([-1.0])
    if item.kind in NUMBER_KINDS or channel.name != item.name:
        # A number, its square, a product, a number in a cell, or two labels as a number.
        return np.zeros(channel.width)
    return _labels(facts, item)


def made_cells(facts: Randomized, item: Item) -> Scores:
    """The probabilities of a dummy's reports."""
    mechanism, labels = labels_of(item, facts), _labels(facts, item)
    if isinstance(mechanism, Response):
        near, far = mechanism.shares.chance_near, mechanism.shares.chance_far
        found: Scores = far + (near - far) * labels
        return found
    law = mechanism.law()
    assert law is not None
    return law @ labels


def _labels(facts: Randomized, item: Item) -> Scores:
    """The probabilities of the label that a dummy has before it is randomised."""
    if item.kind == "cell":
        # Random rounding of zero: as many heads of fair coins as there are places but one.
        parts = [_heads(places - 1) for places in places_in(facts, item)]
    elif item.kind == "bins":
        bins = int(item.parameters["values"])
        parts = [_only(min(bins // 2, bins - 1), bins)]
    else:
        sizes = sizes_in(facts, item) or ()
        parts = [_column(facts, *each) for each in zip(item.columns, sizes, strict=True)]
    found = np.ones(1)
    for part in parts:
        found = np.outer(found, part).reshape(-1)
    return found


def _column(facts: Randomized, name: str, size: int) -> Scores:
    domain = facts.domains[name]
    if isinstance(domain, LabelDomain):
        return np.full(size, 1 / size)
    assert isinstance(domain, NumberDomain)
    return _only(int(bins_of(np.zeros(1), domain, size)[0]), size)


def _heads(coins: int) -> Scores:
    return np.array([math.comb(coins, heads) / 2**coins for heads in range(coins + 1)])


def _only(place: int, size: int) -> Scores:
    found = np.zeros(size)
    found[place] = 1.0
    return found

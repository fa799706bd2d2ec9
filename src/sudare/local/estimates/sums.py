"""One pass over the reports: sums by jackknife group, from which every statistic is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.reported import Batch
from sudare.local.estimates.channels import Channel, Layout, Scores
from sudare.local.estimates.jackknife import GROUPS, group_of, replicates
from sudare.local.estimates.made import made_cells, made_scores
from sudare.local.estimates.products import Products
from sudare.local.estimates.scoring import blocks, damaged, scored

Progress = Callable[[int], None]


@dataclass
class Sums:
    """`rows` and `people` (who reports an item) count; `scores` of a channel and `cells` of an
    item are sums; `products` has what pairs of channels give. The first axis is the group."""

    rows: NDArray[np.float64]
    people: dict[str, NDArray[np.float64]]
    scores: dict[str, Scores]
    cells: dict[str, NDArray[np.float64]]
    products: Products | None

    def mean(self, channel: str, item: str) -> Scores:
        """Replicates of the mean of a channel: R × width. NaN where nobody reports the item."""
        people = replicates(self.people[item])[:, np.newaxis]
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Scores = replicates(self.scores[channel]) / people
        return found


def accumulate(
    layout: Layout, batches: Iterable[Batch], progress: Progress = lambda rows: None
) -> Sums:
    """The sums of all batches; `progress` is told how many rows are done."""
    sums = _empty(layout)
    done = 0
    for batch in batches:
        groups = group_of(done, batch.rows)
        sums.rows += np.bincount(groups, minlength=GROUPS)
        for name, column in batch.reports.items():
            _add_item(sums, layout, name, *column, groups)
        if sums.products is not None:
            sums.products.add(batch, groups)
        done += batch.rows
        progress(done)
    return _without_dummies(sums, layout) if layout.facts.dummies else sums


def _without_dummies(sums: Sums, layout: Layout) -> Sums:
    """Every sum without what dummies are expected to add to it. Where nobody would be left,
    nothing is told."""
    facts = layout.facts
    if facts.dummies >= float(sums.rows.sum()):
        return _empty(layout)
    share = facts.dummies / float(sums.rows.sum())
    for channel in layout.singles:
        added = sums.people[channel.item][:, np.newaxis] * made_scores(facts, channel)
        sums.scores[channel.name] -= share * added
    for item in facts.items:
        if item.name in sums.cells:
            added = sums.people[item.name][:, np.newaxis] * made_cells(facts, item)
            sums.cells[item.name] -= share * added
    if sums.products is not None:
        means = [made_scores(facts, channel) for channel in layout.pairs]
        sums.products.take_out(share, means)
    for people in (sums.rows, *sums.people.values()):
        people *= 1 - share
    return sums


def _empty(layout: Layout) -> Sums:
    return Sums(
        rows=np.zeros(GROUPS),
        people={item.name: np.zeros(GROUPS) for item in layout.facts.items},
        scores={each.name: np.zeros((GROUPS, each.width)) for each in layout.singles},
        cells={name: np.zeros((GROUPS, cells)) for name, cells in layout.counted.items()},
        products=Products.empty(layout.pairs) if layout.pairs else None,
    )


def _add_item(
    sums: Sums,
    layout: Layout,
    name: str,
    positions: NDArray[np.int64] | None,
    reports: NDArray[Any],
    groups: NDArray[np.int64],
) -> None:
    own = groups if positions is None else groups[positions]
    if name not in sums.people or len(own) != len(reports):
        raise damaged()
    if not len(own):
        return
    sums.people[name] += np.bincount(own, minlength=GROUPS)
    if name in layout.counted:
        sums.cells[name] += _counted(reports, own, layout.counted[name])
    for channel in layout.singles:
        if channel.item == name:
            sums.scores[channel.name] += _summed(channel, reports, own)


def _counted(reports: NDArray[Any], groups: NDArray[np.int64], cells: int) -> NDArray[np.float64]:
    if reports.min() < 0 or reports.max() >= cells:
        raise damaged()
    places = groups * cells + reports.astype(np.int64, copy=False)
    found = np.bincount(places, minlength=GROUPS * cells).astype(np.float64)
    return found.reshape(GROUPS, cells)


def _summed(channel: Channel, reports: NDArray[Any], groups: NDArray[np.int64]) -> Scores:
    if channel.width == 1:
        sums = np.bincount(groups, scored(channel, reports)[:, 0], GROUPS)
        return sums[:, np.newaxis].astype(np.float64, copy=False)
    found = np.zeros((GROUPS, channel.width))
    for some in blocks(len(reports), channel.width):
        order = np.argsort(groups[some].astype(np.uint8), kind="stable")
        marks = groups[some][order]
        first = np.flatnonzero(np.diff(marks, prepend=-1))
        found[marks[first]] += np.add.reduceat(scored(channel, reports[some][order]), first)
    return found

"""Sums of products of scores, by jackknife group, over the people who report both items."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.reported import Batch
from sudare.local.estimates.channels import Channel, Scores
from sudare.local.estimates.jackknife import GROUPS, replicates
from sudare.local.estimates.scoring import blocks, scored


@dataclass
class Products:
    """`both` counts the people who report channels c and e; `beside` sums the scores of c over
    those who report e too; `products` sums products of scores. Scores of wider channels lie side
    by side, those of channel c in `places[c]`. The first axis is the group."""

    channels: tuple[Channel, ...]
    places: dict[str, slice]
    both: NDArray[np.float64]
    beside: NDArray[np.float64]
    products: NDArray[np.float64]

    @classmethod
    def empty(cls, channels: tuple[Channel, ...]) -> Products:
        ends = np.cumsum([0, *(channel.width for channel in channels)]).tolist()
        names = [channel.name for channel in channels]
        places = {name: slice(*ends[i : i + 2]) for i, name in enumerate(names)}
        width, count = ends[-1], len(channels)
        return cls(
            channels,
            places,
            np.zeros((GROUPS, count, count)),
            np.zeros((GROUPS, width, count)),
            np.zeros((GROUPS, width, width)),
        )

    def has(self, *names: str) -> bool:
        return all(name in self.places for name in names)

    def between(
        self, ones: tuple[str, ...], twos: tuple[str, ...]
    ) -> tuple[Scores, Scores, Scores]:
        """Over those who report one channel of each: replicates of the mean products (R × width ×
        width), of the means of the first's scores and of the second's. NaN where nobody does.
        Channels on one side tell the same number, and nobody reports two of them."""
        parts = [self._parts(a, b) for a, b in itertools.product(ones, twos)]
        both, products, first, second = (
            replicates(np.sum(each, axis=0)) for each in zip(*parts, strict=True)
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            return (
                products / both[:, np.newaxis, np.newaxis],
                first / both[:, np.newaxis],
                second / both[:, np.newaxis],
            )

    def _parts(self, a: str, b: str) -> tuple[Scores, Scores, Scores, Scores]:
        """Who reports both channels, and the sums over these people."""
        i, j = (list(self.places).index(name) for name in (a, b))
        one, two = self.places[a], self.places[b]
        return (
            self.both[:, i, j],
            self.products[:, one, two],
            self.beside[:, one, j],
            self.beside[:, two, i],
        )

    def add(self, batch: Batch, groups: NDArray[np.int64]) -> None:
        """One more batch. Rows are sorted by group, so that a group's sums are matrix products;
        scores of a channel lie in a line, so that sorting them stays in the cache."""
        width = self.beside.shape[1]
        for some in blocks(batch.rows, width):
            # Numbers of one byte are sorted by counting.
            order = np.argsort(groups[some].astype(np.uint8), kind="stable")
            scores = np.zeros((width, len(order)))
            is_there = np.zeros((len(self.channels), len(order)))
            for place, channel in enumerate(self.channels):
                rows, values = _within(batch, channel, some, len(order))
                scores[self.places[channel.name], rows] = values.T
                is_there[place, rows] = 1
            self._add_sorted(groups[some][order], scores[:, order], is_there[:, order])

    def take_out(self, share: float, means: list[Scores]) -> None:
        """The sums without a share of the people, whose scores of different channels are
        independent and have these means."""
        mean = np.concatenate(means)
        owner = np.repeat(np.arange(len(means)), [len(each) for each in means])
        both = self.both[:, owner]
        self.products -= share * both[:, :, owner] * np.outer(mean, mean)
        self.beside -= share * both * mean[:, np.newaxis]
        self.both *= 1 - share

    def _add_sorted(
        self, marks: NDArray[np.int64], scores: Scores, is_there: NDArray[np.float64]
    ) -> None:
        first = np.flatnonzero(np.diff(marks, prepend=-1))
        for start, stop in zip(first, [*first[1:], len(marks)], strict=True):
            own, there = scores[:, start:stop], is_there[:, start:stop]
            group = marks[start]
            self.products[group] += own @ own.T
            self.beside[group] += own @ there.T
            self.both[group] += there @ there.T


def _within(batch: Batch, channel: Channel, some: slice, rows: int) -> tuple[Any, Scores]:
    """The rows of a piece of the batch that report, and their scores."""
    if channel.item not in batch.reports:
        return np.zeros(0, np.int64), np.zeros((0, channel.width))
    positions, reports = batch.reports[channel.item]
    if positions is None:
        return slice(None), scored(channel, reports[some])
    start, stop = np.searchsorted(positions, [some.start, some.start + rows])
    return positions[start:stop] - some.start, scored(channel, reports[start:stop])

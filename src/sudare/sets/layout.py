"""Records as the compiled functions read them: items by rank, and who minds which item.

Symbols  rank -> an item's place in the order of the walk; all arrays but `own` speak of ranks.
         owners of i -> the records that hold i originally: `owner[owner_at[i]:owner_at[i + 1]]`.
         u minds e -> e ∈ E_u; `minded[e]` tells whether anyone does.
Needs    records of at most 2^31 − 1 items in all, in which no item stands twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Baskets, Flags, Items, Places, Sensitive
from sudare.sets.compiled import compiled
from sudare.sets.signs import Signs, signs_of, sums_of

_PIECE = 2**18


class Layout(NamedTuple):
    """What never changes: the original records and the constraints."""

    at: Places  # Record u is original[at[u]:at[u + 1]], ascending.
    original: Items
    place: Places  # Where each of `original` stands in the baskets.
    owner_at: Places
    owner: Items
    everyone: Flags
    own_at: Places  # Record u itself minds the codes own[own_at[u]:own_at[u + 1]], ascending.
    own: Items
    minded: Flags
    item: Items  # The item's code, by rank.
    kind_at: Places  # Kind k, records that are the same, is kind[kind_at[k]:kind_at[k + 1]].
    kind: Items
    kinds_at: Places  # The kinds with item i are kinds[kinds_at[i]:kinds_at[i + 1]].
    kinds: Items
    kinds_sign: Signs  # The sign of each of `kinds`, see signs.py.

    @property
    def records(self) -> int:
        return len(self.at) - 1


class State(NamedTuple):
    """What suppression changes. Record u holds the first `alive[u]` of its `held` items."""

    held: Items
    back: Places  # Where each of `held` stands in the layout.
    alive: Places
    support: Places
    first_support: Places
    total: Places  # One number: items that are left.


def lay_out(baskets: Baskets, sensitive: Sensitive, order: Places | None = None) -> Layout:
    """Sorted by rank: rare items first, so that the walk's lists are short, or by `order`."""
    size = len(baskets.names)
    counts = np.bincount(baskets.items, minlength=size)
    item = (np.argsort(counts, kind="stable") if order is None else order).astype(np.int32)
    rank = np.empty(size, np.int32)
    rank[item] = np.arange(size, dtype=np.int32)
    ranks = rank[baskets.items]
    record = np.repeat(np.arange(baskets.records), baskets.lengths)
    place = _order(record, ranks, size)
    original = ranks[place]
    at = np.ascontiguousarray(baskets.starts, np.int64)
    kind_at, kind = _kinds(at, original)
    firsts = kind[kind_at[:-1]]
    lengths = np.diff(at)[firsts]
    of_kind = np.repeat(np.arange(len(firsts), dtype=np.int32), lengths)
    held = original[
        np.repeat(at[firsts] - _cumulated(lengths)[:-1], lengths) + np.arange(len(of_kind))
    ]
    kinds = of_kind[_order(held, of_kind, len(firsts))]
    return Layout(
        at=at,
        original=original,
        place=place,
        owner_at=_cumulated(np.bincount(original, minlength=size)),
        owner=record[_order(original, record, baskets.records)].astype(np.int32),
        everyone=sensitive.everyone[item],
        own_at=np.ascontiguousarray(sensitive.starts, np.int64),
        own=np.ascontiguousarray(sensitive.items, np.int32),
        minded=_minded(sensitive)[item],
        item=item,
        kind_at=kind_at,
        kind=kind,
        kinds_at=_cumulated(np.bincount(held, minlength=size)),
        kinds=kinds,
        kinds_sign=signs_of(at, original, firsts)[kinds],
    )


def start(layout: Layout) -> State:
    """Nothing is suppressed yet."""
    lengths = np.diff(layout.at)
    support = np.diff(layout.owner_at)
    return State(
        held=layout.original.copy(),
        back=np.arange(len(layout.original), dtype=np.int64),
        alive=lengths.copy(),
        support=support.copy(),
        first_support=support.copy(),
        total=np.array([len(layout.original)], np.int64),
    )


def kept_of(layout: Layout, state: State) -> Flags:
    """A mark for every item of the baskets that is still held."""
    record = np.repeat(np.arange(layout.records), np.diff(layout.at))
    alive = np.arange(len(state.held)) - layout.at[record] < state.alive[record]
    kept = np.zeros(len(state.held), np.bool_)
    kept[layout.place[state.back[alive]]] = True
    return kept


def _kinds(at: Places, original: Items) -> tuple[Places, Items]:
    """Records that are the same together, and where each kind begins."""
    order = np.argsort(sums_of(at, original), kind="stable").astype(np.int32)
    return _boundaries(at, original, order), order


@compiled
def _boundaries(at: Places, original: Items, order: Items) -> Places:
    """Where records in this order differ from the one before, to the letter."""
    found = np.empty(len(order) + 1, np.int64)
    many = 0
    for place in range(len(order)):
        record, last = order[place], order[place - 1]
        is_new = place == 0 or at[record + 1] - at[record] != at[last + 1] - at[last]
        for k in range(at[record + 1] - at[record]):
            is_new = is_new or original[at[record] + k] != original[at[last] + k]
        if is_new:
            found[many] = place
            many += 1
    found[many] = len(order)
    return found[: many + 1].copy()


def _minded(sensitive: Sensitive) -> Flags:
    """What anyone minds, by code. Where all items are seen to be, the rest need not be read."""
    found = sensitive.everyone.copy()
    for first in range(0, len(sensitive.items), _PIECE):
        if found.all():
            break
        found[sensitive.items[first : first + _PIECE]] = True
    return found


def _order(first: NDArray[Any], second: NDArray[Any], below: int) -> Places:
    """By the first, then by the second, which is below a number: both as one key are sorted faster
    than one after the other."""
    return np.argsort(first.astype(np.int64) * below + second)


def _cumulated(counts: NDArray[np.int64]) -> Places:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

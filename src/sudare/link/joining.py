"""Rows with one pseudonym brought together, by the set of parties that hold it.

Pseudonyms are uniform on 256 bits to whoever lacks the keys, so rows are sorted by their first
eight bytes alone, and the rest is compared where these agree. Should two pseudonyms of one session
ever share these eight bytes, all of them are sorted by all bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile

WIDTH = 32
Points = NDArray[np.uint8]
Rows = NDArray[np.integer[Any]]
Joined = dict[frozenset[str], dict[str, Rows]]
# A class is a word of bits, one a party.
_MOST_PARTIES = 63
_PARTS = 64


def joined(pseudonyms: Mapping[str, Points]) -> Joined:
    """For every class that has members, the row numbers of each of its parties: those at one place
    belong to one person. A pseudonym that a party sent twice is refused."""
    if len(pseudonyms) > _MOST_PARTIES or any(
        each.ndim != 2 or each.shape[1] != WIDTH for each in pseudonyms.values()
    ):
        raise ValueError("pseudonyms are rows of 32 bytes, of at most 63 parties")
    found: dict[frozenset[str], dict[str, list[Rows]]] = {}
    longest = max(map(len, pseudonyms.values()), default=0)
    # Everybody's row numbers are held at once; four bytes are enough for most.
    narrow = np.uint32 if longest <= 2**32 else np.int64
    # Equal pseudonyms have equal first bytes; a part at a time takes a part of the memory.
    for part in range(_PARTS):
        places = {n: np.flatnonzero(each[:, 0] % _PARTS == part) for n, each in pseudonyms.items()}
        for who, rows in _of_part({n: pseudonyms[n][own] for n, own in places.items()}).items():
            lists = found.setdefault(who, {name: [] for name in rows})
            for name, own in rows.items():
                lists[name].append(places[name][own].astype(narrow))
    return {
        who: {name: np.concatenate(parts) for name, parts in lists.items()}
        for who, lists in found.items()
    }


def _of_part(pseudonyms: Mapping[str, Points]) -> Joined:
    """The same for some of the pseudonyms."""
    words = {name: np.ascontiguousarray(each).view("<u8") for name, each in pseudonyms.items()}
    found = _by_order(words, np.argsort(np.concatenate([each[:, 0] for each in words.values()])))
    if found is None:
        order = np.lexsort(np.concatenate(list(words.values())).T[::-1])
        found = _by_order(words, order, exactly=True)
    if found is None:
        raise InvalidFile(
            "A party sent the same pseudonym twice.",
            "Each keeps one row a key before it sends; the session has to be started again.",
        )
    return found


def _by_order(
    words: dict[str, NDArray[np.uint64]], order: Rows, exactly: bool = False
) -> Joined | None:
    """The classes, from an order in which equal pseudonyms lie together; None where what lies
    together is not one row a party with one pseudonym."""
    names, sizes = list(words), [len(each) for each in words.values()]
    if not len(order):
        return {}
    starts = np.concatenate([[0], np.cumsum(sizes)])
    party = (np.searchsorted(starts, order, "right") - 1).astype(np.int64)
    first = np.flatnonzero(_is_first(words, order, exactly))
    present = np.bitwise_or.reduceat(np.int64(1) << party, first)
    counts = np.diff(np.append(first, len(order)))
    if (np.bitwise_count(present) != counts).any():
        return None
    places = np.repeat(present, counts)
    found: Joined = {}
    for mask in np.unique(present):
        members = [name for bit, name in enumerate(names) if mask >> bit & 1]
        own = np.flatnonzero(places == mask).reshape(-1, len(members))
        rows = _aligned(order[own], party[own], starts, names)
        if not exactly and not _agree(words, rows):
            return None
        found[frozenset(members)] = rows
    return found


def _is_first(
    words: dict[str, NDArray[np.uint64]], order: Rows, exactly: bool
) -> NDArray[np.bool_]:
    """Where another pseudonym begins."""
    parts = [each if exactly else each[:, :1] for each in words.values()]
    ordered = np.concatenate(parts)[order]
    found = np.ones(len(order), np.bool_)
    np.any(ordered[1:] != ordered[:-1], axis=1, out=found[1:])
    return found


def _aligned(places: Rows, parties: Rows, starts: Rows, names: list[str]) -> dict[str, Rows]:
    """People × members, each person's in any order, as row numbers by party."""
    by_party = np.argsort(parties, axis=1)
    places = np.take_along_axis(places, by_party, axis=1)
    own = np.sort(parties[0])
    return {names[bit]: places[:, column] - starts[bit] for column, bit in enumerate(own)}


def _agree(words: dict[str, NDArray[np.uint64]], rows: dict[str, Rows]) -> bool:
    """Whether those who lie together agree in all bytes."""
    first, *others = rows
    mine = words[first][rows[first]]
    return all(np.array_equal(mine, words[name][rows[name]]) for name in others)

"""Which items are sensitive to whom.

Claim    every pair of the file whose user and item are in the data is marked, and no other; a user
         or an item that the data does not have is counted, because nothing can be inferred of it.
         A name that does not decode refuses the file, as a row without a name does: read around it,
         what somebody called sensitive could be released.
         The file is private like the data, so a refusal names neither a row nor what stands there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sudare.engines.baskets.categories import Categories
from sudare.engines.baskets.encodings import check_encoding
from sudare.engines.baskets.forms import Read
from sudare.engines.baskets.named import Named
from sudare.engines.baskets.tables import check_decoded, read_pair
from sudare.facts.baskets import Baskets, Sensitive
from sudare.facts.errors import InvalidFile

_ANY = "*"
_ITEM, _CATEGORY = "item:", "category:"
_MOST_PAIRS = 10**8
_EVERYONE, _NOBODY = -1, -2
Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Marked:
    """What was found: `pairs` rows, of which so many different users and names of items or
    categories are not in the data."""

    sensitive: Sensitive
    unknown_items: int
    unknown_users: int
    pairs: int


def read_sensitive(
    data: object,
    read: Read,
    *,
    categories: Categories | None = None,
    encoding: str | None = None,
) -> Marked:
    """The sensitive items from a table with the columns user and item. `*` is everyone, or every
    item; where the baskets name no users, a user is the number of a record, from 1."""
    check_encoding(encoding)
    wanted = [("user", read.user), ("item", read.item)]
    pair = read_pair(data, wanted, "sensitive items", encoding)
    check_decoded(pair, "sensitive items")
    users, items = pair.first, pair.second
    _check_rows(users)
    _check_named(users, items)
    who = _records(users, read.baskets)
    meant = _Meanings(read.baskets, categories or Categories({})).of_all(items)
    sensitive = _marked(who[users.codes], items.codes, meant, read.baskets)
    unknown_users = int(np.sum(who == _NOBODY))
    unknown_items = sum(len(each) == 0 for each in meant)
    return Marked(sensitive, unknown_items, unknown_users, len(users.codes))


def _check_rows(users: Named) -> None:
    if len(users.codes) == 0:
        raise InvalidFile(
            "The file of sensitive items has no rows.", "Check that it is the right one."
        )


def _check_named(users: Named, items: Named) -> None:
    for found, what in ((users, "user"), (items, "item")):
        if np.any(found.codes < 0):
            raise InvalidFile(
                f"A row of the sensitive items names no {what}.",
                "Write * where it means everyone, or every item.",
            )


def _records(users: Named, baskets: Baskets) -> Codes:
    """The record of every name, or everyone or nobody."""
    names = pa.array(users.names, pa.large_string())
    is_any = pc.equal(names, _ANY)
    if baskets.users is None:
        whole = pc.match_substring_regex(names, "^0*[0-9]{1,15}$")
        numbers = pc.if_else(whole, names, "0").cast(pa.int64())
        fits = pc.and_(pc.greater(numbers, 0), pc.less_equal(numbers, baskets.records))
        if not pc.all(pc.or_(fits, is_any)).as_py():
            raise InvalidFile(
                "A row of the sensitive items has a user who is not the number of a record.",
                "The baskets name no users, so write the number of a basket, from 1 on, or *.",
            )
        found = pc.subtract(numbers, 1)
    else:
        known = pa.array(baskets.users, pa.large_string())
        found = pc.index_in(names, known).cast(pa.int64()).fill_null(_NOBODY)
    return np.asarray(pc.if_else(is_any, _EVERYONE, found), np.int64)


class _Meanings:
    """What a name in the column of items stands for."""

    def __init__(self, baskets: Baskets, categories: Categories) -> None:
        self._codes = {name: code for code, name in enumerate(baskets.names)}
        self._categories = categories.items

    def of_all(self, items: Named) -> list[Codes]:
        """The codes that every name stands for."""
        return [self._of(name) for name in items.names]

    def _of(self, name: str) -> Codes:
        if name == _ANY:
            return np.arange(len(self._codes))
        meanings = list(self._candidates(name))
        if len(meanings) > 1:
            raise InvalidFile(
                "A row of the sensitive items can be read in two ways.",
                "It names an item and a category: write item: or category: in front of the name.",
            )
        if not meanings and name.startswith(_CATEGORY):
            raise InvalidFile(
                "A row of the sensitive items names a category that is not declared.",
                "Name the file of categories, and check the spelling.",
            )
        return np.array(meanings[0] if meanings else [], np.int64)

    def _candidates(self, name: str) -> Iterator[list[int]]:
        for item in {name, name.removeprefix(_ITEM)} & self._codes.keys():
            yield [self._codes[item]]
        for category in {name, name.removeprefix(_CATEGORY)} & self._categories.keys():
            members = self._categories[category]
            yield [self._codes[item] for item in members if item in self._codes]


def _marked(
    who: Codes, named: NDArray[np.int32], meant: list[Codes], baskets: Baskets
) -> Sensitive:
    everyone = np.zeros(len(baskets.names), np.bool_)
    for code in np.unique(named[who == _EVERYONE]).tolist():
        everyone[meant[code]] = True
    own = who >= 0
    record, items = _pairs(who[own], named[own], meant)
    # numpy's unique hashes whole numbers, which is slower by far than sorting ten million.
    keys = np.sort((record * len(baskets.names) + items)[~everyone[items]])
    keys = keys[np.diff(keys, prepend=-1) > 0]
    record, items = np.divmod(keys, max(len(baskets.names), 1))
    starts = np.searchsorted(record, np.arange(baskets.records + 1))
    return Sensitive(everyone, starts, items.astype(np.int32))


def _pairs(who: Codes, named: NDArray[np.int32], meant: list[Codes]) -> tuple[Codes, Codes]:
    """Every pair of a record and an item, categories written out."""
    sizes = np.array([len(each) for each in meant], np.int64)
    counts = sizes[named]
    if counts.sum() > _MOST_PAIRS:
        raise InvalidFile(
            f"The sensitive items are more than {_MOST_PAIRS:,} pairs of a user and an item.",
            "Use * for everyone where an item is sensitive to most.",
        )
    flat = np.concatenate([*meant, np.empty(0, np.int64)])
    begins = (np.cumsum(sizes) - sizes)[named]
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(who, counts), flat[np.repeat(begins, counts) + within]

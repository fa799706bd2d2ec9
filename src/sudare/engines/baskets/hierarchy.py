"""A hierarchy of items from a table with the columns item and parent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.engines.baskets.encodings import check_encoding
from sudare.engines.baskets.named import Named
from sudare.engines.baskets.tables import check_decoded, read_pair
from sudare.facts.errors import InvalidFile
from sudare.facts.item_tree import Hierarchy, tops

ROOT = "*"


def read_hierarchy(data: object, names: Sequence[str], *, encoding: str | None = None) -> Hierarchy:
    """The tree above the items `names`: every row puts an item or a coarser name under its parent,
    and a row without a parent is a top. Where there is not one top above everything, `*` is put
    above all tops and above the items that the file does not have. No item of `names` is a parent;
    names of the file that are neither in the data nor above it are nodes too."""
    check_encoding(encoding)
    pair = read_pair(data, [("item",), ("parent",)], "the hierarchy", encoding)
    check_decoded(pair, "the hierarchy")
    child, above = pair.first, pair.second
    if (missing := np.flatnonzero(child.codes < 0)).size:
        raise InvalidFile(
            f"Row {missing[0] + 1} of the hierarchy names no item.", "Leave only parents blank."
        )
    nodes = tuple(dict.fromkeys((*names, *child.names, *above.names)))
    places = {name: place for place, name in enumerate(nodes)}
    children = _nodes(child, places)
    parents = _nodes(above, places)
    _check_parents(children, parents, len(names))
    parent = np.full(len(nodes), -1, np.int32)
    parent[children] = parents
    if (circling := np.flatnonzero(parent[tops(parent)] >= 0)).size:
        raise InvalidFile(
            f"Row {_first(np.isin(children, circling))} of the hierarchy leads back to itself.",
            "No name stands above itself; take the row out or mend it.",
        )
    return _with_root(nodes, parent, places, len(names))


def _nodes(found: Named, places: dict[str, int]) -> NDArray[np.int32]:
    """The node in every row, -1 where there is none."""
    nodes = np.array([*(places[name] for name in found.names), -1], np.int32)
    return nodes[found.codes]


def _first(rows: NDArray[np.bool_]) -> int:
    return int(np.flatnonzero(rows)[0]) + 1


def _check_parents(children: NDArray[np.int32], parents: NDArray[np.int32], items: int) -> None:
    first = np.unique(children, return_index=True, return_inverse=True)
    if (differs := parents != parents[first[1]][first[2]]).any():
        raise InvalidFile(
            f"Row {_first(differs)} of the hierarchy gives a name another parent.",
            "Every name has one parent.",
        )
    if (over_item := (parents >= 0) & (parents < items)).any():
        raise InvalidFile(
            f"Row {_first(over_item)} of the hierarchy has an item of the data as parent.",
            "Give the coarser name a spelling of its own.",
        )


def _with_root(
    nodes: tuple[str, ...], parent: NDArray[np.int32], places: dict[str, int], items: int
) -> Hierarchy:
    roots = np.flatnonzero(parent < 0)
    if len(roots) == 1 and roots[0] >= items:
        return Hierarchy(nodes, parent)
    if ROOT not in places:
        nodes, parent = (*nodes, ROOT), np.append(parent, np.int32(-1))
    root = places.get(ROOT, len(nodes) - 1)
    if root < items or parent[root] >= 0:
        raise InvalidFile(
            "The hierarchy has * below its top.", "The sign * stands above all; rename it."
        )
    parent[roots] = root
    parent[root] = -1
    return Hierarchy(nodes, parent)

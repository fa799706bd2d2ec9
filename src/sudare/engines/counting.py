"""Row counts of a declared set of groups as one array: for tables of millions of cells, where a
tuple a group would take too long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.engines.source import Source
from sudare.facts.aggregate import MomentsRequest

Counts = NDArray[np.int64]


def count_groups(source: Source, request: MomentsRequest, run_key: bytes) -> Counts:
    """rows of every group, the last axis fastest. A source that has a short way (`counts`) takes
    it; the others answer with moments."""
    short: Callable[[MomentsRequest, bytes], Counts] | None = getattr(source, "counts", None)
    if short is not None:
        return short(request, run_key)
    (moments,) = source.moments([request], run_key)
    return np.fromiter((row[0] for row in moments.rows), np.int64, count=request.groups)


def scattered(request: MomentsRequest, portions: Iterable[list[tuple[Any, ...]]]) -> Counts:
    """Rows of codes and a count, added up over portions of the data."""
    found = np.zeros(request.groups, dtype=np.int64)
    sizes = [axis.size for axis in request.axes]
    for rows in portions:
        known = [row for row in rows if None not in row[: len(sizes)]]
        if known:
            table = np.array(known, dtype=np.int64)
            places = np.ravel_multi_index(tuple(table[:, : len(sizes)].T), sizes)
            np.add.at(found, places, table[:, len(sizes)])
    return found

"""Row counts of a declared set of groups as one array: for tables of millions of cells, where a
tuple a group would take too long."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
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


def scattered(request: MomentsRequest, batches: Iterable[pa.RecordBatch]) -> Counts:
    """The counts of all batches added up. A batch has a column of codes for every axis, and one of
    counts behind them unless every row counts as one; a code may come more than once."""
    found = np.zeros(request.groups, dtype=np.int64)
    axes = request.axes
    for batch in batches:
        known = batch.drop_null()
        columns = [column.cast(pa.int64()).to_numpy() for column in known.columns]
        place = np.zeros(known.num_rows, dtype=np.int64)
        for code, axis in zip(columns, axes, strict=False):
            place = place * axis.size + code
        np.add.at(found, place, columns[len(axes)] if len(columns) > len(axes) else 1)
    return found

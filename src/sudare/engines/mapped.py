"""A function over a stream of batches, for engines whose rows come to this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.engines.ahead import ahead
from sudare.engines.border import guarded
from sudare.facts.errors import EngineUnavailable

BatchFunction = Callable[[pa.RecordBatch], pa.RecordBatch]
MISSING = np.iinfo(np.int64).min


def mapped(batches: Iterable[pa.RecordBatch], function: BatchFunction) -> Iterator[pa.RecordBatch]:
    """One batch out for each batch in, in order; only a few of them are in memory at a time. The
    function is called by several threads."""
    return ahead(lambda batch: guarded(partial(function, batch), function_failed()), batches)


def of_size(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of `rows` each, but for the last."""
    held: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        held.append(batch)
        count += batch.num_rows
        while count >= rows:
            whole = pa.concat_batches(held) if len(held) > 1 else held[0]
            yield whole.slice(0, rows)
            count -= rows
            held = [whole.slice(rows)] if count else []
    if held:
        yield pa.concat_batches(held)


def function_failed() -> EngineUnavailable:
    """The error of a function that raised: what it said may quote the rows it was given."""
    return EngineUnavailable(
        "A function that was to be applied to the rows has failed.",
        "Its own message may quote a value, so it is not shown; try it on made-up rows.",
    )


def indices_of(array: pa.Array) -> NDArray[np.int64]:
    """Grid indices or codes of a cleaned column; what is missing has the least of all integers."""
    codes = array.indices if pa.types.is_dictionary(array.type) else array
    return np.asarray(codes.cast(pa.int64()).fill_null(MISSING).to_numpy(zero_copy_only=False))

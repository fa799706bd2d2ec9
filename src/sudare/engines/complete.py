"""The rows of a table in which nothing is marked as missing, as experiments on public data want."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from sudare.engines.open import open_source
from sudare.facts.errors import InvalidFile
from sudare.facts.schema import make_schema


def complete_rows(data: object, names: Sequence[str], marker: str) -> pa.Table:
    """The named columns as text, without rows that are empty or hold `marker` somewhere."""
    columns = {name: {"type": "text"} for name in names}
    schema = make_schema({"table": {"name": "complete"}, "columns": columns})
    with open_source(data, schema, names) as source:
        # Every row is kept, so the key that would choose among them has no part in the result.
        parts = [_complete(batch, marker) for batch in source.batches(names, bytes(32))]
    if not sum(part.num_rows for part in parts):
        raise InvalidFile("The data has no rows.", "Check that this is the right file.")
    return pa.Table.from_batches(parts)


def _complete(batch: pa.RecordBatch, marker: str) -> pa.RecordBatch:
    keep = np.ones(batch.num_rows, np.bool_)
    for array in batch.columns:
        # A column has few different texts, so that it is quicker to look at those.
        coded = array.dictionary_encode()
        wanted = np.array([text.as_py() != marker for text in coded.dictionary] + [False])
        places = coded.indices.fill_null(len(wanted) - 1).to_numpy(zero_copy_only=False)
        keep &= wanted[places]
    return batch.filter(pa.array(keep))


def labels_in(table: pa.Table, name: str) -> tuple[str, ...]:
    """The different texts of a column, sorted. Only for data that everybody may have: a domain is
    declared, and reading it off people's data would tell who is there."""
    return tuple(sorted(table.column(name).unique().to_pylist()))

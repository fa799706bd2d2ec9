"""Rows on their way into a join between organisations, and the joined reports as a file.

A row comes as the text of its key columns and as the bytes of its randomised report; the bytes of
a report are one record of `shuffled.record_type`, so that every row of an organisation is as long
as the next. The joined file is one of `reports`: what reads the one reads the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sudare.engines.reports import ReportWriter, as_batch, as_column, on_rows
from sudare.engines.shuffled import record_type, records_of, table_of
from sudare.engines.source import Source
from sudare.facts.randomized import Domain, LabelDomain, Randomized
from sudare.facts.reported import Column, Reports

Bytes = NDArray[np.uint8]
Randomize = Callable[[dict[str, Column], int], Reports]
Texts = list[list[str | None]]
_ROWS = 65_536
_GROUP = 262_144


def keyed_columns(
    source: Source, keys: Sequence[str], columns: Sequence[str], run_key: bytes
) -> Iterator[tuple[Texts, pa.RecordBatch]]:
    """Batch after batch: the key columns as text, and the other columns as the engine has them."""
    wanted = list(dict.fromkeys([*keys, *columns]))
    for batch in source.batches(wanted, run_key, _ROWS):
        texts = [_texts(batch.column(name)) for name in keys]
        yield texts, batch.select(list(columns))


def keyed_reports(
    source: Source,
    keys: Sequence[str],
    facts: Randomized,
    randomize: Randomize,
    run_key: bytes,
) -> Iterator[tuple[Texts, Bytes]]:
    """Batch after batch: the key columns as text, and one randomised record a row."""
    apply = on_rows(facts, randomize)
    for texts, batch in keyed_columns(source, keys, list(facts.domains), run_key):
        yield texts, _bytes(records_of(apply(batch)))


def keyed_vectors(
    source: Source,
    keys: Sequence[str],
    domains: Mapping[str, Domain],
    coded: Callable[[dict[str, Column], int], NDArray[np.int64]],
    run_key: bytes,
) -> Iterator[tuple[Texts, NDArray[np.int64]]]:
    """Batch after batch: the key columns as text, and what `coded` makes of the others, a row
    each."""
    for texts, batch in keyed_columns(source, keys, list(domains), run_key):
        columns = {
            name: as_column(batch.column(name), isinstance(domain, LabelDomain))
            for name, domain in domains.items()
        }
        yield texts, coded(columns, batch.num_rows)


def records(found: Reports, rows: int) -> Bytes:
    """The records of reports that come from no table."""
    return _bytes(records_of(as_batch(found, rows)))


def record_width(facts: Randomized, randomize: Randomize) -> int:
    """How many bytes the record of a row has."""
    return record_type(_kinds(facts, randomize)).itemsize


def write_joined(
    path: Path,
    facts: Randomized,
    parts: Sequence[tuple[Randomized, Randomize, Bytes, NDArray[np.integer[Any]]]],
    order: NDArray[np.int64],
) -> None:
    """One row for each place of `order`: the records of all parties side by side. `parts` holds
    each party's facts, how it randomises (for the form of its reports), its records, and which of
    them belongs to which place."""
    kinds = [_kinds(own, randomize) for own, randomize, _, _ in parts]
    fields = [field for each in kinds for field in each]
    names = [item.name for item in facts.items]
    schema = pa.schema([f.with_name(n) for f, n in zip(fields, names, strict=True)])
    with ReportWriter(path, facts, schema) as writer:
        for first in range(0, max(len(order), 1), _GROUP):
            places = order[first : first + _GROUP]
            columns: list[Any] = []
            for kind, (_, _, records, rows) in zip(kinds, parts, strict=True):
                own = records[rows[places]].view(record_type(kind)).ravel()
                columns += table_of(own, kind).columns
            writer.write(pa.Table.from_arrays(columns, schema=schema))


def _kinds(facts: Randomized, randomize: Randomize) -> Any:
    none: dict[str, Column] = {name: (np.empty(0, np.int64), None) for name in facts.domains}
    return as_batch(randomize(none, 0), 0).schema


def _bytes(records: NDArray[Any]) -> Bytes:
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


def _texts(column: pa.Array) -> list[str | None]:
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    found: list[str | None] = pc.cast(column, pa.string()).to_pylist()
    return found

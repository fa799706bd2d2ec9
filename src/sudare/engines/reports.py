"""Files of randomised reports: Parquet, one column an item, and under the key `sudare` how to read
them. What is in them left the house randomised; no raw value is."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from sudare.engines.border import guarded
from sudare.facts.errors import InvalidFile
from sudare.facts.randomized import LabelDomain, NumberDomain, Randomized
from sudare.facts.reading import read_json
from sudare.facts.reported import Batch, Column, Reports

_KEY = b"sudare"


@dataclass(frozen=True)
class OnRows:
    """A randomizer of arrays as a function of batches; it may be sent to other machines."""

    randomize: Callable[[dict[str, Column], int], Reports]
    labels: frozenset[str]

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        columns = {
            name: as_column(array, name in self.labels)
            for name, array in zip(batch.schema.names, batch.columns, strict=True)
        }
        return as_batch(self.randomize(columns, batch.num_rows), batch.num_rows)


def on_rows(facts: Randomized, randomize: Callable[[dict[str, Column], int], Reports]) -> OnRows:
    labels = [name for name, each in facts.domains.items() if isinstance(each, LabelDomain)]
    return OnRows(randomize, frozenset(labels))


def as_batch(found: Reports, rows: int) -> pa.RecordBatch:
    """Reports as they are stored."""
    arrays = [_stored(own, reports, rows) for own, reports in found.values()]
    return pa.RecordBatch.from_arrays(arrays, list(found))


def as_column(array: pa.Array, is_label: bool) -> Column:
    """Integers and which of them are missing; a missing one's integer is never looked at."""
    if is_label:
        array = array.indices
    missing = None
    if array.null_count:
        missing = array.is_null().to_numpy(zero_copy_only=False)
        array = array.fill_null(0)
    return array.to_numpy(zero_copy_only=False).astype(np.int64, copy=False), missing


def _stored(own: NDArray[np.int64] | None, reports: NDArray[Any], rows: int) -> pa.Array:
    """The reports as a column; rows that did not report are missing."""
    mask = None
    if own is not None:
        whole = np.zeros((rows, *reports.shape[1:]), reports.dtype)
        whole[own] = reports
        reports, mask = whole, np.ones(rows, np.bool_)
        mask[own] = False
    if reports.ndim == 1:
        return pa.array(reports, mask=mask)
    valid = None if mask is None else pa.array(~mask).buffers()[1]
    kind = pa.binary(reports.shape[1] * reports.dtype.itemsize)
    whole_bytes = pa.py_buffer(np.ascontiguousarray(reports).tobytes())
    return pa.Array.from_buffers(kind, rows, [valid, whole_bytes])


class ReportWriter:
    """Writes batches of reports to a new file."""

    def __init__(self, path: Path, facts: Randomized, schema: pa.Schema) -> None:
        told = json.dumps(facts.to_dict(), ensure_ascii=False).encode()
        small = [n for n, kind in zip(schema.names, schema.types, strict=True) if _is_small(kind)]
        self._schema = schema.with_metadata({_KEY: told})
        self._writer = parquet.ParquetWriter(path, self._schema, use_dictionary=small)
        self.rows = 0

    def write(self, part: pa.Table | pa.RecordBatch) -> None:
        table = pa.Table.from_batches([part]) if isinstance(part, pa.RecordBatch) else part
        table = table.replace_schema_metadata(self._schema.metadata)
        self._writer.write_table(table, row_group_size=max(table.num_rows, 1))
        self.rows += table.num_rows

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._writer.close()


def _is_small(kind: pa.DataType) -> bool:
    """Few different reports are stored in as many bits as their number needs; of many the list
    would be longer than what it saves."""
    return bool(pa.types.is_uint8(kind))


@dataclass(frozen=True)
class OpenReports:
    """A file of reports: `facts` say how to read them."""

    path: Path
    facts: Randomized
    rows: int

    def batches(self, rows: int = 262_144) -> Iterator[Batch]:
        damaged = InvalidFile("The file of reports is damaged.", "Fetch it anew from its sender.")
        found = guarded(lambda: parquet.ParquetFile(self.path).iter_batches(rows), damaged)
        while (batch := guarded(lambda: next(found, None), damaged)) is not None:
            yield Batch(
                batch.num_rows,
                {name: _read(batch.column(name), self._width(name)) for name in batch.schema.names},
            )

    def _width(self, name: str) -> np.dtype[Any] | None:
        """Of rows of bytes: the integers that they are made of."""
        item = next(each for each in self.facts.items if each.name == name)
        if item.mechanism == "olh":
            return np.dtype("<u4")
        return np.dtype(np.uint8) if item.mechanism in ("oue", "one-hot") else None


def _read(array: pa.Array, width: np.dtype[Any] | None) -> tuple[Any, NDArray[Any]]:
    own = None
    if array.null_count:
        own = np.flatnonzero(array.is_valid().to_numpy(zero_copy_only=False))
        array = array.drop_null()
    if width is None:
        return own, array.to_numpy(zero_copy_only=False)
    size, start = array.type.byte_width, array.offset * array.type.byte_width
    whole = np.frombuffer(array.buffers()[1], np.uint8, len(array) * size, start)
    return own, whole.reshape(len(array), size).view(width)


def open_reports(path: str | Path) -> OpenReports:
    """A randomised file, after a look at its structure."""
    problem = InvalidFile(
        "The file is not one of randomised reports.",
        "Write one with `sudare randomize`; the reports of others are not understood.",
    )
    try:
        file = parquet.ParquetFile(path)
        told = (file.schema_arrow.metadata or {}).get(_KEY)
        facts = None if told is None else Randomized.from_dict(read_json(told))
        names = file.schema_arrow.names
    except FileNotFoundError:
        raise InvalidFile("The file of reports is not there.", "Check the path.") from None
    except (OSError, pa.ArrowException, ValueError, KeyError, TypeError):
        facts, names = None, []
    if facts is None or sorted(names) != sorted(item.name for item in facts.items):
        raise problem
    if not _are_sound(facts):
        raise InvalidFile(
            "What the file says of itself does not fit together.",
            "It is damaged or was changed: fetch it again, or randomise the data again.",
        )
    return OpenReports(Path(path), facts, file.metadata.num_rows)


def _are_sound(facts: Randomized) -> bool:
    """Whether no item alone costs more than a row is said to cost, and every number has a range.
    Whoever changes all of it alike is not found out: a file of reports is not signed."""
    try:
        costs = [float(item.exact_epsilon) for item in facts.items]
        numbers = [each for each in facts.domains.values() if isinstance(each, NumberDomain)]
        return (
            math.isfinite(facts.epsilon)
            and all(0 <= cost <= facts.epsilon * (1 + 1e-9) for cost in costs)
            and 1 <= facts.asked <= len(facts.items)
            and all(each.low < each.high for each in numbers)
        )
    except (TypeError, ValueError, ArithmeticError):
        return False

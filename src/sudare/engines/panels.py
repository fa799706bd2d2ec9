"""A panel's rows as one wide record a person, in memory, read as any other table is.

Claim    every record depends on the rows of its own person and the run key alone; a person has one
         record or none. Adding or removing a person therefore adds or removes one record, whatever
         the number of their rows: the bound on rows a unit is not needed and not applied.
         Of several rows of a person in a period one is kept: the one whose keyed hash (BLAKE2b of
         the run key and the row) is least, so that all different rows are equally likely.
Needs    a secret key, fresh for the run. Rows without person or time, outside the declared time,
         or without any varying value are left out: the time column is opened one step wider than
         declared, so that what is clamped there can be told from what belongs to the ends.
Gaps     all records are held in memory: 4 or 8 bytes a value, and one for where it is missing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from types import TracebackType
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.engines.mapped import BatchFunction, mapped
from sudare.engines.open import open_source
from sudare.engines.source import Source
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.panel import PanelFacts
from sudare.facts.schema import Column, Schema

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
_MISSING = np.iinfo(np.int64).min
# Values of a batch of wide records, all columns together.
_BATCH_VALUES = 2**22


class WideRows:
    """Records of persons as a source of batches; a category holds the codes of its labels."""

    def __init__(self, columns: Mapping[str, tuple[NDArray[Any], Mask | None]], rows: int) -> None:
        self._columns = dict(columns)
        self.rows = rows

    def batches(
        self, columns: Sequence[str], run_key: bytes, rows: int = 100_000
    ) -> Iterator[pa.RecordBatch]:
        """The records; the key was used when they were made."""
        size = max(1, min(rows, _BATCH_VALUES // max(len(columns), 1)))
        for first in range(0, self.rows, size):
            part = slice(first, first + size)
            yield pa.RecordBatch.from_arrays(
                [self._array(name, part) for name in columns], list(columns)
            )

    def map_batches(
        self,
        columns: Sequence[str],
        run_key: bytes,
        function: BatchFunction,
        rows: int = 100_000,
    ) -> Iterator[pa.RecordBatch]:
        return mapped(self.batches(columns, run_key, rows), function)

    def close(self) -> None:
        """Forget the data."""
        self._columns, self.rows = {}, 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def is_mixed(self, name: str) -> bool:
        """Whether a complete column has more than one value."""
        values = self._columns[name][0]
        return bool(len(values)) and bool(np.any(values != values[0]))

    def _array(self, name: str, part: slice) -> pa.Array:
        values, missing = self._columns[name]
        mask = None if missing is None else missing[part]
        return pa.array(values[part].astype(np.int64), pa.int64(), mask=mask)


def open_panel(
    data: object, schema: Schema, facts: PanelFacts, choice: EngineChoice = AUTO
) -> Source:
    """Check the structure of a panel's data; `wide_rows` reads it."""
    names = {facts.person, facts.time, *facts.fixed, *facts.varying}
    return open_source(data, _opened(schema, facts), names, choice)


def wide_rows(source: Source, facts: PanelFacts, run_key: bytes) -> WideRows:
    """Read a panel once and hold it wide."""
    names = [facts.time, *facts.fixed, *facts.varying]
    parts: list[list[Ints]] = [[] for _ in names]
    persons: list[pa.Array] = []
    for batch in source.batches([facts.person, *names], run_key):
        persons.append(batch.column(0).cast(pa.large_string()))
        for place, array in enumerate(batch.columns[1:]):
            parts[place].append(_indices(array))
    if not persons:
        return _wide(facts, np.empty(0, np.int64), {name: np.empty(0, np.int64) for name in names})
    who = pa.chunked_array(persons).combine_chunks().dictionary_encode().indices
    long = {name: np.concatenate(part) for name, part in zip(names, parts, strict=True)}
    return _wide(facts, *_chosen(facts, who.fill_null(-1).to_numpy(), long, run_key))


def _opened(schema: Schema, facts: PanelFacts) -> Schema:
    """The schema for reading: every row, persons as they are written, time one step wider."""
    time = schema.column(facts.time)
    one: Any = dt.timedelta(days=1) if facts.is_date else 1
    columns = {name: schema.column(name) for name in (*facts.fixed, *facts.varying)}
    columns[facts.person] = Column(type="key")
    columns[facts.time] = time.model_copy(update={"min": time.min - one, "max": time.max + one})
    table = schema.table.model_copy(update={"unit": "row", "max_rows_per_unit": None})
    return schema.model_copy(
        update={"table": table, "columns": columns, "levels": {}, "rules": (), "panel": None}
    )


def _indices(array: pa.Array) -> Ints:
    codes = array.indices if pa.types.is_dictionary(array.type) else array
    return np.asarray(codes.cast(pa.int64()).fill_null(_MISSING).to_numpy(zero_copy_only=False))


def _chosen(
    facts: PanelFacts, who: NDArray[Any], long: dict[str, Ints], run_key: bytes
) -> tuple[Ints, dict[str, Ints]]:
    """Places (person × period, persons without gaps) and values of one row each."""
    time = long[facts.time]
    some = np.logical_or.reduce([long[name] != _MISSING for name in facts.varying])
    good = (who >= 0) & (time >= facts.starts[0]) & (time <= facts.last) & some
    rows = np.flatnonzero(good)
    persons = np.unique(who[rows], return_inverse=True)[1].astype(np.int64)
    period = np.searchsorted(np.array(facts.starts), time[rows], side="right") - 1
    place = persons * facts.periods + period
    ordered = np.argsort(place, kind="stable")
    rows, place = rows[ordered], place[ordered]
    first = np.flatnonzero(np.diff(place, prepend=-1))
    sizes = np.diff(np.append(first, len(place)))
    kept = first.copy()
    for group in np.flatnonzero(sizes > 1).tolist():
        same = rows[first[group] : first[group] + sizes[group]]
        kept[group] = first[group] + _least(same, long, run_key)
    return place[kept], {name: values[rows[kept]] for name, values in long.items()}


def _least(same: Ints, long: dict[str, Ints], run_key: bytes) -> int:
    contents = np.array([values[same] for values in long.values()]).T
    hashes = [blake2b(row.tobytes(), key=run_key, digest_size=16).digest() for row in contents]
    return hashes.index(min(hashes))


def _wide(facts: PanelFacts, place: Ints, long: dict[str, Ints]) -> WideRows:
    periods = facts.periods
    persons = int(place[-1]) // periods + 1 if len(place) else 0
    there = np.zeros(persons * periods, np.bool_)
    there[place] = True
    columns: dict[str, tuple[NDArray[Any], Mask | None]] = {}
    for name in facts.fixed:
        columns[name] = _first(place // periods, long[name], persons)
    for period in range(periods):
        columns[facts.presence(period)] = there[period::periods].astype(np.int8), None
    for name in facts.varying:
        values = np.full(persons * periods, _MISSING)
        values[place] = long[name]
        for period in range(periods):
            columns[facts.wide(name, period)] = _narrow(values[period::periods])
    return WideRows(columns, persons)


def _first(person: Ints, values: Ints, persons: int) -> tuple[NDArray[Any], Mask | None]:
    """A person's first value that is not missing; rows stand in the order of time."""
    found = np.full(persons, _MISSING)
    known = np.flatnonzero(values != _MISSING)[::-1]
    found[person[known]] = values[known]
    return _narrow(found)


def _narrow(values: Ints) -> tuple[NDArray[Any], Mask | None]:
    """Values in four bytes where they fit, and where they are missing."""
    missing = values == _MISSING
    filled = np.where(missing, 0, values)
    fits = len(filled) == 0 or max(-int(filled.min()), int(filled.max())) < 2**31
    return filled.astype(np.int32 if fits else np.int64), missing if missing.any() else None

"""Dataframes of any library that speaks the Arrow C stream interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from sudare.engines.border import guarded
from sudare.engines.inputs.names import checked_names
from sudare.facts.errors import InvalidFile


def _unreadable() -> InvalidFile:
    return InvalidFile(
        "The dataframe cannot be read through the Arrow C stream interface.",
        "A column may mix types; give every column one type.",
    )


@dataclass(frozen=True)
class FrameInput:
    """A stream of Arrow batches; it can be read once."""

    reader: pa.RecordBatchReader
    names: tuple[str, ...]

    def table(self, places: Sequence[int]) -> pa.Table:
        """The columns at these places; the others are let go batch by batch."""
        return guarded(lambda: self._read(places), _unreadable())

    def _read(self, places: Sequence[int]) -> pa.Table:
        # Arrow's functions take long to import, and a text file needs none.
        from sudare.engines.inputs.tame import tamed

        schema = pa.schema([self.reader.schema.field(place) for place in places])
        batches = [
            pa.RecordBatch.from_arrays([batch.column(place) for place in places], schema=schema)
            for batch in self.reader
        ]
        return tamed(pa.Table.from_batches(batches, schema))


def open_frame(frame: object) -> FrameInput:
    """Open the stream and check the names."""
    reader = guarded(lambda: pa.RecordBatchReader.from_stream(frame), _unreadable())
    return FrameInput(reader, checked_names(reader.schema.names))

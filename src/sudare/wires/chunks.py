"""One chunk of a stream, as it lies in a mailbox and as it travels.

A chunk is bytes. On the wire they are the values of one column of one Arrow batch, which Flight
sends from, and receives into, memory that is not copied again.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.ipc

from sudare.facts.reading import read_json
from sudare.wires.refusals import refusal

ROWS = 65_536
# Rows of a chunk times what one row's report can sensibly weigh, with room to spare.
MAX_BYTES = 2**28
# As many digits as a chunk's file name has.
MAX_NUMBER = 999_999
# Chunks that a receiver writes at once, and those that may be unacknowledged. The second must be
# larger: while some are being written the next ones travel.
WRITING, UNDER_WAY = 3, 6
WIRE = pa.schema([("bytes", pa.uint8())])
_STREAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
Content = bytes | bytearray | memoryview


@dataclass(frozen=True)
class Place:
    """Which chunk of which stream, and whether it is the last one."""

    stream: str
    number: int
    last: bool

    def __post_init__(self) -> None:
        check_stream(self.stream)
        if type(self.number) is not int or not 0 <= self.number <= MAX_NUMBER:
            raise refusal("request")
        if type(self.last) is not bool:
            raise refusal("request")

    def to_bytes(self) -> bytes:
        """As a descriptor or as metadata."""
        return json.dumps([self.stream, self.number, self.last]).encode()


@dataclass(frozen=True)
class Chunk:
    """A chunk and its number in its stream."""

    number: int
    data: Content
    last: bool


def check_stream(stream: object) -> str:
    """The name of a stream, which is also the name of a folder."""
    if isinstance(stream, str) and _STREAM.fullmatch(stream):
        return stream
    raise refusal("request")


def read_place(said: bytes) -> Place:
    """The place that another host wrote down."""
    return Place(*read_list(said, 3))


def read_object(said: bytes) -> dict[str, Any]:
    """A JSON object from another host."""
    try:
        found = read_json(said)
    except ValueError:
        found = None
    if isinstance(found, dict):
        return found
    raise refusal("request")


def read_list(said: bytes, length: int) -> list[Any]:
    """A JSON list of the length, from another host."""
    try:
        found = read_json(said)
    except ValueError:
        found = None
    if isinstance(found, list) and len(found) == length:
        return found
    raise refusal("request")


def to_batch(data: Content) -> pa.RecordBatch:
    """The bytes as a batch, without a copy."""
    view = memoryview(data)
    values = pa.UInt8Array.from_buffers(pa.uint8(), view.nbytes, [None, pa.py_buffer(view)])
    return pa.record_batch([values], schema=WIRE)


def from_batch(batch: pa.RecordBatch | None) -> memoryview:
    """The bytes of a batch, without a copy."""
    if batch is None or batch.schema != WIRE or batch.column(0).null_count:
        raise refusal("request")
    values = batch.column(0)
    if len(values) > MAX_BYTES:
        raise refusal("size")
    buffer = values.buffers()[1]
    if buffer is None:
        return memoryview(b"")
    return memoryview(buffer)[values.offset : values.offset + len(values)]


def packed(batch: pa.RecordBatch) -> memoryview:
    """A table's batch as the bytes of a chunk."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return memoryview(sink.getvalue())


def unpacked(data: Content) -> pa.RecordBatch:
    """The batch that `packed` made bytes of."""
    try:
        with pa.ipc.open_stream(pa.py_buffer(data)) as reader:
            return reader.read_next_batch()
    except (pa.ArrowException, OSError, StopIteration):
        pass
    raise refusal("request")

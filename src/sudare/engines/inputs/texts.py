"""Columns of bytes as text, where every cell is read by itself.

Claim    a cell that is not UTF-8 is missing, and so is one with a NUL in it in a text file (some
         tools cut the text there, and it stands for what did not decode); no other cell is touched:
         a character that is cut off at the end of one cell is not completed by the next.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Rows = NDArray[np.int64]
Bytes = NDArray[np.uint8]


def text_of(column: pa.ChunkedArray, nul: bool = False) -> tuple[pa.ChunkedArray, Rows]:
    """A column of bytes as text, and the places of its cells that are none; a NUL may be text if
    `nul` says so."""
    large = pa.types.is_large_binary(column.type)
    kind = pa.large_string() if large else pa.string()
    chunks, broken, start = [], [np.empty(0, np.int64)], 0
    for chunk in column.chunks:
        found = _broken(chunk, kind, nul)
        chunks.append(_as_text(_without(chunk, found), kind))
        broken.append(found + start)
        start += len(chunk)
    return pa.chunked_array(chunks, kind), np.concatenate(broken)


def _without(chunk: pa.Array, cells: Rows) -> pa.Array:
    if not cells.size:
        return chunk
    # Arrow's functions take long to import, and a sound file needs none.
    import pyarrow.compute as pc

    missing = np.zeros(len(chunk), np.bool_)
    missing[cells] = True
    return pc.if_else(pa.array(missing), None, chunk)


def _as_text(chunk: pa.Array, kind: pa.DataType) -> pa.Array:
    """The same bytes under another name; `cast` would import Arrow's functions."""
    nulls = chunk.null_count
    return pa.Array.from_buffers(kind, len(chunk), chunk.buffers(), nulls, chunk.offset)


def _broken(chunk: pa.Array, kind: pa.DataType, nul: bool) -> Rows:
    offsets, data = _parts(chunk)
    if data.size == 0 or ((nul or data.min() > 0) and _decodes(_as_text(chunk, kind))):
        return np.empty(0, np.int64)
    # A line end after every cell: no character may reach from one to the next.
    apart = np.insert(data, offsets[1:], ord("\n"))
    places = _undecodable(apart)
    if not nul:
        places = np.concatenate([np.flatnonzero(apart == 0), places])
    ends = offsets[1:] + np.arange(len(chunk))
    return np.unique(np.searchsorted(ends, places)).astype(np.int64)


def _parts(chunk: pa.Array) -> tuple[Rows, Bytes]:
    """Where each cell begins and the last one ends, and the bytes of all cells."""
    _, places, data = chunk.buffers()
    width = np.int64 if pa.types.is_large_binary(chunk.type) else np.int32
    if places is None or data is None:
        return np.zeros(len(chunk) + 1, np.int64), np.empty(0, np.uint8)
    offsets = np.frombuffer(places, width)[chunk.offset : chunk.offset + len(chunk) + 1]
    first, last = (int(offsets[0]), int(offsets[-1])) if len(offsets) else (0, 0)
    return offsets.astype(np.int64) - first, np.frombuffer(data, np.uint8)[first:last]


def _decodes(chunk: pa.Array) -> bool:
    try:
        chunk.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _undecodable(text: Bytes) -> Rows:
    """Where bytes stand that are no UTF-8."""
    read = text.tobytes().decode(errors="surrogateescape")
    signs = np.frombuffer(read.encode("utf-32-le", "surrogatepass"), np.uint32)
    escaped = (signs >= 0xDC80) & (signs <= 0xDCFF)
    sizes = 1 + (signs >= 0x80) + (signs >= 0x800) + (signs >= 0x10000)
    sizes[escaped] = 1
    places: Rows = (np.cumsum(sizes) - sizes)[escaped]
    return places

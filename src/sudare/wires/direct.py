"""The file of a chunk: written around the page cache, from where the chunk lies in memory.

Claim    `read_content` gives the bytes that were written, whichever way they were.
Rule     A file is a head with two numbers, where the content begins and how long it is, and the
         content. A chunk is written once and read back much later, if at all by this process;
         having the kernel find and fill a page for every 4 KiB of it costs more than encrypting it
         did. Direct writes want whole blocks of memory. So the content begins in the file at a
         place that is aligned as its first byte in memory is, and all of it but the blocks at its
         two ends goes to the disk without being copied.
Needs    memory that nobody changes meanwhile.
"""

from __future__ import annotations

import mmap
import os
import struct
from pathlib import Path

import pyarrow as pa

SMALLEST = 2**20
_BLOCK = 4096
# The first of the two blocks before the first whole one always has room for the head.
_BEFORE = 2 * _BLOCK
_HEAD = struct.Struct("<8sQQ")
_MAGIC = b"sudare 1"
# Taking from and adding to the end of a list is atomic; there are as many as were ever in use
# at once.
_free: list[mmap.mmap] = []


def write_content(path: Path, data: memoryview, mode: int) -> None:
    """Write a new file and have it on the disk."""
    if data.nbytes < SMALLEST or not _write_direct(path, data, mode):
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            file.write(_HEAD.pack(_MAGIC, _HEAD.size, data.nbytes))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def read_content(path: Path) -> memoryview:
    """What `write_content` wrote."""
    raw = path.read_bytes()
    if len(raw) >= _HEAD.size:
        magic, start, length = _HEAD.unpack_from(raw)
        if magic == _MAGIC and start + length <= len(raw):
            return memoryview(raw)[start : start + length]
    raise OSError("this is not a whole chunk")


def _write_direct(path: Path, data: memoryview, mode: int) -> bool:
    """Whether the file system could do it so; if not, what it left is no chunk."""
    flag = getattr(os, "O_DIRECT", None)
    if flag is None:
        return False
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | flag, mode)
    except OSError:
        return False
    ends = _taken()
    try:
        pieces = _pieces(data, memoryview(ends))
        if os.writev(opened, pieces) != sum(piece.nbytes for piece in pieces):
            return False
        os.fsync(opened)
        return True
    except OSError:
        return False
    finally:
        _free.append(ends)
        os.close(opened)


def _pieces(data: memoryview, ends: memoryview) -> list[memoryview]:
    """The file as three pieces of whole blocks: head and first bytes, the middle, last bytes."""
    first = -pa.py_buffer(data).address % _BLOCK
    last = (data.nbytes - first) % _BLOCK
    middle = data[first : data.nbytes - last]
    start = _BEFORE - first
    # Nothing of the chunk before stays in what this one does not fill.
    ends[:] = bytes(ends.nbytes)
    _HEAD.pack_into(ends, 0, _MAGIC, start, data.nbytes)
    ends[start:_BEFORE] = data[:first]
    ends[_BEFORE : _BEFORE + last] = data[data.nbytes - last :]
    return [ends[:_BEFORE], middle, ends[_BEFORE:]]


def _taken() -> mmap.mmap:
    try:
        return _free.pop()
    except IndexError:
        return mmap.mmap(-1, _BEFORE + _BLOCK)

"""Large writes around the page cache.

A chunk is written once and read back much later, if at all by this process; having the kernel
find and fill a page for every 4 KiB of it costs more than encrypting it did. Direct writes need
aligned memory, so the bytes pass through a small aligned buffer, which is used again and again.
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path

SMALLEST = 2**20
_PIECE = 2**20
_ALIGNMENT = 4096
# Taking from and adding to the end of a list is atomic; there are as many as were ever in use
# at once.
_free: list[mmap.mmap] = []


def write_direct(path: Path, data: memoryview, mode: int) -> bool:
    """Write a new file and have it on the disk; False where the file system cannot do it so."""
    flag = getattr(os, "O_DIRECT", None)
    if flag is None:
        return False
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | flag, mode)
    except OSError:
        return False
    buffer = _taken()
    try:
        for start in range(0, data.nbytes, _PIECE):
            _write_piece(opened, buffer, data[start : start + _PIECE])
        # The last piece was filled up to the alignment.
        os.ftruncate(opened, data.nbytes)
        os.fsync(opened)
        return True
    except OSError:
        return False
    finally:
        _free.append(buffer)
        os.close(opened)


def _write_piece(opened: int, buffer: mmap.mmap, piece: memoryview) -> None:
    buffer[: piece.nbytes] = piece
    whole = -(-piece.nbytes // _ALIGNMENT) * _ALIGNMENT
    buffer[piece.nbytes : whole] = bytes(whole - piece.nbytes)
    if os.write(opened, memoryview(buffer)[:whole]) != whole:
        raise OSError("a direct write was cut short")


def _taken() -> mmap.mmap:
    try:
        return _free.pop()
    except IndexError:
        return mmap.mmap(-1, _PIECE)

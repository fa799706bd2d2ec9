"""Which shared libraries a program needs, read from its file: nothing is run to find out.

The loader of ELF files looks into the folders that a file names, then into those of the system.
What it would find is found here in the same order, and what those libraries need in turn.
"""

from __future__ import annotations

import glob
import os
import struct
from collections.abc import Iterable, Iterator
from functools import cache
from typing import BinaryIO, NamedTuple

_MAGIC = b"\x7fELF\x02\x01"
_LOAD, _DYNAMIC, _INTERPRETER = 1, 2, 3
_NEEDED, _STRINGS, _RPATH, _RUNPATH = 1, 5, 15, 29
_CONF = "/etc/ld.so.conf"
_DEFAULT = ("/lib", "/usr/lib", "/lib64", "/usr/lib64")


class Linked(NamedTuple):
    """What stands in a file: its loader, the names that it needs, and where it looks first."""

    interpreter: str = ""
    needed: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


def libraries(paths: Iterable[str]) -> set[str]:
    """All libraries and loaders that files of these paths need, directly or not."""
    found: set[str] = set()
    rest = list(paths)
    while rest:
        for each in _needs(rest.pop()):
            if each not in found:
                found.add(each)
                rest.append(each)
    return found


def _needs(path: str) -> Iterator[str]:
    linked = read_linked(path)
    if linked.interpreter:
        yield linked.interpreter
    for name in linked.needed:
        if "/" in name:
            yield name
            continue
        for folder in (*linked.folders, *_system_folders()):
            place = os.path.join(folder, name)
            if os.path.exists(place):
                yield place
                break


def read_linked(path: str) -> Linked:
    """Nothing where a file is no program for this kind of machine, or is damaged."""
    try:
        with open(path, "rb") as file:
            return _read(file, path)
    except (OSError, struct.error, UnicodeDecodeError):
        return Linked()


def _read(file: BinaryIO, path: str) -> Linked:
    head = file.read(64)
    if head[:6] != _MAGIC:
        return Linked()
    offset, size, count = (
        struct.unpack_from("<Q", head, 32)[0],
        *struct.unpack_from("<HH", head, 54),
    )
    table = _at(file, offset, size * count)
    parts = [struct.unpack_from("<IIQQQQ", table, size * number) for number in range(count)]
    loads = [(part[3], part[2], part[5]) for part in parts if part[0] == _LOAD]
    named = [_at(file, part[2], part[5]) for part in parts if part[0] == _INTERPRETER]
    tags: list[tuple[int, int]] = []
    for part in parts:
        if part[0] == _DYNAMIC:
            tags += struct.iter_unpack("<QQ", _at(file, part[2], part[5] // 16 * 16))
    strings = next((value for tag, value in tags if tag == _STRINGS), None)
    interpreter = named[0].rstrip(b"\0").decode() if named else ""
    if strings is None:
        return Linked(interpreter)
    # The table of strings is named by its address in memory.
    start = next(
        (
            strings - place + begin
            for place, begin, length in loads
            if 0 <= strings - place < length
        ),
        strings,
    )

    def texts(*wanted: int) -> Iterator[str]:
        for tag, value in tags:
            if tag in wanted:
                yield _at(file, start + value, 4096).partition(b"\0")[0].decode()

    folders = [each for text in texts(_RPATH, _RUNPATH) for each in text.split(":") if each]
    origin = os.path.dirname(os.path.realpath(path))
    places = [each.replace("${ORIGIN}", origin).replace("$ORIGIN", origin) for each in folders]
    return Linked(interpreter, tuple(texts(_NEEDED)), tuple(places))


def _at(file: BinaryIO, offset: int, length: int) -> bytes:
    file.seek(offset)
    return file.read(length)


@cache
def _system_folders() -> tuple[str, ...]:
    wide = [each for place in _DEFAULT for each in sorted(glob.glob(f"{place}/*-linux-gnu*"))]
    return tuple(dict.fromkeys([*_configured(_CONF, 0), *wide, *_DEFAULT]))


def _configured(path: str, depth: int) -> Iterator[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line.partition("#")[0].strip() for line in file]
    except OSError:
        return
    for line in lines:
        if line.startswith("include ") and depth < 4:
            pattern = os.path.join(os.path.dirname(path), line.removeprefix("include ").strip())
            for each in sorted(glob.glob(pattern)):
                yield from _configured(each, depth + 1)
        elif line.startswith("/"):
            yield line

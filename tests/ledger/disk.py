"""Disks that fail on purpose: SQLite's file layer with a hand in every write and sync."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import apsw

Before = Callable[[str, str, int, bytes], None]


class _File(apsw.VFSFile):
    """Tells `before(what, file, offset, data)` of each step that changes or syncs a file."""

    def __init__(self, name: apsw.URIFilename | str | None, flags: list[int], before: Before):
        full = name.filename() if isinstance(name, apsw.URIFilename) else name
        self.name = os.path.basename(full or "")
        self.before = before
        super().__init__("unix", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.before("write", self.name, offset, data)
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self.before("sync", self.name, 0, b"")
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:
        self.before("truncate", self.name, size, b"")
        super().xTruncate(size)


class _Disk(apsw.VFS):
    def __init__(self, before: Before) -> None:
        self.before = before
        super().__init__("watched", "unix", makedefault=True)

    def xOpen(self, name: apsw.URIFilename | str | None, flags: list[int]) -> _File:
        return _File(name, flags, self.before)

    def xDelete(self, path: str, sync_directory: bool) -> None:
        self.before("delete", os.path.basename(path), 0, b"")
        super().xDelete(path, sync_directory)


@contextmanager
def watched(before: Before) -> Iterator[None]:
    """Every connection opened inside goes through `before`."""
    disk = _Disk(before)
    try:
        yield
    finally:
        apsw.set_default_vfs("unix")
        disk.unregister()


def killer(step: int, torn: bool, folder: str) -> Before:
    """Die just before the given step; a torn write first puts half of its bytes on the disk."""
    left = step

    def before(what: str, file: str, offset: int, data: bytes) -> None:
        nonlocal left
        left -= 1
        if left:
            return
        if torn and what == "write":
            # Closing this second descriptor would drop SQLite's locks; the kill does that anyway.
            half = os.open(os.path.join(folder, file), os.O_WRONLY)
            os.pwrite(half, data[: len(data) // 2], offset)
        os.kill(os.getpid(), signal.SIGKILL)

    return before


class Recorder:
    """All steps in order, with marks between them, so that the disk of any moment can be had."""

    def __init__(self, start: dict[str, bytes]) -> None:
        self.start = start
        self.steps: list[tuple[str, str, int, bytes]] = []

    def before(self, what: str, file: str, offset: int, data: bytes) -> None:
        self.steps.append((what, file, offset, bytes(data)))

    def mark(self, text: str) -> None:
        self.steps.append(("mark", text, 0, b""))

    def marks(self, moment: int) -> list[str]:
        return [step[1] for step in self.steps[:moment] if step[0] == "mark"]

    def after_power_cut(self, moment: int, chance: random.Random) -> dict[str, bytes]:
        """What may be left: all that was synced, and any part of what was not."""
        files = {name: bytearray(text) for name, text in self.start.items()}
        synced = {
            name: at for at, (what, name, *_) in enumerate(self.steps[:moment]) if what == "sync"
        }
        for at, (what, name, offset, data) in enumerate(self.steps[:moment]):
            safe = at < synced.get(name, -1)
            if name.endswith("-shm") or not (safe or chance.random() < 0.5):
                continue
            if what == "delete":
                files.pop(name, None)
            elif what == "truncate":
                del files.setdefault(name, bytearray())[offset:]
            elif what == "write":
                file = files.setdefault(name, bytearray())
                file.extend(bytes(max(0, offset - len(file))))
                file[offset : offset + len(data)] = data
        return {name: bytes(text) for name, text in files.items()}

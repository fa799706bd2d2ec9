"""Files that survive a crash, and folders that nobody else reads.

Claim    After `write_durably` returns, the file holds exactly the given bytes whatever happens to
         the process or the power; before, it is not there at all.
Rule     part file, fsync, rename, fsync of the folder.
Needs    a file system and a disk that honour fsync.
Gaps     Deleting unlinks. What a journal, a snapshot or the cells of a solid-state disk still
         hold is beyond a program's reach.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from sudare.facts.errors import EngineUnavailable, UsageError

PART = ".part"


def private_folder(folder: Path) -> Path:
    """The folder, made if need be, open to its owner alone."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)
        return folder
    except OSError:
        pass
    raise UsageError(
        f"The folder {folder} cannot be made or kept private.",
        "Name a folder of your own on a local disk.",
        place=folder,
    )


def write_durably(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Put the whole file there, or nothing."""
    put_durably(path, lambda part: _write(part, data, mode))


def write_draft(path: Path, data: bytes, mode: int = 0o600) -> None:
    """A file without its final name, on the disk; OSError if it is there or cannot be made."""
    _write(path, data, mode, os.O_EXCL)


def put_durably(path: Path, write: Callable[[Path], None]) -> None:
    """The same for a file that `write` makes, and has on the disk when it returns."""
    part = path.with_name(path.name + PART)
    try:
        write(part)
        part.rename(path)
        sync_folder(path.parent)
        return
    except OSError:
        pass
    raise EngineUnavailable(
        f"The folder {path.parent} cannot be written.",
        "Check free space and permissions.",
        place=path.parent,
    )


def write_new(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Like `write_durably`, but never over a file that is there: a key is not replaced by
    accident."""
    if path.exists():
        raise UsageError(
            f"{path} is there already.",
            "Name another folder, or move the old files away.",
            place=path,
        )
    write_durably(path, data, mode)


def sync_file(path: Path) -> None:
    """Have a file that another library wrote on the disk, and its name."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make names in the folder durable."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _write(path: Path, data: bytes, mode: int, how: int = os.O_TRUNC) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | how, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())

"""Databases that appear under their name whole or not at all, and what is left of those that were
cut off.

Rule     one is made in a folder of its own beside its name, and linked to the name when it is
         whole. Whoever makes it holds a lock on the folder, which ends with the process: a folder
         that nobody holds was left behind, and the next process takes it away.
Needs    a file system with links and flock. Where it has no flock, what was left behind stays.
Gaps     none known.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_DRAFT = ".draft"


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """An empty file to be made into the one at the path; it is gone when the block ends."""
    folder, lock = _begun(path)
    try:
        draft = folder / path.name
        # SQLite gives its log the mode of the file, so 0600 here covers both.
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        yield draft
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def publish(draft: Path, path: Path) -> None:
    """The draft is whole: it has its name from now on, unless somebody made one meanwhile."""
    # A link, unlike a rename, never takes the place of what is there.
    with suppress(FileExistsError):
        os.link(draft, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def sweep(path: Path) -> None:
    """Take away what processes that were cut off have left of their drafts for this path."""
    for folder in _drafts(path):
        with suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _drafts(path: Path) -> list[Path]:
    start = f".{path.name}."
    try:
        with os.scandir(path.parent) as found:
            names = [each.name for each in found]
    except OSError:
        return []
    return [path.parent / n for n in names if n.startswith(start) and n.endswith(_DRAFT)]


def _begun(path: Path) -> tuple[Path, int]:
    while True:
        folder = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}{_DRAFT}")
        folder.mkdir(mode=0o700)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        # Between these lines another process may have taken it for one that was left behind.
        if folder.exists():
            return folder, lock
        os.close(lock)

"""Files that are made under a name of their own and linked to their place when they are whole.

A process that is killed meanwhile leaves its draft behind; whoever makes or opens the file next
takes it away. The name says who was at work: the host with its space of process numbers, in which
alone a number says anything, and the process. A draft is never opened to find out: SQLite's locks
on a file are lost when any descriptor of it is closed, and a draft may be the file itself by now.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

# What SQLite puts beside a database.
_BESIDE = ("", "-journal", "-wal", "-shm")


def draft_of(path: Path) -> Path:
    """A name beside the file that nobody else takes."""
    return path.parent / (f".{path.name}.{_host()}.{os.getpid()}.{time.monotonic_ns()}")


def forget(draft: Path) -> None:
    """Take a draft away, with what SQLite put beside it."""
    for end in _BESIDE:
        with suppress(OSError):
            (draft.parent / (draft.name + end)).unlink()


def sweep(path: Path) -> None:
    """Take away drafts of this file whose process is gone. Numbers of other hosts say nothing
    here, so their drafts stay."""
    name = re.compile(rf"(\.{re.escape(path.name)}\.{_host()}\.(\d{{1,10}})\.\d{{1,20}})(-\w+)?")
    with suppress(OSError), os.scandir(path.parent) as found:
        for entry in found:
            match = name.fullmatch(entry.name)
            if match is not None and not _is_alive(int(match[2])):
                forget(path.parent / (match[1]))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@cache
def _host() -> str:
    """The host and its space of process numbers, in a few signs that betray neither."""
    space = ""
    with suppress(OSError):
        space = os.readlink("/proc/self/ns/pid")
    return hashlib.sha256(f"{platform.node()}\n{space}".encode()).hexdigest()[:8]

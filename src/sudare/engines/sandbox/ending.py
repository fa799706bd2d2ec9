"""The end of a block's processes: all of them, whatever they have become.

A process namespace ends with its first process. Without one, the orphans of a block are adopted by
the process that was started for it, so that they are found among its descendants.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess

# Each round ends all that are there; a process that forks faster than this is ended with its space.
_ROUNDS = 200


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its descendants, and wait for the process itself."""
    for _ in range(_ROUNDS):
        found = descendants(process.pid)
        if not found:
            break
        for each in found:
            _kill(each)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def descendants(root: int) -> list[int]:
    """Children, their children and so on, those that have ended left out."""
    parents = _parents()
    found, fresh = [], [root]
    while fresh:
        fresh = [each for each, parent in parents.items() if parent in fresh]
        found += fresh
    return found


def _parents() -> dict[int, int]:
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{name}/stat", "rb") as stream:
            # The name of a program stands in brackets and may hold any character.
            state, parent = stream.read().rpartition(b")")[2].split()[:2]
            if state not in (b"Z", b"X"):
                found[int(name)] = int(parent)
    return found


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)

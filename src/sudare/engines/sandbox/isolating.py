"""What a block's process takes from itself before it sees a row.

Everything here is asked of the kernel and may be refused, for example inside a container; what was
granted is reported by name, so that a release can say it. Limits of memory, files and cores are
granted always.

processes  a process namespace: when its first process ends, the kernel ends all others in it,
           whether or not they left their group or became daemons.
network    a network namespace without a link: no address outside, no socket to another block.
memory     an IPC namespace: no shared memory or queue that another block could read.
files      a mount namespace with a root of its own (rooting.py): programs and libraries alone, all
           read-only. The table cannot be opened, and not even an empty file is left.
owner      a user namespace: a root outside is nobody here, and may not look into processes outside.
calls      a filter of system calls (filtering.py): a Python function starts no process.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import struct
from collections.abc import Sequence

from sudare.engines.sandbox.filtering import refuse_calls
from sudare.engines.sandbox.rooting import own_root

_NEWNS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = (
    0x00020000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
_SPACES = {"processes": _NEWPID, "network": _NEWNET, "memory": _NEWIPC, "files": _NEWNS}
_PDEATHSIG, _SUBREAPER, _NO_NEW_PRIVS = 1, 36, 38
_NOBODY = 65534
MOST_PROCESSES = 256


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def die_with_parent() -> None:
    """Whoever started this process takes it along."""
    _libc().prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def adopt_orphans() -> None:
    """Processes whose parent has ended become children of this one, so that they can be found."""
    _libc().prctl(_SUBREAPER, 1, 0, 0, 0)


def go_first(core: int) -> None:
    """Where memory runs out the kernel ends a block before anything else, and a block has one
    processor, so that it cannot take the others' time."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as stream:
        stream.write("1000")
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, {core})


def enter_spaces() -> list[str]:
    """Namespaces of its own; the names of those that the kernel grants. The process namespace is
    for the children of this process."""
    libc, (user, group) = _libc(), (os.geteuid(), os.getegid())
    if user == 0:
        # The kernel holds everybody to a number of processes but whose real owner is root.
        with contextlib.suppress(OSError):
            os.setresuid(_NOBODY, 0, 0)
    if libc.unshare(_NEWUSER | sum(_SPACES.values())) == 0:
        _become_nobody(user, group)
        return ["owner", *_SPACES]
    found = ["owner"] if libc.unshare(_NEWUSER) == 0 else []
    if found:
        _become_nobody(user, group)
    return found + [name for name, flag in _SPACES.items() if libc.unshare(flag) == 0]


def _become_nobody(user: int, group: int) -> None:
    """Who has no name in its namespace cannot make a folder there."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{_NOBODY} {user} 1"),
        ("gid_map", f"{_NOBODY} {group} 1"),
    ):
        with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as stream:
            stream.write(text)


def close_files(granted: list[str], visible: Sequence[str], hidden: Sequence[str]) -> list[str]:
    """Move into a root of its own, which shows this namespace's own processes alone."""
    if "files" in granted and own_root(_libc(), visible, hidden, "processes" in granted):
        return granted
    return [name for name in granted if name != "files"]


def close_calls(granted: list[str], may_fork: bool) -> list[str]:
    """No power to undo any of this, and a filter of what may be asked of the kernel."""
    libc = _libc()
    libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.capset(struct.pack("II", 0x20080522, 0), bytes(24))
    return [*granted, "calls"] if refuse_calls(libc, may_fork) else granted


def set_limits(memory: int, seconds: float, granted: list[str]) -> None:
    """No file longer than nothing, no core, and so much memory in bytes."""
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, memory)
    # The tick ends the process; this ends one that nobody is left to end.
    _limit(resource.RLIMIT_CPU, 2 * int(seconds) + 60)
    if "owner" in granted:
        # Elsewhere this would count whatever else its owner runs.
        _limit(resource.RLIMIT_NPROC, MOST_PROCESSES)


def _limit(kind: int, amount: int) -> None:
    _, most = resource.getrlimit(kind)
    allowed = amount if most == resource.RLIM_INFINITY else min(amount, most)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (allowed, allowed))

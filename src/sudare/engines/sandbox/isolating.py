"""What a block's process takes from itself before it sees a row.

Everything here is asked of the kernel and may be refused, for example inside a container; what was
granted is reported by name. A run needs all of them, or a steward who vouches for the program
(walls.py). Limits of memory, files and cores are granted always.

processes  a process namespace: when its first process ends, the kernel ends all others in it,
           whether or not they left their group or became daemons.
network    a network namespace without a link: no address outside, no socket to another block.
memory     an IPC namespace: no shared memory or queue that another block could read.
files      a root of its own (rooting.py): copies of programs and libraries alone, read-only, none
           of them a file of the host's.
owner      a user namespace: a root outside is nobody here, and may not look into processes outside.
calls      a filter of system calls (filtering.py).
names      what the host's list of processes shows of it is empty and stays so: a function cannot
           write into its command line or its name. A command can; its list is the machine's.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import struct

from sudare.engines.sandbox.filtering import refuse_calls
from sudare.engines.sandbox.rooting import enter_root, leave_processes

_NEWNS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = (
    0x00020000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
_SPACES = {"processes": _NEWPID, "network": _NEWNET, "memory": _NEWIPC, "files": _NEWNS}
_PDEATHSIG, _SUBREAPER, _NO_NEW_PRIVS = 1, 36, 38
_DUMPABLE, _AMBIENT, _RAISE, _SET_MM, _MM_MAP = 4, 47, 2, 35, 14
_SYS_ADMIN, _CAPABILITIES = 21, (0x20080522, 0)
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


def own_spaces() -> bool:
    """A user and a mount namespace, in which a root can be made."""
    user, group = _as_nobody()
    if _libc().unshare(_NEWUSER | _NEWNS) != 0:
        return False
    _become_nobody(user, group)
    return True


def join_spaces(user: int, mount: int) -> list[str]:
    """Go where the root of this run is; the names of the walls that stand then. The process
    namespace is for the children of this process."""
    libc = _libc()
    _as_nobody()
    if libc.setns(user, _NEWUSER) != 0 or libc.setns(mount, _NEWNS) != 0:
        return []
    found = [name for name, flag in _SPACES.items() if libc.unshare(flag) == 0]
    return ["owner", *found]


def enter_spaces() -> list[str]:
    """Where no root could be made: namespaces one by one, as far as the kernel grants them."""
    libc, (user, group) = _libc(), _as_nobody()
    found = ["owner"] if libc.unshare(_NEWUSER) == 0 else []
    if found:
        _become_nobody(user, group)
    spaces = {name: flag for name, flag in _SPACES.items() if name != "files"}
    return found + [name for name, flag in spaces.items() if libc.unshare(flag) == 0]


def _as_nobody() -> tuple[int, int]:
    """Who this process is. The kernel holds everybody to a number of processes but whose real
    owner is root."""
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        with contextlib.suppress(OSError):
            os.setresuid(_NOBODY, 0, 0)
    return user, group


def _become_nobody(user: int, group: int) -> None:
    """Who has no name in its namespace cannot make a folder there."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{_NOBODY} {user} 1"),
        ("gid_map", f"{_NOBODY} {group} 1"),
    ):
        with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as stream:
            stream.write(text)


def open_root(may_write: bool) -> bool:
    """Mount what is this block's alone; whether the kernel allowed it."""
    try:
        enter_root(_libc(), may_write)
    except OSError:
        return False
    return True


def keep_powers() -> None:
    """Let the program that this process becomes unmount, once."""
    libc, user = _libc(), os.geteuid()
    with contextlib.suppress(OSError):
        os.setresuid(user, user, user)
    powers = 1 << _SYS_ADMIN
    libc.capset(struct.pack("II", *_CAPABILITIES), struct.pack("IIIIII", *[powers] * 3, 0, 0, 0))
    libc.prctl(_AMBIENT, _RAISE, _SYS_ADMIN, 0, 0)


def hide() -> None:
    """Nobody in the same namespace may look at what this process has open."""
    _libc().prctl(_DUMPABLE, 0, 0, 0, 0)


def empty_names() -> bool:
    """The command line, which everybody on the machine may read, is nothing from now on; only what
    this process writes there would change it, and it has no place there any more."""
    try:
        with open("/proc/self/stat", "rb") as stream:
            fields = stream.read().rpartition(b")")[2].split()
    except OSError:
        return False
    # As proc(5) counts from 3: code is 26 and 27, the stack 28, data 45 and 46, the heap 47.
    ends = [int(fields[place]) for place in (23, 24, 42, 43, 44)]
    stack, libc = int(fields[25]), _libc()
    libc.sbrk.restype = ctypes.c_void_p
    # The heap has grown since; and an empty range of arguments and environment lies anywhere.
    area = struct.pack("12Q2I", *ends, libc.sbrk(0), *[stack] * 5, 0, 0, 0xFFFFFFFF)
    return bool(libc.prctl(_SET_MM, _MM_MAP, area, ctypes.c_ulong(len(area)), 0) == 0)


def close_processes() -> bool:
    """No /proc for a function; whether it is gone."""
    try:
        leave_processes(_libc())
    except OSError:
        return False
    return True


def close_calls(granted: list[str], may_fork: bool) -> list[str]:
    """No power to undo any of this, and a filter of what may be asked of the kernel."""
    libc = _libc()
    libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.capset(struct.pack("II", *_CAPABILITIES), bytes(24))
    return [*granted, "calls"] if refuse_calls(libc, may_fork) else granted


def set_limits(memory: int, seconds: float, granted: list[str], may_write: bool) -> None:
    """No core, so much memory in bytes, and no file longer than nothing, but for what a command
    writes into folders that end with its block."""
    if may_write and "files" in granted:
        _limit(resource.RLIMIT_FSIZE, memory)
    else:
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

"""Calls that a block's process is not let make: a filter in the kernel (seccomp), for good.

Claim    it cannot start processes (a Python function; a command may, inside its namespace), trace
         others, mount, enter or make namespaces, leave its processor or change its rank there,
         keep anything in the kernel's keyrings, or use interfaces that pass around this filter.
How      a classic BPF program compares the number of the call; what is in the list fails with
         EPERM. `clone3` hides its flags from a filter, so it is said not to exist, and the C
         library takes `clone` instead, whose flags are looked at.
Needs    no_new_privs; a processor whose numbers are known here. Elsewhere nothing is filtered, and
         the release says so.
"""

from __future__ import annotations

import ctypes
import platform
import struct
from typing import NamedTuple

_SET_SECCOMP, _FILTER = 22, 2
_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _FLAGS = 0, 4, 16
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_EPERM, _ENOSYS = 1, 38
_THREAD, _NEW_SPACES = 0x00010000, 0x7E020080


class _Machine(NamedTuple):
    arch: int
    clone: int
    clone3: int
    # Calls that can do nothing but start a process.
    forks: tuple[int, ...]
    denied: tuple[int, ...]


# Same order in both: ptrace, mount, umount2, pivot_root, chroot, unshare, setns, keyctl, add_key,
# request_key, perf_event_open, bpf, userfaultfd, sched_setaffinity, sched_setscheduler,
# sched_setattr, setpriority, process_vm_readv, process_vm_writev, open_by_handle_at; then io_uring
# (three), pidfd_getfd, and the five calls of the new way to mount, whose numbers are the same.
_EVERYWHERE = (425, 426, 427, 438, 428, 429, 430, 432, 442)
_MACHINES = {
    "x86_64": _Machine(
        0xC000003E, 56, 435, (57, 58),
        (101, 165, 166, 155, 161, 272, 308, 250, 248, 249, 298, 321, 323, 203, 144, 314, 141,
         310, 311, 304, *_EVERYWHERE),
    ),
    "aarch64": _Machine(
        0xC00000B7, 220, 435, (),
        (117, 40, 39, 41, 51, 97, 268, 219, 217, 218, 241, 280, 282, 122, 119, 274, 140,
         270, 271, 265, *_EVERYWHERE),
    ),
}  # fmt: skip
# Numbers from here on are those of another calling convention of the same processor.
_OTHER_ABI = 0x40000000


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filters", ctypes.c_char_p))


def refuse_calls(libc: ctypes.CDLL, may_fork: bool) -> bool:
    """Filter this process and all that it starts; whether the kernel took the filter."""
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        return False
    code = _compiled(machine, may_fork)
    program = _Program(len(code) // 8, code)
    return bool(libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0) == 0)


def _compiled(machine: _Machine, may_fork: bool) -> bytes:
    denied = machine.denied if may_fork else (*machine.denied, *machine.forks)
    # A thread is no process, whatever else is asked for; a namespace is never made.
    clone = [
        (_EQUAL, 0, 4, machine.clone),
        (_LOAD, 0, 0, _FLAGS),
        (_ANY_OF, 0, 1, _NEW_SPACES),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    if not may_fork:
        clone = [
            (_EQUAL, 0, 5, machine.clone),
            *clone[1:4],
            (_ANY_OF, 1, 0, _THREAD),
            (_RETURN, 0, 0, _ERRNO | _EPERM),
        ]
    lines = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, machine.arch),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _OTHER_ABI),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
        (_EQUAL, 0, 1, machine.clone3),
        (_RETURN, 0, 0, _ERRNO | _ENOSYS),
        *(line for number in denied for line in _refused(number)),
        *clone,
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def _refused(number: int) -> list[tuple[int, int, int, int]]:
    return [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | _EPERM)]

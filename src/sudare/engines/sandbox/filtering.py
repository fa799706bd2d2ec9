"""Calls that a block's process is let make: a filter in the kernel (seccomp), for good.

Claim    what is not in calls.py is refused. So no block takes a lock or a lease on a file or looks
         whether there is one, watches files, opens a socket, makes an object of System V or POSIX
         that has a name, keeps anything in the kernel's keyrings, asks for the machine's load,
         changes its priority, processor, limits or name, traces others, mounts, or makes
         namespaces. A Python function besides starts no process, makes no pipe and no shared
         memory, and changes no signal's handling: each of these is counted, or shown to everybody
         on the machine.
How      a classic BPF program compares the number of the call. `clone3` hides its flags from a
         filter, so it is said not to exist, and the C library takes `clone` instead, whose flags
         are looked at; so is the command of `fcntl`, `ioctl` and `prctl`. Calls newer than the list
         are said not to exist. Only the lower half of an argument counts where the kernel itself
         takes no more.
Needs    no_new_privs; a processor whose numbers are known here. Elsewhere nothing is filtered, and
         a run is refused.
"""

from __future__ import annotations

import ctypes
import platform
import struct

from sudare.engines.sandbox.calls import COMMANDS, EVERYBODY, LOOKED_AT

_SET_SECCOMP, _FILTER = 22, 2
_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NOTHING, _EPERM, _ENOTTY, _ENOSYS = 0, 1, 25, 38
_THREAD, _NEW_SPACES = 0x00010000, 0x7E020080
_SHARED_WITHOUT_FILE = 0x21
_LOCAL = 1
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
# The first number that calls.py does not know, and those of another calling convention.
_NEWER, _OTHER_ABI = 450, 0x40000000
# Copies and flags of descriptors, and what a pipe or a memory file is; no lock, lease, owner.
_FCNTL = (0, 1, 2, 3, 4, 1030, 1032, 1034)
# Whether this is a terminal, what can be read, and flags of descriptors.
_IOCTL = (0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# What a process may ask of itself, and names of its own memory.
_PRCTL = (2, 3, 16, 21, 23, 27, 30, 38, 39, 42, 0x53564D41)
_SET_NAME = 15
Line = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filters", ctypes.c_char_p))


def refuse_calls(libc: ctypes.CDLL, may_fork: bool) -> bool:
    """Filter this process and all that it starts; whether the kernel took the filter."""
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        return False
    code = b"".join(struct.pack("HBBI", *line) for line in _compiled(*machine, may_fork))
    program = _Program(len(code) // 8, code)
    return bool(libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0) == 0)


def _compiled(arch: int, column: int, may_fork: bool) -> list[Line]:
    plain = {**EVERYBODY, **COMMANDS} if may_fork else EVERYBODY
    looked = _looked_at(may_fork)
    return [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, arch),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _OTHER_ABI),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
        *(line for name in looked for line in _case(LOOKED_AT[name][column], looked[name])),
        *(
            line
            for numbers in plain.values()
            if numbers[column] >= 0
            for line in _case(numbers[column], [(_RETURN, 0, 0, _ALLOW)])
        ),
        (_AT_LEAST, 0, 1, _NEWER),
        (_RETURN, 0, 0, _ERRNO | _ENOSYS),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
    ]


def _looked_at(may_fork: bool) -> dict[str, list[Line]]:
    """What is done with each of these calls: lines that end with an answer."""
    found = {
        "clone3": [(_RETURN, 0, 0, _ERRNO | _ENOSYS)],
        "clone": _clone(may_fork),
        "fcntl": _one_of(1, _FCNTL, _EPERM),
        "ioctl": _one_of(1, _IOCTL, _ENOTTY),
        # A name that it gives to itself is said to be taken, and is not.
        "prctl": [*_is(0, _SET_NAME, _ERRNO | _NOTHING), *_one_of(0, _PRCTL, _EPERM)],
        # It may read its limits.
        "prlimit64": [
            *_load_half(2, 1),
            (_EQUAL, 1, 0, 0),
            (_RETURN, 0, 0, _ERRNO | _EPERM),
            *_one_of(2, (0,), _EPERM),
        ],
        "mmap": [(_RETURN, 0, 0, _ALLOW)],
    }
    if may_fork:
        return found | {"socketpair": _one_of(0, (_LOCAL,), _EPERM)}
    # Signals are handled as they always are, and nobody is told otherwise.
    silent: list[Line] = [(_RETURN, 0, 0, _ERRNO | _NOTHING)]
    shared: list[Line] = [
        *_load_half(3, 0),
        (_AND, 0, 0, _SHARED_WITHOUT_FILE),
        (_EQUAL, 0, 1, _SHARED_WITHOUT_FILE),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return found | {"rt_sigaction": silent, "rt_sigprocmask": silent, "mmap": shared}


def _clone(may_fork: bool) -> list[Line]:
    """A thread is no process, whatever else is asked for; a namespace is never made."""
    others = _ALLOW if may_fork else _ERRNO | _EPERM
    return [
        *_load_half(0, 0),
        (_ANY_OF, 0, 1, _NEW_SPACES),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
        (_ANY_OF, 0, 1, _THREAD),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, others),
    ]


def _case(number: int, answer: list[Line]) -> list[Line]:
    return [(_EQUAL, 0, len(answer), number), *answer]


def _one_of(argument: int, values: tuple[int, ...], error: int) -> list[Line]:
    lines = [line for value in values for line in ((_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW))]
    return [*_load_half(argument, 0), *lines, (_RETURN, 0, 0, _ERRNO | error)]


def _is(argument: int, value: int, answer: int) -> list[Line]:
    return [*_load_half(argument, 0), (_EQUAL, 0, 1, value), (_RETURN, 0, 0, answer)]


def _load_half(argument: int, upper: int) -> list[Line]:
    return [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument + 4 * upper)]

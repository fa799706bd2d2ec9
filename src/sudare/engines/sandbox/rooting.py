"""A root of a run's own: copies of programs and libraries in memory, read-only, and nothing else.

Claim    no file, folder or device that a block's process can open is one of the host's: whoever
         watches, locks or asks about the host's files learns nothing of what a block opens.
         Blocks share the copies, one block at a time: what is read-only, in memory and without
         times of access is after a block as it was before.
How      a process makes a mount namespace, fills a memory file system there, and hands the
         namespace over before it ends. Nothing outside has a path to it. Every block enters it and
         makes a namespace of its own from it.
Why      a bind mount or an overlay shows the host's own inodes, or opens them: locks, leases,
         watches (inotify), times of access and the page cache would go through them.
Needs    user and mount namespaces, and as much memory as the copies take.
"""

from __future__ import annotations

import array
import ctypes
import errno
import json
import os
import socket
import struct
from typing import NoReturn

_BIND, _MOVE, _REC, _PRIVATE = 0x1000, 0x2000, 0x4000, 1 << 18
_NOSUID, _NODEV, _NOATIME = 2, 4, 1024
_DETACH = 2
# mount_setattr has this number on every kind of processor.
_MOUNT_SETATTR, _HERE, _RECURSIVE, _RDONLY = 442, -100, 0x8000, 1
_FLAGS = _NOSUID | _NODEV | _NOATIME
# A name of its own: where the project itself lies under /tmp, that folder is not empty.
EMPTY = "/block"
# What a command may write, for as long as its block runs.
_SCRATCH, _DEVICES = "size=64m,mode=1777", "size=1m,mode=755"


class _Refused(OSError):
    """The kernel does not let this process have a root of its own."""


def build(control: int) -> NoReturn:
    """The whole life of the process that makes a root: a list of files comes in through a socket,
    and its namespaces go out."""
    from sudare.engines.sandbox.isolating import own_spaces

    link = socket.socket(fileno=control)
    with os.fdopen(os.dup(control), "rb") as stream:
        asked = json.loads(stream.readline())
    found = b"refused"
    handed = array.array("i")
    if own_spaces():
        # They are named before the old root, with its /proc, is let go.
        handed.extend(os.open(f"/proc/self/ns/{each}", os.O_RDONLY) for each in ("user", "mnt"))
        found = _filled(asked)
    link.sendmsg([found], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handed)] if handed else [])
    os._exit(0)


def _filled(asked: dict[str, list[str]]) -> bytes:
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        _own_root(libc, asked)
    except MemoryError:
        return b"full"
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.ENOMEM):
            return b"full"
        # What cannot be written into a folder of one's own is no refusal of the kernel's.
        return b"refused" if isinstance(error, _Refused) else b"failed"
    return b"made"


def _own_root(libc: ctypes.CDLL, asked: dict[str, list[str]]) -> None:
    base = os.getcwd()
    _mount(libc, "none", "/", None, _REC | _PRIVATE)
    _memory(libc, base, f"size={asked['size']},nr_inodes={asked['count']},mode=755")
    made: set[str] = set()
    for path in asked["links"]:
        _folder(base, os.path.dirname(path), made)
        os.symlink(os.readlink(path), base + path)
    for path in asked["files"]:
        _folder(base, os.path.dirname(path), made)
        _copy(path, base + path)
    for path in (EMPTY, "/tmp", "/proc", "/dev"):
        _folder(base, path, made)
    # For what a block does before it has a program.
    _mount(libc, "/proc", f"{base}/proc", None, _BIND | _REC)
    os.chdir(base)
    _checked(libc.pivot_root(b".", b"."))
    _checked(libc.umount2(b".", _DETACH))
    _checked(_read_only(libc))


def _folder(base: str, path: str, made: set[str]) -> None:
    if path not in made:
        os.makedirs(base + path, exist_ok=True)
        made.add(path)


def _copy(path: str, target: str) -> None:
    """Nothing of a file that cannot be read: it is not there for this run."""
    try:
        source = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return
    try:
        facts = os.fstat(source)
        copied = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, facts.st_mode & 0o777)
        try:
            _copy_bytes(source, copied)
            # Bytecode is taken for a source of one time alone.
            os.utime(copied, ns=(facts.st_mtime_ns, facts.st_mtime_ns))
        finally:
            os.close(copied)
    finally:
        os.close(source)


def _copy_bytes(source: int, target: int) -> None:
    try:
        while os.sendfile(target, source, None, 2**24):
            pass
    except OSError as error:
        # Some file systems cannot hand their pages over.
        if error.errno not in (errno.EINVAL, errno.ENOSYS):
            raise
        while part := os.read(source, 2**20):
            os.write(target, part)


def enter_root(libc: ctypes.CDLL, may_write: bool) -> None:
    """What is this block's alone, for a command: its own processes in /proc, if the kernel lets it
    have one, and folders that nobody else sees. Done by the first process of its namespace."""
    if may_write:
        # The kernel gives a /proc to whoever sees one, so the host's goes last.
        has_own = _mount_processes(libc, "/dev")
        leave_processes(libc)
        if has_own:
            _mount(libc, "/dev", "/proc", None, _MOVE)
        _memory(libc, "/dev", _DEVICES)
        # Not over a script that lies in /tmp.
        for path in (EMPTY, "/tmp"):
            if not os.listdir(path):
                _memory(libc, path, _SCRATCH)
        os.close(os.open("/dev/null", os.O_CREAT | os.O_WRONLY, 0o666))
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            os.symlink(f"/proc/self/fd/{number}", f"/dev/{name}")
        os.symlink("/proc/self/fd", "/dev/fd")
    os.chdir(EMPTY)


def _mount_processes(libc: ctypes.CDLL, path: str) -> bool:
    """Loads and counts of the whole machine are left out where the kernel knows how to."""
    flags = ctypes.c_ulong(_NOSUID | _NODEV | _RDONLY)
    options = (b"subset=pid", None)
    return any(libc.mount(b"proc", path.encode(), b"proc", flags, each) == 0 for each in options)


def leave_processes(libc: ctypes.CDLL) -> None:
    """Take the host's /proc away. A function gets none: the numbers that files have there are
    counted over all processes of the machine."""
    _checked(libc.umount2(b"/proc", _DETACH))


def _memory(libc: ctypes.CDLL, path: str, options: str) -> None:
    """A memory file system that is not swapped out, where the kernel knows how to."""
    try:
        _mount(libc, "tmpfs", path, "tmpfs", _FLAGS, f"{options},noswap")
    except OSError:
        _mount(libc, "tmpfs", path, "tmpfs", _FLAGS, options)


def _read_only(libc: ctypes.CDLL) -> int:
    attributes = struct.pack("QQQQ", _RDONLY, 0, 0, 0)
    size = ctypes.c_size_t(len(attributes))
    found: int = libc.syscall(_MOUNT_SETATTR, _HERE, b"/", _RECURSIVE, attributes, size)
    return found


def _mount(
    libc: ctypes.CDLL, source: str, target: str, kind: str | None, flags: int, options: str = ""
) -> None:
    named = None if kind is None else kind.encode()
    code = libc.mount(
        os.fsencode(source), os.fsencode(target), named, ctypes.c_ulong(flags), options.encode()
    )
    _checked(code)


def _checked(code: int) -> None:
    if code != 0:
        raise _Refused(ctypes.get_errno(), "the kernel refused")

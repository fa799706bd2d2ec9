"""A root of its own for a block's process: programs and libraries, read-only, and nothing else.

Claim    in the folders that the process sees there is no data: neither the table that is asked
         about, nor a socket of a database, nor another block's rows. A function that opens the
         table by its path would answer from all rows, and no noise was made for that.
How      an empty memory file system gets the folders of `visible` (program.py) bound into it, a few
         devices, and a /proc of this process namespace alone; it becomes the root and the old one
         is let go. Whatever lies in `hidden` is covered even inside a folder that is shown.
Needs    mount and user namespaces; without them nothing is hidden, and `isolating` says so.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

_BIND, _REC, _PRIVATE, _NOSUID, _NODEV = 0x1000, 0x4000, 1 << 18, 2, 4
_DETACH = 2
# mount_setattr has this number on every kind of processor.
_MOUNT_SETATTR, _HERE, _RECURSIVE, _RDONLY = 442, -100, 0x8000, 1
_DEVICES = ("null", "zero", "full", "random", "urandom")
# A name of its own: where the project itself lies under /tmp, that folder is not empty.
EMPTY = "/block"


def own_root(
    libc: ctypes.CDLL, visible: Iterable[str], hidden: Iterable[str], processes: bool
) -> bool:
    """Move into a root built in the current folder; whether the kernel allowed it."""
    base = os.getcwd()
    try:
        _mount(libc, "none", "/", None, _REC | _PRIVATE)
        _mount(libc, "tmpfs", base, "tmpfs", _NOSUID | _NODEV, "size=1m,mode=755")
        for path in sorted(visible, key=len):
            _show(libc, base, path)
        for name in _DEVICES:
            _bind(libc, f"/dev/{name}", f"{base}/dev/{name}")
        for path in hidden:
            _cover(libc, base + path)
        for folder in (EMPTY, "/tmp"):
            os.makedirs(base + folder, exist_ok=True)
        os.makedirs(f"{base}/proc", exist_ok=True)
        if processes:
            # Loads and counts of the whole machine are left out where the kernel knows how to.
            target = f"{base}/proc".encode()
            for options in (b"subset=pid", None):
                if libc.mount(b"proc", target, b"proc", 0, options) == 0:
                    break
        os.chdir(base)
        _checked(libc.pivot_root(b".", b"."))
        _checked(libc.umount2(b".", _DETACH))
        os.chdir(EMPTY)
        _checked(_read_only(libc))
    except OSError:
        return False
    return True


def _show(libc: ctypes.CDLL, base: str, path: str) -> None:
    """Bind a file or a folder at its own place; a link stays one."""
    if os.path.lexists(base + path):
        return
    if os.path.islink(path):
        os.makedirs(os.path.dirname(base + path), exist_ok=True)
        os.symlink(os.readlink(path), base + path)
    elif os.path.exists(path):
        _bind(libc, path, base + path)


def _bind(libc: ctypes.CDLL, path: str, target: str) -> None:
    folder = target if os.path.isdir(path) else os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    if folder != target:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
    _mount(libc, path, target, None, _BIND | _REC)


def _cover(libc: ctypes.CDLL, path: str) -> None:
    if os.path.isdir(path):
        _mount(libc, "tmpfs", path, "tmpfs", _NOSUID | _NODEV, "size=4k")
    elif os.path.exists(path):
        _mount(libc, "/dev/null", path, None, _BIND)


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
        raise OSError(ctypes.get_errno(), "the kernel refused")

"""Which folders and files a block's process sees: those of programs and libraries.

Folders in which people keep data are none of them. What a command names is added file by file, so
that a script is there and the table beside it is not.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/nix/store", "/gnu/store")
_PACKAGES = ("site-packages", "dist-packages")
_OURS = Path(__file__).parents[2]
# What belongs to a program in <place>/bin.
_BESIDE_BIN = ("bin", "lib", "lib64", "libexec", "share", "pyvenv.cfg")


def visible_folders() -> list[str]:
    """The system's programs, this Python with its packages, and sudare itself."""
    packages = [each for each in sys.path if os.path.basename(each) in _PACKAGES]
    found = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(_OURS), *packages]
    return [*_SYSTEM, *_with_targets(found)]


def program_files(program: str, named: Iterable[str]) -> tuple[str, ...]:
    """A program with what lies beside it as programs are installed, and the files that its
    command line names."""
    found = [program, *named]
    for each in {program, os.path.realpath(program)}:
        folder = os.path.dirname(each)
        if os.path.basename(folder) == "bin" and os.path.dirname(folder) != "/":
            found += [os.path.join(os.path.dirname(folder), name) for name in _BESIDE_BIN]
    return tuple(_with_targets(each for each in found if os.path.exists(each)))


def _with_targets(paths: Iterable[str]) -> list[str]:
    """Each path, and where it leads if it is a link; the root itself is never shown."""
    found = []
    for path in paths:
        for each in (os.path.abspath(path), os.path.realpath(path)):
            if each not in found and each != "/":
                found.append(each)
    return found

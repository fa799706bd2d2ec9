"""The shim that makes calls fail: built where there is a compiler, woken in one process."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
COMPILERS = ("cc", "gcc", "clang")
# As in shim.c. tear: half of a write, then the kill. full: from then on nothing can grow. dead:
# from then on every call fails.
MODES = ("count", "kill", "tear", "enospc", "full", "eio", "dead")


def compiler() -> str | None:
    return next((found for name in COMPILERS if (found := shutil.which(name))), None)


def build(folder: Path) -> Path:
    made = folder / "shim.so"
    command = [compiler() or "cc", "-O2", "-shared", "-fPIC", "-o", str(made), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True)
    return made


def arm(folder: Path, mode: str, at: int, listed: Path | None = None) -> None:
    """From now on this process meets the fault, below the folder alone."""
    ctypes.CDLL(None).faults_arm(
        str(folder.resolve()).encode(),
        ctypes.c_long(at),
        MODES.index(mode),
        None if listed is None else str(listed).encode(),
    )

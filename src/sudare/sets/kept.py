"""Where machine code is kept, and what of it is there: code alone, never data.

A folder of the user's for these sources, this numba and this Python. Beside the code stands an
empty file for each function that is ready, so that processes that compile at the same time see
what others have done. Where no such folder can be made, compiled code lives as long as the process.
"""

from __future__ import annotations

import os
import sys
import tempfile
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from pkgutil import get_data

from sudare.sets.compiled import Compiled


def home() -> Path:
    """The folder of all that sudare compiles for this user."""
    try:
        cache_home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    except RuntimeError:
        cache_home = ".cache"
    return Path(cache_home) / "sudare" / "compiled"


@cache
def folder() -> Path | None:
    """The folder for these sources; none where it cannot be made."""
    digest = _digest()
    return None if digest is None else _made(home() / digest)


@cache
def fleeting() -> Path | None:
    """One that goes with this process."""
    try:
        holder = tempfile.TemporaryDirectory(prefix="sudare-compiled-", ignore_cleanup_errors=True)
    except OSError:
        return None
    _holders.append(holder)
    return Path(holder.name)


_holders: list[tempfile.TemporaryDirectory[str]] = []


def is_ready(place: Path, one: Compiled) -> bool:
    """Whether the function's machine code is there."""
    return _sign(place, one).exists()


def note(place: Path, one: Compiled) -> None:
    """The function's machine code is there."""
    try:
        _sign(place, one).touch()
    except OSError:
        return


def count(place: Path) -> int:
    """How many functions are ready."""
    return sum(1 for _ in place.glob("*.ready"))


def _sign(place: Path, one: Compiled) -> Path:
    return place / f"{one.__module__}.{one.__name__}.ready"


def _digest() -> str | None:
    room = files("sudare.sets")
    if not isinstance(room, Path):
        # Modules in an archive, as Spark's workers get them, have no date to compare.
        return None
    try:
        made = sha256(f"{version('numba')} {version('numpy')} {sys.version}".encode())
    except PackageNotFoundError:
        return None
    for source in sorted(room.rglob("*.py")):
        # The loader hands over the modules' own text; no file of anybody's is opened.
        made.update(get_data("sudare.sets", source.relative_to(room).as_posix()) or b"")
    return made.hexdigest()[:16]


def _made(path: Path) -> Path | None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return path if os.access(path, os.W_OK) else None

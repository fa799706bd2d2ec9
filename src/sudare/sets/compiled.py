"""Functions that numba compiles: loops over records and tid lists are too slow otherwise.

A function is compiled at its first call and kept for the next process. All that a release needs
takes a minute or two, once on a machine, so `watched` says that it is under way. numba looks only
at the file of a function to see whether it is still the same, not at what the function calls; an
old copy could go on calling code that has changed since. So compiled functions are kept in a folder
named after the digest of all sources of this room. It holds code alone, never data. Where no folder
can be made, every process compiles anew. Compiled functions release the interpreter's lock, so that
a progress bar moves meanwhile. They are not recursive: a recursive one crashed when it was loaded
again (numba 0.68.1).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from pkgutil import get_data
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core.event import Listener, install_listener
from numpy.typing import NDArray

Function = TypeVar("Function", bound=Callable[..., Any])
Whole = TypeVar(
    "Whole", NDArray[np.int32], NDArray[np.int64], NDArray[np.uint64], NDArray[np.bool_]
)


# What a watcher is told, and how many functions a release of sets needs, those of numba included.
COMPILING = "compiling, once on this machine"
_USUAL = 200


def compiled(function: Function) -> Function:
    """The same function as machine code."""
    return _made(function, is_inlined=False)


def inlined(function: Function) -> Function:
    """The same, put into the place of every call. A call counts all arrays of the tuples that it
    hands over up and down again, which takes longer than most small functions do."""
    return _made(function, is_inlined=True)


def _made(function: Function, is_inlined: bool) -> Function:
    folder = _folder()
    config: Any = numba.config
    before = config.CACHE_DIR
    try:
        # numba decides where to keep a function when it is decorated.
        config.CACHE_DIR = folder or ""
        # Nothing is handed over as a function.
        more: Any = {"no_cfunc_wrapper": True}
        make = numba.njit(cache=folder is not None, nogil=True, forceinline=is_inlined, **more)
        made = _for_all_numbers(make(function))
    finally:
        config.CACHE_DIR = before
    return cast(Function, made)


def _for_all_numbers(made: Any) -> Any:
    """numba compiles a function for every constant and every length of integers that compiled code
    calls it with, a third of all that there is to compile. Here all of them are one type."""
    if not hasattr(made, "get_call_template"):
        # Where numba is told not to compile it is the plain function.
        return made
    resolve = made.get_call_template

    def plain(args: Any, kws: dict[str, Any]) -> Any:
        return resolve(tuple(map(_plain, args)), {name: _plain(kws[name]) for name in kws})

    made.get_call_template = plain
    return made


def _plain(kind: Any) -> Any:
    kind = types.unliteral(kind)  # type: ignore[no-untyped-call]
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


@contextmanager
def watched(tell: Callable[[str, float], None]) -> Iterator[None]:
    """Tell whenever a function has to be compiled, and about how many of them are done."""
    with install_listener("numba:compile", _Count(tell)):
        yield


class _Count(Listener):
    """numba's own word for what it compiles; what is kept from an earlier process it only reads."""

    def __init__(self, tell: Callable[[str, float], None]) -> None:
        self._tell, self._done = tell, 0

    def on_start(self, event: Any) -> None:
        self._tell(COMPILING, min(1.0, self._done / _USUAL))

    def on_end(self, event: Any) -> None:
        self._done += 1


def is_new() -> bool:
    """Whether nothing is kept yet, so that the first release has to wait."""
    folder = _folder()
    return folder is None or not any(Path(folder).rglob("*.nbi"))


@cache
def _folder() -> str | None:
    """A folder of the user's for these sources and this numba; none where it cannot be made."""
    room = files("sudare.sets")
    if not isinstance(room, Path):
        # Modules in an archive, as Spark's workers get them, have no date to compare.
        return None
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    sources = sha256(numba.__version__.encode())
    for source in sorted(room.rglob("*.py")):
        # The loader hands over the modules' own text; no file of anybody's is opened.
        sources.update(get_data("sudare.sets", source.relative_to(room).as_posix()) or b"")
    path = Path(home) / "sudare" / "compiled" / sources.hexdigest()[:16]
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(path) if os.access(path, os.W_OK) else None


@compiled
def longer(array: Whole, needed: int) -> Whole:
    """The array, or one twice as long or longer with the same beginning."""
    if len(array) >= needed:
        return array
    made = np.empty(max(needed, 2 * len(array)), array.dtype)
    made[: len(array)] = array
    return made

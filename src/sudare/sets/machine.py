"""The functions of compiled.py as machine code, by numba.

What is called from Python is kept for the next process; what only compiled code calls is compiled
without the part that Python would need to call it. numba looks only at the file of a function to
see whether it is still the same, not at what the function calls; an old copy could go on calling
code that has changed since. So the folder is named after the digest of all sources of this room
(kept.py). Compiled functions release the interpreter's lock, so that a progress bar moves
meanwhile. They are not recursive: a recursive one crashed when it was loaded again (numba 0.68.1).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from sudare.facts.extras import needs
from sudare.sets.compiled import Compiled, bound

with needs("sets"):
    import numba
    from numba import types


class Machine:
    """All functions as machine code, kept in a folder or in memory alone."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._entries: dict[Compiled, Callable[..., Any]] = {}
        self._inner: dict[Compiled, Any] = {}

    def entry(self, one: Compiled) -> Callable[..., Any]:
        """The function as Python calls it."""
        if one not in self._entries:
            self._entries[one] = cast(Callable[..., Any], self._made(one, is_entry=True))
        return self._entries[one]

    def _inside(self, one: Compiled) -> Any:
        if one not in self._inner:
            self._inner[one] = self._made(one, is_entry=False)
        return self._inner[one]

    def _made(self, one: Compiled, *, is_entry: bool) -> Any:
        function = bound(one, self._inside)
        if not is_entry:
            # Both forms of one function are kept side by side.
            function.__qualname__ += ".inside"
        config: Any = numba.config
        before = config.CACHE_DIR
        try:
            # numba decides where to keep a function when it is decorated.
            config.CACHE_DIR = "" if self._folder is None else str(self._folder)
            # Nothing is handed over as a function.
            more: Any = {"no_cfunc_wrapper": True, "no_cpython_wrapper": not is_entry}
            more["forceinline"] = one.is_inlined
            made = numba.njit(cache=self._folder is not None, nogil=True, **more)(function)
        finally:
            config.CACHE_DIR = before
        return _for_all_numbers(made)


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

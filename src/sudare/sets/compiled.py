"""Functions that run as Python or as machine code: loops over records and lists of owners.

Machine code is a hundred times as fast, and costs a minute of compiling, once on a machine, and a
second of loading at every start. So each such function exists twice, made of the same lines: the
plain one calls plain ones, the compiled one compiled ones (machine.py, which alone imports numba).
Both give the same results to the last bit; which of them run is chosen by pace.py, and else plain
ones do.

What numba has no wrap-around warning for, NumPy's numbers warn of: here they are silent alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

Function = TypeVar("Function", bound=Callable[..., Any])
Whole = TypeVar(
    "Whole", NDArray[np.int32], NDArray[np.int64], NDArray[np.uint64], NDArray[np.bool_]
)
# Gives of a function what is to be called now.
Chooser = Callable[["Compiled"], Callable[..., Any]]


class Compiled:
    """A function in both forms."""

    def __init__(self, function: FunctionType, is_inlined: bool) -> None:
        self.function, self.is_inlined = function, is_inlined
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self.__module__, self.__wrapped__ = function.__module__, function
        self._plain: FunctionType | None = None

    def __call__(self, *given: Any) -> Any:
        with np.errstate(over="ignore"):
            return _chooser.get()(self)(*given)

    @property
    def plain(self) -> FunctionType:
        """The function in Python, which calls others without a detour."""
        if self._plain is None:
            self._plain = bound(self, lambda other: other.plain)
        return self._plain


def compiled(function: Function) -> Function:
    """The same function, and as machine code where that is worth it."""
    return cast(Function, Compiled(cast(FunctionType, function), is_inlined=False))


def inlined(function: Function) -> Function:
    """The same, put into the place of every call. A call counts all arrays of the tuples that it
    hands over up and down again, which takes longer than most small functions do."""
    return cast(Function, Compiled(cast(FunctionType, function), is_inlined=True))


def bound(one: Compiled, form: Callable[[Compiled], Any]) -> FunctionType:
    """A copy of a function for which all others have one form."""
    function = one.function
    space: dict[str, Any] = {"__name__": function.__module__, "__builtins__": __builtins__}
    code = function.__code__
    made = FunctionType(code, space, function.__name__, function.__defaults__, function.__closure__)
    made.__qualname__ = function.__qualname__
    for name in _names(code):
        if name in function.__globals__:
            value = function.__globals__[name]
            space[name] = form(value) if isinstance(value, Compiled) else value
    return made


def _names(code: CodeType) -> set[str]:
    """What a function and the comprehensions within it look up."""
    inner = [_names(part) for part in code.co_consts if isinstance(part, CodeType)]
    return set(code.co_names).union(*inner)


def as_python(one: Compiled) -> Callable[..., Any]:
    return one.plain


def _unchosen(one: Compiled) -> Callable[..., Any]:
    return one.plain


_chooser: ContextVar[Chooser] = ContextVar("chooser", default=_unchosen)


@contextmanager
def chosen_by(chooser: Chooser) -> Iterator[None]:
    """Functions are called in the form that the chooser gives."""
    token = _chooser.set(chooser)
    try:
        yield
    finally:
        _chooser.reset(token)


def is_chosen() -> bool:
    """Whether somebody has chosen already."""
    return _chooser.get() is not _unchosen


@compiled
def longer(array: Whole, needed: int) -> Whole:
    """The array, or one twice as long or longer with the same beginning."""
    if len(array) >= needed:
        return array
    made = np.empty(max(needed, 2 * len(array)), array.dtype)
    made[: len(array)] = array
    return made

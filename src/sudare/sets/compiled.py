"""Functions that numba compiles: loops over records and tid lists are too slow otherwise.

A function is compiled at its first call and kept beside its module for the next process. Compiled
functions release the interpreter's lock, so that a progress bar moves meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """The same function as machine code."""
    return cast(Function, numba.njit(cache=True, nogil=True)(function))

"""A process that is killed, or whose disk fails, at the n-th of its own calls to the system."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

# All by which a process changes a disk; what opens for reading counts too, and does no harm.
CALLS = (
    "mkdir", "open", "fsync", "rename", "replace", "link", "unlink", "rmdir", "chmod",
)  # fmt: skip


class Killed(BaseException):
    """The process is gone: nothing that stands after it in the program happens."""


class Faulty:
    """The n-th call fails, or kills; after a kill no call does anything."""

    def __init__(self, patch: pytest.MonkeyPatch, at: int, error: OSError | None) -> None:
        self.calls, self._at, self._error = 0, at, error
        self._opened: list[int] = []
        for name in CALLS:
            patch.setattr(os, name, self._wrapped(getattr(os, name), name == "open"))
        patch.setattr(io, "open", self._wrapped(io.open, False))
        self._close = os.close

    def _wrapped(self, real: Callable[..., Any], is_open: bool) -> Callable[..., Any]:
        def call(*words: Any, **more: Any) -> Any:
            self.calls += 1
            if self.calls == self._at and self._error is not None:
                raise self._error
            if self._error is None and self.calls >= self._at > 0:
                raise Killed
            found = real(*words, **more)
            if is_open:
                self._opened.append(found)
            return found

        return call

    def end(self) -> None:
        """A dead process holds no locks."""
        for each in self._opened:
            with suppress(OSError):
                self._close(each)


@contextmanager
def faults(at: int, error: OSError | None = None) -> Iterator[Faulty]:
    with pytest.MonkeyPatch.context() as patch:
        found = Faulty(patch, at, error)
        yield found
    if error is None:
        found.end()

"""The process of one block: it takes its powers from itself, says that it is ready, waits for its
rows, and answers once.

It is started afresh for every block, before any row is handed to it, and loads the function (and
NumPy) then, so that starting takes nothing from its tick. The rows come when the tick begins, in a
memory file that was empty before. It consists of two processes: one that looks after the other's
children, and the other, in which the user's code runs.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from sudare.engines.sandbox import isolating

READY, FAILED = b"ready", b"failed"


def main(fds: list[int]) -> NoReturn:
    """`fds` are the job, the rows, the signal to go, where to say ready, and where to answer."""
    job_fd, rows, control, status, result = fds
    isolating.die_with_parent()
    with os.fdopen(job_fd, "rb") as stream:
        stream.seek(0)
        header = json.loads(stream.readline())
        pickled = stream.read()
    isolating.go_first(header["core"])
    granted = isolating.enter_spaces() if header["spaces"] else []
    isolating.adopt_orphans()
    if os.fork():
        _look_after([rows, control, status, result])
    isolating.die_with_parent()
    granted = isolating.close_files(granted, header["visible"], header["hidden"])
    # The function is somebody's code already while it is loaded.
    isolating.set_limits(header["memory"], header["seconds"], granted)
    granted = isolating.close_calls(granted, may_fork=header["argv"] is not None)
    function = _loaded(header, pickled)
    verdict = FAILED if function is None else READY
    os.write(status, b" ".join([verdict, *(name.encode() for name in granted)]) + b"\n")
    os.close(status)
    if function is None or os.read(control, 1) != b"g":
        os._exit(1)
    os.close(control)
    os.lseek(rows, 0, os.SEEK_SET)
    function(rows, result)
    os._exit(0)


def _look_after(fds: list[int]) -> NoReturn:
    """Hold nothing that belongs to the block, and wait until nobody is left."""
    for each in fds:
        os.close(each)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    os._exit(0)


def _loaded(header: dict[str, Any], pickled: bytes) -> Callable[[int, int], None] | None:
    """The work of this block, or None where the program cannot be loaded."""
    if header["argv"] is not None:
        return _command(header["argv"], header["environment"])
    try:
        # Packages may lie where an isolated Python does not look, as in a user's own site folder.
        sys.path[:] = header["path"]
        import cloudpickle
        import numpy  # noqa: F401  (loaded here, so that it takes nothing from the tick)

        return _call(cloudpickle.loads(pickled), header["outputs"])
    except BaseException:
        return None


def _command(argv: list[str], environment: dict[str, str]) -> Callable[[int, int], None]:
    def run(rows: int, result: int) -> None:
        child = os.fork()
        if child:
            _end_with(child, [rows, result])
        os.dup2(rows, 0)
        os.dup2(result, 1)
        os.closerange(3, 256)
        os.execve(argv[0], argv, environment)

    return run


def _end_with(child: int, fds: list[int]) -> NoReturn:
    """Stay the first process of the block, whose end is everybody's. The kernel takes the signal of
    a parent's death from a program that is run by one owner for another, and so the program could
    not stay with the engine by itself."""
    for each in fds:
        os.close(each)
    while os.wait()[0] != child:
        pass
    os._exit(0)


def _call(function: Callable[[Any], Any], names: list[str]) -> Callable[[int, int], None]:
    from sudare.engines.sandbox.columns import unpacked
    from sudare.engines.sandbox.results import as_numbers, packed

    def run(rows: int, result: int) -> None:
        found = [math.nan] * len(names)
        with contextlib.suppress(BaseException), os.fdopen(rows, "rb") as stream:
            found = as_numbers(function(unpacked(stream.read())), names)
        os.write(result, packed(found))
        # Whoever is done early waits: nobody sees when that was.
        while True:
            signal.pause()

    return run

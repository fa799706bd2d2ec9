"""The process of one block: it takes its powers from itself, says that it is ready, waits for its
rows, and answers once.

It is started afresh for every block, before any row is handed to it, and loads the function (and
NumPy) then, so that starting takes nothing from its tick. The rows come when the tick begins, in a
memory file that was empty before. It consists of two processes: one that looks after the other's
children and reads what they print, and the other, in which the user's code runs. For a function
the other becomes a new Python out of the block's own root, so that nothing of the host's is open or
in its memory when the function is loaded.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NoReturn

from sudare.engines.sandbox import isolating

READY, FAILED = b"ready", b"failed"
Header = dict[str, Any]


def main(*fds: int) -> NoReturn:
    """`fds` are the job, the rows, the signal to go, where to say ready, where to answer, and the
    namespaces of the run's root, if it has one."""
    isolating.die_with_parent()
    job, spaces, kept = fds[0], fds[5:], fds[:5]
    header, _ = _job(job)
    isolating.go_first(header["core"])
    granted: list[str] = []
    if "spaces" in header["walls"]:
        granted = isolating.join_spaces(*spaces) if spaces else isolating.enter_spaces()
    isolating.adopt_orphans()
    isolating.hide()
    printed, sink = os.pipe()
    if os.fork():
        os.close(sink)
        _look_after(printed, fds)
    isolating.die_with_parent()
    _only(sink, kept)
    is_command = header["argv"] is not None
    if "files" in granted and not isolating.open_root(may_write=is_command):
        granted.remove("files")
    if "files" in granted and not is_command:
        isolating.keep_powers()
        os.execve(sys.executable, [*header["again"], *map(str, kept), *granted], os.environ)
    serve([*map(str, kept), *granted])


def again(*told: str) -> NoReturn:
    """The same process as another Python, out of the block's own root."""
    isolating.die_with_parent()
    walls = [*told, "names"] if isolating.empty_names() else [*told]
    if not isolating.close_processes():
        walls.remove("files")
    serve(walls)


def serve(told: list[str]) -> NoReturn:
    """Load the program, take the last powers away, and answer for the rows that come."""
    job, rows, control, status, result = map(int, told[:5])
    header, pickled = _job(job)
    os.close(job)
    is_command = header["argv"] is not None
    # The function is somebody's code already while it is loaded.
    isolating.set_limits(header["memory"], header["seconds"], told[5:], may_write=is_command)
    granted = told[5:]
    if "calls" in header["walls"]:
        granted = isolating.close_calls(granted, may_fork=is_command)
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


def _job(fd: int) -> tuple[Header, bytes]:
    with os.fdopen(os.dup(fd), "rb") as stream:
        stream.seek(0)
        return json.loads(stream.readline()), stream.read()


def _only(sink: int, kept: tuple[int, ...]) -> None:
    """Nothing open but these: what is printed goes to the process that looks after this one, and
    nothing comes from standard input. Not one of them is a device or a file of the host's."""
    end, other = os.pipe()
    os.close(other)
    for number, fd in enumerate((end, sink, sink)):
        os.dup2(fd, number)
    edges = [2, *sorted(kept), os.sysconf("SC_OPEN_MAX")]
    for low, high in pairwise(edges):
        os.closerange(low + 1, high)


def _look_after(printed: int, fds: tuple[int, ...]) -> NoReturn:
    """Hold nothing that belongs to the block, forget what it prints, and wait until nobody is
    left."""
    for each in fds:
        os.close(each)
    while os.read(printed, 2**16):
        pass
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    os._exit(0)


def _loaded(header: Header, pickled: bytes) -> Callable[[int, int], None] | None:
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
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
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
            given = stream.read()
            stream.close()
            found = as_numbers(function(unpacked(given)), names)
        os.write(result, packed(found))
        # Whoever is done early waits: nobody sees when that was.
        while True:
            signal.pause()

    return run

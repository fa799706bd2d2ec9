"""One block's process as the engine sees it: start, ready, go, and what it answered at the end."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from sudare.engines.sandbox import contents
from sudare.engines.sandbox.contents import Contents
from sudare.engines.sandbox.ending import end
from sudare.engines.sandbox.image import Image, make_image
from sudare.engines.sandbox.program import Program
from sudare.engines.sandbox.results import LONGEST, from_command, from_function
from sudare.engines.sandbox.rooting import EMPTY

# Nothing of the caller's environment: where programs are, texts in UTF-8, one thread.
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LC_ALL": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
_ROOT = str(Path(__file__).parents[3])
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from sudare.engines.sandbox.{module} import {name}; {name}({given})"
)


@dataclass(frozen=True)
class Job:
    """What every block's process is told before it sees a row."""

    program: Program
    outputs: tuple[str, ...]
    seconds: float
    memory: int
    # Tests take walls away, to see what is left where the kernel grants none, and what gets out.
    walls: tuple[str, ...] = ("spaces", "calls")
    # What a block must not see, even where it lies in a folder that is shown: the table itself.
    hidden: tuple[str, ...] = ()

    def to_bytes(self, core: int) -> bytes:
        header = {
            "core": core,
            "argv": self.program.argv,
            "environment": {**ENVIRONMENT, "TMPDIR": EMPTY},
            "outputs": self.outputs,
            "seconds": self.seconds,
            "memory": self.memory * 2**20,
            "walls": self.walls,
            "path": [os.path.abspath(each) for each in sys.path],
            "again": start_of("child", "again", texts=True),
        }
        return json.dumps(header).encode() + b"\n" + self.program.pickled

    def contents(self) -> Contents:
        """The files that a block of this job sees copies of."""
        if self.program.argv is None:
            return contents.of_function(self.program.pickled, self.hidden)
        return contents.of_command(self.program.argv, self.program.files[1:], self.hidden)

    def image(self) -> Image:
        """A root for the blocks of one run."""
        if "spaces" not in self.walls:
            return Image()
        return make_image(self.contents(), start_of("rooting", "build"), ENVIRONMENT)


class BlockProcess:
    """A process that was started without rows."""

    def __init__(self, job: Job, image: Image, core: int) -> None:
        self._job = job
        told, self._rows = _memory("job", job.to_bytes(core)), _memory("rows")
        go, self._control = os.pipe()
        self._status, ready = os.pipe()
        self._result, answer = os.pipe()
        theirs = (told, self._rows, go, ready, answer)
        os.set_blocking(self._result, False)
        try:
            self._process = _start((*theirs, *image.spaces))
        except OSError:
            self._forget()
            raise
        finally:
            for each in (told, go, ready, answer):
                os.close(each)

    def ready(self, patience: float) -> list[str] | None:
        """What the kernel granted it, or None where it could not load its program."""
        found = b""
        while not found.endswith(b"\n"):
            if not _is_readable(self._status, patience):
                return None
            part = os.read(self._status, 4096)
            if not part:
                return None
            found += part
        verdict, *granted = found.decode().split()
        return granted if verdict == "ready" else None

    def go(self, rows: bytes) -> None:
        """Hand out the rows; from now on the block's tick runs."""
        with contextlib.suppress(OSError):
            _write(self._rows, rows)
            seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK
            fcntl.fcntl(self._rows, fcntl.F_ADD_SEALS, seals | fcntl.F_SEAL_SEAL)
            os.write(self._control, b"g")

    def answer(self) -> list[float | None]:
        """What has been answered by now. Called once, when the tick is over."""
        found, closed = b"", False
        with contextlib.suppress(BlockingIOError):
            while not closed and len(found) <= LONGEST:
                part = os.read(self._result, LONGEST)
                found, closed = found + part, not part
        names = self._job.outputs
        if self._job.program.argv is None:
            return from_function(found, names)
        # A command that still runs has not finished its sentence.
        return from_command(found, names) if closed else [None] * len(names)

    def end(self) -> None:
        """End everything that the block has started, and forget its rows."""
        end(self._process)
        self._forget()

    def _forget(self) -> None:
        for each in (self._rows, self._control, self._status, self._result):
            os.close(each)


def start_of(module: str, name: str, texts: bool = False) -> list[str]:
    """How a Python is started that runs one function of this folder: what stands behind is what
    the function is given. It looks for modules in sudare's own folder and the standard library."""
    given = "*sys.argv[2:]" if texts else "*map(int, sys.argv[2:])"
    code = _START.format(module=module, name=name, given=given)
    return [sys.executable, "-I", "-S", "-c", code, _ROOT]


def _start(fds: tuple[int, ...]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*start_of("child", "main"), *map(str, fds)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=fds,
        env=ENVIRONMENT,
        cwd="/",
        start_new_session=True,
    )


def _is_readable(fd: int, patience: float) -> bool:
    """Whether there is something to read within so many seconds. A long process may have so many
    files open that select() has no place for one more; poll() takes any number."""
    poller = select.poll()
    poller.register(fd, select.POLLIN)
    return bool(poller.poll(patience * 1000))


def _memory(name: str, content: bytes = b"") -> int:
    """A file without a name in any folder, which is gone with its last holder."""
    found = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    _write(found, content)
    return found


def _write(fd: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(fd, left) :]

"""The sandbox with real processes: whatever a function does, its block has an answer or none, the
run goes on, takes its ticks, and leaves nothing behind.

A tick here is long for what is done in it: an honest function needs milliseconds.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

from sudare.engines.sandbox.columns import Sent, packed
from sudare.engines.sandbox.isolating import MOST_PROCESSES
from sudare.engines.sandbox.process import Job
from sudare.engines.sandbox.program import of_command, of_function
from sudare.engines.sandbox.running import Answers, Sandbox
from sudare.facts.errors import UsageError

# A fresh process cannot import this file by its name.
cloudpickle.register_pickle_by_value(sys.modules[__name__])
TICK = 0.5
ALL, FEW = ("spaces", "calls"), ("calls",)
WALLS = pytest.mark.parametrize("walls", [ALL, FEW], ids=["namespaces", "limits-alone"])


def rows(*values: float) -> bytes:
    return packed([Sent("x", "number", np.array(values))])


def run(
    function: Callable[[dict[str, Any]], Any],
    blocks: list[bytes],
    names: tuple[str, ...] = ("m",),
    seconds: float = TICK,
    memory: int = 512,
    walls: tuple[str, ...] = ALL,
) -> list[Answers]:
    with Sandbox(Job(of_function(function), names, seconds, memory, walls)) as sandbox:
        return sandbox.run(blocks, lambda done: None)


def command(text: str, given: bytes, names: tuple[str, ...] = ("m",)) -> Answers:
    return of_job(Job(of_command(text), names, TICK, 512), given)


def of_job(job: Job, given: bytes = b"") -> Answers:
    with Sandbox(job) as sandbox:
        return sandbox.run([given], lambda done: None)[0]


def running_with(mark: str) -> list[int]:
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in each.read_bytes():
                found.append(int(each.parent.name))
        except OSError:
            continue
    return found


@WALLS
def test_a_function_gets_its_own_block_and_its_answer_comes_back(walls: tuple[str, ...]) -> None:
    found = run(lambda block: block["x"].mean(), [rows(1, 2, 3), rows(10.0)], walls=walls)
    assert found == [[2.0], [10.0]]


def test_outputs_by_name_and_in_order() -> None:
    def both(block: dict[str, Any]) -> Any:
        low, high = float(block["x"].min()), block["x"].max()
        return {"high": high, "low": low, "extra": 9} if low < 5 else (low, high)

    assert run(both, [rows(1, 4), rows(5, 6)], ("low", "high")) == [[1, 4], [5, 6]]


def test_a_mapping_may_lack_one_output_without_losing_the_others() -> None:
    found = run(lambda block: {"low": 1, "high": "text"}, [rows(1)], ("low", "high", "none"))
    assert found == [[1.0, None, None]]


class Liar(float):
    """A number that is none when it is looked at."""

    def __float__(self) -> float:
        raise ValueError("no")


def _endless(block: dict[str, Any]) -> Any:
    while True:
        pass


def _spill(block: dict[str, Any]) -> Any:
    for fd in range(3, 64):
        try:
            os.write(fd, b"7" * 70_000)
        except OSError:
            continue


def _print(block: dict[str, Any]) -> Any:
    print("1234567 is a value", flush=True)
    print("and so is 7654321", file=sys.stderr, flush=True)
    return "1.0"


def _fork(block: dict[str, Any]) -> Any:
    os.fork()
    return 1.0


def _bomb(block: dict[str, Any]) -> Any:
    for _ in range(5):
        os.fork()
    time.sleep(60)


def _deep(block: dict[str, Any]) -> Any:
    return _deep(block)


def _closed(block: dict[str, Any]) -> Any:
    os.closerange(0, 64)
    return 1.0


def _no_signal(block: dict[str, Any]) -> Any:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    threading.Event().wait()


def _raise(error: BaseException) -> Any:
    raise error


# What is wrong with each is in its name; none of them answers with a number.
BAD: dict[str, Callable[[dict[str, Any]], Any]] = {
    "crashes": lambda block: _raise(ZeroDivisionError("secret 42")),
    "ends the interpreter": lambda block: _raise(SystemExit(0)),
    "exits at once": lambda block: os._exit(0),
    "segfaults": lambda block: ctypes.string_at(0),
    "kills itself": lambda block: os.kill(os.getpid(), signal.SIGKILL),
    "kills its group": lambda block: os.killpg(0, signal.SIGKILL),
    "hangs": _endless,
    "hangs and ignores signals": _no_signal,
    "prints": _print,
    "floods every descriptor": _spill,
    "forks and answers twice": _fork,
    "is a small fork bomb": _bomb,
    "recurses": _deep,
    "closes its descriptors": _closed,
    "wants memory": lambda block: float(len(bytearray(2**31))),
    "gives NaN": lambda block: math.nan,
    "gives infinity": lambda block: np.float64("-inf"),
    "gives text": lambda block: "3.5",
    "gives nothing": lambda block: None,
    "gives a complex number": lambda block: 1j,
    "gives too many": lambda block: np.ones(3),
    "gives a matrix": lambda block: np.ones((1, 1, 2)),
    "gives too large a number": lambda block: 10**400,
    "gives a liar": lambda block: Liar(1),
    "gives an empty array": lambda block: np.empty(0),
}  # fmt: skip


def _by_number(block: dict[str, Any]) -> Any:
    """The rows decide what goes wrong: that is what must not be seen from outside."""
    if math.isnan(block["x"][0]):
        return 5.0
    return list(BAD.values())[int(block["x"][0])](block)


@pytest.mark.parametrize("part", range(3))
def test_whatever_goes_wrong_is_no_answer_and_nothing_else(
    part: int, capfd: pytest.CaptureFixture[str]
) -> None:
    numbers = range(len(BAD))[part::3]
    blocks = [rows(math.nan), *(rows(number) for number in numbers), rows(math.nan)]
    found = run(_by_number, blocks)
    assert [each[0] for each in found[1:-1]] == [None] * len(numbers)
    # The blocks beside them are not disturbed.
    assert found[0] == found[-1] == [5.0]
    assert capfd.readouterr() == ("", "")


def test_limits_alone_still_end_a_fork_bomb_and_a_hang() -> None:
    bad = [list(BAD).index(name) for name in ("is a small fork bomb", "hangs", "crashes")]
    found = run(_by_number, [rows(each) for each in (*bad, math.nan)], walls=FEW)
    assert found == [[None], [None], [None], [5.0]]


def test_commands_have_a_bounded_number_of_processes() -> None:
    """Also where a root runs them, whom the kernel holds to no number: 60 processes more than
    allowed are tried, and each of them ends with the tick."""
    if "owner" not in granted():
        pytest.skip("the kernel grants no user namespace")
    text = (
        "import os, time, sys\n"
        "for made in range(int(sys.argv[1])):\n"
        "    if os.fork() == 0: time.sleep(60)\n"
        "print(made)"
    )
    for tried, answer in ((20, 19.0), (MOST_PROCESSES + 60, None)):
        job = Job(of_command(f"{sys.executable} -c '{text}' {tried}"), ("m",), 3.0, 512)
        assert of_job(job) == [answer]


@WALLS
def test_daemons_do_not_outlive_their_tick(walls: tuple[str, ...]) -> None:
    mark = f"99{os.getpid()}"
    text = f"sh -c 'setsid sh -c \"setsid sleep {mark} & sleep {mark}\" & exit 0'"
    job = Job(of_command(text), ("m",), TICK, 512, walls)
    assert of_job(job) == [None]
    assert running_with(mark) == []


@WALLS
def test_no_file_is_written(walls: tuple[str, ...], tmp_path: Path) -> None:
    target = str(tmp_path / "left")

    def write(block: dict[str, Any]) -> float:
        try:
            with open(target, "w") as stream:
                stream.write(str(block["x"][0]))
        except OSError:
            return 1.0
        return 0.0

    assert run(write, [rows(77)], walls=walls) == [[1.0]]
    left = tmp_path / "left"
    # Without a namespace of its own a name can be left, but never a byte.
    assert not left.exists() or (walls == FEW and left.stat().st_size == 0)


def test_a_process_may_have_any_number_of_files_open() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    many = 1100
    if hard != resource.RLIM_INFINITY and hard < 2 * many:
        pytest.skip("so many files may not be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * many), hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(many)]
    try:
        assert run(lambda block: block["x"].mean(), [rows(1, 2, 3)]) == [[2.0]]
    finally:
        for each in held:
            os.close(each)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def granted() -> list[str]:
    with Sandbox(Job(of_function(len), ("m",), TICK, 512)) as sandbox:
        return sandbox.check()


def test_no_network(tmp_path: Path) -> None:
    if "network" not in granted():
        pytest.skip("the kernel grants no network namespace here")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def call(block: dict[str, Any]) -> float:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=0.2).close()
            except OSError:
                return 1.0
            return 0.0

        assert call({}) == 0.0
        assert run(call, [rows(1)]) == [[1.0]]


def still_open() -> list[int]:
    found = []
    for fd in range(4096):
        try:
            os.fstat(fd)
        except OSError:
            continue
        found.append(fd)
    return found


def test_nothing_of_the_caller_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SUDARE_SECRET", "x")
    with open(tmp_path / "open", "w") as stream:
        os.set_inheritable(stream.fileno(), True)
        there = str(tmp_path)

        def look(block: dict[str, Any]) -> dict[str, float]:
            return {
                "secret": float("SUDARE_SECRET" in os.environ),
                "files": float(os.path.exists(there)),
                "folder": float(len(os.listdir("."))),
                "open": float(len(still_open())),
                "read": float(len(os.read(0, 1))),
            }

        names = ("secret", "files", "folder", "open", "read")
        # Standard input, output, error, and where the answer goes.
        assert run(look, [rows(1)], names) == [[0.0, 0.0, 0.0, 4.0, 0.0]]


def test_other_processes_cannot_be_reached() -> None:
    if "processes" not in granted():
        pytest.skip("the kernel grants no process namespace here")

    def others(block: dict[str, Any]) -> dict[str, float]:
        found = 0
        for pid in range(2, 3000):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                continue
            found += 1
        return {"me": os.getpid(), "others": found, "listed": len(os.listdir("/proc"))}

    # A block is the first process of its world, and a function sees no list of processes.
    assert run(others, [rows(1)] * 2, ("me", "others", "listed")) == [[1.0, 0.0, 0.0]] * 2
    # A command sees the first process and itself. The shell counts without starting anything: of
    # two ends of a pipe, the one that counts may or may not see the other.
    assert command("sh -c 'set -- /proc/[0-9]*; echo $#'", b"") == [2.0]


def test_a_block_leaves_no_state_to_the_next() -> None:
    def remember(block: dict[str, Any]) -> float:
        seen = getattr(math, "seen", 0)
        math.seen = seen + 1  # type: ignore[attr-defined]
        return float(seen)

    assert run(remember, [rows(1)] * 5, seconds=0.5) == [[0.0]] * 5


def test_nothing_is_left_in_temporary_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = len(os.listdir("/proc/self/fd"))
    assert run(lambda block: 1.0, [rows(1), rows(2)]) == [[1.0], [1.0]]
    assert list(tmp_path.iterdir()) == []
    assert len(os.listdir("/proc/self/fd")) == before


def test_processes_go_with_the_engine_that_started_them() -> None:
    mark = f"98{os.getpid()}"
    script = (
        "import sys; from sudare.engines.sandbox.process import Job\n"
        "from sudare.engines.sandbox.program import of_command\n"
        "from sudare.engines.sandbox.running import Sandbox\n"
        f"job = Job(of_command('sleep {mark}'), ('m',), 30.0, 512)\n"
        "with Sandbox(job) as sandbox: sandbox.run([b''], lambda done: None)\n"
    )
    engine = subprocess.Popen([sys.executable, "-c", script])
    try:
        _wait_for(lambda: len(running_with(f"sleep\0{mark}")) > 0)
    finally:
        engine.kill()
        engine.wait()
    _wait_for(lambda: running_with(f"sleep\0{mark}") == [])


def _wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(2400):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("waited for two minutes")


def test_commands_answer_in_json() -> None:
    assert command("wc -l", b"x\n1\n2\n") == [3.0]
    text = json.dumps({"b": 2, "a": 1})
    assert command(f"echo '{text}'", b"", ("a", "b")) == [1.0, 2.0]


@pytest.mark.parametrize(
    "text",
    [
        "echo hello",
        "echo NaN",
        "echo 1e999",
        "sh -c 'echo 3 >&2'",
        "sh -c 'echo 3; sleep 60'",
        "sh -c 'kill -9 $$'",
        "head -c 70000 /dev/zero",
        "yes 7",
        f"{sys.executable} -c 'print(\"[\" * 60000)'",
        "cat /nowhere/at/all",
    ],
)
def test_commands_that_do_not_finish_a_number_answer_nothing(text: str) -> None:
    assert command(text, b"x\n1\n") == [None]


def test_a_program_that_cannot_run_is_refused_before_it_sees_a_row(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not there"):
        of_command("no-such-program-anywhere --x")
    with pytest.raises(UsageError, match="not there"):
        of_command("'unbalanced")
    with pytest.raises(UsageError, match="cannot be sent"):
        of_function(threading.Lock().acquire)
    with pytest.raises(UsageError, match="cannot be sent"):
        of_function(3)  # type: ignore[arg-type]
    job = Job(of_function(Unloadable()), ("m",), TICK, 512)
    with Sandbox(job) as sandbox, pytest.raises(UsageError, match="cannot be loaded") as caught:
        sandbox.check()
    assert caught.value.__context__ is None


def test_a_version_managers_script_is_no_interpreter(tmp_path: Path) -> None:
    shim = tmp_path / "python3"
    shim.write_text("#!/bin/sh\nexec nowhere\n")
    shim.chmod(0o755)
    with pytest.raises(UsageError, match="looks for an interpreter"):
        of_command(f"{shim} -c pass")


class Unloadable:
    def __call__(self, block: dict[str, Any]) -> float:
        return 1.0

    def __reduce__(self) -> Any:
        return (os.listdir, ("/nowhere/at/all",))


def test_the_digest_follows_what_a_command_runs(tmp_path: Path) -> None:
    script = tmp_path / "f.py"
    script.write_text("print(1)")
    first = of_command(f"{sys.executable} {script}").digest
    assert of_command(f"{sys.executable} {script}").digest == first
    script.write_text("print(2)")
    assert of_command(f"{sys.executable} {script}").digest != first


def test_packages_are_found_where_an_isolated_python_does_not_look(tmp_path: Path) -> None:
    """As with `pip install --user`: without its site folder Python knows no cloudpickle."""
    pickled = tmp_path / "f"
    pickled.write_bytes(cloudpickle.dumps(math.fsum))
    script = (
        "import sys, json\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from sudare.engines.sandbox.child import _loaded\n"
        "header = {'argv': None, 'outputs': ['m'], 'path': json.loads(sys.argv[2])}\n"
        "assert _loaded(header | {'path': sys.path[:]}, open(sys.argv[3], 'rb').read()) is None\n"
        "assert _loaded(header, open(sys.argv[3], 'rb').read()) is not None\n"
    )
    root = str(Path(sys.modules["sudare"].__file__ or "").parents[1])
    given = [root, json.dumps(sys.path), str(pickled)]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, *given], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr

"""What a function cannot reach: the table, other programs, the other blocks.

Each attack is also made outside the sandbox, where it works: a test that could not fail shows
nothing.
"""

from __future__ import annotations

import ctypes
import os
import platform
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import cloudpickle
import pytest

from sudare.engines.sandbox.process import Job
from sudare.engines.sandbox.program import of_command, of_function
from sudare.engines.sandbox.running import Answers, Sandbox

cloudpickle.register_pickle_by_value(sys.modules[__name__])
TICK = 0.5


@cache
def granted() -> list[str]:
    with Sandbox(Job(of_function(len), ("m",), TICK, 512)) as sandbox:
        return sandbox.check()


@pytest.fixture
def files() -> None:
    if "files" not in granted():
        pytest.skip("the kernel grants no mount namespace here")


@pytest.fixture
def calls() -> None:
    if "calls" not in granted():
        pytest.skip("the kernel takes no filter of calls here")


def run(
    function: Callable[[dict[str, Any]], Any],
    walls: tuple[str, ...] = ("spaces", "calls"),
    hidden: tuple[str, ...] = (),
) -> Answers:
    from sudare.engines.sandbox.columns import packed

    with Sandbox(Job(of_function(function), ("m",), TICK, 512, walls, hidden)) as sandbox:
        return sandbox.run([packed([])], lambda done: None)[0]


def command(text: str) -> Answers:
    with Sandbox(Job(of_command(text), ("m",), TICK, 512)) as sandbox:
        return sandbox.run([b""], lambda done: None)[0]


def tried(attack: Callable[[], float]) -> Callable[[dict[str, Any]], float]:
    """0 where the kernel or the file system refuses, else what the attack found."""

    def function(block: dict[str, Any]) -> float:
        try:
            return attack()
        except OSError:
            return 0.0

    return function


@pytest.mark.usefixtures("files")
def test_the_table_cannot_be_opened_by_its_path(tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text("income\n1\n2\n")
    path = str(table)
    attack = tried(lambda: float(Path(path).stat().st_size))
    assert attack({}) == 11.0
    assert run(attack) == [0.0]
    assert command(f"sh -c 'cat {path} | wc -c'") == [0.0]


@pytest.mark.usefixtures("files")
def test_a_table_among_the_libraries_is_covered(tmp_path: Path) -> None:
    # sudare's own folder is shown, so that a file in it stands for a table in a shown folder.
    path = os.path.abspath(sys.modules["sudare"].__file__ or "")
    attack = tried(lambda: float(Path(path).stat().st_size))
    assert run(attack) == [attack({})]
    assert run(attack, hidden=(path,)) == [0.0]


@pytest.mark.usefixtures("files")
def test_a_script_is_there_and_what_lies_beside_it_is_not(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("x\n1\n")
    script = tmp_path / "f.py"
    script.write_text("import os; print(len(os.listdir(os.path.dirname(__file__))))")
    assert command(f"{sys.executable} {script}") == [1.0]


@pytest.mark.usefixtures("files")
def test_a_database_on_this_machine_cannot_be_called(tmp_path: Path) -> None:
    path = str(tmp_path / "db")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()

        def call() -> float:
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(path)
            return 1.0

        assert tried(call)({}) == 1.0
        assert run(tried(call)) == [0.0]


@pytest.mark.usefixtures("calls")
@pytest.mark.parametrize("walls", [("spaces", "calls"), ("calls",)])
def test_a_function_starts_no_process(walls: tuple[str, ...]) -> None:
    def fork() -> float:
        child = os.fork()
        if not child:
            os._exit(0)
        os.waitpid(child, 0)
        return 1.0

    def spawn() -> float:
        return 1.0 + subprocess.run(["/bin/true"], check=False).returncode

    def thread() -> float:
        import threading

        found: list[float] = []
        started = threading.Thread(target=lambda: found.append(7.0))
        started.start()
        started.join()
        return found[0]

    for attack in (fork, spawn):
        assert tried(attack)({}) == 1.0
        assert run(tried(attack), walls) == [0.0]
    assert run(tried(thread), walls) == [7.0]


@pytest.mark.usefixtures("calls")
def test_a_block_stays_on_its_processor() -> None:
    def leave() -> float:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        return float(len(os.sched_getaffinity(0)))

    def count() -> float:
        return float(len(os.sched_getaffinity(0)))

    assert run(tried(count)) == [1.0]
    assert run(tried(leave)) == [0.0]


@pytest.mark.usefixtures("calls")
@pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of one processor")
def test_what_could_undo_the_walls_is_refused() -> None:
    def errors() -> float:
        """How many of the calls fail otherwise than with EPERM, and clone3 than with ENOSYS."""
        libc = ctypes.CDLL(None, use_errno=True)
        wrong = 0
        # unshare, mount, ptrace, add_key, sched_setscheduler, io_uring_setup, clone3.
        calls = {272: 1, 165: 1, 101: 1, 248: 1, 144: 1, 425: 1, 435: 38}
        for number, expected in calls.items():
            code = libc.syscall(number, 0x10000000, 0, 0, 0, 0)
            wrong += code != -1 or ctypes.get_errno() != expected
        return float(wrong)

    assert run(tried(errors)) == [0.0]


def test_a_function_of_ones_own_file_travels_with_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_own_file.py").write_text(
        "def helper():\n    return 3\ndef mine(block):\n    return helper() + 1.0\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import my_own_file  # type: ignore[import-not-found]

    assert run(my_own_file.mine) == [4.0]
    assert "my_own_file" not in cloudpickle.list_registry_pickle_by_value()


def test_memory_that_runs_out_ends_blocks_first() -> None:
    if "files" not in granted():
        pytest.skip("the kernel grants no mount namespace here")
    assert command("cat /proc/self/oom_score_adj") == [1000.0]

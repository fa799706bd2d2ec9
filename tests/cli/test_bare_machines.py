"""Machines that lack what others have: one line and a hint, or the same answer, never a traceback.

Without Python 3.11: test_python.py. Without an extra's package: tests/facts/test_extras.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration
SCHEMA = """
[table]
name = "people"
[budget]
epsilon = 1.0
[columns.age]
type = "integer"
min = 0
max = 110
"""
ASK = ("ask", "people.csv", "--epsilon", "0.1", "count()")
# Nothing can be made below it, by root neither.
READ_ONLY = "/proc/nowhere"
HOMES = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    (tmp_path / "people.csv").write_text("age\n" + "30\n40\n" * 50)
    (tmp_path / "people.schema.toml").write_text(SCHEMA)
    (tmp_path / "baskets.dat").write_text("1 2 3\n1 2\n2 3\n1 3\n1 2 3\n")
    (tmp_path / "marked.csv").write_text("user,item\n*,3\n")
    return tmp_path


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command on a machine where PATH leads to nothing."""
    known = {name: value for name, value in os.environ.items() if name not in ("JAVA_HOME", "CC")}
    return subprocess.run(
        [sys.executable, "-m", "sudare", *arguments],
        cwd=folder,
        env=known | {"PATH": str(folder / "bin"), "SUDARE_LANG": "en"} | variables,
        capture_output=True,
        text=True,
    )


def check_refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 5
    assert "Traceback" not in done.stderr
    error, hint = done.stderr[done.stderr.index("error:") :].split("hint:")
    assert error.count("error:") == 1
    assert hint.strip()
    assert all(word in " ".join(done.stderr.split()) for word in words)


def check_answered(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("Spent")


def test_a_question_needs_no_program_of_the_machine(folder: Path) -> None:
    check_answered(run(folder, *ASK))


def test_sets_need_no_compiler_of_the_machine(folder: Path) -> None:
    words = ("--sensitive", "marked.csv", "--rho", "0.5", "-o", "released.dat")
    done = run(folder, "suppress", "baskets.dat", *words, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert (folder / "released.dat").exists()


def test_without_java(folder: Path) -> None:
    check_refused(run(folder, *ASK, "--engine", "spark"), "Java")


@pytest.mark.parametrize(
    "where",
    [
        ("ask", "postgresql://nobody@127.0.0.1:1/town#people", "--schema", "people.schema.toml",
         "--epsilon", "0.1", "count()"),
        (*ASK, "--ledger", "postgresql://nobody@127.0.0.1:1/town"),
    ],
    ids=["data", "ledger"],
)  # fmt: skip
def test_without_postgresql(folder: Path, where: tuple[str, ...]) -> None:
    check_refused(run(folder, *where), "127.0.0.1")


def test_without_a_browser(folder: Path) -> None:
    """The demo's pages are made all the same, and it says where they are."""
    done = run(folder, "demo", "--only", "ask", "--open")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert (folder / "sudare-demo" / "index.html").exists()
    assert "index.html" in done.stdout


def test_a_question_with_a_read_only_home(folder: Path) -> None:
    done = run(folder, *ASK, **dict.fromkeys((*HOMES, "SUDARE_STATE"), READ_ONLY))
    assert done.returncode == 0
    spent, *notes = done.stderr.splitlines()
    assert spent.startswith("Spent")
    # No second place remembers the ledger, which is said and is no refusal.
    assert "cannot be written" in " ".join(notes)
    assert "Traceback" not in done.stderr


def test_sets_with_a_read_only_home_and_cache(folder: Path) -> None:
    """Nothing can be kept for the next time, so that every process compiles or does without."""
    words = ("--sensitive", "marked.csv", "--rho", "0.5", "-o", "released.dat")
    homes = {**dict.fromkeys(HOMES, READ_ONLY), "NUMBA_CACHE_DIR": READ_ONLY}
    # What is released has a certificate, whose key lies somewhere.
    refused = run(folder, "suppress", "baskets.dat", *words, NUMBA_DISABLE_JIT="1", **homes)
    assert refused.returncode == 2
    assert "No signing key can be made" in refused.stderr
    homes["SUDARE_KEY"] = str(folder / "steward.key")
    done = run(folder, "suppress", "baskets.dat", *words, NUMBA_DISABLE_JIT="1", **homes)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert (folder / "released.dat").exists()


def test_what_is_compiled_needs_no_place_to_be_kept(folder: Path) -> None:
    """Every module of sets is loaded, and a function compiled, where no folder can be made."""
    code = (
        "import importlib, pkgutil, sudare.sets\n"
        "for each in pkgutil.walk_packages(sudare.sets.__path__, 'sudare.sets.'):\n"
        "    importlib.import_module(each.name)\n"
        "from sudare.sets.compiled import compiled\n"
        "def more(number):\n"
        "    return number + 1\n"
        "print(compiled(more)(1))\n"
    )
    homes = {**dict.fromkeys(HOMES, READ_ONLY), "NUMBA_CACHE_DIR": READ_ONLY}
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=folder, env=os.environ | homes, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


def test_completion_with_a_read_only_home(folder: Path) -> None:
    homes = dict.fromkeys(HOMES, READ_ONLY)
    done = run(folder, "--install-completion", SHELL="/bin/bash", **homes)
    assert done.returncode == 2
    assert done.stderr.startswith("error: Completion for ")
    assert "charged" not in done.stderr

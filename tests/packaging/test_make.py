"""What was interrupted is taken up again, and what is done is not done again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Stands for the environment's Python: notes what it is asked for, and is killed while it installs
# what is named in the file "broken".
PYTHON = """#!/bin/sh
echo "$*" >> asked
case "$*" in *install*"$(cat broken)"*) kill -9 $$ ;; esac
"""
TOOL = '#!/bin/sh\necho "$0 $*" >> asked\n'
FIRST = {"demo": "runtime.txt", "test": "peers.txt"}

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    tools = tmp_path / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name in ("python", "sudare", "ruff", "mypy"):
        (tools / name).write_text(PYTHON if name == "python" else TOOL)
        (tools / name).chmod(0o755)
    return tmp_path


def make(checkout: Path, target: str, broken: str) -> tuple[int, list[str]]:
    """The exit code, and what was installed."""
    (checkout / "broken").write_text(broken)
    (checkout / "asked").write_text("")
    words = ["make", target, f"PYTHON={sys.executable}"]
    known = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(words, cwd=checkout, env=known, capture_output=True, text=True)
    asked = (checkout / "asked").read_text().splitlines()
    return done.returncode, [line for line in asked if " install " in f" {line} "]


@pytest.mark.parametrize("target", FIRST)
def test_an_interrupted_installation_is_taken_up_again(checkout: Path, target: str) -> None:
    stamp = checkout / ".venv" / {"demo": ".demo", "test": ".dev"}[target]
    code, installed = make(checkout, target, FIRST[target])
    assert code != 0
    assert FIRST[target] in installed[-1]
    assert not stamp.exists()
    code, again = make(checkout, target, "nothing")
    assert code == 0
    assert any(FIRST[target] in line for line in again)
    assert stamp.exists()
    assert make(checkout, target, "nothing") == (0, [])


def test_what_was_installed_before_the_interruption_is_kept(checkout: Path) -> None:
    assert make(checkout, "test", "peers.txt")[0] != 0
    assert (checkout / ".venv" / ".demo").exists()
    code, installed = make(checkout, "test", "nothing")
    assert code == 0
    assert not any("runtime.txt" in line for line in installed)


def test_an_older_python_is_refused_in_one_line(checkout: Path) -> None:
    old = checkout / "python3.10"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    words = ["make", "demo", f"PYTHON={old}"]
    done = subprocess.run(words, cwd=checkout, capture_output=True, text=True)
    assert done.returncode != 0
    assert done.stderr.startswith("sudare needs Python 3.11 or newer")

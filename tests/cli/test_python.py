"""An older Python reads one line instead of a traceback."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sudare
from sudare._python import NEEDED, check_python

SOURCE = Path(sudare.__file__).parent
# What an older Python reads before it is stopped.
FIRST = ["__init__.py", "__main__.py", "_python.py", "_version.py"]
OLD = "import sys; sys.version_info = (3, 10, 4, 'final', 0)\n"


@pytest.mark.parametrize("name", FIRST)
def test_the_first_files_can_be_read_by_older_pythons(name: str) -> None:
    ast.parse((SOURCE / name).read_text(encoding="utf-8"), feature_version=(3, 7))


def test_the_check_comes_before_anything_else_of_ours() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    ours = [
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sudare")
    ]
    assert ours[0] == "sudare._python"
    code = (
        f"{OLD}try: import sudare\nexcept ImportError: pass\n"
        "print(*sorted(name for name in sys.modules if name.startswith('sudare.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["sudare._python", "sudare._version"]


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "error: sudare needs Python 3.11 or newer; this is Python 3.10 ("), ("ja", "エラー：")],
)
def test_the_command_ends_with_one_line(
    language: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDARE_LANG", language)
    code = f"{OLD}import runpy; sys.argv = ['-m']; runpy.run_module('sudare', run_name='__main__')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 5
    assert run.stdout == ""
    (line,) = run.stderr.splitlines()
    assert line.startswith(words)
    assert "3.10" in line


def test_an_import_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDARE_LANG", "en")
    with pytest.raises(ImportError, match=r"needs Python 3\.11 or newer; this is Python 3\.10"):
        check_python((3, 10), ["notebook.py"])
    with pytest.raises(SystemExit) as stopped:
        check_python((3, 10), ["/usr/bin/sudare"])
    assert stopped.value.code == 5
    check_python(NEEDED, ["/usr/bin/sudare"])


def test_the_package_declares_the_same() -> None:
    declared = (SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert f'requires-python = ">={NEEDED[0]}.{NEEDED[1]}' in declared

"""Completion in a real bash: installed, it completes commands, options and values."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import shellingham

import sudare
from sudare.cli.completion import current_shell
from sudare.cli.registry import GROUPS, ROOT
from sudare.facts.errors import UsageError

BASH = shutil.which("bash")
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(BASH is None, reason="bash is not installed"),
]
# What bash does when somebody presses the tab key.
PRESS = """
press() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    $(complete -p sudare | sed 's/.*-F \\([^ ]*\\).*/\\1/') sudare "${@: -1}" "${@: -2:1}"
    printf '%s\\n' "${COMPREPLY[@]}"
}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with the command in the path."""
    command = tmp_path / "bin" / "sudare"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sudare "$@"\n')
    command.chmod(0o755)
    return tmp_path


def bash(home: Path, script: str, **variables: str) -> str:
    assert BASH is not None
    path = f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"
    source = str(Path(sudare.__file__).parents[1])
    given = {"HOME": str(home), "PATH": path, "SHELL": BASH, "PYTHONPATH": source}
    run = subprocess.run(
        [BASH, "--norc", "-c", script],
        env=os.environ | given | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout


def test_show_completion_prints_a_script_for_this_shell(home: Path) -> None:
    script = bash(home, "sudare --show-completion")
    assert "complete -o default -F _sudare_completion sudare" in script


@pytest.mark.parametrize(
    ("nearest", "own", "expected"),
    [("bash", "/bin/zsh", "bash"), ("sh", "/bin/zsh", "zsh"), (None, "/usr/bin/fish", "fish")],
)
def test_where_the_nearest_shell_cannot_complete_the_own_one_counts(
    monkeypatch: pytest.MonkeyPatch, nearest: str | None, own: str, expected: str
) -> None:
    """Under make and cron the nearest shell is `sh`."""
    monkeypatch.setattr("shellingham.detect_shell", detected(nearest))
    monkeypatch.setenv("SHELL", own)
    assert current_shell() == expected


def test_no_shell_at_all_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shellingham.detect_shell", detected(None))
    monkeypatch.delenv("SHELL", raising=False)
    with pytest.raises(UsageError, match="could not be determined"):
        current_shell()


def detected(name: str | None) -> Callable[[], tuple[str, str]]:
    def detect() -> tuple[str, str]:
        if name is None:
            raise shellingham.ShellDetectionFailure
        return name, name

    return detect


def test_installed_completion_completes(home: Path) -> None:
    presses = [
        ("", [entry.name for entry in ROOT]),
        ("s", ["synthesize", "suppress"]),
        ("ledger ''", [entry.name for entry in GROUPS["ledger"].entries]),
        ("ask --e", ["--epsilon", "--engine"]),
        ("ask people.csv --mechanism g", ["gaussian", "geometric"]),
        ("check tables --po", ["--population"]),
        ("--v", ["--version"]),
    ]
    lines = "\n".join(f"press sudare {words or chr(39) * 2}; echo @@" for words, _ in presses)
    shown = bash(home, f"sudare --install-completion >&2\nsource ~/.bashrc\n{PRESS}\n{lines}")
    given = [part.split() for part in shown.split("@@")][:-1]
    assert given == [wanted for _, wanted in presses]


def test_installing_twice_writes_one_line(home: Path) -> None:
    bash(home, "sudare --install-completion; sudare --install-completion")
    assert (home / ".bashrc").read_text().count("source ") == 1


def test_where_nothing_can_be_written_it_says_what_to_do_instead(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("not a folder")
    found = subprocess.run(
        [sys.executable, "-m", "sudare", "--install-completion"],
        env=os.environ | {"HOME": str(home), "SHELL": str(BASH)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 2
    assert "`sudare --show-completion` prints the script" in found.stderr
    assert "charged" not in found.stderr


def test_zsh_gets_whole_summaries_in_the_language(home: Path) -> None:
    """Shells that show help beside a name get it from the registry."""
    given = {"_SUDARE_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "sudare su"}
    assert "Release purchase or browsing histories." in bash(home, "sudare", **given)
    shown = bash(home, "sudare", **given, SUDARE_LANG="ja")
    assert "購買履歴や閲覧履歴を公開用に加工します。" in shown

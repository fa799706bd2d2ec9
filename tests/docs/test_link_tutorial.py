"""The tutorial of `sudare link`: every command as it stands there, in an empty folder.

Blocks marked `sudare-step` run one after the other; those marked `sudare-terminal` that follow each
other run at once, as in terminals side by side.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "link.md"
MARKS = ("sudare-step", "sudare-terminal")
_PATIENCE = 180


def shown_blocks() -> list[tuple[str, str]]:
    """Mark and text of the blocks that run."""
    fences = [token for token in MarkdownIt().parse(PAGE.read_text("utf-8")) if token.info]
    marked = [(token.info.partition(" ")[2], token.content) for token in fences]
    return [(mark, text) for mark, text in marked if mark in MARKS]


def with_free_ports(text: str) -> str:
    """The page's ports may be taken where tests run."""
    opened = [socket.socket() for _ in range(2)]
    for each in opened:
        each.bind(("127.0.0.1", 0))
    free = iter([str(each.getsockname()[1]) for each in opened])
    for each in opened:
        each.close()
    return re.sub(r"(?<=127\.0\.0\.1:)\d+", lambda _: next(free), text)


def start(text: str, folder: Path) -> subprocess.Popen[str]:
    programs = str(Path(sys.executable).parent)
    path = os.pathsep.join([programs, os.environ["PATH"]])
    return subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )


def finish(started: list[subprocess.Popen[str]]) -> str:
    """Wait for all; what they said. Nothing is left running."""
    try:
        said = [process.communicate(timeout=_PATIENCE)[0] for process in started]
    finally:
        for process in started:
            process.kill()
    assert all(process.returncode == 0 for process in started), said
    return "".join(said)


# Lines without noise in them.
STEADY = ("2,899 joined", "shop: sent", "Of 3,417", "Towards another", "Who is in", "All organ")


@pytest.mark.slow
def test_every_command_does_what_the_page_says(tmp_path: Path) -> None:
    said = ""
    for mark, group in itertools.groupby(shown_blocks(), key=lambda each: each[0]):
        texts = [with_free_ports(text) for _, text in group]
        if mark == "sudare-terminal":
            assert len(texts) == 3
            said += finish([start(text, tmp_path) for text in texts])
        else:
            said += "".join(finish([start(text, tmp_path)]) for text in texts)
    assert "2,899 joined rows of hospital, shop; ε = 8" in said
    assert "institute has signed entries 1 to 8." in said
    assert said.count(" holds: ") == 3
    told = json.loads((tmp_path / "joined.certificate.json").read_text("utf-8"))
    assert all(party["deleted"] for party in told["body"]["parties"])
    assert len((tmp_path / "synthetic.csv").read_text("utf-8-sig").splitlines()) == 5001
    # The page's own words are those of the commands, noise aside.
    shown = PAGE.read_text("utf-8")
    for line in said.splitlines():
        if line.startswith(
            (
                "2,899 joined",
                "shop: sent",
                "Of 3,417",
                "Towards another",
                "Who is in",
                "All organisations",
            )
        ):
            assert line in shown, line


def test_the_tutorial_starts_three_terminals() -> None:
    found = [text.split()[2] for mark, text in shown_blocks() if mark == "sudare-terminal"]
    assert found == ["collect", "serve", "join"]

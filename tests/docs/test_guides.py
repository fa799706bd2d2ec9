"""The guides under docs/guides: every block as it stands there, one after the other.

A guide's folder holds the shipped town (people.csv, people.schema.toml with a budget for the
guide). Blocks in Python share one namespace; blocks in sh run as commands.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from sudare.demo.town import people_csv, schema_text

pytestmark = pytest.mark.integration

GUIDES = Path(__file__).parents[2] / "docs" / "guides"
# A guide may spend this much: it is read top to bottom, and people try things out.
BUDGET = "[budget]\nepsilon = 100.0\ndelta = 1e-6\n"
_PATIENCE = 120


def run_command(text: str, folder: Path) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONUTF8": "1"},
        capture_output=True,
        timeout=_PATIENCE,
    )
    assert done.returncode == 0, done.stderr.decode()


def write_town(folder: Path) -> None:
    (folder / "people.csv").write_text(people_csv(), encoding="utf-8")
    schema = re.sub(r"\[budget\]\n(?:[^\[\n].*\n|\n)*", BUDGET, schema_text("en"))
    assert BUDGET in schema
    (folder / "people.schema.toml").write_text(schema, encoding="utf-8")


@pytest.mark.parametrize("page", sorted(GUIDES.glob("*.md")), ids=lambda page: page.stem)
def test_every_block_of_a_guide_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_town(tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "guide"}
    for token in MarkdownIt().parse(page.read_text("utf-8")):
        if token.type == "fence" and token.info == "sh":
            run_command(token.content, tmp_path)
        elif token.type == "fence" and token.info == "python":
            exec(compile(token.content, f"{page.name}:{token.map}", "exec"), names)

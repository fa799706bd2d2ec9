"""A wheel installs into an empty environment, starts light, and shows the demo there."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]
LOCKS = ("runtime", "demo", "sets", "dev", "engines", "docs")
# A runtime without extras is meant to stay below this (docs/install.md).
MOST_MEGABYTES = 450


def _run(*command: str | Path, cwd: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """A command with a home of its own, so that nothing of this machine's user helps it; pip's own
    settings are kept, because they say where packages come from."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    settings = os.environ.get("PIP_CONFIG_FILE") or str(Path.home() / ".config/pip/pip.conf")
    places = {"HOME": str(home), "PIP_CONFIG_FILE": settings, "XDG_CACHE_HOME": str(home / "cache")}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=kept | places,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = _run(
        sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT, cwd=ROOT, home=folder
    )
    if built.returncode and "No matching distribution" in built.stdout + built.stderr:
        pytest.skip("no package index can be reached to build with")
    assert built.returncode == 0, built.stdout + built.stderr
    return next(folder.glob("sudare-*.whl"))


@pytest.fixture(scope="module")
def place(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel without extras."""
    folder = tmp_path_factory.mktemp("place")
    venv.create(folder / "env", with_pip=True)
    _install(folder, str(wheel))
    return folder


def _install(folder: Path, what: str) -> None:
    locks = [
        part for lock in LOCKS for part in ("--constraint", ROOT / "requirements" / f"{lock}.txt")
    ]
    pip = (folder / "env" / "bin" / "python", "-m", "pip", "install", "--no-compile")
    done = _run(*pip, *locks, what, cwd=folder, home=folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_runtime_is_small_and_answers(place: Path) -> None:
    size = sum(path.stat().st_size for path in (place / "env").rglob("*") if path.is_file())
    assert size / 2**20 <= MOST_MEGABYTES
    (place / "people.csv").write_text("age\n" + "40\n" * 1000)
    (place / "people.schema.toml").write_text(
        '[table]\nname = "people"\nunit = "row"\nneighbours = "add-remove"\n'
        "[budget]\nepsilon = 10\n"
        '[columns.age]\ntype = "integer"\nmin = 0\nmax = 100\n'
    )
    command = (place / "env" / "bin" / "sudare", "ask", "people.csv", "--epsilon", "1", "count()")
    asked = _run(*command, cwd=place, home=place)
    assert asked.returncode == 0, asked.stderr
    assert "count()" in asked.stdout + asked.stderr


def test_what_an_extra_brings_is_named_in_one_line(place: Path) -> None:
    command = (place / "env" / "bin" / "sudare", "ask", "people.csv", "--epsilon", "1")
    asked = _run(*command, "--delta", "1e-9", "count()", cwd=place, home=place)
    assert asked.returncode == 5
    assert "pip install 'sudare[accounting]'" in asked.stderr
    assert "Traceback" not in asked.stderr


def test_the_demo_runs_on_an_installed_package(place: Path, wheel: Path) -> None:
    _install(place, f"{wheel}[demo]")
    shown = _run(place / "env" / "bin" / "sudare", "demo", cwd=place, home=place)
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "Traceback" not in shown.stderr
    page = (place / "sudare-demo" / "index.html").read_text(encoding="utf-8")
    parts = ("report.html", "each-person", "synthetic", "hospital-and-shop", "baskets", "exam")
    assert [part for part in parts if part not in page] == []

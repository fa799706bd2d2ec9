"""`sudare engines` tells what is here and what is missing, on a machine with all and with none."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from sudare.engines import available
from sudare.engines.available import java_version


def fake_java(folder: Path, told: str, code: int = 0) -> Path:
    """A JAVA_HOME whose java says `told`."""
    (folder / "bin").mkdir(parents=True)
    java = folder / "bin" / "java"
    java.write_text(f"#!/bin/sh\necho '{told}' >&2\nexit {code}\n")
    java.chmod(0o755)
    return folder


def states() -> dict[str, available.EngineState]:
    return {state.name: state for state in available.available()}


def test_the_default_engine_is_first_and_ready() -> None:
    first = available.available()[0]
    assert first.name == "duckdb"
    assert first.ready


def test_packages_that_are_missing_are_told_with_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setattr(available, "version", nothing)
    found = states()
    assert not any(state.ready for state in found.values())
    assert "sudare[spark]" in str(found["spark"].hint)
    assert "sudare[postgres]" in str(found["postgresql"].hint)


def test_a_package_that_cannot_be_loaded_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As psycopg without libpq: installed, and of no use."""
    (tmp_path / "psycopg.py").write_text("raise ImportError('no pq wrapper available')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "psycopg", raising=False)
    found = states()["postgresql"]
    assert not found.ready
    assert "cannot be loaded" in str(found.missing)


@pytest.mark.parametrize(
    ("told", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_401"', 8),
        ('openjdk version "21" 2023-09-19', 21),
        ("command not understood", None),
    ],
)
def test_java_is_asked_for_its_version(
    told: str, version: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "java", told)))
    assert java_version() == version


def test_an_old_java_and_none_at_all_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(available, "version", lambda package: "4.3.0")
    old = fake_java(tmp_path / "old", 'java version "1.8.0_401"')
    monkeypatch.setenv("JAVA_HOME", str(old))
    assert states()["spark"].missing == "Java 8 is too old for Spark."
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    assert states()["spark"].missing == "Java is not installed."
    broken = fake_java(tmp_path / "broken", "", code=1)
    monkeypatch.setenv("JAVA_HOME", str(broken))
    assert not states()["spark"].ready

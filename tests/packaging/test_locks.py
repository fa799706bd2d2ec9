"""The lock files pin what pyproject.toml asks for, each package once."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = ("runtime", "demo", "sets", "dev", "engines", "docs")
# The lock files in which the requirements of an extra may stand.
WHERE = {
    "accounting": ("runtime", "demo"),
    "learn": ("runtime", "demo"),
    "link": ("runtime", "demo"),
    "risk": ("runtime", "demo"),
    "synthesis": ("runtime", "demo"),
    "demo": ("runtime", "demo"),
    "sets": ("runtime", "demo", "sets"),
    "dev": ("runtime", "demo", "sets", "dev"),
    "postgres": ("runtime", "demo", "sets", "dev", "engines"),
    "spark": ("runtime", "demo", "sets", "dev", "engines"),
    "all": ("runtime", "demo", "sets", "dev", "engines"),
    "docs": LOCKS,
}


def _pins(name: str) -> dict[str, str]:
    lines = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(package): version for package, version in pairs}


def _project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def _unmet(wanted: list[str], locks: tuple[str, ...]) -> list[str]:
    pinned = {name: version for lock in locks for name, version in _pins(lock).items()}
    asked = [Requirement(line) for line in wanted]
    return [
        str(one)
        for one in asked
        if one.name != "sudare"
        and not (
            (version := pinned.get(canonicalize_name(one.name))) and one.specifier.contains(version)
        )
    ]


def test_the_runtime_lock_meets_every_requirement() -> None:
    assert _unmet(_project()["dependencies"], ("runtime",)) == []


@pytest.mark.parametrize("extra", WHERE)
def test_the_locks_meet_every_extra(extra: str) -> None:
    assert _unmet(_project()["optional-dependencies"][extra], WHERE[extra]) == []


def test_every_extra_has_its_place() -> None:
    assert set(_project()["optional-dependencies"]) == set(WHERE)


def test_all_has_every_extra_that_users_install() -> None:
    extras = _project()["optional-dependencies"]
    everything = Requirement(extras["all"][0]).extras
    assert everything == set(extras) - {"all", "demo", "dev", "docs"}


def test_no_package_is_pinned_twice() -> None:
    names = [name for lock in LOCKS for name in _pins(lock)]
    assert sorted(names) == sorted(set(names))


def test_the_demo_installs_no_tools_of_developers() -> None:
    shown = {**_pins("runtime"), **_pins("demo")}
    tools = {"mypy", "ruff", "pytest", "opendp", "polars", "hypothesis", "numba", "llvmlite"}
    assert tools.isdisjoint(shown)

"""Write the lock files of this folder anew from pyproject.toml: `python requirements/lock.py`.

Each file pins what one purpose adds to the files before it, so that no package is pinned twice:
runtime (every command), demo (what `sudare demo` shows), sets (numba), dev (tests and checks),
engines (PostgreSQL, Spark) and docs. pip resolves all of them together once, so that they fit.
The files of peers are written by hand, because each peer has an environment of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent
# Purpose, extras, and what the head of the file says.
FILES = (
    ("runtime", (), "What every command needs: `pip install sudare`."),
    (
        "demo",
        ("demo",),
        "What `sudare demo` shows beyond runtime.txt: `pip install 'sudare[demo]'`.",
    ),
    ("sets", ("sets",), "The compiler for large files of sets: `pip install 'sudare[sets]'`."),
    ("dev", ("dev",), "Tests and checks."),
    ("engines", ("postgres", "spark"), "The engines: `pip install 'sudare[postgres,spark]'`."),
    ("docs", ("docs",), "What `make docs` needs."),
)


def main() -> None:
    """Resolve every purpose with the versions of the widest one, and write what each adds."""
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    extras = project["optional-dependencies"]
    versions = resolve(
        wanted(project, [name for _, names, _ in FILES for name in names], extras), {}
    )
    seen: set[str] = set()
    for purpose, names, words in FILES:
        found = resolve(wanted(project, names, extras), versions)
        lines = [
            f"{name}=={versions[name]}" for name in sorted(found, key=str.lower) if name not in seen
        ]
        seen |= set(found)
        path = FOLDER / f"{purpose}.txt"
        path.write_text("\n".join([f"# {words} Written by requirements/lock.py.", *lines, ""]))
        print(f"{path}: {len(lines)} packages")


def wanted(project: dict, names: list[str] | tuple[str, ...], extras: dict) -> list[str]:
    """The requirements of the package with these extras; an extra may name others."""
    found = list(project["dependencies"])
    for name in names:
        for requirement in extras[name]:
            if requirement.startswith("sudare["):
                inner = requirement.removeprefix("sudare[").removesuffix("]").split(",")
                found += wanted(project, inner, extras)
            else:
                found.append(requirement)
    return sorted(set(found))


def resolve(requirements: list[str], pins: dict[str, str]) -> dict[str, str]:
    """What pip would install into an empty environment, name and version."""
    pinned = FOLDER / ".pins"
    pinned.write_text("".join(f"{name}=={version}\n" for name, version in pins.items()))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
    command += ["--report", "-", "--constraint", str(pinned), *requirements]
    try:
        report = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    finally:
        pinned.unlink()
    chosen = [entry["metadata"] for entry in json.loads(report)["install"]]
    return {entry["name"]: entry["version"] for entry in chosen}


if __name__ == "__main__":
    main()

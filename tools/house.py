"""Prints how the source tree is laid out, so that one sees where it grows crooked.

    python tools/house.py [--json] [--worst 10] [SOURCE]

Modules, their lengths, the largest folders, public names, import cycles, modules with one importer,
and how many modules `sudare ask "count()"` imports. `--worst` lists the first offenders of each.
Nothing is imported but for the last line, which runs the command in a process of its own.
"""

from __future__ import annotations

import argparse
import ast
import json
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
GOALS = {
    "largest folder": 20,
    "modules with one importer": 60,
    "import cycle, largest": 0,
    "public names": 1600,
    "imported by ask": 110,
}
_TABLE = "age\n30\n40\n"
_SCHEMA = """\
[table]
name = "people"
unit = "row"
neighbours = "add-remove"
[budget]
epsilon = 1.0
[columns.age]
type = "integer"
min = 0
max = 110
"""


class House:
    """The modules below a package, with what each imports of the others."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.paths = {self._name(path): path for path in sorted(source.rglob("*.py"))}
        self.trees = {
            name: ast.parse(path.read_text(encoding="utf-8")) for name, path in self.paths.items()
        }
        self.imports = {name: set(self._imported(name)) - {name} for name in self.paths}

    def _name(self, path: Path) -> str:
        parts = path.relative_to(self.source.parent).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _imported(self, name: str) -> Iterator[str]:
        for node in ast.walk(self.trees[name]):
            if isinstance(node, ast.Import):
                yield from (each.name for each in node.names if each.name in self.paths)
            elif isinstance(node, ast.ImportFrom) and node.module:
                for each in node.names:
                    inner = f"{node.module}.{each.name}"
                    found = inner if inner in self.paths else node.module
                    if found in self.paths:
                        yield found

    def lines(self) -> dict[str, int]:
        """Lines of each file that holds anything."""
        counted = {
            name: len(path.read_text(encoding="utf-8").splitlines())
            for name, path in self.paths.items()
        }
        return {name: count for name, count in counted.items() if count > 2}

    def folders(self) -> Counter[str]:
        """Modules of each folder, without its `__init__`."""
        return Counter(
            str(path.parent.relative_to(self.source.parent))
            for path in self.paths.values()
            if path.name != "__init__.py"
        )

    def public_names(self) -> int:
        kinds = (ast.FunctionDef, ast.ClassDef)
        return sum(
            isinstance(node, kinds) and not node.name.startswith("_")
            for tree in self.trees.values()
            for node in tree.body
        )

    def one_importer(self) -> dict[str, str]:
        """Modules that a single other one of the same folder imports; it could hold them."""
        importers = defaultdict(set)
        for name, wanted in self.imports.items():
            for each in wanted:
                importers[each].add(name)
        return {
            name: next(iter(found))
            for name, found in sorted(importers.items())
            if len(found) == 1 and self._folder(name) == self._folder(next(iter(found)))
        }

    def _folder(self, name: str) -> Path:
        return self.paths[name].parent

    def cycles(self) -> list[list[str]]:
        """Groups of modules that import each other when they are loaded (Tarjan 1972)."""
        graph = {name: self._at_load(name) for name in self.paths}
        index: dict[str, int] = {}
        low: dict[str, int] = {}
        stack: list[str] = []
        found: list[list[str]] = []

        def visit(name: str) -> None:
            index[name] = low[name] = len(index)
            stack.append(name)
            for each in sorted(graph[name]):
                if each not in index:
                    visit(each)
                if each in stack:
                    low[name] = min(low[name], low[each])
            if low[name] == index[name]:
                group = stack[stack.index(name) :]
                del stack[stack.index(name) :]
                if len(group) > 1:
                    found.append(group)

        sys.setrecursionlimit(10_000)
        for name in graph:
            if name not in index:
                visit(name)
        return sorted(found, key=len, reverse=True)

    def _at_load(self, name: str) -> set[str]:
        """What is imported at the top of the file, outside `if TYPE_CHECKING`."""
        top = ast.Module(
            [
                node
                for node in self.trees[name].body
                if isinstance(node, ast.Import | ast.ImportFrom)
            ],
            [],
        )
        whole, self.trees[name] = self.trees[name], top
        try:
            return set(self._imported(name)) - {name}
        finally:
            self.trees[name] = whole


def loaded_by_ask(source: Path) -> int:
    """Modules of the package that one count imports, in a process of its own."""
    code = (
        "import sys; sys.argv = ['sudare', 'ask', 'people.csv', '--epsilon', '1', 'count()']\n"
        "from sudare.cli.app import main\n"
        "try: main()\n"
        "except SystemExit as end: code = end.code\n"
        "if code: sys.exit(code)\n"
        "print('@', sum(name.startswith('sudare.') for name in sys.modules))\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "people.csv").write_text(_TABLE)
        (Path(folder) / "people.schema.toml").write_text(_SCHEMA)
        places = {"PYTHONPATH": str(source.parent), "SUDARE_STATE": folder, "HOME": folder}
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=folder, env=places, capture_output=True, text=True
        )
    if run.returncode:
        sys.exit(f"sudare ask failed:\n{run.stderr[-2000:]}")
    return int(run.stdout.rpartition("@")[2])


def measured(house: House) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """The figures, and the offenders behind those that have a goal."""
    lines, folders = house.lines(), house.folders()
    ordered = sorted(lines.values())
    cycles, alone = house.cycles(), house.one_importer()
    figures = {
        "files": len(house.paths),
        "lines": sum(ordered),
        "lines a file, median": statistics.median(ordered),
        "lines a file, 90 of 100": ordered[len(ordered) * 9 // 10],
        "longest file": ordered[-1],
        "largest folder": max(folders.values()),
        "public names": house.public_names(),
        "import cycle, largest": len(cycles[0]) if cycles else 0,
        "modules with one importer": len(alone),
        "imported by ask": loaded_by_ask(house.source),
    }
    worst = {
        "longest file": [f"{count} {name}" for name, count in Counter(lines).most_common()],
        "largest folder": [f"{count} {name}" for name, count in folders.most_common()],
        "import cycle, largest": [" ".join(group) for group in cycles],
        "modules with one importer": [f"{name} by {by}" for name, by in alone.items()],
    }
    return figures, worst


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("source", nargs="?", type=Path, default=ROOT / "src" / "sudare")
    options.add_argument("--json", action="store_true", help="print JSON")
    options.add_argument("--worst", type=int, default=0, help="list so many offenders of each")
    asked = options.parse_args()
    figures, worst = measured(House(asked.source.resolve()))
    if asked.json:
        print(json.dumps(figures, indent=2))
        return
    for label, value in figures.items():
        goal = f"   goal at most {GOALS[label]:,}" if label in GOALS else ""
        print(f"{label:<28} {value:>10,}{goal}")
        for each in worst.get(label, [])[: asked.worst]:
            print(f"    {each}")


if __name__ == "__main__":
    main()

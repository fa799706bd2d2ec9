"""The table of rooms in docs/architecture.md as an import check: a misplaced line fails at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sudare

SOURCE = Path(sudare.__file__).parent
JOBS = {"queries", "tables", "risk", "local", "link", "synthesis", "sets"}
BELOW_JOBS = {"facts", "accounting", "randomness", "mechanisms"}
ROOMS: dict[str, set[str]] = {
    "facts": set(),
    "accounting": {"facts"},
    "randomness": {"facts"},
    "mechanisms": {"facts", "accounting", "randomness"},
    "engines": {"facts"},
    "ledger": {"facts", "accounting"},
    "queries": BELOW_JOBS,
    "tables": BELOW_JOBS,
    "risk": BELOW_JOBS,
    "local": BELOW_JOBS,
    # Parties of a join randomise by the local room's plans and read its estimates.
    "link": BELOW_JOBS | {"local"},
    "wires": {"facts", "randomness"},
    "synthesis": BELOW_JOBS,
    "sets": BELOW_JOBS,
    "publish": BELOW_JOBS | JOBS | {"engines", "ledger", "wires"},
    "report": {"facts"},
    "cli": {"publish", "report", "facts", "demo"},
    "api": {"publish", "report", "facts"},
    "demo": {"publish", "report", "facts"},
}
# A front names the type of what `publish` hands it, without importing it at run time.
TYPES_ONLY = {"api": {"sudare.engines.findings"}}
# What only one room may use from outside the house.
OUTSIDE: dict[str, set[str]] = {
    "duckdb": {"engines"},
    "pyarrow": {"engines", "wires"},
    "sqlglot": {"engines"},
    "apsw": {"ledger"},
    "cloudpickle": {"engines"},
    "psycopg": {"ledger", "engines"},
    "pyspark": {"engines"},
    "py4j": {"engines"},
    "sqlite3": set(),
    "dp_accounting": {"accounting"},
    "cryptography": {"randomness", "link", "wires"},
    "rbcl": {"link"},
    "socket": {"wires", "engines", "demo"},
    "ssl": {"wires"},
    "secrets": set(),
    "random": set(),
    "opendp": set(),
    "ortools": {"risk", "sets"},
    "numba": {"sets"},
    "sklearn": {"risk", "api"},
    "threadpoolctl": {"risk"},
    "matplotlib": set(),
    "typer": {"cli"},
    "xlsxwriter": {"report"},
}
ENTROPY = ("np.random", "numpy.random", "os.urandom", "uuid4", "getrandom", "default_rng")


def room_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else path.stem


def files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute, so that rooms can be read off"
            yield node.module or ""


def forbidden(path: Path) -> Iterator[str]:
    """What a file imports although its room may not."""
    room = room_of(path)
    if room not in ROOMS:
        return
    for name in imports(path):
        first, _, rest = name.partition(".")
        wanted = rest.partition(".")[0]
        own = ROOMS[room] | {room, "_version"}
        if first == "sudare" and wanted and wanted not in own:
            if name not in TYPES_ONLY.get(room, ()):
                yield f"{path.relative_to(SOURCE)}: {room} may not import {wanted}"
        elif room not in OUTSIDE.get(first, {room}):
            yield f"{path.relative_to(SOURCE)}: {room} may not import {first}"


def test_a_room_imports_only_what_it_may() -> None:
    assert [offence for path in files() for offence in forbidden(path)] == []


def test_a_misplaced_import_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "SOURCE", tmp_path)
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "new.py").write_text(
        "import duckdb\nfrom sudare.ledger import chain\nfrom sudare.facts import errors\n"
    )
    assert [offence for path in files() for offence in forbidden(path)] == [
        "facts/new.py: facts may not import duckdb",
        "facts/new.py: facts may not import ledger",
    ]


def test_every_room_is_in_the_table() -> None:
    no_rooms = {"__init__", "__main__", "_python", "_version"}
    assert {room_of(path) for path in files()} - no_rooms <= set(ROOMS)


def test_only_randomness_draws_entropy() -> None:
    offenders = [
        f"{path.relative_to(SOURCE)}: {name}"
        for path in files()
        if room_of(path) != "randomness"
        for name in ENTROPY
        if name in path.read_text(encoding="utf-8")
    ]
    assert offenders == []


def test_randomness_takes_no_seed() -> None:
    for path in (SOURCE / "randomness").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.arg):
                assert "seed" not in node.arg


@pytest.mark.parametrize(
    "room",
    ["facts", "accounting", "queries", "tables", "risk", "link", "synthesis", "sets", "mechanisms"],
)
def test_pure_rooms_open_no_file(room: str) -> None:
    for path in (SOURCE / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                assert name != "open", f"{path.name} opens a file"
                assert not name.endswith((".read_text", ".write_text", ".read_bytes"))

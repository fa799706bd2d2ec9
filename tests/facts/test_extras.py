"""Without a module of an extra: one line, exit code 5, nothing read or charged; the rest works."""

from __future__ import annotations

import ast
import json
import os
import pickle
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import sudare
from sudare.facts.errors import EngineUnavailable
from sudare.facts.extras import EXTRAS, ExtraName, MissingExtra, needs, require
from sudare.publish.certifying import steward_key

SOURCE = Path(sudare.__file__).parent
PROJECT = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
MODULES = {module for extra in EXTRAS.values() for module in extra.modules}
# A connection is made before anything else there, and the module was found by then.
BEHIND_A_DOOR = ("engines/spark/", "engines/postgres/link.py", "ledger/postgres_link.py")
# Names of distributions whose module has another.
DISTRIBUTIONS = {"dp-accounting": "dp_accounting", "scikit-learn": "sklearn"}
# Pinned for dp-accounting; no module of ours loads it.
UNUSED = {"mpmath"}
SCHEMA = """
[table]
name = "people"
neighbours = "add-remove"
[budget]
epsilon = 10.0
delta = 1e-9
[columns.age]
type = "integer"
min = 0
max = 120
[columns.here]
type = "category"
values = ["a", "b", "c"]
[columns.there]
type = "category"
values = ["a", "b", "c"]
"""
WITHOUT = """
import sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            return None
        return super().find_spec(name, path, target)

sys.meta_path[:] = [Without if each is PathFinder else each for each in sys.meta_path]
"""
ASK = ("ask", "people.csv", "--epsilon", "1")
POSTGRES = "postgresql://steward@localhost:1/town"
# A module, the extra that its hint names, and a command that needs it.
CASES: list[tuple[str, str, tuple[str, ...]]] = [
    ("dp_accounting", "accounting", (*ASK, "--delta", "1e-9", "count()", "mean(age)")),
    ("scipy", "accounting", (*ASK, "--delta", "1e-9", "count()", "mean(age)")),
    ("dp_accounting", "accounting", (*ASK, "--delta", "1e-9", "--mechanism", "gaussian",
                                     "count()")),
    ("scipy", "learn", (*ASK, "mst(here, there, age)")),
    ("rbcl", "link", ("link", "simulate", "--parties", "2", "-o", "joined")),
    ("psycopg", "postgres", ("ask", f"{POSTGRES}#people", "--schema", "people.schema.toml",
                             "--epsilon", "1", "count()")),
    ("psycopg", "postgres", (*ASK, "--ledger", POSTGRES, "count()")),
    ("ortools", "risk", ("check", "tables", "table.csv")),
    ("scipy", "risk", ("check", "tables", "table.csv")),
    ("ortools", "risk", ("suppress", "baskets.dat", "--sensitive", "marked.csv", "--rho", "0.5",
                         "--optimum", "1", "-o", "released.dat")),
    ("numba", "sets", ("suppress", "baskets.dat", "--sensitive", "marked.csv", "--rho", "0.5",
                       "-o", "released.dat")),
    ("pyspark", "spark", (*ASK, "--engine", "spark", "count()")),
    ("pandas", "spark", (*ASK, "--engine", "spark", "count()")),
    ("scipy", "synthesis", ("synthesize", "people.csv", "--epsilon", "1", "-o", "made.csv")),
    ("sklearn", "synthesis", ("compare", "people.csv", "people.csv")),
    ("threadpoolctl", "synthesis", ("compare", "people.csv", "people.csv")),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [f"{n % 90},{'abc'[n % 3]},{'abc'[n // 3 % 3]}\n" for n in range(40)]
    (tmp_path / "people.csv").write_text("age,here,there\n" + "".join(lines))
    (tmp_path / "people.schema.toml").write_text(SCHEMA)
    (tmp_path / "table.csv").write_text("sex,count\nF,3\nM,2\n")
    (tmp_path / "baskets.dat").write_text("1 2 3\n1 2\n2 3\n1 3\n1 2 3\n")
    (tmp_path / "marked.csv").write_text("user,item\n1,3\n")
    # What is said of a key that is made at first use is not in the way.
    steward_key()
    return tmp_path


def python(
    folder: Path, missing: tuple[str, ...], code: str, *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Python in an environment without these modules."""
    site = folder / "site"
    site.mkdir(exist_ok=True)
    (site / "sitecustomize.py").write_text(WITHOUT.replace("MISSING", repr(set(missing))))
    path = os.pathsep.join([str(site), str(SOURCE.parent)])
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        # Files of sets that are small would do without compiling.
        env=os.environ | {"PYTHONPATH": path, "SUDARE_COMPILE": "always"} | variables,
    )


def command(
    folder: Path, missing: tuple[str, ...], *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    code = "import sys; sys.argv[0] = 'sudare'; from sudare.cli.app import main; main()"
    return python(folder, missing, code, *arguments, **variables)


@pytest.mark.integration
@pytest.mark.parametrize(
    ("module", "extra", "arguments"), CASES, ids=[f"{module}-{extra}" for module, extra, _ in CASES]
)
def test_a_command_that_misses_a_module_says_so_in_one_line(
    folder: Path, module: str, extra: str, arguments: tuple[str, ...]
) -> None:
    before = {path.name for path in folder.iterdir()}
    run = command(folder, (module,), *arguments)
    assert run.returncode == 5, run.stderr
    assert run.stdout == ""
    (line,) = run.stderr.splitlines()
    assert line.endswith(f"which is not installed. Run: pip install 'sudare[{extra}]'")
    # No ledger was opened, no output begun.
    assert {path.name for path in folder.iterdir()} - before <= {"site"}


def test_every_module_of_the_table_has_a_case() -> None:
    assert {(module, extra) for module, extra, _ in CASES} >= {
        (module, name)
        for name, extra in EXTRAS.items()
        for module in extra.modules
        # Estimators are Python's alone, below; a share of sampled attackers is no small example.
        if name != "learn" and (module, name) != ("scipy", "sets")
    }


def test_the_line_is_in_the_language_that_was_asked_for(folder: Path) -> None:
    for arguments, variables in (((*ASK, "--lang", "ja"), {}), (ASK, {"SUDARE_LANG": "ja"})):
        run = command(
            folder, ("dp_accounting",), *arguments, "--delta", "1e-9", "count()", "mean(age)",
            **variables,
        )  # fmt: skip
        assert run.returncode == 5
        assert run.stderr == (
            "エラー：δ を指定した計画には dp-accounting が必要ですが、インストールされていません。"
            "次を実行してください：pip install 'sudare[accounting]'\n"
        )


def test_json_has_it_too(folder: Path) -> None:
    run = command(folder, ("ortools",), "check", "tables", "table.csv", "--json")
    assert json.loads(run.stdout) == {
        "error": "An exact search over tables or sets needs OR-Tools, which is not installed.",
        "hint": "Run: pip install 'sudare[risk]'",
        "code": "missing-extra",
        "exit_code": 5,
    }


@pytest.mark.integration
def test_other_jobs_work_without_any_extra(folder: Path) -> None:
    for arguments in (
        (*ASK, "count()", "mean(age)"),
        ("tabulate", "people.csv", "--by", "here", "--epsilon", "1"),
        ("ledger", "show"),
        ("ledger", "verify"),
        ("explain", "0.5"),
        ("engines",),
        ("check", "records", "people.csv", "--quasi", "age,here"),
        ("check", "sets", "baskets.dat", "--sensitive", "marked.csv"),
        ("suppress", "baskets.dat", "--sensitive", "marked.csv", "--rho", "0.5", "-o", "out.dat"),
        (*ASK, "mst(here, there, age; method=global)"),
    ):
        run = command(folder, tuple(MODULES), *arguments, SUDARE_COMPILE="auto")
        assert run.returncode in (0, 4), (arguments, run.stderr)
        assert "not installed. Run" not in run.stderr
    spent = json.loads(command(folder, (), "ledger", "show", "--json").stdout)
    assert spent["datasets"]["people"]["releases"] == 3


@pytest.mark.parametrize("name", ["KMeans", "PCA", "LogisticRegression"])
@pytest.mark.parametrize("module", ["sklearn", "scipy"])
def test_python_raises_an_import_error_with_the_same_words(
    folder: Path, name: str, module: str
) -> None:
    code = (
        "import sudare\n"
        f"try: sudare.{name}\n"
        "except ImportError as error: print(type(error).__name__, error.name, error, sep='|')"
    )
    run = python(folder, (module,), code)
    kind, of, words = run.stdout.strip().split("|")
    assert (kind, of) == ("MissingExtra", module)
    assert words.endswith("which is not installed. Run: pip install 'sudare[learn]'")


def test_the_error_is_of_both_kinds_and_travels() -> None:
    error = MissingExtra("link", "rbcl")
    assert isinstance(error, EngineUnavailable)
    assert isinstance(error, ImportError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.name, again.extra, str(again)) == ("rbcl", "link", str(error))


def test_errors_of_a_module_itself_are_named_after_the_extra() -> None:
    with pytest.raises(MissingExtra, match="psycopg"), needs("postgres"):
        raise ImportError("no pq wrapper available")
    with pytest.raises(MissingExtra, match="SciPy"), needs("synthesis"):
        raise ModuleNotFoundError(name="scipy.optimize")


def test_require_names_the_first_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    require("synthesis", "numpy")
    with pytest.raises(MissingExtra, match="threadpoolctl"):
        require("synthesis", "numpy", "threadpoolctl")
    monkeypatch.setitem(EXTRAS, "link", EXTRAS["link"]._replace(modules=("sudare_none",)))
    with pytest.raises(MissingExtra, match="sudare_none"):
        require("link")


def test_the_table_is_what_the_package_declares() -> None:
    declared = PROJECT["project"]["optional-dependencies"]
    assert set(EXTRAS) == set(get_args(ExtraName))
    for name, extra in EXTRAS.items():
        packages = {re.split(r"[\[<>=]", each)[0] for each in declared[name]}
        modules = {DISTRIBUTIONS.get(package, package) for package in packages} - UNUSED
        # dp-accounting brings SciPy itself.
        assert modules <= set(extra.modules) <= modules | {"scipy"}
    (everything,) = declared["all"]
    assert everything == f"sudare[{','.join(sorted(EXTRAS))}]"


def test_every_import_of_an_extra_is_guarded() -> None:
    loose = []
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        if not place.startswith(BEHIND_A_DOOR):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            loose += [f"{place}:{line}" for line in _unguarded(tree)]
    assert loose == []


def _unguarded(node: ast.AST) -> Iterator[int]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.With) and "needs(" in ast.unparse(child.items[0]):
            continue
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        names = [alias.name for alias in child.names] if isinstance(child, ast.Import) else []
        if isinstance(child, ast.ImportFrom):
            names = [child.module or ""]
        yield from (child.lineno for name in names if name.split(".")[0] in MODULES)
        yield from _unguarded(child)

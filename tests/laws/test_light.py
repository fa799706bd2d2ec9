"""`import sudare` and `sudare --help` load no engine, no ledger and nothing that draws, and a
question loads what it needs alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = (
    "duckdb",
    "pyarrow",
    "sqlglot",
    "apsw",
    "dp_accounting",
    "sudare.report.svg",
    "scipy",
    "pandas",
    "ortools",
    "sklearn",
    "numba",
)


# What counts and means of a text file have no use for.
IDLE = (
    *(name for name in HEAVY if name not in ("duckdb", "pyarrow", "sqlglot", "apsw")),
    "multiprocessing.pool",
    "psycopg",
    "pyarrow.compute",
    "pyarrow.parquet",
    "pyspark",
    "rich.progress",
    "sudare.queries.kmeans",
    "sudare.queries.logistic",
    "sudare.queries.smooth_quantiles",
    "sudare.report.learning_pictures",
    "sudare.report.page",
    "xlsxwriter",
)
SCHEMA = """
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


def loaded_after(
    code: str, suspects: tuple[str, ...] = HEAVY, folder: Path | None = None
) -> set[str]:
    script = f"{code}\nimport sys\nprint('\\n'.join(m for m in {suspects!r} if m in sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True
    )
    return set(run.stdout.split("@@")[-1].split())


def test_import_is_light() -> None:
    assert loaded_after("import sudare\nprint('@@')") == set()


def test_help_is_light() -> None:
    code = (
        "from typer.testing import CliRunner\n"
        "from sudare.cli.app import app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        "assert CliRunner().invoke(app, ['ask', '--help']).exit_code == 0\n"
        "print('@@')"
    )
    assert loaded_after(code) == set()


def test_a_simple_question_is_light(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age\n" + "30\n40\n" * 50)
    (tmp_path / "people.schema.toml").write_text(SCHEMA)
    code = (
        "import contextlib, io, sys\n"
        "from sudare.cli.app import app\n"
        "sys.argv = ['sudare', 'ask', 'people.csv', '--epsilon', '1', 'count()', 'mean(age)']\n"
        "with contextlib.suppress(SystemExit):\n"
        "    app()\n"
        "assert 'duckdb' in sys.modules\n"
        "print('@@')"
    )
    assert loaded_after(code, IDLE, tmp_path) == set()

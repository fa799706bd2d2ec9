"""`import sudare` and `sudare --help` load no engine, no ledger and no chart library."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "duckdb",
    "pyarrow",
    "sqlglot",
    "apsw",
    "dp_accounting",
    "altair",
    "scipy",
    "pandas",
    "ortools",
    "sklearn",
    "numba",
)


def loaded_after(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint('\\n'.join(m for m in {HEAVY!r} if m in sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
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

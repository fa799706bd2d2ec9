"""What the start of a command costs: `python benchmarks/cold_start.py [--folder DIR]`.

Each command runs as a process of its own, on the example town of `sudare demo`. The floor beside
it is a process that imports only the libraries that it cannot do without (DuckDB, Arrow, NumPy,
sqlglot, pydantic, typer): the rest is sudare's own. Figures are medians of seven runs.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sudare.demo.town import people_csv, schema_text

RUNS = 7
FLOOR = "import duckdb, numpy, pyarrow, sqlglot, pydantic, typer, apsw, lark"
COMMANDS = {
    "--help": ["--help"],
    "ask count() and mean(age), 20,000 rows": [
        *("ask", "people.csv", "--epsilon", "1", "count()", "mean(age)")
    ],
    "plan of a count": ["plan", "--schema", "people.schema.toml", "count() ± 50"],
    "ledger show": ["ledger", "show", "people.ledger"],
}


def seconds(command: list[str], folder: Path) -> float:
    """The median of some runs."""
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def modules(command: list[str], folder: Path) -> int:
    """How many modules a command imports."""
    said = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stderr
    return sum(line.startswith("import time:") for line in said.splitlines())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, help="where the table is written")
    folder = options.parse_args().folder or Path(tempfile.mkdtemp(prefix="sudare-start-"))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "people.csv").write_text(people_csv(), encoding="utf-8")
    schema = schema_text("en").replace("epsilon = 3.0", "epsilon = 1000.0")
    (folder / "people.schema.toml").write_text(schema, encoding="utf-8")
    floor = seconds([sys.executable, "-c", FLOOR], folder)
    print(f"{'floor: the libraries alone':<44}{floor:6.2f} s")
    for name, rest in COMMANDS.items():
        command = [sys.executable, "-m", "sudare.cli.app", *rest]
        taken = seconds(command, folder)
        counting = [sys.executable, "-X", "importtime", *command[1:]]
        print(f"{name:<44}{taken:6.2f} s  {modules(counting, folder):5} modules")


if __name__ == "__main__":
    main()

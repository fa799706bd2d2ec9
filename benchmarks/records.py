"""How long do record checks and anonymizing take, beside pycanon on the same file?

    .venv/bin/python -m pip install --no-deps --target /tmp/pycanon pycanon==1.3.6
    .venv/bin/python benchmarks/records.py --pycanon /tmp/pycanon [--rows 1000000 5000000]

pycanon pins other versions of numpy, pandas and typer than sudare has, so it is installed without
them into a folder of its own. It is asked for k, distinct ℓ and t of one Parquet file in a process
of its own, and stopped after --patience seconds; sudare measures the same and more (entropy and
recursive ℓ, sets of up to three columns, matches) from reading the file to the report. The numbers
of both are compared.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet
from rich.console import Console
from rich.table import Table

from sudare.facts.schema import Schema, make_schema
from sudare.publish.anonymizing import anonymize_records, make_job
from sudare.publish.checking_records import check_records

QUASI = ("age", "sex", "zip", "job")
SENSITIVE = "disease"
METHODS = ("lattice", "mondrian")
# Mondrian cuts part by part in Python; it is timed where it is of use.
MOST_MONDRIAN = 1_000_000
RESULTS = Path(__file__).parent / "results" / "records.json"
ZIPS = [f"{number:03d}" for number in range(200)]
JOBS = [f"job {number}" for number in range(12)]
DISEASES = [f"disease {number}" for number in range(20)]
_PYCANON = """
import json, sys, time
import pandas as pd
from pycanon import anonymity
data, quasi = pd.read_parquet(sys.argv[1]), sys.argv[2].split(",")
for name, measure in (("k", lambda: anonymity.k_anonymity(data, quasi)),
                      ("l", lambda: anonymity.l_diversity(data, quasi, [sys.argv[3]])),
                      ("t", lambda: anonymity.t_closeness(data, quasi, [sys.argv[3]]))):
    start, busy = time.perf_counter(), time.process_time()
    found = float(measure())
    times = time.perf_counter() - start, time.process_time() - busy
    print(json.dumps([name, found, *times]), flush=True)
"""


def schema() -> Schema:
    tens = {f"{number}x": [z for z in ZIPS if z[:2] == number] for number in {z[:2] for z in ZIPS}}
    return make_schema({
        "table": {"name": "people"},
        "columns": {
            "age": {"type": "integer", "min": 0, "max": 99},
            "sex": {"type": "category", "values": ["F", "M"]},
            "zip": {"type": "category", "values": ZIPS},
            "job": {"type": "category", "values": JOBS},
            SENSITIVE: {"type": "category", "values": DISEASES},
        },
        "levels": {
            "age_5": {"of": "age", "width": 5},
            "age_20": {"of": "age", "width": 20},
            "area": {"of": "zip", "groups": tens},
        },
    })  # fmt: skip


def make(path: Path, rows: int) -> None:
    rng = np.random.default_rng(rows)

    def chosen(labels: list[str], skew: float) -> pa.Array:
        weights = (np.arange(len(labels)) + 1.0) ** -skew
        picked = rng.choice(len(labels), rows, p=weights / weights.sum())
        return pa.array(np.array(labels)[picked])

    columns = {
        "age": pa.array(np.clip(rng.normal(45, 18, rows), 0, 99).astype(np.int16)),
        "sex": chosen(["F", "M"], 0.0),
        "zip": chosen(ZIPS, 0.7),
        "job": chosen(JOBS, 0.5),
        SENSITIVE: chosen(DISEASES, 1.0),
    }
    parquet.write_table(pa.table(columns), path)


def timed(job: Callable[[], dict[str, Any]]) -> tuple[dict[str, Any], list[float]]:
    """A result with its seconds by the clock and of the processors."""
    start, busy = perf_counter(), process_time()
    found = job()
    return found, [perf_counter() - start, process_time() - busy]


def ours(path: Path, folder: Path, rows: int) -> dict[str, Any]:
    found, times = timed(lambda: check_records(path, QUASI, [SENSITIVE], schema(), largest=3))
    about = found["diversity"][SENSITIVE]
    out = folder / "out.parquet"
    result = {"check": times, "k": found["anonymity"]["k"], "l": about["distinct"],
              "t": about["t"], "classes": found["anonymity"]["classes"]}  # fmt: skip
    for method in METHODS if rows <= MOST_MONDRIAN else METHODS[:1]:
        job = make_job(quasi=QUASI, sensitive=[SENSITIVE], k=5, method=method)
        done, result[method] = timed(lambda job=job: anonymize_records(path, job, out, schema()))
        result[f"{method}_loss"] = done["loss"]
    return result


def theirs(path: Path, folder: str, patience: float) -> dict[str, Any]:
    command = [sys.executable, "-c", _PYCANON, str(path), ",".join(QUASI), SENSITIVE]
    try:
        run = subprocess.run(command, env={"PYTHONPATH": folder}, capture_output=True,
                             text=True, timeout=patience, check=True)  # fmt: skip
        said = run.stdout
    except subprocess.TimeoutExpired as stopped:
        said = (stopped.stdout or b"").decode()
    found = {}
    for line in said.splitlines():
        name, value, *times = json.loads(line)
        found[name] = {"value": value, "seconds": times}
    return found


def agree(own: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(abs(own[name] - each["value"]) < 1e-9 for name, each in other.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 5_000_000])
    parser.add_argument("--pycanon", help="the folder where pycanon was installed")
    parser.add_argument("--patience", type=float, default=300.0)
    parser.add_argument("--json", type=Path, default=RESULTS)
    options = parser.parse_args()
    results = []
    for rows in options.rows:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            make(folder / "people.parquet", rows)
            own = ours(folder / "people.parquet", folder, rows)
            asked = options.pycanon is not None
            other = (
                theirs(folder / "people.parquet", options.pycanon, options.patience)
                if asked
                else {}
            )
        results.append({"rows": rows, "sudare": own, "pycanon": other, "agree": agree(own, other)})
    show(results, options.patience)
    told = {"machine": platform.processor() or platform.machine(), "results": results}
    options.json.parent.mkdir(exist_ok=True)
    options.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


def both(times: list[float]) -> str:
    return " / ".join(f"{seconds:.1f}" for seconds in times)


def show(results: list[dict[str, Any]], patience: float) -> None:
    names = (
        "rows",
        "classes",
        "check",
        "pycanon k",
        "pycanon ℓ",
        "pycanon t",
        "lattice",
        "mondrian",
    )
    table = Table(*names, title="seconds by the clock / of the processors")
    for each in results:
        own, other = each["sudare"], each["pycanon"]
        asked = [both(other[n]["seconds"]) if n in other else f"> {patience:.0f}" for n in "klt"]
        made = [both(own[method]) if method in own else "" for method in METHODS]
        sizes = f"{each['rows']:,}", f"{own['classes']:,}"
        table.add_row(*sizes, both(own["check"]), *asked, *made)
    Console().print(table)


if __name__ == "__main__":
    main()

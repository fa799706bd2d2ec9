"""How long does shuffle accounting take, and what does it find?

    .venv/bin/python benchmarks/shuffle.py

Every mechanism with 1, 6 and 30 attributes at ε0 = 2 in total and δ = 1e-10, for ten thousand to a
thousand million people: the time for the mechanism's law and all bounds together, by the clock and
of the processors, and the bounds themselves. Then the way back from ε* = 0.5.
"""

from __future__ import annotations

import argparse
import json
import platform
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from rich.console import Console
from rich.table import Table

from sudare.accounting.shuffle.amplify import amplified, largest_epsilon0
from sudare.accounting.shuffle.catalog import NAMES, Mechanism

EPSILON0, DELTA, WANTED, VALUES = 2.0, 1e-10, 0.5, 10
PEOPLE = (10**4, 10**6, 10**9)
ATTRIBUTES = (1, 6, 30)
RESULTS = Path(__file__).parent / "results" / "shuffle.json"


def forward(mechanism: Mechanism, attributes: int, n: int) -> dict[str, Any]:
    """All bounds of one setting."""
    clock, work = perf_counter(), process_time()
    found = amplified(n, EPSILON0, DELTA, mechanism.law(EPSILON0, attributes))
    return {
        "mechanism": mechanism.name,
        "attributes": attributes,
        "n": n,
        "theorem4": found.theorem4,
        "clones": found.clones,
        "blanket": found.blanket,
        "epsilon": found.epsilon,
        "seconds": round(perf_counter() - clock, 3),
        "processor_seconds": round(process_time() - work, 3),
    }


def back(mechanism: Mechanism, attributes: int, n: int) -> dict[str, Any]:
    """The ε0 that fits."""
    clock, work = perf_counter(), process_time()
    found = largest_epsilon0(n, WANTED, DELTA, lambda total: mechanism.law(total, attributes))
    return {
        "mechanism": mechanism.name,
        "attributes": attributes,
        "n": n,
        "wanted": WANTED,
        "epsilon0": found,
        "seconds": round(perf_counter() - clock, 3),
        "processor_seconds": round(process_time() - work, 3),
    }


def show(title: str, rows: list[dict[str, Any]]) -> None:
    table = Table(*rows[0], title=title)
    for row in rows:
        table.add_row(*(f"{v:.5g}" if isinstance(v, float) else str(v) for v in row.values()))
    Console(width=140).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time shuffle accounting.")
    parser.add_argument("--json", type=Path, default=RESULTS, help="where to write the figures")
    path = parser.parse_args().json
    forward(Mechanism("two-point"), 1, 100)
    every = [Mechanism(name, VALUES) for name in NAMES]
    there = [forward(each, m, n) for each in every for m in ATTRIBUTES for n in PEOPLE]
    again = [back(each, 6, 10**6) for each in every]
    show(f"ε0 = {EPSILON0:g}, δ = {DELTA:g}", there)
    show(f"for ε* = {WANTED:g}", again)
    slowest = max(there, key=lambda row: row["seconds"])
    Console().print(f"slowest: {slowest['seconds']} s ({slowest['mechanism']})")
    path.parent.mkdir(parents=True, exist_ok=True)
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    figures = {"machine": machine, "bounds": there, "inverse": again}
    path.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    Console(stderr=True).print(f"Wrote {path}")


if __name__ == "__main__":
    main()

"""How do time and memory grow with the baskets?

    .venv/bin/python benchmarks/sets_growth.py [--baskets 59602 596020 1000000]
        [--kinds fixed personalised] [--json out.json]

Records are drawn with replacement from BMS-WebView-1 (../shared/data), so that the density stays;
ρ = ½, knowledge unbounded, 40 % of the items sensitive. Each size runs in a process of its own,
warm, once; the release is checked by the verifier. Shown are seconds of table and solver together,
the growth from the first size against that of the baskets (goal: ten times the baskets in at most
twelve times the time), the memory of baskets and constraints, and the most that the process held
during the run beyond it.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from memory import most_mb
from sets import HALF, KINDS, Draws, draw_constraints
from sets_mining import NAMES, read
from sudare.sets.experiments.sampling import taken
from sudare.sets.measures import util1
from sudare.sets.suppress import suppress
from sudare.sets.verify.attackers import verify

SIZES = (59_602, 596_020, 1_000_000)
GOAL = 1.2
RESULTS = Path(__file__).parent / "results" / "sets_growth.json"


def measure(records: int, kind: str) -> dict[str, Any]:
    """In this process, which does nothing else."""
    whole = read(NAMES[0], None)
    few = taken(whole, np.arange(100))
    suppress(few, draw_constraints(few, kind, Draws(1)).sensitive, HALF, Draws(2))
    chosen = np.random.default_rng(records).integers(0, whole.records, records)
    baskets = taken(whole, chosen)
    sensitive = draw_constraints(baskets, kind, Draws(1)).sensitive
    before = most_mb()
    start, busy = perf_counter(), process_time()
    found = suppress(baskets, sensitive, HALF, Draws(2))
    wall, cpu = perf_counter() - start, process_time() - busy
    after = most_mb()
    verify(baskets, baskets.kept(found.kept), sensitive, HALF, max_knowledge=None)
    return {"setting": kind, "baskets": records, "seconds": [wall, cpu],
            "util1": float(util1(baskets, found.kept)), "input_mb": before,
            "more_mb": after - before}  # fmt: skip


def measure_apart(records: int, kind: str) -> dict[str, Any]:
    """The same in a child, so that memory is that of this size alone."""
    command = [sys.executable, __file__, "--child", str(records), kind]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=7200)
    found: dict[str, Any] = json.loads(done.stdout.decode().splitlines()[-1])
    return found


def show(points: list[dict[str, Any]]) -> None:
    columns = ("setting", "baskets", "seconds", "of processors", "growth", "goal", "util1",
               "input MB", "more MB")  # fmt: skip
    table = Table(*columns, title="Growth against that of the baskets; 1.00 is linear")
    for point in points:
        first = next(each for each in points if each["setting"] == point["setting"])
        many = point["baskets"] / first["baskets"]
        rate = point["seconds"][0] / first["seconds"][0] / many
        row = [point["setting"], f"{point['baskets']:,}", f"{point['seconds'][0]:.1f}"]
        row += [f"{point['seconds'][1]:.1f}"]
        row += ["", ""] if many == 1 else [f"{rate:.2f}", f"≤ {GOAL}"]
        row += [f"{point['util1']:.4f}", f"{point['input_mb']:.0f}", f"{point['more_mb']:.0f}"]
        table.add_row(*row)
    Console(width=120).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--baskets", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--json", type=Path, default=RESULTS)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        print(json.dumps(measure(int(asked.child[0]), asked.child[1])))
        return
    points = []
    for kind in asked.kinds:
        for records in asked.baskets:
            points.append(measure_apart(records, kind))
            print(json.dumps(points[-1]), flush=True)
    show(points)
    asked.json.parent.mkdir(exist_ok=True)
    facts = {"machine": platform.processor() or platform.machine(), "points": points}
    asked.json.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

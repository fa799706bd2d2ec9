"""How close do one-run audits come to the ε that local mechanisms claim?

    .venv/bin/python benchmarks/audit_local.py [--repeats 20] [--json out.json]

For every local mechanism and ε: the lower bound on ε from as many canaries as keep it in
[0.98 ε, ε] all but surely (error 1e-6 on either side), and, beside it, the bounds from exactly a
million canaries at a confidence of 99 %: their median, and how many of the repeats lie in
[0.98 ε, ε], below or above it. All bits are fresh. Goal: every bound of the first kind in
[0.98 ε, ε]; of the second, one of a hundred may be above ε, and at ε = 0.5, where a million
canaries tell ε to a fifth of the window at best, about one of a hundred below.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
from fractions import Fraction
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from sudare.randomness.bits import SystemBits

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.canaries import NAMES, bound, enough, of_mechanism

EPSILONS = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
LEAST, SURE, USUAL = 0.98, 1e-6, 0.01
RESULTS = Path(__file__).parent / "results" / "audit_local.json"


def measure(name: str, epsilon: Fraction, repeats: int) -> dict[str, object]:
    look, claimed = of_mechanism(name, epsilon), float(epsilon)
    sure = bound(look, SystemBits(), SURE, enough(claimed), claimed) / claimed
    ratios = [bound(look, SystemBits(), USUAL, 0, claimed) / claimed for _ in range(repeats)]
    return {
        "mechanism": name,
        "epsilon": claimed,
        "bound": sure,
        "million_median": statistics.median(ratios),
        "million_below": sum(ratio < LEAST for ratio in ratios),
        "million_above": sum(ratio > 1 for ratio in ratios),
        "million_repeats": repeats,
    }


def shown(rows: list[dict[str, object]]) -> Table:
    table = Table(title="Lower bounds of one-run audits, in parts of the ε that is claimed")
    for column in ("mechanism", "ε", "bound", "a million: median", "< 0.98", "> 1", "of"):
        table.add_column(column)
    for row in rows:
        bad = not LEAST <= float(str(row["bound"])) <= 1
        text = f"{row['bound']:.4f}"
        cells = [row["mechanism"], row["epsilon"], f"[red]{text}[/]" if bad else text]
        cells += [f"{row['million_median']:.4f}"]
        cells += [row[f"million_{each}"] for each in ("below", "above", "repeats")]
        table.add_row(*map(str, cells))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    todo = [(name, epsilon) for name in NAMES for epsilon in EPSILONS]
    rows = [measure(*each, asked.repeats) for each in track(todo, "audits")]
    Console(width=100).print(shown(rows))
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    asked.json.write_text(json.dumps({"machine": platform.machine(), "audits": rows}, indent=2))


if __name__ == "__main__":
    main()

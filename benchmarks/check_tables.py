"""How long does it take to see what tables give away?

    .venv/bin/python benchmarks/check_tables.py [--time-limit 60] [--json out]

The class of 20 of paper 001 (the shipped files, OR-Tools already loaded; the median of 9 runs), and
margins of a five-way table of 10,000 made people: all two-, three- and four-way margins, and the
three-way margins with every count below 5 withheld. Reported are wall and processor time, whether
the search came to its end, and what it found.
"""

from __future__ import annotations

import argparse
import json
import platform
from itertools import combinations
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np
from rich.console import Console
from rich.table import Table

from sudare.demo.exam import CLASSROOM
from sudare.facts.disclosure import Interval, TableCheck
from sudare.publish.checking_tables import check_tables
from sudare.risk.tables.background import Background, TableFacts
from sudare.risk.tables.check import check_tables as check
from sudare.risk.tables.deadline import Deadline
from sudare.risk.tables.published import Published, Row

RESULTS = Path(__file__).parent / "results" / "check_tables.json"
SHAPE = (2, 5, 8, 6, 4)
NAMES = ("sex", "area", "age", "work", "illness")
PEOPLE = 10_000
SCENES = {"table 1": (1,), "table 2": (2,), "tables 3-5": (3, 4, 5), "all five": (1, 2, 3, 4, 5)}
Record = dict[str, object]


def record(name: str, found: TableCheck, wall: float, cpu: float) -> Record:
    return {
        "case": name,
        "wall_s": round(wall, 3),
        "cpu_s": round(cpu, 3),
        "finished": found.finished,
        "certain": len(found.certain),
        "ruled_out": len(found.excluded),
        "withheld_found": sum(each.table is not None for each in found.narrow),
    }


def classroom(name: str, numbers: tuple[int, ...]) -> Record:
    folder = CLASSROOM / "en"
    files = [folder / f"table{n}.csv" for n in numbers]
    walls, cpus = [], []
    for _ in range(9):
        start, start_cpu = perf_counter(), process_time()
        found = check_tables(files, folder / "facts.toml")
        walls.append(perf_counter() - start)
        cpus.append(process_time() - start_cpu)
    return record(f"class of 20, {name}", found, median(walls), median(cpus))


def people() -> np.ndarray:
    """Skewed and independent attributes, the same on every machine."""
    rng = np.random.default_rng(20)
    columns = []
    for size in SHAPE:
        share = 1.0 / np.arange(1, size + 1)
        columns.append(rng.choice(size, size=PEOPLE, p=share / share.sum()))
    counts = np.zeros(SHAPE, dtype=np.int64)
    np.add.at(counts, tuple(columns), 1)
    return counts


def margins(counts: np.ndarray, order: int, withhold: int = 0) -> list[Published]:
    tables = []
    for axes in combinations(range(len(SHAPE)), order):
        others = tuple(axis for axis in range(len(SHAPE)) if axis not in axes)
        rows = []
        for number, (at, count) in enumerate(np.ndenumerate(counts.sum(axis=others)), 1):
            shown = Interval(0, withhold - 1) if count < withhold else Interval(count, count)
            rows.append(Row(tuple(map(str, at)), shown, number))
        names = tuple(NAMES[axis] for axis in axes)
        tables.append(Published(" × ".join(names), names, tuple(rows)))
    return tables


def release(name: str, tables: list[Published], seconds: float) -> Record:
    background = Background(
        population=Interval(PEOPLE, PEOPLE),
        sensitive=("illness",),
        attributes={n: tuple(map(str, range(s))) for n, s in zip(NAMES, SHAPE, strict=True)},
    )
    facts = {table.name: TableFacts() for table in tables}
    start, start_cpu = perf_counter(), process_time()
    found = check(background, tables, facts, 1, Deadline(seconds))
    return record(name, found, perf_counter() - start, process_time() - start_cpu)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--time-limit", type=float, default=60.0)
    parser.add_argument("--json", type=Path, default=RESULTS)
    options = parser.parse_args()
    check_tables([CLASSROOM / "en" / "table3.csv"])
    found = [classroom(name, numbers) for name, numbers in SCENES.items()]
    counts = people()
    for order in (2, 3, 4):
        name = f"5-way, 10,000 people, all {order}-way margins"
        found.append(release(name, margins(counts, order), options.time_limit))
    withheld = margins(counts, 3, withhold=5)
    found.append(release("the same, 3-way, counts below 5 withheld", withheld, options.time_limit))
    shown = Table(*found[0])
    for each in found:
        shown.add_row(*map(str, each.values()))
    Console().print(shown)
    about = {"machine": platform.machine(), "time_limit_s": options.time_limit, "runs": found}
    options.json.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""What would 10^10 and 10^12 rows cost on Spark? Read off what growth.py and ledger.py measured.

    .venv/bin/python benchmarks/scale.py

Time grows with the rows once they are many, so the time a row over the last step of ten is carried
on, for a cluster of 100 cores like the two that were measured; bytes a row are those of the files
and of Spark's books. A partition is 128 MB of a column's bytes, Spark's own default. What comes to
the driver is one row a group and partition of the last exchange, 200 partitions by default, at
about 100 bytes; groups that a histogram and a two-way table have are those of the benchmark.
Prints the tables of docs/scale.md.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "results"
CORES, MEASURED_CORES = 100, 2
PARTITION = 128e6
ROWS = (1e10, 1e12)
GROUPS = {"count()": 1, "sum(income)": 1, "histogram(g)": 100, "count() by (a, b)": 96}
ROW_BYTES, LAST_PARTITIONS = 100, 200


def shown_bytes(amount: float) -> str:
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if amount >= size:
            return f"{amount / size:.3g} {unit}"
    return f"{amount:.0f} B"


def shown_time(seconds: float) -> str:
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def measured(points: list[dict[str, Any]]) -> None:
    sizes = sorted({point["rows"] for point in points})
    print("| engine | question | " + " | ".join(f"{n:.0e} rows" for n in sizes) + " |")
    print("|---|---|" + "---|" * len(sizes))
    for engine in ("duckdb", "spark"):
        for question in dict.fromkeys(p["question"] for p in points):
            own = {
                p["rows"]: p for p in points if (p["engine"], p["question"]) == (engine, question)
            }
            cells = [
                f"{own[n]['seconds']:.2f} s, {own[n]['memory_mb']:.0f} MB" if n in own else ""
                for n in sizes
            ]
            print(f"| {engine} | {question} | " + " | ".join(cells) + " |")


def projected(points: list[dict[str, Any]]) -> None:
    print("| question | rows | read | partitions | on 100 cores | shuffled | to the driver |")
    print("|---|---|---|---|---|---|---|")
    for question in dict.fromkeys(p["question"] for p in points):
        own = [p for p in points if (p["engine"], p["question"]) == ("spark", question)]
        last, before = own[-1], own[-2]
        slope = (last["seconds"] - before["seconds"]) / (last["rows"] - before["rows"])
        for rows in ROWS:
            read = last["read_mb"] * 1e6 / last["rows"] * rows
            moved = last["shuffled_mb"] * 1e6 / last["rows"] * rows
            few = GROUPS.get(question)
            shuffled = shown_bytes(moved if few is None else few * ROW_BYTES * read / PARTITION)
            driver = shown_bytes((few or 1) * ROW_BYTES * LAST_PARTITIONS)
            time = shown_time(slope * rows * MEASURED_CORES / CORES)
            print(
                f"| {question} | {rows:.0e} | {shown_bytes(read)} | {read / PARTITION:,.0f} | "
                f"{time} | {shuffled} | {driver} |"
            )


def main() -> None:
    points = json.loads((FOLDER / "growth.json").read_text())["points"]
    measured(points)
    print()
    projected(points)
    print()
    print(json.dumps(json.loads((FOLDER / "ledger.json").read_text()), indent=1)[:3000])


if __name__ == "__main__":
    main()

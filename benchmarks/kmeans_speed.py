"""How long does private k-means take, against scikit-learn's Lloyd with as many rounds?

    .venv/bin/python benchmarks/kmeans_speed.py [--rows 10000000] [--rounds 10] [--columns 3]
        [--k 5] [--json out.json]

Whole numbers in five heaps, as an Arrow table in memory for sudare and as an array of doubles for
scikit-learn. A run of sudare opens the table, finds its private start and makes the rounds, each a
pass of the engine over all rows; scikit-learn starts at k given centres and makes as many
iterations (`max_iter`, tol = 0, one start, Lloyd). Goal: at most twice as long. `a round` is the
difference between many rounds and one, divided by the rounds between: what a further round costs.
Ratios are of processor time (all threads, user and system), which other programs disturb less; the
clock stands beside it. Last, how many numbers came from the engine into Python in a whole run:
sums of groups, never rows.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pyarrow as pa
from rich.console import Console
from sklearn.cluster import KMeans as Plain

from sudare.engines.open import open_source
from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.schema import Schema, make_schema
from sudare.publish.fetching import Fetching
from sudare.queries.compile import compile_question
from sudare.queries.kmeans import KMeans
from sudare.queries.measurement import Share
from sudare.randomness.bits import SystemBits, run_key

TURNS = 5
HIGH = 1000
RESULTS = Path(__file__).parent / "results" / "kmeans_speed.json"
Seconds = tuple[float, float]


class Counted(Fetching):
    """A fetch that counts the numbers that come out of the engine."""

    numbers = 0

    def moments(self, requests: Sequence[MomentsRequest]) -> list[Moments]:
        found = super().moments(requests)
        self.numbers += sum(len(row) for each in found for row in each.rows)
        return found


def heaps(rows: int, columns: int, k: int) -> np.ndarray:
    generator = np.random.default_rng(9)
    middles = generator.uniform(0.2, 0.8, (k, columns)) * HIGH
    chosen = generator.integers(0, k, rows)
    found = middles[chosen] + generator.normal(0, HIGH / 20, (rows, columns))
    return np.clip(np.rint(found), 0, HIGH).astype(np.int32)


def schema(names: list[str], rows: int) -> Schema:
    column = {"type": "integer", "min": 0, "max": HIGH}
    table = {"name": "heaps", "expected_rows": rows}
    return make_schema({"table": table, "columns": dict.fromkeys(names, column)})


class Run:
    """One question over the table, as often as it is called."""

    def __init__(self, values: np.ndarray, k: int, rounds: int) -> None:
        self.names = [f"x{place}" for place in range(values.shape[1])]
        self.table = pa.table(dict(zip(self.names, values.T, strict=True)))
        self.schema = schema(self.names, len(values))
        text = f"kmeans({', '.join(self.names)}; k={k}, rounds={rounds})"
        job = compile_question(text, self.schema)
        assert isinstance(job, KMeans)
        self.job, self.numbers = job, 0

    def __call__(self) -> None:
        bits = SystemBits()
        with open_source(self.table, self.schema, self.job.used_columns()) as source:
            fetch = Counted(source, run_key(bits))
            self.job.measure(fetch, Share("laplace", Fraction(1)), 1.0, bits)
            self.numbers = fetch.numbers


def plain(values: np.ndarray, k: int, rounds: int) -> Callable[[], object]:
    start = values[np.random.default_rng(1).choice(len(values), k, replace=False)]
    model = Plain(k, init=start, n_init=1, max_iter=rounds, tol=0, algorithm="lloyd")
    return lambda: model.fit(values)


def timed(call: Callable[[], object]) -> Seconds:
    clock, processors = perf_counter(), process_time()
    call()
    return process_time() - processors, perf_counter() - clock


def middle(runs: list[Seconds]) -> Seconds:
    return statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs)


def measure(rows: int, columns: int, k: int, rounds: int) -> dict[str, Any]:
    values = heaps(rows, columns, k)
    doubles = values / HIGH
    ours = {turns: Run(values, k, turns) for turns in (1, rounds)}
    calls: dict[str, Callable[[], object]] = {
        "ours": ours[rounds],
        "ours, one round": ours[1],
        "theirs": plain(doubles, k, rounds),
        "theirs, one round": plain(doubles, k, 1),
    }
    runs: dict[str, list[Seconds]] = {name: [] for name in calls}
    # In turn, so that what else the machine does touches all of them.
    for _ in range(TURNS):
        for name, call in calls.items():
            runs[name].append(timed(call))
    found: dict[str, Any] = {name: middle(each) for name, each in runs.items()}
    for side in ("ours", "theirs"):
        many, one = found[side], found[f"{side}, one round"]
        found[f"{side}, a round"] = tuple(
            max(0.0, a - b) / (rounds - 1) for a, b in zip(many, one, strict=True)
        )
    return found | {"numbers": ours[rounds].numbers}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=3)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    found = measure(asked.rows, asked.columns, asked.k, asked.rounds)
    out = Console()
    out.print(f"{asked.rows:,} rows, {asked.columns} columns, k = {asked.k}, {asked.rounds} rounds")
    for part, name in (("", "all rounds and the start"), (", a round", "a further round")):
        (cpu, clock), (their_cpu, their_clock) = found[f"ours{part}"], found[f"theirs{part}"]
        out.print(
            f"{name}: {cpu:.3f} s of processors against {their_cpu:.3f} ({cpu / their_cpu:.2f} "
            f"times); {clock:.3f} s of the clock against {their_clock:.3f}"
        )
    out.print(f"numbers that came into Python: {found['numbers']:,}")
    told = {"machine": platform.processor() or platform.machine(), **vars(asked), **found}
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    asked.json.write_text(json.dumps(told, indent=1, default=str), "utf-8")
    out.print(f"Wrote {asked.json}")


if __name__ == "__main__":
    main()

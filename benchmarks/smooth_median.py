"""How long does a smooth-sensitivity median take, against sorting the same values?

    .venv/bin/python benchmarks/smooth_median.py [--rows 1000000] [--json out.json]

Values are uniform on a real column's bounds, as an Arrow table in memory. A run opens the table,
counts it on the column's grid through the engine, finds the smooth bound and draws the noise. In
turn with it, `numpy.sort` sorts the same doubles. Goal: at most three times as long (medians of all
turns). Parts are shown too: the search alone is what smooth sensitivity adds to a histogram. The
ratio is one of processor time (all threads, user and system), which other programs disturb less;
that of the clock stands beside it.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pyarrow as pa
from rich.console import Console

from sudare.engines.open import open_source
from sudare.facts.schema import Schema, make_schema
from sudare.publish.fetching import Fetching
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from sudare.queries.smooth import Smooth
from sudare.queries.smooth_windows import log_window, ranks_of
from sudare.randomness.bits import SystemBits, run_key

ROWS = 1_000_000
TURNS = 15
GOAL = 3.0
HIGH = 1000.0
RESULTS = Path(__file__).parent / "results" / "smooth_median.json"


def schema() -> Schema:
    return make_schema(
        {
            "table": {"name": "values", "expected_rows": ROWS},
            "columns": {"x": {"type": "real", "min": 0.0, "max": HIGH}},
        }
    )


def timed(call: Callable[[], Any]) -> tuple[tuple[float, float], Any]:
    """Seconds of the processors and of the clock, and what was found."""
    clock, processors = perf_counter(), process_time()
    found = call()
    return (process_time() - processors, perf_counter() - clock), found


def measure(rows: int) -> dict[str, Any]:
    values = np.random.Generator(np.random.PCG64(1)).uniform(0, HIGH, rows)
    table, bits = pa.table({"x": values}), SystemBits()
    job = compile_question("median(x; method=smooth)", schema())
    assert isinstance(job, Smooth)
    share = Share("laplace", Fraction(1))
    decay = job.noise(share).decay

    def whole() -> float:
        with open_source(table, schema(), job.used_columns()) as source:
            answer = job.measure(Fetching(source, run_key(bits)), share, 1.0, bits)
        assert isinstance(answer.value, float)
        return answer.value

    def counted() -> Any:
        with open_source(table, schema(), job.used_columns()) as source:
            return Fetching(source, run_key(bits)).counts(job.request)

    def searched(counts: Any) -> float:
        ranks = ranks_of(counts)
        return log_window(ranks, ranks.rows // 2, ranks.rows // 2, decay, 1)

    names = ("sort", "whole", "count", "search")
    parts: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    whole()
    for _ in range(TURNS):
        parts["sort"].append(timed(lambda: np.sort(values))[0])
        seconds, answer = timed(whole)
        parts["whole"].append(seconds)
        seconds, counts = timed(counted)
        parts["count"].append(seconds)
        parts["search"].append(timed(lambda held=counts: searched(held))[0])
    medians, clock = (
        {name: statistics.median(each[kind] for each in times) for name, times in parts.items()}
        for kind in (0, 1)
    )
    return {
        "rows": rows,
        "turns": TURNS,
        "cells": job.cells,
        "seconds": medians,
        "clock_seconds": clock,
        "ratio": medians["whole"] / medians["sort"],
        "clock_ratio": clock["whole"] / clock["sort"],
        "goal": GOAL,
        "error": abs(answer - float(np.median(values))),
        "machine": {"processor": platform.machine(), "python": platform.python_version()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--json", type=Path, default=RESULTS)
    given = parser.parse_args()
    found = measure(given.rows)
    given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    seconds = {name: f"{1000 * each:.1f} ms" for name, each in found["seconds"].items()}
    ratios = f"ratio {found['ratio']:.2f} (goal {GOAL}), by the clock {found['clock_ratio']:.2f}"
    Console().print(seconds, ratios, f"cells {found['cells']}")


if __name__ == "__main__":
    main()

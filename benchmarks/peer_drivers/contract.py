"""What every driver does alike: it reads its job, reports its seconds, and leaves its codes.

A driver runs in the environment of its peer, as `python <driver> job.json`. It prints one line of
JSON on standard output, last; reading and writing of files are outside its seconds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Job = dict[str, Any]


def read_job() -> Job:
    return json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))


def read_codes(job: Job) -> dict[str, np.ndarray]:
    with np.load(job["source"]) as stored:
        return {name: stored[name] for name in job["sizes"]}


Spell = tuple[float, float]


def timed(work: Callable[[], T]) -> tuple[T, Spell]:
    """What the work made, and its wall and processor seconds."""
    start, start_cpu = perf_counter(), process_time()
    done = work()
    return done, (perf_counter() - start, process_time() - start_cpu)


def report(fit: Spell, sample: Spell) -> None:
    wall = {"fit": fit[0], "sample": sample[0]}
    print(json.dumps({**wall, "fit_cpu": fit[1], "sample_cpu": sample[1]}))

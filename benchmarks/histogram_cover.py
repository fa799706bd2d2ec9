"""How often do the 95 % intervals of bins from randomised reports hold?

    .venv/bin/python benchmarks/histogram_cover.py [--trials 20]

20,000 people report a number between 0 and 1 by the square wave at ε = 1, 2 and 5, and
`sudare estimate` fits its 32 bins. Counted is how often the interval of a share holds the share in
the exact rows: of all bins, and of those whose true share is below 1 %, where the likeliest share
is often zero. `width` is the median length of those intervals. Goal: at least 93 %.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from sudare.facts.estimated import Wanted
from sudare.facts.local_plan import LocalPlan
from sudare.facts.reported import Batch
from sudare.facts.schema import make_schema
from sudare.local.estimates.estimate import estimate
from sudare.local.paper.people import People
from sudare.local.paper.trials import exact, job_of
from sudare.local.randomizer import Randomizer
from sudare.randomness.bits import SystemBits

EPSILONS = (1.0, 2.0, 5.0)
ROWS, BINS, STEPS = 20_000, 32, 10_000
SMALL = 0.01
Values = NDArray[np.float64]
Draw = Callable[[np.random.Generator], Values]


def peak(made: np.random.Generator) -> Values:
    """A narrow peak over a thin floor."""
    floor = made.random(ROWS) < 0.03
    return np.where(floor, made.random(ROWS), made.normal(0.4, 0.05, ROWS))


def hill(made: np.random.Generator) -> Values:
    return made.normal(0.5, 0.2, ROWS)


def skewed(made: np.random.Generator) -> Values:
    """Most of it at the lower bound."""
    return made.exponential(0.1, ROWS)


def two_peaks(made: np.random.Generator) -> Values:
    return np.where(
        made.random(ROWS) < 0.5, made.normal(0.25, 0.06, ROWS), made.normal(0.75, 0.1, ROWS)
    )


SETS: dict[str, Draw] = {"peak": peak, "hill": hill, "skewed": skewed, "two peaks": two_peaks}


def people_of(values: Values) -> People:
    column = {"type": "real", "min": 0, "max": 1, "step": 1 / STEPS, "complete": True}
    table = {"name": "bins", "neighbours": "replace-one"}
    schema = make_schema({"table": table, "columns": {"x": column}})
    indices = np.round(np.clip(values, 0, 1) * STEPS).astype(np.int64)
    return People(schema, ("x",), indices[:, np.newaxis])


def measured(people: People, epsilon: float) -> tuple[NDArray[np.bool_], Values, Values]:
    """Whether each bin's interval holds, its length, and the true share."""
    job = job_of(people, LocalPlan(exact(epsilon), statistics=("distribution",), bins=BINS))
    reports = Randomizer(job.facts, SystemBits)(people.columns(), people.count)
    wanted = Wanted(frozenset({"histogram"}))
    found = estimate(job.facts, [Batch(people.count, reports)], wanted).histograms[0]
    places = np.minimum(people.indices[:, 0] * BINS // STEPS, BINS - 1)
    true = np.bincount(places, minlength=BINS) / people.count
    ends = np.array([share.interval95 for share in found.shares], np.float64)
    return (ends[:, 0] <= true) & (true <= ends[:, 1]), ends[:, 1] - ends[:, 0], true


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20)
    trials = parser.parse_args().trials
    table = Table(title="95 % intervals that hold the exact rows' share")
    for name in ("data", "ε", "all bins", "small bins", "width of small bins"):
        table.add_column(name)
    made = np.random.default_rng()
    for name, draw in SETS.items():
        for epsilon in EPSILONS:
            parts = [measured(people_of(draw(made)), epsilon) for _ in range(trials)]
            held, width, true = (np.concatenate(part) for part in zip(*parts, strict=True))
            small = true < SMALL
            shares = [f"{each.mean():.1%}" for each in (held, held[small]) if each.size]
            table.add_row(name, f"{epsilon:g}", *shares, f"{np.median(width[small]):.4f}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()

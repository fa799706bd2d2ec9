"""How often do the 95 % intervals of linear models from randomised reports hold?

    .venv/bin/python benchmarks/regression_cover.py [--trials 60]

Everybody in the AR(1) of estimates.py, in the made town and in two tables of three numbers, where
columns explain much (R² = 0.64) and little (0.10), reports at ε = 2, 4 and 8 by default, and
`sudare estimate` fits a target on the other numbers. Counted is how often the interval of a
coefficient, and that of R², holds the value that least squares has on the exact rows with the same
columns. `models` is in how many of the trials enough was told to fit one. Goal: at least 95 %.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from estimates import autoregressive, town
from sudare.facts.estimated import Figure, Model, Wanted
from sudare.facts.local_plan import LocalPlan
from sudare.facts.reported import Batch
from sudare.facts.schema import make_schema
from sudare.local.estimates.estimate import estimate
from sudare.local.paper.people import People
from sudare.local.paper.trials import exact, job_of
from sudare.local.randomizer import Randomizer
from sudare.randomness.bits import SystemBits

EPSILONS = (2.0, 4.0, 8.0)


def three(slope: float, rows: int = 20_000) -> People:
    """y = slope·x and noise, and a number that has nothing to do with them."""
    made = np.random.default_rng(20_261_117)
    x, z = made.beta(2, 3, rows), made.random(rows)
    y = slope * x + 0.4 * made.beta(2, 2, rows)
    column = {"type": "real", "min": 0, "max": 1, "step": 0.001, "complete": True}
    table = {"name": "three", "neighbours": "replace-one"}
    schema = make_schema({"table": table, "columns": dict.fromkeys("xyz", column)})
    return People(schema, tuple("xyz"), np.round(np.column_stack([x, y, z]) * 1000).astype(int))


def fitted(people: People, target: str, epsilon: float) -> Model | None:
    job = job_of(people, LocalPlan(exact(epsilon)))
    reports = Randomizer(job.facts, SystemBits)(people.columns(), people.count)
    wanted = Wanted(frozenset({"regression"}), target=target)
    models = estimate(job.facts, [Batch(people.count, reports)], wanted).models
    return models[0] if models else None


def least_squares(
    people: People, target: str, columns: tuple[str, ...]
) -> tuple[NDArray[np.float64], float]:
    """Intercept and coefficients on the exact rows, and R²."""
    steps = np.array([people.schema.grid(name).step for name in people.names])
    values = people.indices * steps
    own = values[:, people.names.index(target)]
    others = values[:, [people.names.index(name) for name in columns]]
    design = np.column_stack([np.ones(len(own)), others])
    found = np.linalg.lstsq(design, own, rcond=None)[0]
    return found, float(1 - np.mean((own - design @ found) ** 2) / own.var())


def holds(found: Figure, true: float) -> bool:
    low, high = found.interval95 or (1.0, 0.0)
    return float(low) <= true <= float(high)


def measured(people: People, target: str, epsilon: float, trials: int) -> tuple[str, str, str]:
    coefficients, scores = [], []
    for _ in range(trials):
        model = fitted(people, target, epsilon)
        if model is None:
            continue
        true, explained = least_squares(people, target, model.columns)
        told = (model.intercept, *model.coefficients)
        coefficients += [holds(each, value) for each, value in zip(told, true, strict=True)]
        scores.append(holds(model.score, explained))
    shares = [f"{np.mean(each):.1%}" if each else "–" for each in (coefficients, scores)]
    return (f"{len(scores)} of {trials}", *shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=60)
    trials = parser.parse_args().trials
    table = Table(title="95 % intervals that hold the exact rows' value")
    for column in ("data", "target", "ε", "models", "coefficients", "R²"):
        table.add_column(column)
    sets = {
        "AR(1)": (autoregressive(), ("x0",)),
        "town": (town(), ("income", "moved_in")),
        "much": (three(0.6), ("y",)),
        "little": (three(0.15), ("y",)),
    }
    for name, (people, targets) in sets.items():
        for target in targets:
            for epsilon in EPSILONS:
                found = measured(people, target, epsilon, trials)
                table.add_row(name, target, f"{epsilon:g}", *found)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()

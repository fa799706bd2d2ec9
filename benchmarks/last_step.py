"""Correlations from randomised reports: which last step brings them nearest, and how long it takes.

    python benchmarks/last_step.py [--runs 20] [--adult ../shared/data/adult.csv.gz]

Each person reports what `sudare randomize` chooses for six numbers. The raw correlations are then
published as they are (clipped), after cutting off negative eigenvalues, as the nearest correlation
matrix (Higham), or after shrinking towards zero, towards their mean, or by a prior and then to the
nearest matrix; last, by the prior and to the nearest one where entries move the more the less is
known of them (the default). Printed is
the mean absolute error of the 15 correlations over several runs, beside that of the identity
matrix; what is not estimable counts as no correlation. Data: AR(1) with correlation 0.8 and the
deviation a third of the bounds, and Adult's six numbers where the file is there. Last, seconds for
all default statistics of 10⁷ rows with six numbers that all report, from memory.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.estimated import Wanted
from sudare.facts.local_plan import LocalPlan
from sudare.facts.randomized import Item, NumberDomain, Randomized
from sudare.facts.reported import Batch
from sudare.facts.schema import make_schema
from sudare.local.compile import compile_local
from sudare.local.estimates.channels import lay_out
from sudare.local.estimates.correlations import (
    Correlations,
    correlations,
    cut,
    nearest,
    shrunk,
    upper,
    with_ones,
)
from sudare.local.estimates.estimate import estimate
from sudare.local.estimates.moments import moments
from sudare.local.estimates.sums import accumulate
from sudare.local.randomizer import Randomizer
from sudare.mechanisms.local.named import best_for_numbers

EPSILONS = ("0.5", "1", "2", "4", "8")
ROWS, LONG, PIECES = 30_162, 10_000_000, 40
GRID = 1_000_000
NAMES = ("a", "b", "c", "d", "e", "f")
BOUNDS = {
    "age": (17, 90),
    "fnlwgt": (0, 1_500_000),
    "education_num": (1, 16),
    "capital_gain": (0, 99_999),
    "capital_loss": (0, 4_500),
    "hours_per_week": (1, 99),
}
RESULTS = Path(__file__).parent / "results" / "last_step.json"
Array = NDArray[np.float64]


def autoregressive() -> Array:
    noise = np.random.default_rng(1).standard_normal((ROWS, len(NAMES)))
    found = noise.copy()
    for column in range(1, len(NAMES)):
        found[:, column] = 0.8 * found[:, column - 1] + 0.6 * noise[:, column]
    return np.clip(found / 3, -1, 1)


def adult(path: Path) -> Array:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if "?" not in row.values()]
    scaled = [
        (np.array([float(row[name]) for row in rows]) - low) / (high - low) * 2 - 1
        for name, (low, high) in BOUNDS.items()
    ]
    return np.stack(scaled, axis=1)


def item(kind: Any, columns: tuple[str, ...], mechanism: str, epsilon: str) -> Item:
    parameters = best_for_numbers(mechanism, Fraction(epsilon)).parameters()
    return Item(" ".join((kind, *columns)), kind, columns, mechanism, epsilon, parameters)


def facts_of(items: list[Item], asked: int) -> Randomized:
    domains: dict[str, Any] = {n: NumberDomain("real", -GRID, GRID, 1 / GRID, True) for n in NAMES}
    return Randomized("made", 0.0, asked, tuple(items), domains, True)


def by_default(epsilon: str) -> Randomized:
    column = {"type": "real", "min": -1, "max": 1, "step": 1 / GRID, "complete": True}
    table = {"name": "made", "neighbours": "replace-one"}
    schema = make_schema({"table": table, "columns": dict.fromkeys(NAMES, column)})
    return compile_local(LocalPlan(Fraction(epsilon)), schema).facts


def reported(facts: Randomized, x: Array) -> Batch:
    whole = np.rint(x * GRID).astype(np.int64)
    columns = {name: (whole[:, i], None) for i, name in enumerate(NAMES)}
    return Batch(len(x), Randomizer(facts)(columns, len(x)))


def to_zero(found: Correlations) -> Array:
    """Shrunk towards no correlation."""
    between = max(0.0, float(np.mean(upper(found.raw[0]) ** 2 - upper(found.errors) ** 2)))
    return with_ones(found.raw[:1] * between / (between + found.errors**2 + 1e-300))


def to_mean(found: Correlations) -> Array:
    """Shrunk towards the mean of all (James and Stein, unequal variances)."""
    entries, noise = upper(found.raw[0]), upper(found.errors) ** 2
    mean = float(np.average(entries, weights=1 / (noise + 0.02)))
    between = max(0.0, float(np.mean((entries - mean) ** 2 - noise)))
    kept = between / (between + found.errors**2 + 1e-300)
    return with_ones(mean + kept * (found.raw[:1] - mean))


def scaled(matrices: Array) -> Array:
    sizes = np.sqrt(np.maximum(np.einsum("rii->ri", matrices), 1e-12))
    return with_ones(matrices / (sizes[:, :, np.newaxis] * sizes[:, np.newaxis, :]))


STEPS: dict[str, Callable[[Correlations], Array]] = {
    "as they are": lambda found: np.clip(found.raw[:1], -1, 1),
    "eigenvalues cut": lambda found: scaled(cut(found.raw[:1])),
    "nearest": lambda found: nearest(found.raw[:1]),
    "to zero, nearest": lambda found: nearest(to_zero(found)),
    "to the mean, nearest": lambda found: nearest(to_mean(found)),
    "by the prior, nearest": lambda found: nearest(shrunk(found.raw[:1], found.errors)[0]),
    "by the prior, nearest by variance": lambda found: nearest(
        *shrunk(found.raw[:1], found.errors)
    ),
}


def errors(x: Array, epsilon: str, runs: int) -> dict[str, float]:
    """The mean absolute error of the correlations, by the last step."""
    facts, wanted = by_default(epsilon), Wanted(frozenset({"correlation"}))
    exact = np.corrcoef(x.T)
    found: dict[str, list[float]] = {name: [] for name in STEPS}
    for _ in range(runs):
        sums = accumulate(lay_out(facts, wanted), [reported(facts, x)])
        told = correlations(moments(facts, sums))
        places = [NAMES.index(column) for column in told.columns]
        for name, step in STEPS.items():
            whole = np.eye(len(NAMES))
            if len(places) > 1:
                whole[np.ix_(places, places)] = step(told)[0]
            found[name].append(float(np.abs(upper(whole - exact)).mean()))
    means = {name: float(np.mean(values)) for name, values in found.items()}
    return {"identity": float(np.abs(upper(exact)).mean())} | means


def seconds() -> float:
    """One pass over a long table, all default statistics."""
    facts = facts_of([item("value", (name,), "piecewise", "1") for name in NAMES], len(NAMES))
    x = np.random.default_rng(1).uniform(-1, 1, (LONG // PIECES, len(NAMES)))
    some = reported(facts, x)
    start = perf_counter()
    estimate(facts, [some] * PIECES, Wanted())
    return perf_counter() - start


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield "| " + " | ".join(rows[0]) + " |"
    yield "|---" * len(rows[0]) + "|"
    for row in rows:
        cells = (f"{v:.3f}" if isinstance(v, float) else str(v) for v in row.values())
        yield "| " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--adult", type=Path, default=Path("../shared/data/adult.csv.gz"))
    asked = parser.parse_args()
    sets = {"AR(1)": autoregressive()}
    if asked.adult.is_file():
        sets["Adult"] = adult(asked.adult)
    rows = [
        {"data": name, "ε": epsilon, **errors(x, epsilon, asked.runs)}
        for name, x in sets.items()
        for epsilon in EPSILONS
    ]
    print(*table(rows), sep="\n")
    took = seconds()
    print(f"{LONG:,} rows × {len(NAMES)} numbers: {took:.1f} s")
    result = {"cores": os.cpu_count(), "runs": asked.runs, "long_s": took, "rows": rows}
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Cross tables against plain Laplace, OpenDP and the optimum; time for ten million cells.

    python benchmarks/tables.py --adult ../shared/data/adult.csv.gz

Adult: age × education × occupation (74 × 16 × 14), ε = 1, all margins. The ratio is the mean root
mean square error over the one- and two-way margins, against noise in the finest cells, summed.
Small tables: 2 × 5 × 16 of that file. The file is not part of the repository; without it a made
table of the same shape is used, and the output says so.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from sudare.facts.cube import margin_of
from sudare.facts.schema import make_schema
from sudare.facts.table_plan import TablePlan
from sudare.randomness.bits import SystemBits
from sudare.tables.tabulation import Tabulation, compile_table

RESULTS = Path(__file__).parent / "results" / "tables.json"
Draw = Callable[[], np.ndarray]


def compiled(sizes: tuple[int, ...], mechanism: Any = "laplace", epsilon: str = "1") -> Tabulation:
    columns = {
        f"c{axis}": {"type": "category", "values": [str(value) for value in range(size)]}
        for axis, size in enumerate(sizes)
    }
    schema = make_schema({"table": {"name": "t"}, "columns": columns})
    delta = Fraction("1e-9") if mechanism == "gaussian" else Fraction(0)
    plan = TablePlan(tuple(columns), Fraction(epsilon), delta=delta, mechanism=mechanism)
    return compile_table(plan, schema)


def adult(path: Path | None) -> tuple[np.ndarray, np.ndarray, str]:
    """The large and the small table, and where they come from."""
    if path is None or not path.exists():
        made = np.floor(np.exp(np.sin(np.arange(16576) * 0.7) * 4 - 1)).astype(np.int64)
        small = np.floor(np.exp(np.sin(np.arange(160) * 0.7) * 3 + 3)).astype(np.int64)
        return made.reshape(74, 16, 14), small.reshape(2, 5, 16), "made"
    import polars as pl

    rows = pl.read_csv(path, null_values="?").drop_nulls()
    codes = {name: rows[name].cast(pl.Categorical).to_physical().to_numpy()
             for name in ("education", "occupation", "sex", "race")}  # fmt: skip
    ages = rows["age"].to_numpy() - 17
    large = crossed([ages, ranked(codes["education"]), ranked(codes["occupation"])])
    small = crossed([ranked(codes[name]) for name in ("sex", "race", "education")])
    return large, small, path.name


def ranked(codes: np.ndarray) -> np.ndarray:
    return np.unique(codes, return_inverse=True)[1]


def crossed(codes: list[np.ndarray]) -> np.ndarray:
    shape = [74 if place == 0 and code.max() > 60 else int(code.max()) + 1
             for place, code in enumerate(codes)]  # fmt: skip
    flat = np.ravel_multi_index(codes, shape)
    return np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)


def errors(table: Tabulation, exact: np.ndarray, draw: Draw, runs: int) -> dict[Any, float]:
    """Root mean square error of every margin."""
    squares = dict.fromkeys(table.wanted, 0.0)
    for _ in range(runs):
        wrong = draw() - exact
        for margin in table.wanted:
            moved = margin_of(wrong, table.dimensions, margin).astype(np.float64)
            squares[margin] += float((moved**2).mean()) / runs
    return {margin: float(np.sqrt(square)) for margin, square in squares.items()}


def low_way(found: dict[Any, float]) -> float:
    """The mean over the one- and two-way margins."""
    return float(np.mean([e for m, e in found.items() if sum(level > 0 for level in m) in (1, 2)]))


def continuous_laplace(exact: np.ndarray, scale: float) -> Draw:
    generator = np.random.default_rng()
    return lambda: exact + generator.laplace(0, scale, exact.shape)


def opendp_laplace(exact: np.ndarray, scale: float) -> Draw:
    """OpenDP's integer Laplace in every finest cell; it has no margins of its own choosing."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    noisy = dp.m.make_laplace(*space, scale=scale)
    flat = exact.ravel().tolist()
    return lambda: np.array(noisy(flat)).reshape(exact.shape)


def compare(name: str, exact: np.ndarray, runs: int) -> list[dict[str, Any]]:
    table = compiled(exact.shape)
    bits = SystemBits()
    seen = {"negative": 0, "inconsistent": 0}

    def ours() -> np.ndarray:
        found = table.release(exact, bits)
        seen["negative"] += int((found < 0).sum())
        total = int(found.sum())
        seen["inconsistent"] += sum(
            int(margin_of(found, table.dimensions, m).sum()) != total for m in table.wanted
        )
        return found

    results = []
    base = low_way(errors(table, exact, continuous_laplace(exact, 1.0), runs))
    for who, draw, times in (
        ("plain Laplace, summed", continuous_laplace(exact, 1.0), runs),
        ("OpenDP Laplace, summed", opendp_laplace(exact, 1.0), max(1, runs // 4)),
        ("sudare tabulate", ours, runs),
    ):
        found = errors(table, exact, draw, times)
        finest = found[table.wanted[-1]]
        results.append(
            {"table": name, "who": who, "low_way": low_way(found), "ratio": low_way(found) / base,
             "finest": finest, "total": found[table.wanted[0]]}
            | (seen if who.startswith("sudare") else {})
        )  # fmt: skip
    forecast = {each.margin: each.rmse for each in table.forecasts()}
    results[-1]["forecast_low_way"] = low_way(forecast)
    return results


def gaussian_gap(sizes: tuple[int, ...]) -> dict[str, Any]:
    """zCDP against the least error of any Gaussian mechanism (ResidualPlanner's closed form for
    the sum of variances: (Σ_B √(weight_B · cost_B))²)."""
    table = compiled(sizes, "gaussian")
    cells = float(np.prod(sizes))
    rho = sum(float(event.rho) for event in table.events)  # type: ignore[union-attr]
    weights: dict[Any, float] = {}
    for wanted in table.wanted:
        for part in table.wanted:
            if all(b <= a for a, b in zip(wanted, part, strict=True)):
                inside = np.prod([n if a else 1 for n, a in zip(sizes, wanted, strict=True)])
                rank = np.prod([n - 1 if b else 1 for n, b in zip(sizes, part, strict=True)])
                weights[part] = weights.get(part, 0.0) + cells / inside * rank / inside
    costs = {p: np.prod([n - 1 if b else 1 for n, b in zip(sizes, p, strict=True)]) / (2 * cells)
             for p in weights}  # fmt: skip
    best = sum(np.sqrt(weights[p] * costs[p]) for p in weights) ** 2 / rho
    found = sum(table.variances[margin] for margin in table.wanted)
    return {"sizes": list(sizes), "ratio_of_variances": found / float(best)}


def large(shape: tuple[int, ...], rows: int) -> dict[str, Any]:
    """One sparse table: time and memory."""
    generator = np.random.default_rng()
    codes = [np.minimum((generator.pareto(1.0, rows) * 3).astype(np.int64), n - 1) for n in shape]
    flat = np.ravel_multi_index(codes, shape)
    exact = np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)
    table = compiled(shape)
    start = time.perf_counter()
    found = table.release(exact, SystemBits())
    took = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    wrong = errors(table, exact, lambda: found, 1)
    return {
        "cells": int(exact.size),
        "seconds": took,
        "peak_gigabytes": peak,
        "low_way": low_way(wrong),
        "forecast_low_way": low_way({e.margin: e.rmse for e in table.forecasts()}),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adult", type=Path, default=os.environ.get("SUDARE_ADULT"))
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--large", default="216,216,216", help="shape of the large table, or none")
    parser.add_argument("--json", type=Path, default=RESULTS)
    given = parser.parse_args()
    big, small, source = adult(Path(given.adult) if given.adult else None)
    report: dict[str, Any] = {"source": source, "accuracy": [], "gaussian": [], "large": []}
    for name, exact in (("x".join(map(str, big.shape)), big), ("2x5x16", small)):
        for row in compare(name, exact, given.runs):
            report["accuracy"].append(row)
            print(
                f"{row['table']:>10}  {row['who']:<24} one- and two-way {row['low_way']:8.2f}  "
                f"ratio {row['ratio']:.3f}  finest {row['finest']:6.2f}  total {row['total']:8.2f}"
                + (f"  negative {row['negative']}  inconsistent {row['inconsistent']}"
                   if "negative" in row else "")
            )  # fmt: skip
    for sizes in (big.shape, small.shape, (2, 2, 2, 2, 2)):
        gap = gaussian_gap(sizes)
        report["gaussian"].append(gap)
        print(f"zCDP {gap['sizes']}: {gap['ratio_of_variances']:.4f} of the optimum's variance")
    if given.large != "none":
        shape = tuple(map(int, given.large.split(",")))
        row = large(shape, 1_000_000)
        report["large"].append(row)
        print(
            f"{row['cells']:,} cells: {row['seconds']:.1f} s, {row['peak_gigabytes']:.2f} GB; "
            f"one- and two-way {row['low_way']:.1f}, forecast {row['forecast_low_way']:.1f}"
        )
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

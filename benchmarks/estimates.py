"""Correlations from randomised reports: the default against the paper's method and others.

    python benchmarks/estimates.py --adult ../shared/data/adult.csv.gz [--trials 20]
        [--methods default paper …]

Data: AR(1) of six numbers with ρ = 0.8 and Adult's number of people, Adult itself, the made town.
The error is the mean over all entries of |published − true correlation|, as the paper's (5); an
entry that is not told counts as zero. Methods:

default      what `sudare randomize` chooses, read by `sudare estimate`
asked        the same where it is told that only correlations are wanted (--statistics correlation)
one moment   each person reports one of the 27 first and second moments, piecewise
PM, HM, Laplace split    ε in equal parts over all numbers, read by `sudare estimate`
paper        Algorithm 3 split, scaled by the data's own bounds, plain moments of the reports
paper, tightest    the same with the ε₀ that the tightest bound allows, not its theorem
identity     the identity matrix, without any data

First at the same local ε, then at the same ε* after shuffling (δ = 1e-10): there the paper's method
has the ε′ that its Theorem 4 allows, the others the ε₀ of the tightest bound for their own reports.
`signal` is the share of trials in which the default's estimate itself says that its correlations
beat the identity (`score.beats_trivial`, which the page of `sudare estimate` prints): there is a
signal where it says so in at least half of them. Last, the greatest default/paper where there is.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sudare.accounting.shuffle import theorem
from sudare.accounting.shuffle.amplify import largest_epsilon0
from sudare.demo.town import people_csv, schema_text
from sudare.facts.local_plan import LocalPlan, Wish
from sudare.facts.schema import make_schema, parse_schema
from sudare.local.amplify import law_of_job
from sudare.local.paper import bounds
from sudare.local.paper.correlations import identity_error
from sudare.local.paper.people import People, error, mean_and_error
from sudare.local.paper.trials import correlation_of, estimated, exact, job_of, paper_scores
from sudare.mechanisms.local.shares import GREATEST_EPSILON
from sudare.mechanisms.local.two_point import TwoPoint
from sudare.publish.reproduce import ADULT, read_people
from sudare.randomness.bits import SystemBits

RESULTS = Path(__file__).parent / "results" / "estimates.json"
EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0)
STARS = (0.1, 0.2, 0.5, 1.0)
DELTA = 1e-10
HALF = 0.5
PAPER, TIGHTEST, DEFAULT, ASKED = "paper", "paper, tightest", "default", "asked"
MOMENT = "one moment"
SPLIT = {"PM split": "piecewise", "HM split": "hybrid", "Laplace split": "laplace"}
METHODS = (DEFAULT, ASKED, MOMENT, *SPLIT, PAPER)
AT_STAR = (*METHODS, TIGHTEST)


@dataclass(frozen=True)
class Measured:
    """`spread` is the median standard error of the correlations, None where most are not told;
    `signal` as above, None for the paper's method, which states no errors."""

    data: str
    by: str
    place: float
    method: str
    epsilon: float
    way: str
    error: float
    standard_error: float | None
    identity: float
    spread: float | None
    signal: float | None


def autoregressive(rho: float = 0.8, rows: int = 30_162, numbers: int = 6) -> People:
    """x_j = ρ·x_{j−1} + √(1−ρ²)·noise, normal, between the declared bounds ±3."""
    draw = np.random.default_rng(20_240_501).standard_normal((rows, numbers))
    for j in range(1, numbers):
        draw[:, j] = rho * draw[:, j - 1] + np.sqrt(1 - rho**2) * draw[:, j]
    names = tuple(f"x{j}" for j in range(numbers))
    column = {"type": "real", "min": -3, "max": 3, "step": 0.001, "complete": True}
    table = {"name": "ar1", "neighbours": "replace-one"}
    schema = make_schema({"table": table, "columns": dict.fromkeys(names, column)})
    return People(schema, names, np.round(np.clip(draw, -3, 3) * 1000).astype(np.int64))


def town() -> People:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "town.csv"
        path.write_text(people_csv(), encoding="utf-8")
        return read_people(path, parse_schema(schema_text("en"), "town"), SystemBits())


def plan_of(method: str, epsilon: float) -> LocalPlan:
    if method == DEFAULT:
        return LocalPlan(exact(epsilon))
    if method == ASKED:
        return LocalPlan(exact(epsilon), statistics=("covariance",))
    if method == MOMENT:
        wish = ("", Wish("piecewise"))
        return LocalPlan(exact(epsilon), wishes=(wish,), budget="statistic")
    return LocalPlan(exact(epsilon), wishes=(("", Wish(SPLIT[method])),), budget="split")


def by_paper(people: People, epsilon: float, trials: int) -> list[float]:
    """Correlations of the scores, with the diagonal that they happen to have."""
    mechanism, bits = TwoPoint.best(exact(epsilon / len(people.names))), SystemBits()
    return [
        error(np.asarray(np.corrcoef(paper_scores(people, mechanism, bits))), people.correlation)
        for _ in range(trials)
    ]


def by_plan(people: People, plan: LocalPlan, trials: int) -> tuple[list[float], dict[str, Any]]:
    """Errors, and what the estimates say of themselves."""
    job = job_of(people, plan)
    errors, spreads, claims = [], [], []
    for _ in range(trials):
        found = estimated(people, job, SystemBits)
        errors.append(error(correlation_of(found, people), people.correlation))
        matrix = found.correlation
        score = None if matrix is None else matrix.score
        claims.append(score is not None and score.beats_trivial)
        spreads.append(np.median(standard_errors(matrix, len(people.names))))
    way = job.way
    told = f"{way.budget}, {way.asked} of {len(way.items)}, {way.mechanism}"
    return errors, {
        "way": told,
        "spread": float(np.median(spreads)),
        "signal": float(np.mean(claims)),
    }


def standard_errors(matrix: Any, count: int) -> list[float]:
    """Of all pairs; infinite where nothing is told."""
    if matrix is None:
        return [np.inf]
    pairs = [matrix.entries[i][j].standard_error for i in range(count) for j in range(i)]
    return [np.inf if each is None else each for each in pairs]


def measured(
    name: str, people: People, by: str, place: float, method: str, epsilon: float, trials: int
) -> Measured:
    identity = identity_error(people.correlation)
    told: dict[str, Any] = {"way": "split, 6 of 6, two-point", "spread": None, "signal": None}
    if method in (PAPER, TIGHTEST):
        errors = by_paper(people, epsilon, trials)
    else:
        errors, told = by_plan(people, plan_of(method, epsilon), trials)
    mean, doubt = mean_and_error(errors)
    spread = told["spread"]
    return Measured(
        data=name,
        by=by,
        place=place,
        method=method,
        epsilon=epsilon,
        way=told["way"],
        error=mean,
        standard_error=doubt,
        identity=identity,
        spread=None if spread is None or not np.isfinite(spread) else spread,
        signal=told["signal"],
    )


def allowed(people: People, method: str, star: float) -> float | None:
    """The local ε that ε* after shuffling allows a method."""
    if method == PAPER:
        return theorem.largest_epsilon0(people.count, star, DELTA)
    if method == TIGHTEST:
        return bounds.allowed(people.count, star, DELTA, len(people.names))
    found = largest_epsilon0(
        people.count,
        star,
        DELTA,
        lambda each: law_of_job(job_of(people, plan_of(method, min(each, GREATEST_EPSILON)))),
    )
    return min(found, float(GREATEST_EPSILON))


def runs(name: str, people: People, trials: int, wanted: list[str]) -> Iterator[Measured]:
    for epsilon in EPSILONS:
        for method in (each for each in METHODS if each in wanted):
            yield measured(name, people, "epsilon", epsilon, method, epsilon, trials)
    for star in STARS:
        for method in (each for each in AT_STAR if each in wanted):
            epsilon0 = allowed(people, method, star)
            if epsilon0 is not None:
                yield measured(name, people, "star", star, method, epsilon0, trials)


def table(found: list[Measured], by: str) -> Iterator[str]:
    """Errors of one comparison as a Markdown table."""
    first, methods = ("ε", METHODS) if by == "epsilon" else ("ε*", AT_STAR)
    heads = ["data", first, "signal", "identity", *methods, "default/paper"]
    yield f"| {' | '.join(heads)} |"
    yield "|---|" + "---:|" * (len(heads) - 1)
    chosen = [each for each in found if each.by == by]
    for data, place in dict.fromkeys((each.data, each.place) for each in chosen):
        row = {e.method: e for e in chosen if (e.data, e.place) == (data, place)}
        default, paper = row[DEFAULT], row.get(PAPER)
        parts = [
            data,
            f"{place:g}",
            f"{default.signal:.0%}",
            f"{default.identity:.3f}",
            *(shown(row.get(method), by) for method in methods),
            "–" if paper is None else f"{default.error / paper.error:.2f}",
        ]
        yield f"| {' | '.join(parts)} |"


def greatest(found: list[Measured], by: str) -> float:
    """default/paper where it is worst among all places with a signal."""
    paper = {(e.data, e.place): e.error for e in found if e.by == by and e.method == PAPER}
    return max(
        each.error / paper[each.data, each.place]
        for each in found
        if each.by == by and each.method == DEFAULT and (each.signal or 0) >= HALF
    )


def shown(each: Measured | None, by: str) -> str:
    if each is None:
        return "–"
    at = f" (ε {each.epsilon:.2f})" if by == "star" else ""
    return f"{each.error:.3f} ± {each.standard_error or 0:.3f}{at}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--adult", type=Path, default=Path("../shared/data/adult.csv.gz"))
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--methods", nargs="+", default=list(AT_STAR), choices=AT_STAR)
    options = parser.parse_args()
    sets: dict[str, Callable[[], People]] = {"AR(1)": autoregressive, "town": town}
    if options.adult.is_file():
        sets["Adult"] = lambda: read_people(options.adult, ADULT, SystemBits())
    found: list[Measured] = []
    for name, make in sets.items():
        people = make()
        for each in runs(name, people, options.trials, options.methods):
            found.append(each)
            print(f"{name} {each.by} {each.place:g} {each.method}: {each.error:.4f}", flush=True)
    for by in ("epsilon", "star"):
        print("", *table(found, by), sep="\n")
        print(f"greatest default/paper where there is a signal: {greatest(found, by):.2f}")
    machine = {"cores": os.cpu_count()}
    result = {"machine": machine, "trials": options.trials, "delta": DELTA}
    rows = [asdict(each) for each in found]
    RESULTS.write_text(json.dumps(result | {"rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

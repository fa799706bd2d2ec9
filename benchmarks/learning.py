"""Quantiles, k-means, PCA and regressions beside diffprivlib and OpenDP, at the same ε.

    .venv/bin/python benchmarks/learning.py [--repeats 30] [--epsilon 1] [--data adult]
        [--neighbours replace-one] [--json out.json]

Adult (../shared/data) and the made town, with bounds as a steward would declare them. Every method
sees the same rows and bounds. Per question and repetition the error is:

quantiles  |found − true| over the declared range, the mean over all columns and five levels, after
           rounding to whole numbers (all columns hold such)
kmeans     inertia (columns scaled by their ranges, k = 5) over that of scikit-learn, best of ten
pca        the largest angle, in degrees, between the private and the true plane of the first two
           components (columns scaled by their ranges)
linear     mean squared error beyond that of least squares, over the target's variance
logistic   log-loss beyond that of an unpenalised fit without privacy

sudare's ε protects from adding or removing a person unless `--neighbours` says other; diffprivlib
takes the number of rows as known and protects from replacing one, OpenDP from adding or removing
one. The two are not the same: a replacement is a removal and an addition. sudare's quantile also
releases an interval, which takes half of its ε; `without interval` is the same question asked with
twice the ε, so that the answer alone gets what the peers spend. Shown are medians over the
repetitions with
the quartiles, and the ratio of sudare's median to the peer's. A peer that cannot be imported or
that fails is named; diffprivlib gives up on some quantiles, which then do not count against it.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.progress import track
from rich.table import Table as Shown
from sklearn.cluster import KMeans as PlainKMeans
from sklearn.linear_model import LinearRegression as PlainLinear
from sklearn.linear_model import LogisticRegression as PlainLogistic

import sudare
from peer_tables import SHARED
from sudare.demo.town import people
from synthesis_peers import RESULTS, Peer, drive

LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)
K, COMPONENTS = 5, 2
# OpenDP takes a list of candidates: every whole number where there are no more than this.
CANDIDATES = 20_001
TASKS = ("quantiles", "kmeans", "pca", "linear", "logistic")


@dataclass(frozen=True)
class Case:
    """A table, its bounds, and what is asked of it."""

    name: str
    rows: pd.DataFrame
    bounds: dict[str, tuple[float, float]]
    columns: tuple[str, ...]
    features: tuple[str, ...]
    target: str
    predictors: tuple[str, ...]
    label: str
    neighbours: str = "add-remove"

    def scaled(self, names: tuple[str, ...]) -> np.ndarray:
        found = [
            (self.rows[name].to_numpy(float) - low) / (high - low)
            for name in names
            for low, high in (self.bounds[name],)
        ]
        return np.clip(np.column_stack(found), 0, 1)

    def schema(self) -> dict[str, Any]:
        columns: dict[str, Any] = {
            name: {"type": "integer", "min": int(low), "max": int(high)}
            for name, (low, high) in self.bounds.items()
        }
        columns[self.label] = {"type": "boolean"}
        table = {
            "name": self.name,
            "unit": "row",
            "neighbours": self.neighbours,
            "expected_rows": round(len(self.rows), -3),
        }
        return {"table": table, "budget": {"epsilon": 1e6, "delta": 1e-3}, "columns": columns}


def adult() -> Case:
    rows = pd.read_csv(SHARED / "adult.csv.gz", skipinitialspace=True)
    rows["rich"] = rows["income"].str.startswith(">")
    bounds = {
        "age": (0.0, 100.0),
        "education_num": (0.0, 20.0),
        "hours_per_week": (0.0, 100.0),
        "fnlwgt": (0.0, 1_500_000.0),
        "capital_gain": (0.0, 100_000.0),
    }
    columns = ("age", "education_num", "hours_per_week", "fnlwgt")
    some = ("age", "education_num", "hours_per_week")
    return Case(
        "adult", rows[[*bounds, "rich"]], bounds, columns, some[:2], "hours_per_week", some, "rich"
    )


def town() -> Case:
    rows = pd.DataFrame(people())
    for name in ("age", "income", "household"):
        rows[name] = pd.to_numeric(rows[name], errors="coerce")
    rows["hours"] = pd.to_numeric(rows["hours"], errors="coerce").round()
    rows = rows.dropna(subset=["age", "income", "household", "hours"])
    rows["employed"] = rows["employed"].str.lower().isin(["true", "1", "yes"])
    whole = ["age", "income", "household", "hours"]
    rows[whole] = rows[whole].astype(int)
    bounds = {
        "age": (0.0, 110.0),
        "income": (0.0, 20_000_000.0),
        "household": (1.0, 8.0),
        "hours": (0.0, 80.0),
    }
    columns = ("age", "income", "hours")
    return Case(
        "town", rows[[*bounds, "employed"]], bounds, columns, ("age", "hours", "household"),
        "income", ("age", "household"), "employed",
    )  # fmt: skip


class Scores:
    """How far what a method found is from what the rows say."""

    def __init__(self, case: Case) -> None:
        self.x = case.scaled(case.columns)
        self.features, self.target = case.scaled(case.features), case.scaled((case.target,))[:, 0]
        self.predictors = case.scaled(case.predictors)
        self.label = case.rows[case.label].to_numpy(bool)
        self.true_quantiles = np.quantile(self.x, LEVELS, axis=0, method="inverted_cdf").T
        self.spans = np.array(
            [high - low for low, high in (case.bounds[name] for name in case.columns)]
        )
        self.inertia = PlainKMeans(K, n_init=10, random_state=0).fit(self.x).inertia_
        self.plane = np.linalg.eigh(np.cov(self.x.T))[1][:, ::-1][:, :COMPONENTS]
        plain = PlainLinear().fit(self.features, self.target)
        self.squares = float(np.mean((plain.predict(self.features) - self.target) ** 2))
        fitted = PlainLogistic(C=np.inf, max_iter=1000).fit(self.predictors, self.label)
        self.loss = self._log_loss([fitted.intercept_[0], *fitted.coef_[0]])

    def quantiles(self, found: list[list[float | None]]) -> float:
        """Over those that were answered, rounded to whole numbers, which all columns hold."""
        spans = self.spans[:, None]
        whole = np.rint(np.array(found, dtype=float) * spans) / spans
        return float(np.nanmean(np.abs(whole - self.true_quantiles)))

    def kmeans(self, centers: list[list[float]]) -> float:
        gaps = ((self.x[:, None, :] - np.array(centers)[None]) ** 2).sum(axis=2)
        return float(gaps.min(axis=1).sum() / self.inertia)

    def pca(self, components: list[list[float]]) -> float:
        found, _ = np.linalg.qr(np.array(components, dtype=float).T)
        cosines = np.linalg.svd(self.plane.T @ found, compute_uv=False)
        return float(np.degrees(np.arccos(np.clip(cosines.min(), -1, 1))))

    def linear(self, found: list[float]) -> float:
        guess = found[0] + self.features @ np.array(found[1:])
        excess = float(np.mean((guess - self.target) ** 2)) - self.squares
        return excess / float(self.target.var())

    def logistic(self, found: list[float]) -> float:
        return self._log_loss(found) - self.loss

    def _log_loss(self, found: list[float]) -> float:
        scores = found[0] + self.predictors @ np.array(found[1:])
        return float(np.mean(np.logaddexp(0, np.where(self.label, -scores, scores))))


class Ours:
    """sudare's answers, on the scale of the scores."""

    def __init__(self, case: Case, epsilon: float, folder: Path) -> None:
        self.case, self.epsilon = case, epsilon
        self.table = sudare.open(case.rows, schema=case.schema(), ledger=folder / "ledger.db")

    def quantiles(self, factor: float = 1) -> list[list[float]]:
        found = []
        for name in self.case.columns:
            low, high = self.case.bounds[name]
            asked = [f"quantile({name}, {level})" for level in LEVELS]
            answers = [self.table.ask(text, epsilon=self.epsilon * factor)[0] for text in asked]
            found.append([(float(answer.value) - low) / (high - low) for answer in answers])
        return found

    def kmeans(self) -> list[list[float]]:
        value = self._value(f"kmeans({', '.join(self.case.columns)}; k={K})")
        return [[self._unit(name, each[name]) for name in self.case.columns] for each in value]

    def pca(self) -> list[list[float]]:
        value = self._value(f"pca({', '.join(self.case.columns)}; components={COMPONENTS})")
        return [[each[name] for name in self.case.columns] for each in value]

    def linear(self) -> list[float]:
        low, high = self.case.bounds[self.case.target]
        found = self._slopes("linear", self.case.target, self.case.features)
        return [(found[0] - low) / (high - low), *(each / (high - low) for each in found[1:])]

    def logistic(self) -> list[float]:
        return self._slopes("logistic", self.case.label, self.case.predictors)

    def _slopes(self, function: str, target: str, names: tuple[str, ...]) -> list[float]:
        """Intercept and slopes for columns scaled to [0, 1]."""
        text = f"{function}({target} ~ {', '.join(names)})"
        found = self.table.ask(text, epsilon=self.epsilon)[0].value
        bounds = [self.case.bounds[name] for name in names]
        start = found["(intercept)"] + sum(
            found[name] * low for name, (low, _) in zip(names, bounds, strict=True)
        )
        scaled = [
            found[name] * (high - low) for name, (low, high) in zip(names, bounds, strict=True)
        ]
        return [start, *scaled]

    def _value(self, text: str) -> list[dict[str, float]]:
        return list(self.table.ask(text, epsilon=self.epsilon)[0].value.values())

    def _unit(self, name: str, value: float) -> float:
        low, high = self.case.bounds[name]
        return (value - low) / (high - low)


def opendp_quantiles(scores: Scores, epsilon: float, repeats: int) -> list[list[list[float]]]:
    """The library's private quantile among candidates: all whole numbers of the range, or as many
    as CANDIDATES, evenly spaced."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()

    def chain(level: float, span: float) -> Any:
        places = np.linspace(0, 1, min(CANDIDATES, int(span) + 1)).tolist()
        return dp.binary_search_chain(
            lambda scale: (
                space >> dp.m.then_private_quantile(dp.max_divergence(), places, level, scale)
            ),
            d_in=1,
            d_out=epsilon,
            bounds=(1e-6, 1e6),
        )

    asked = [[chain(level, span) for level in LEVELS] for span in scores.spans]
    columns = [column.tolist() for column in scores.x.T]
    return [
        [[float(each(c)) for each in chains] for c, chains in zip(columns, asked, strict=True)]
        for _ in range(repeats)
    ]


def diffprivlib(case: Case, scores: Scores, epsilon: float, repeats: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        # One table of features serves both regressions where they share it.
        found: dict[str, Any] = {}
        for features, tasks in (
            (scores.features, TASKS[:4]),
            (scores.predictors, TASKS[4:]),
        ):
            np.savez(
                work / "rows.npz", x=scores.x, features=features, target=scores.target,
                label=scores.label,
            )  # fmt: skip
            job = {
                "source": str(work / "rows.npz"), "out": str(work / "found.json"),
                "epsilon": epsilon, "levels": LEVELS, "k": K, "components": COMPONENTS,
                "repeats": repeats, "tasks": tasks,
            }  # fmt: skip
            peer = Peer("diffprivlib", "diffprivlib_learning.py", private=True)
            drive(peer, job, f"learning-{case.name}", work)
            found |= json.loads((work / "found.json").read_text("utf-8"))
        return found


def scored(score: Callable[[Any], float], found: list[Any]) -> dict[str, float]:
    errors = [score(each) for each in found]
    low, middle, high = np.quantile(errors, (0.25, 0.5, 0.75))
    return {"median": float(middle), "low": float(low), "high": float(high)}


def measure(case: Case, epsilon: float, repeats: int) -> dict[str, Any]:
    scores = Scores(case)
    result: dict[str, Any] = {task: {} for task in TASKS}
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(case, epsilon, Path(folder))
        for task in TASKS:
            runs = track(range(repeats), f"{case.name} {task}", console=Console(stderr=True))
            found = [getattr(ours, task)() for _ in runs]
            result[task]["sudare"] = scored(getattr(scores, task), found)
        alone = [ours.quantiles(2) for _ in range(repeats)]
        result["quantiles"]["sudare without interval"] = scored(scores.quantiles, alone)
    try:
        found = opendp_quantiles(scores, epsilon, repeats)
        result["quantiles"]["OpenDP"] = scored(scores.quantiles, found)
    except ImportError as error:
        result["quantiles"]["OpenDP"] = {"failed": str(error)}
    try:
        peer = diffprivlib(case, scores, epsilon, repeats)
    except (subprocess.SubprocessError, OSError) as error:
        # It could not be installed, imported or started.
        peer = {task: {"failed": type(error).__name__} for task in TASKS}
    for task in TASKS:
        told = peer[task]
        failed = "failed" in told
        result[task]["diffprivlib"] = (
            told if failed else scored(getattr(scores, task), told["found"])
        )
    return result


def show(name: str, result: dict[str, Any]) -> None:
    table = Shown("question", "method", "median", "quartiles", "sudare / it", title=name)
    for task, methods in result.items():
        own = methods["sudare"]["median"]
        for method, each in methods.items():
            if "failed" in each:
                table.add_row(task, method, f"failed: {each['failed']}", "", "")
                continue
            ratio = "" if method.startswith("sudare") else f"{own / each['median']:.2g}"
            quartiles = f"{each['low']:.4g} – {each['high']:.4g}"
            table.add_row(task, method, f"{each['median']:.4g}", quartiles, ratio)
    Console().print(table)


def main() -> None:
    cases = {"adult": adult, "town": town}
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", choices=list(cases), action="append")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--neighbours", choices=["add-remove", "replace-one"], default="add-remove")
    parser.add_argument("--json", type=Path, default=RESULTS / "learning.json")
    asked = parser.parse_args()
    found = {"machine": platform.processor() or platform.machine(), "epsilon": asked.epsilon}
    found["neighbours"] = asked.neighbours
    for name in asked.data or cases:
        case = replace(cases[name](), neighbours=asked.neighbours)
        result = measure(case, asked.epsilon, asked.repeats)
        show(name, result)
        found[name] = result
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    asked.json.write_text(json.dumps(found, indent=1), "utf-8")
    print(f"Wrote {asked.json}")


if __name__ == "__main__":
    main()

"""diffprivlib on numbers scaled to [0, 1] by their bounds: quantiles, k-means, PCA, regressions.

It leaves what it found of every repetition; benchmarks/learning.py scores all peers alike. What
raises is left out, with the name of the error.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from contract import Job, read_job, report, timed
from diffprivlib import tools
from diffprivlib.models import PCA, KMeans, LinearRegression, LogisticRegression


def quantile(job: Job, values: np.ndarray, level: float) -> float | None:
    """None where it gives up, which it does at crowded values."""
    try:
        return float(tools.quantile(values, level, epsilon=job["epsilon"], bounds=(0.0, 1.0)))
    except RuntimeError:
        return None


def quantiles(job: Job, x: np.ndarray) -> list[list[float | None]]:
    return [[quantile(job, values, level) for level in job["levels"]] for values in x.T]


def kmeans(job: Job, x: np.ndarray) -> list[list[float]]:
    made = KMeans(n_clusters=job["k"], epsilon=job["epsilon"], bounds=(0.0, 1.0)).fit(x)
    return made.cluster_centers_.tolist()


def pca(job: Job, x: np.ndarray) -> list[list[float]]:
    middle, width = x - 0.5, x.shape[1]
    made = PCA(
        n_components=job["components"],
        epsilon=job["epsilon"],
        bounds=(-0.5, 0.5),
        data_norm=float(np.sqrt(width) / 2),
    ).fit(middle)
    return made.components_.tolist()


def linear(job: Job, x: np.ndarray, y: np.ndarray) -> list[float]:
    made = LinearRegression(epsilon=job["epsilon"], bounds_X=(0.0, 1.0), bounds_y=(0.0, 1.0)).fit(
        x, y
    )
    return [float(made.intercept_), *map(float, made.coef_)]


def logistic(job: Job, x: np.ndarray, y: np.ndarray) -> list[float]:
    middle, width = x - 0.5, x.shape[1]
    made = LogisticRegression(epsilon=job["epsilon"], data_norm=float(np.sqrt(width) / 2))
    made.fit(middle, y)
    slopes = made.coef_[0]
    return [float(made.intercept_[0] - slopes.sum() / 2), *map(float, slopes)]


def repeated(job: Job, work: Callable[[], Any]) -> dict[str, Any]:
    try:
        return {"found": [work() for _ in range(job["repeats"])]}
    except Exception as error:  # What a peer cannot do is told, not hidden.
        return {"failed": type(error).__name__}


def main() -> None:
    job = read_job()
    warnings.filterwarnings("ignore")
    with np.load(job["source"]) as stored:
        x, features, target, label = (stored[n] for n in ("x", "features", "target", "label"))
    works: dict[str, Callable[[], Any]] = {
        "quantiles": lambda: quantiles(job, x),
        "kmeans": lambda: kmeans(job, x),
        "pca": lambda: pca(job, x),
        "linear": lambda: linear(job, features, target),
        "logistic": lambda: logistic(job, features, label),
    }
    found, spell = timed(lambda: {name: repeated(job, works[name]) for name in job["tasks"]})
    Path(job["out"]).write_text(json.dumps(found), "utf-8")
    report(spell, (0.0, 0.0))


if __name__ == "__main__":
    main()

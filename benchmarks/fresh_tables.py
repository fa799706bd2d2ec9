"""Tables on which rules for correlations are tried, and by which nothing was chosen.

The first seven judged the rule of two errors of told entries, and showed that it claimed results
where much was not told. The six after them were fixed before the rule that counts such entries too
was run on anything; one of them showed that results were claimed at the very limit. The last four
were fixed before the rule with room for that was run on anything. Real tables have few people, of
whom many are drawn with replacement: the correlations are then those of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from math import erf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn import datasets

from sudare.facts.schema import make_schema
from sudare.local.paper.people import People
from sudare.publish.reproduce import read_people
from sudare.randomness.bits import SystemBits

ADULTS = 30_162
Floats = NDArray[np.float64]
Bounds = dict[str, tuple[float, float]]
# Bounds from the survey's code book, or round numbers above what its fields hold.
CENSUS = make_schema(
    {
        "table": {"name": "census", "neighbours": "replace-one"},
        "columns": {
            "age": {"type": "integer", "min": 0, "max": 90, "complete": True},
            "wage_per_hour": {"type": "integer", "min": 0, "max": 9_999, "complete": True},
            "capital_gains": {"type": "integer", "min": 0, "max": 99_999, "complete": True},
            "capital_losses": {"type": "integer", "min": 0, "max": 5_000, "complete": True},
            "dividends": {"type": "integer", "min": 0, "max": 99_999, "complete": True},
            "num_persons_employer": {"type": "integer", "min": 0, "max": 6, "complete": True},
            "weeks_worked": {"type": "integer", "min": 0, "max": 52, "complete": True},
        },
    }
)
# Round numbers around what such things measure.
WINE: Bounds = {
    "alcohol": (0, 20),
    "malic_acid": (0, 10),
    "ash": (0, 5),
    "magnesium": (0, 200),
    "total_phenols": (0, 5),
    "flavanoids": (0, 10),
    "color_intensity": (0, 20),
    "hue": (0, 2),
}
TUMOURS: Bounds = {
    "mean radius": (0, 40),
    "mean texture": (0, 50),
    "mean perimeter": (0, 250),
    "mean area": (0, 3000),
    "mean smoothness": (0, 0.2),
    "mean compactness": (0, 0.5),
    "mean concavity": (0, 0.5),
    "mean concave points": (0, 0.25),
}
DIABETES: Bounds = {
    "age": (0, 100),
    "bmi": (10, 60),
    "bp": (50, 150),
    "s1": (50, 350),
    "s2": (0, 300),
    "s3": (0, 120),
    "s6": (50, 150),
    "target": (0, 400),
}


def numbers(values: Floats, bounds: Bounds) -> People:
    """Numbers between their bounds, in 2,000 steps."""
    columns, indices = {}, []
    for (name, (low, high)), column in zip(bounds.items(), values.T, strict=True):
        step = (high - low) / 2000
        columns[name] = {"type": "real", "min": low, "max": high, "step": step, "complete": True}
        indices.append(np.round(np.clip(column, low, high) / step).astype(np.int64))
    table = {"name": "made", "neighbours": "replace-one"}
    schema = make_schema({"table": table, "columns": columns})
    return People(schema, tuple(bounds), np.stack(indices, axis=1))


def made(values: Floats, limit: float) -> People:
    return numbers(values, {f"x{place}": (-limit, limit) for place in range(values.shape[1])})


def normal(matrix: Floats, people: int, seed: int) -> Floats:
    draw = np.random.default_rng(seed).standard_normal((people, len(matrix)))
    return draw @ np.linalg.cholesky(matrix).T


def falling(rho: float, count: int) -> Floats:
    place = np.arange(count)
    return np.asarray(rho ** np.abs(place[:, None] - place))


def alike(rho: float, count: int) -> Floats:
    return np.full((count, count), rho) + (1 - rho) * np.eye(count)


def equal() -> People:
    return made(normal(alike(0.3, 6), ADULTS, 1), 3)


def pairs() -> People:
    matrix = np.eye(6)
    for place, rho in enumerate((0.9, 0.6, -0.5)):
        matrix[2 * place, 2 * place + 1] = matrix[2 * place + 1, 2 * place] = rho
    return made(normal(matrix, ADULTS, 2), 3)


def skewed() -> People:
    draw = np.random.default_rng(3)
    factor = draw.lognormal(0, 0.7, (100_000, 1))
    return made(factor * draw.lognormal(0, 0.5, (100_000, 6)), 20)


def few() -> People:
    return made(normal(falling(0.6, 6), 5_000, 4), 3)


def many() -> People:
    return made(normal(falling(0.8, 10), 200_000, 5), 3)


def none() -> People:
    return made(normal(np.eye(6), ADULTS, 6), 3)


def factor() -> People:
    loadings = np.array([0.9, 0.8, 0.7, 0.6, -0.5, 0.4, 0.3, 0.0])
    matrix = np.outer(loadings, loadings) + np.diag(1 - loadings**2)
    return made(normal(matrix, 60_000, 7), 3)


def half_narrow() -> People:
    """Three of six numbers fill a fifth of what the others do."""
    return made(normal(alike(0.6, 6), 100_000, 8) * np.repeat([1.0, 0.2], 3), 3)


def even() -> People:
    """Every number evenly spread between its bounds."""
    spread = np.vectorize(erf)(normal(falling(0.5, 5), 20_000, 9) / np.sqrt(2))
    return made(np.asarray(spread), 1)


def drawn(found: tuple[Floats, list[str]], bounds: Bounds, people: int, seed: int) -> People:
    """So many people, drawn with replacement from a table of few."""
    values, names = found
    chosen = values[:, [names.index(name) for name in bounds]]
    rows = np.random.default_rng(seed).integers(len(values), size=people)
    return numbers(chosen[rows], bounds)


def wine() -> People:
    found = datasets.load_wine()
    return drawn((found.data, list(found.feature_names)), WINE, 40_000, 10)


def tumours() -> People:
    found = datasets.load_breast_cancer()
    return drawn((found.data, list(found.feature_names)), TUMOURS, 100_000, 11)


def diabetes() -> People:
    found = datasets.load_diabetes(scaled=False)
    values = np.column_stack([found.data, found.target])
    return drawn((values, [*found.feature_names, "target"]), DIABETES, 30_000, 12)


def digits() -> People:
    """The ink in each of the eight lines of a picture."""
    values = datasets.load_digits().images.sum(axis=2)
    names = [f"line {place}" for place in range(8)]
    return drawn((values, names), dict.fromkeys(names, (0, 128)), 50_000, 13)


def iris() -> People:
    found = datasets.load_iris()
    names = [f"x{place}" for place in range(4)]
    return drawn((found.data, names), dict.fromkeys(names, (0, 10)), 20_000, 14)


def three_blocks() -> People:
    matrix = np.kron(np.eye(3), alike(0.7, 3)) + np.kron(1 - np.eye(3), np.full((3, 3), 0.1))
    return made(normal(matrix, 80_000, 15), 4)


def heavy() -> People:
    """Student's t of four degrees of freedom; one value in a hundred is cut off."""
    draw = np.random.default_rng(16)
    scale = np.sqrt(4 / draw.chisquare(4, (40_000, 1)))
    return made(normal(falling(0.7, 5), 40_000, 17) * scale, 5)


def tables(census: Path) -> dict[str, Callable[[], People]]:
    """By name; Census-Income where its file is there."""
    first: dict[str, Callable[[], People]] = {
        "equal .3": equal,
        "three pairs": pairs,
        "skewed": skewed,
        "few people": few,
        "ten numbers": many,
        "none": none,
    }
    if census.is_file():
        first["Census-Income"] = lambda: read_people(census, CENSUS, SystemBits())
    second: dict[str, Callable[[], People]] = {
        "wine": wine,
        "tumours": tumours,
        "diabetes": diabetes,
        "one factor": factor,
        "half narrow": half_narrow,
        "evenly spread": even,
    }
    third: dict[str, Callable[[], People]] = {
        "digits": digits,
        "iris": iris,
        "three blocks": three_blocks,
        "heavy tails": heavy,
    }
    return first | second | third

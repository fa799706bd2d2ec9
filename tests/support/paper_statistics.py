"""Statistics of small tables, computed here from their rows and not by the code under test."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from sudare.facts.statistics import Marginal, NumberMoments, Statistics

Columns = Mapping[str, Any]


def statistics_of(columns: Columns, shared: frozenset[str] = frozenset()) -> Statistics:
    """Numbers (whole, NaN missing) with one bin a value, categories (texts, None missing) with one
    level a label; the labels of `shared` columns beyond the first share a level. All moments."""
    rows = len(next(iter(columns.values())))
    marginals = [_marginal(name, column, name in shared) for name, column in columns.items()]
    codes = {each.name: _levels(each, columns[each.name]) for each in marginals}
    crosses, shifts = {}, {}
    for one, two in combinations(marginals, 2):
        if not one.is_number and not two.is_number:
            table = np.zeros((one.levels, two.levels))
            np.add.at(table, (codes[one.name], codes[two.name]), 1.0)
            crosses[one.name, two.name] = table
    numbers = [each for each in marginals if each.is_number]
    filled, means = {}, []
    for each in numbers:
        values = np.asarray(columns[each.name], float)
        means.append(np.nanmean(values))
        filled[each.name] = np.where(np.isnan(values), means[-1], values)
        for other in marginals:
            if not other.is_number:
                shifts[each.name, other.name] = np.bincount(
                    codes[other.name], np.nan_to_num(values), other.levels
                )
    moments = None
    if numbers:
        stacked = np.array([filled[each.name] for each in numbers])
        covariance = np.cov(stacked, bias=True).reshape(len(numbers), len(numbers))
        moments = NumberMoments(
            tuple(each.name for each in numbers),
            np.array(means),
            covariance,
            np.ones((len(numbers), len(numbers)), np.bool_),
        )
    return Statistics("t", "exact", float(rows), tuple(marginals), crosses, moments, shifts)


def _marginal(name: str, column: Any, shared: bool) -> Marginal:
    values = list(column)
    if isinstance(next(v for v in values if v is not None), str):
        labels = tuple(sorted({v for v in values if v is not None}))
        missing = float(values.count(None))
        counts = np.array([values.count(label) for label in labels], float)
        level_of = np.minimum(np.arange(len(labels)), 1) if shared else np.arange(len(labels))
        return Marginal(name, "category", counts, level_of, missing, missing > 0, labels)
    numbers = np.asarray(column, float)
    present = numbers[~np.isnan(numbers)].astype(np.int64)
    found, counts = np.unique(present, return_counts=True)
    starts: list[int] = []
    held: list[float] = []
    for value, count in zip(found.tolist(), counts.tolist(), strict=True):
        if starts and value > starts[-1] + 1:
            # A gap between two values is a bin of nobody.
            starts.append(starts[-1] + 1)
            held.append(0.0)
        starts.append(value)
        held.append(float(count))
    kind = "boolean" if column_is_flag(name) else "integer"
    missing = float(len(numbers) - len(present))
    return Marginal(
        name, kind, np.array(held), np.arange(len(starts)), missing, missing > 0, (),
        tuple(starts), starts[-1],
    )  # fmt: skip


def column_is_flag(name: str) -> bool:
    """By this file's convention."""
    return name.startswith("is_")


def _levels(each: Marginal, column: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    if each.is_number:
        return np.zeros(len(column), np.int64)
    places = {label: each.level_of[i] for i, label in enumerate(each.labels)}
    return np.array([places[v] if v is not None else each.levels - 1 for v in column], np.int64)


def coded_by_hand(columns: Columns) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Numbers, then 1-of-K without the first label: the paper's Coding of the rows themselves."""
    found = [np.asarray(c, float) for c in columns.values() if not isinstance(c[0], str)]
    for column in columns.values():
        if isinstance(column[0], str):
            found += [
                np.array([float(v == label) for v in column]) for label in sorted(set(column))[1:]
            ]
    return np.array(found).T


def people(rows: int = 400) -> dict[str, Any]:
    """A made table in which everything hangs together; `grade` repeats `school`, so Σ is singular,
    and `year` and `town` are constant."""
    place = np.arange(rows)
    age = 20 + (place * 7) % 50
    school = np.array(["high", "middle", "primary"])[(place // 3 + age // 10) % 3]
    grade = np.array([{"primary": 1, "middle": 2, "high": 3}[s] for s in school])
    income = 100 * grade + 3 * age + (place * 13) % 91
    sex = np.where((place * 5 + income // 50) % 2 == 0, "f", "m")
    return {
        "age": age,
        "school": school.tolist(),
        "grade": grade,
        "sex": sex.tolist(),
        "income": income,
        "year": np.full(rows, 95),
        "town": ["Here"] * rows,
    }

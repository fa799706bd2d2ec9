"""Exact statistics against NumPy: moments, sums, tables, missing values, wide columns."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sudare.engines import crossing
from sudare.facts.errors import InvalidPlan
from sudare.facts.schema import make_schema
from sudare.facts.statistics import Statistics
from sudare.publish.statistics import exact_statistics, synthetic_columns
from sudare.synthesis.contradictions import check_statistics
from synthesis.made import COLUMNS, schema, table


def column(given: pa.Table, name: str) -> np.ndarray:
    """Values on the grid, NaN where missing."""
    held = given.column(name)
    if pa.types.is_date(held.type):
        held = held.cast(pa.int32())
    values = held.cast(pa.float64()).to_numpy(zero_copy_only=False)
    step = schema().grid(name).step
    return np.rint(values / step) * step


NUMBERS = tuple(name for name, facts in COLUMNS.items() if facts["type"] != "category")


@pytest.fixture(scope="module")
def real() -> pa.Table:
    return table(1_500, label=11)


@pytest.fixture(scope="module")
def given(real: pa.Table) -> Statistics:
    return exact_statistics(real, schema())


def test_means_and_covariances(real: pa.Table, given: Statistics) -> None:
    assert given.moments is not None
    assert given.moments.columns == NUMBERS
    values = np.array([column(real, name) for name in NUMBERS])
    means = np.nanmean(values, axis=1)
    assert given.moments.mean == pytest.approx(means, rel=1e-12)
    filled = np.where(np.isnan(values), means[:, None], values)
    covariance = np.cov(filled, ddof=0)
    units = np.sqrt(np.diagonal(covariance))
    scale = np.outer(np.maximum(units, 1e-9), np.maximum(units, 1e-9))
    assert np.abs(given.moments.covariance - covariance).max() <= 1e-9 * scale.max()
    assert (np.abs(given.moments.covariance - covariance) <= 1e-9 * scale + 1e-12).all()


def levels(real: pa.Table, given: Statistics, name: str) -> np.ndarray:
    each = given.marginal(name)
    if not each.is_number:
        labels = real.column(name).to_pylist()
        missing = each.levels - 1
        return np.array([missing if v is None else each.level_of[each.labels.index(v)]
                         for v in labels])  # fmt: skip
    values = column(real, name) / each.step
    found = np.searchsorted(each.level_starts(), np.rint(values), side="right") - 1
    return np.where(np.isnan(values), each.levels - 1, found)


def test_tables_and_sums(real: pa.Table, given: Statistics) -> None:
    codes = {name: levels(real, given, name) for name in COLUMNS}
    assert set(given.crosses) == set(combinations(COLUMNS, 2))
    for (a, b), found in given.crosses.items():
        wanted = np.zeros_like(found)
        np.add.at(wanted, (codes[a], codes[b]), 1)
        assert np.array_equal(found, wanted), (a, b)
    for (number, category), sums in given.shifts.items():
        values = np.nan_to_num(column(real, number))
        size = given.marginal(category).levels
        assert sums == pytest.approx(np.bincount(codes[category], values, size), rel=1e-9, abs=1e-6)
    for each in given.marginals:
        assert each.counts.sum() + each.missing == given.rows == 1_500
        assert np.array_equal(
            each.level_counts, np.bincount(codes[each.name], minlength=each.levels)
        )
    check_statistics(given)


def test_the_order_of_rows_and_batches_changes_nothing(
    real: pa.Table, given: Statistics, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crossing, "_BATCH", 100)
    turned = real.take(list(reversed(range(real.num_rows))))
    again = exact_statistics(turned, schema()).to_dict()
    one, two = given.to_dict(), again
    assert one["columns"] == two["columns"]
    assert one["crosses"] == two["crosses"]


def test_moments_only(real: pa.Table, given: Statistics) -> None:
    found = exact_statistics(real, schema(), "moments")
    assert set(found.crosses) == {("sex", "town")}
    assert found.moments is not None
    assert given.moments is not None
    assert found.moments.covariance == pytest.approx(given.moments.covariance)
    assert set(found.shifts) == set(given.shifts)
    check_statistics(found)


def test_more_values_than_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbours are counted together, and yet all statistics agree with each other."""
    monkeypatch.setattr(crossing, "MOST_VALUES", 200)
    monkeypatch.setattr(crossing, "_BATCH", 500)
    facts = make_schema(
        {"table": {"name": "t"},
         "columns": {"v": {"type": "integer", "min": 7, "max": 10**6},
                     "w": {"type": "category", "values": ["a", "b"]}}}
    )  # fmt: skip
    draw = np.random.default_rng(0)
    values = np.where(draw.random(3_000) < 0.3, 7, draw.integers(7, 10**6, 3_000))
    given = exact_statistics(pa.table({"v": values, "w": draw.choice(["a", "b"], 3_000)}), facts)
    check_statistics(given)
    each = given.marginal("v")
    assert each.means is not None
    assert float(each.counts @ each.means) == pytest.approx(float(values.sum()), rel=1e-12)


@pytest.mark.parametrize("rows", [0, 1])
def test_next_to_nothing(rows: int) -> None:
    found = exact_statistics(table(1).slice(0, rows), schema())
    assert found.rows == rows
    assert (found.moments is None) == (rows == 0)


def test_which_columns() -> None:
    facts = make_schema(
        {"table": {"name": "t", "unit": "who", "max_rows_per_unit": 2},
         "columns": {"who": {"type": "key"}, "memo": {"type": "text"},
                     "n": {"type": "integer", "min": 0, "max": 3},
                     "c": {"type": "category", "values": ["a"]}}}
    )  # fmt: skip
    assert synthetic_columns(facts) == ("n", "c")
    assert synthetic_columns(facts, ("c",)) == ("c",)
    for asked in (("memo",), ("who",)):
        with pytest.raises(InvalidPlan):
            synthetic_columns(facts, asked)
    nothing: dict[str, Any] = {"table": {"name": "t"}, "columns": {"memo": {"type": "text"}}}
    with pytest.raises(InvalidPlan):
        synthetic_columns(make_schema(nothing))

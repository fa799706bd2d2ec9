"""The exact step from end to end: moments, bounds, types and rules of finished rows."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from sudare.facts.schema import make_schema
from sudare.publish.private_statistics import PrivatePlan, private_statistics, statistics_of
from sudare.publish.statistics import exact_statistics
from sudare.publish.synthesize import Made
from synthesis.made import COLUMNS, made, quickly, schema, statistics, table


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quickly(monkeypatch, 24)


def numbers(given: pa.Table, names: tuple[str, ...]) -> np.ndarray:
    """Numbers with missing values at the mean, computed from the table itself."""
    columns = []
    for name in names:
        column = given.column(name)
        kind = column.type
        if pa.types.is_date(kind):
            column = column.cast(pa.int32())
        values = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
        columns.append(np.where(np.isnan(values), np.nanmean(values), values))
    return np.array(columns)


def gaps(real: pa.Table, synthetic: pa.Table, names: tuple[str, ...]) -> tuple[float, float]:
    """The largest error of a mean and of a covariance, in standard units."""
    a, b = numbers(real, names), numbers(synthetic, names)
    units = a.std(axis=1)
    units = np.where(units > 0, units, 1.0)
    means = np.abs(a.mean(axis=1) - b.mean(axis=1)) / units
    covariances = np.abs(np.cov(a, ddof=0) - np.cov(b, ddof=0)) / np.outer(units, units)
    return float(means.max()), float(covariances.max())


def check_bounds(found: pa.Table) -> None:
    for name in found.column_names:
        facts, column = COLUMNS[name], found.column(name)
        if facts["type"] == "category":
            assert set(column.to_pylist()) <= {*facts["values"], None}
        elif facts["type"] == "boolean":
            assert pa.types.is_boolean(column.type)
        else:
            ends = pc.min_max(column.drop_null()).as_py()
            if ends["min"] is None:
                continue
            assert facts["min"] <= ends["min"] <= ends["max"] <= facts["max"], name
            kinds = {"integer": pa.int64(), "date": pa.date32(), "real": pa.float64()}
            assert column.type == kinds[facts["type"]]


NUMBERS = tuple(name for name, facts in COLUMNS.items() if facts["type"] != "category")
MIXED = ("age", "gain", "loss", "hours", "wage", "works", "sex", "town", "same", "third")


@pytest.mark.parametrize("preserve", ["tables", "moments"])
def test_moments_are_met_to_a_millionth(preserve: Any) -> None:
    """Six times as many rows, so that every mean of whole numbers can be met."""
    real = table(1_000, label=1)
    chosen = MIXED if preserve == "tables" else ("age", "gain", "loss", "hours", "works", "sex")
    given = exact_statistics(real, schema(*chosen), preserve)
    found = made(given, 6_000, preserve=preserve)
    complete = tuple(name for name in chosen if name in NUMBERS and name != "hours")
    assert max(gaps(real, found.table(), complete)) <= 1e-6
    # The mean of whole numbers of which some are missing is met to half a step a row.
    mean, covariance = gaps(real, found.table(), (*complete, "hours"))
    assert mean <= 2e-5
    assert covariance <= 2e-5
    assert found.facts.before is not None
    assert found.facts.after is not None
    assert found.facts.before.covariance <= 2e-5
    assert found.facts.after.mean == pytest.approx(mean, abs=1e-9)
    check_bounds(found.table())
    excluded = found.table().select(["gain", "loss"]).to_pylist()
    assert not [row for row in excluded if row["gain"] and row["loss"]]


def test_numbers_that_say_the_same() -> None:
    """y = 2x + 1, and dates that fall as x grows: in every row, and so to the last digit."""
    names = ("age", "twice", "born", "hours", "sex")
    real = table(2_000, label=2)
    found = made(exact_statistics(real, schema(*names)), 2_000).table()
    age, twice = (np.array(found.column(name)) for name in ("age", "twice"))
    assert np.array_equal(twice, 2 * age + 1)
    assert max(gaps(real, found, names[:3])) <= 1e-6
    assert max(gaps(real, found, names[:4])) <= 2e-5
    check_bounds(found)


def test_a_tie_that_would_leave_the_bounds() -> None:
    """x reaches to 50 of a declared 100, and y = 100 − 2x may not go below 0."""
    columns = {
        "x": {"type": "integer", "min": 0, "max": 100},
        "y": {"type": "integer", "min": 0, "max": 100},
    }
    facts = make_schema({"table": {"name": "t"}, "columns": columns})
    x = np.arange(3_000) % 51
    real = pa.table({"x": x, "y": 100 - 2 * x})
    found = made(exact_statistics(real, facts), 6_000).table()
    y = np.array(found.column("y"))
    assert np.array_equal(y, 100 - 2 * np.array(found.column("x")))
    assert y.min() >= 0
    assert max(gaps(real, found, ("x", "y"))) <= 1e-6


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("wanted", [1, 2, 60])
def test_very_few_rows(rows: int, wanted: int) -> None:
    real = table(rows, label=3)
    found = made(exact_statistics(real, schema()), wanted).table()
    assert found.num_rows == wanted
    check_bounds(found)
    if wanted % rows == 0 and rows == 1:
        # One row: everything that is known is this row. Unstated is what is missing in it.
        for name in NUMBERS:
            value = real.column(name)[0].as_py()
            if isinstance(value, float):
                assert found.column(name).to_pylist() == pytest.approx([value] * wanted, abs=1e-6)
            else:
                assert found.column(name).to_pylist() == [value] * wanted


def test_a_hundred_rows() -> None:
    real = table(100, label=4)
    found = made(exact_statistics(real, schema(*MIXED)), 2_000)
    check_bounds(found.table())
    names = tuple(name for name in MIXED if name in NUMBERS)
    mean, covariance = gaps(real, found.table(), names)
    # Two thousand rows of whole numbers: a step of a boolean is 1e-3 standard units.
    assert mean <= 1e-3
    assert covariance <= 2e-3


def test_five_constant_columns() -> None:
    facts = {f"c{n}": {"type": "integer", "min": 0, "max": 10 * n + 1} for n in range(3)}
    facts |= {"d": {"type": "date", "min": dt.date(2000, 1, 1), "max": dt.date(2001, 1, 1)}}
    facts |= {"k": {"type": "category", "values": ["x", "y"]}}
    real = pa.table(
        {"c0": [1] * 30, "c1": [0] * 30, "c2": [5] * 30, "d": [dt.date(2000, 5, 5)] * 30,
         "k": ["y"] * 30}
    )  # fmt: skip
    given = exact_statistics(real, make_schema({"table": {"name": "t"}, "columns": facts}))
    found = made(given, 50)
    assert found.table().to_pylist() == real.to_pylist()[:1] * 50
    assert found.facts.after is not None
    assert found.facts.after.mean == found.facts.after.covariance == 0


def test_small_units() -> None:
    """A column whose variance is far below 1e-12 is matched like any other."""
    facts = make_schema(
        {"table": {"name": "t"},
         "columns": {"x": {"type": "real", "min": 0, "max": 1e-8},
                     "y": {"type": "real", "min": 0, "max": 1e9}}}
    )  # fmt: skip
    draw = np.random.default_rng(0)
    x = draw.beta(2, 5, 2_000)
    real = pa.table({"x": x * 1e-8, "y": np.clip(x + draw.normal(0, 0.1, 2_000), 0, 1) * 1e9})
    found = made(exact_statistics(real, facts), 4_000).table()
    # The statistics are those of values on the grid, a millionth of the range apart.
    assert max(gaps(real, found, ("x", "y"))) <= 1e-5


RULES = (
    {"if": "age < 16", "then": "wage is null or wage < 2000"},
    {"if": "age < 16", "then": "works = false"},
    {"never": "sex = 'M' and town = 'd' and hours > 40"},
    {"if": "gain > 50000", "then": "age >= 30"},
)


def broken(found: Made) -> list[int]:
    rows = found.table().to_pylist()
    return [
        sum(r["age"] < 16 and r["wage"] is not None and r["wage"] >= 2000 for r in rows),
        sum(r["age"] < 16 and r["works"] for r in rows),
        sum(r["sex"] == "M" and r["town"] == "d" and (r["hours"] or 0) > 40 for r in rows),
        sum(r["gain"] > 50_000 and r["age"] < 30 for r in rows),
    ]


def test_no_rule_is_broken_by_swaps_and_moves() -> None:
    """The real rows break every rule, so that exact moments pull against them."""
    real = table(1_000, label=5)
    given = exact_statistics(real, schema(*MIXED, rules=RULES))
    found = made(given, 2_000)
    assert [each.broken for each in found.facts.rules] == [0] * 4
    assert broken(found) == [0] * 4
    check_bounds(found.table())


def test_rules_that_the_data_keep_leave_moments_exact() -> None:
    real = table(3_000, label=6)
    keep = pc.or_(pc.greater_equal(real.column("age"), 16), pc.invert(real.column("works")))
    real = real.filter(keep)
    names = ("age", "works", "wage", "sex")
    given = exact_statistics(real, schema(*names, rules=RULES[1:2]))
    found = made(given, 4 * real.num_rows)
    assert found.facts.rules[0].broken == 0
    assert max(gaps(real, found.table(), ("age", "wage"))) <= 1e-5
    # A boolean that a rule speaks of changes by swaps alone, and keeps the mean it was drawn with.
    assert max(gaps(real, found.table(), ("age", "works", "wage"))) <= 5e-3


def test_more_components_come_nearer() -> None:
    given = statistics(4_000, "age", "hours", "works", "sex", "town", label=7)
    found = made(given, 4_000)
    assert found.facts.two_way is not None
    assert found.facts.two_way <= 0.1


@pytest.mark.parametrize("rows", [0, 1_000])
def test_rules_and_bounds_hold_under_noise(rows: int, tmp_path: Path) -> None:
    """Of nobody, too: noise alone makes rows that break no rule."""
    facts = schema(*MIXED, rules=RULES, expected_rows=1_000)
    plan = PrivatePlan(Fraction(1), Fraction(1, 10**6))
    release = private_statistics(table(1_000).slice(0, rows), facts, plan, ledger=tmp_path / "l")
    found = made(statistics_of(release), 600)
    assert broken(found) == [0] * 4
    check_bounds(found.table())
    assert found.facts.proposals == ()
    assert found.facts.closeness is None
    assert found.facts.guarantee is not None

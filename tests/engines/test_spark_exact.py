"""Which indices stay doubles on Spark, and what is refused of their sums; no Spark is needed for
this. That their sums are those of the other engines is tests/engines/test_every_engine.py's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.tables import one
from sudare.engines.passes import Monomials
from sudare.engines.spark.dialect import render
from sudare.engines.spark.exact import Exact
from sudare.engines.sql.physical import Cell, Physical
from sudare.facts.errors import EngineUnavailable

SUM: Monomials = ((0,),)


def cell(kind: str = "real", stored: str = "float", **facts: Any) -> Cell:
    return Cell("v", one(kind, **facts).columns["v"], Physical(stored), "c0")  # type: ignore[arg-type]


HOURS = cell(min=0, max=80, step=0.5)


@pytest.mark.parametrize(
    ("given", "monomials", "rows", "expected"),
    [
        (HOURS, SUM, 10**12, True),
        (HOURS, ((), (0,)), 2**53 // 160, True),
        (HOURS, SUM, 2**53 // 160 + 1, False),
        (HOURS, ((0,), (0, 0)), 10, True),
        (HOURS, ((0,), (0, 0)), 10**15, True),
        (cell(min=0, max=2**25, step=0.5), ((0, 0),), 10, True),
        (cell(min=0, max=2**26, step=0.5), ((0,), (0, 0)), 10, False),
        (cell(min=-80, max=80, step=0.5), ((0,), (0, 0)), 10, True),
        (cell(min=-80, max=0, step=0.5), SUM, 10, True),
        (cell(min=-1, max=80, step=0.5), SUM, 10, False),
        (cell(min=0, max=80, stored="text"), SUM, 10, False),
        (cell("integer", min=0, max=80), SUM, 10, False),
    ],
)
def test_doubles_are_summed_where_that_is_exact(
    given: Cell, monomials: Monomials, rows: int, expected: bool
) -> None:
    exact = Exact.of(monomials, [given], rows)
    assert exact.doubles == (frozenset({"v"}) if expected else frozenset())
    assert ("AS BIGINT" in render(exact.index(given, given.raw))) is not expected


def test_products_of_doubles_are_cast_once_and_sums_of_both_signs_too() -> None:
    signed = cell(min=-80, max=80, step=0.5)
    exact = Exact.of(((), (0,), (0, 0)), [signed], 10)
    assert [render(part) for part in exact.parts] == [
        "CAST(CAST(x0 AS DOUBLE) AS BIGINT)",
        "CAST(CAST(x0 AS DOUBLE) * CAST(x0 AS DOUBLE) AS BIGINT)",
    ]
    assert render(Exact.of(((0,), (0, 0)), [HOURS], 10).parts[0]) == "x0"


def test_products_of_doubles_are_cut_as_others_are() -> None:
    """Squares below 2^42 of 2^30 rows: limbs of 31 bits."""
    wide = cell(min=0, max=2**20, step=0.5)
    (squares,) = Exact.of(((0, 0),), [wide], 2**30).found
    assert squares.weights == (1, 2**31)


def test_a_double_times_a_whole_number_too_long_for_doubles_stays_whole() -> None:
    age = replace(cell("integer", "integer", min=0, max=2**50), name="w", alias="c1")
    assert Exact.of(((0,), (0, 1)), [HOURS, age], 10).doubles == frozenset()
    short = replace(cell("integer", "integer", min=0, max=90), name="w", alias="c1")
    exact = Exact.of(((1,), (0, 1)), [HOURS, short], 10)
    assert exact.doubles == {"v"}
    assert render(exact.parts[0]) == "x1"


def test_a_sum_that_has_grown_too_large_is_not_taken() -> None:
    """As if a file had been exchanged for a longer one after it was opened."""
    exact = Exact.of(((), (0,)), [HOURS], 10)
    assert exact.together([3, 2.0**53]) == [3, 2**53]
    assert exact.together([0, None]) == [0, 0]
    with pytest.raises(EngineUnavailable):
        exact.together([3, 2.0**53 + 2])

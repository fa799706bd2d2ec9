"""Which indices stay doubles on Spark, and what is refused of their sums; no Spark is needed for
this. That their sums are those of the other engines is tests/engines/test_every_engine.py's."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import duckdb
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
        (cell(min=0, max=94_906_265, step=1.0), ((0, 0),), 10, True),
        (cell(min=0, max=94_906_266, step=1.0), ((0, 0),), 10, False),
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


X0 = "CAST(x0 AS DOUBLE)"
BOTH_SIGNS = cell(min=-80, max=80, step=0.5)


@pytest.mark.parametrize(
    ("given", "rows", "expected"),
    [
        (HOURS, 10, ["x0", f"{X0} * {X0}"]),
        (BOTH_SIGNS, 10, [f"CAST({X0} AS BIGINT)", f"CAST({X0} * {X0} AS BIGINT)"]),
    ],
)
def test_sums_of_one_sign_stay_doubles_and_others_are_cast(
    given: Cell, rows: int, expected: list[str]
) -> None:
    exact = Exact.of(((), (0,), (0, 0)), [given], rows)
    assert [render(part) for part in exact.parts] == expected


@pytest.mark.parametrize(
    ("given", "rows", "weights"),
    [
        (HOURS, 2**53 // 160**2, (1,)),
        (HOURS, 2**53 // 160**2 + 1, (1, 2**14)),
        # Squares up to 2^42: two limbs of 22 bits, and of 2^32 rows they are too many for doubles.
        (cell(min=0, max=2**20, step=0.5), 2**31 - 1, (1, 2**22)),
        (cell(min=0, max=2**20, step=0.5), 2**32, (1, 2**29)),
        (cell(min=-(2**20), max=2**20, step=0.5), 2**30, (1, 2**31)),
    ],
)
def test_squares_are_cut_so_that_no_sum_leaves_its_type(
    given: Cell, rows: int, weights: tuple[int, ...]
) -> None:
    (squares,) = Exact.of(((0, 0),), [given], rows).found
    assert squares.weights == weights


def test_two_doubles_hold_a_product_and_neither_is_negative() -> None:
    """The rendered words, computed by DuckDB's doubles; both ends, middles and multiples."""
    rows, top = 10**6, 2**26
    given = cell(min=0, max=top, step=1.0)
    (squares,) = Exact.of(((0, 0),), [given], rows).found
    width = squares.weights[1]
    low, high = (render(part).replace("RINT", "ROUND_EVEN") for part in squares.parts)
    low, high = (
        text.replace("- CAST('0.5' AS DOUBLE))", "- 0.5::DOUBLE, 0)") for text in (low, high)
    )
    root = math.isqrt(width)
    values = [0, 1, 2, 3, root - 1, root, root + 1, 5 * root, 7 * root, top - 1, top, 12345677]
    found = duckdb.execute(
        f"SELECT {low}, {high} FROM (SELECT unnest(?::DOUBLE[]) AS x0)", [values]
    ).fetchall()
    for value, (small, large) in zip(values, found, strict=True):
        assert int(small) + width * int(large) == value**2
        assert 0 <= small <= width
        assert 0 <= large <= value**2 // width


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
    assert exact.together([3, 2.0**53 - 1]) == [3, 2**53 - 1]
    assert exact.together([0, None]) == [0, 0]
    with pytest.raises(EngineUnavailable):
        exact.together([3, 2.0**53])

"""Which sums Spark makes as doubles, and what is refused of them; no Spark is needed for this."""

from __future__ import annotations

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
        (HOURS, ((0,), (0, 0)), 10, False),
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


def test_a_sum_that_has_grown_too_large_is_not_taken() -> None:
    """As if a file had been exchanged for a longer one after it was opened."""
    exact = Exact.of(((), (0,)), [HOURS], 10)
    assert exact.together([3, 2.0**53]) == [3, 2**53]
    assert exact.together([0, None]) == [0, 0]
    with pytest.raises(EngineUnavailable):
        exact.together([3, 2.0**53 + 2])

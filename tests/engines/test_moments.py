"""Whole requests against the plain Python of reference.py, on native columns and on text."""

from __future__ import annotations

import datetime as dt
import math
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from engines import reference
from engines.tables import KEY, ODD, SCHEMA, arrow, ask, csv_text, write
from sudare.engines import duck
from sudare.engines.open import open_source
from sudare.facts.aggregate import CutsAxis, MomentsRequest, UniformAxis, ValuesAxis
from sudare.facts.query import All, Any_, Comparison, Membership, Missing, Not
from support.tiers import examples

NUMBERS = ("n", "big", "x", "y", "d", "b", ODD)
REALS = st.floats(-3, 120) | st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 2.5, 1e300])
NATIVE = {
    "n": st.integers(-8, 13),
    "big": st.integers(-(2**63), 2**63 - 1),
    "x": REALS,
    "y": REALS | st.integers(0, 1000).map(lambda v: v / 20),
    "d": st.dates(dt.date(1999, 1, 1), dt.date(2022, 1, 1)),
    "b": st.booleans(),
    "c": st.sampled_from(["F", "M", " F ", "q'\"x", "z", "", "\u3000M"]),
    "k": st.sampled_from(["1", "2", "30", "03", "x"]),
    ODD: st.integers(-3, 2005),
}
TEXT = {
    "n": st.sampled_from(["3", "-4", "+2", " 7", "99", "-1" * 30, "2.0", "2.5", "1e1", "x", "nan"]),
    "big": st.integers(-(10**25), 10**25).map(str) | st.sampled_from(["9" * 60, "-" + "9" * 60]),
    "x": st.floats().map(repr) | st.sampled_from(["1e400", "-1e400", ".5", "1.", "1_0", " 2 "]),
    "y": st.decimals(-1, 120, places=2).map(str),
    "d": st.dates(dt.date(1999, 1, 1), dt.date(2022, 1, 1)).map(str)
    | st.sampled_from(["2001/2/3", "2001/02/03", "2001-02-30", "20010203", "2001-02/03"]),
    "b": st.sampled_from(["true", "FALSE", "1", "0", "T", "f", "Yes", "no", "2", "on"]),
    "c": NATIVE["c"],
    "k": NATIVE["k"],
    ODD: st.integers(-3, 2005).map(str),
}


def tables(values: dict[str, st.SearchStrategy[Any]], missing: Any) -> st.SearchStrategy[Any]:
    row = st.fixed_dictionaries({n: st.just(missing) | s for n, s in values.items()})
    return st.lists(row, max_size=12)


def literals(name: str) -> st.SearchStrategy[Any]:
    fractions = st.fractions(-10, 130, max_denominator=40)
    return {
        "n": fractions,
        "big": st.integers(-(2**65), 2**65).map(Fraction),
        "x": fractions | st.integers(0, 2**22).map(lambda v: Fraction(v, 2**20)),
        "y": st.integers(-10, 1200).map(lambda v: Fraction(v) * Fraction(0.1)) | fractions,
        "d": st.dates(dt.date(1998, 1, 1), dt.date(2023, 1, 1)).map(dt.date.isoformat),
        "b": st.booleans(),
        "c": st.sampled_from(["F", "M", "rest", "q'\"x"]),
        "k": st.sampled_from(["1", "2", "30"]),
        ODD: fractions,
    }[name]


SIGNS = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
COLUMNS = st.sampled_from(list(SCHEMA.columns))
LEAVES = COLUMNS.flatmap(
    lambda name: (
        st.builds(Comparison, st.just(name), SIGNS, literals(name))
        | st.builds(
            Membership, st.just(name), st.lists(literals(name), min_size=1, max_size=4).map(tuple)
        )
        | st.just(Missing(name))
    )
)
PREDICATES = st.recursive(
    LEAVES,
    lambda parts: (
        st.builds(Not, parts)
        | st.builds(All, st.lists(parts, max_size=3).map(tuple))
        | st.builds(Any_, st.lists(parts, max_size=3).map(tuple))
    ),
    max_leaves=5,
)


def binned(name: str) -> st.SearchStrategy[Any]:
    grid = SCHEMA.grid(name)
    cuts = st.sets(st.integers(grid.low + 1, grid.high), min_size=1, max_size=9)
    wide = st.sampled_from([grid.span, grid.span + 1])
    return st.builds(UniformAxis, st.just(name), st.just(grid.low), wide, st.integers(1, 7)) | (
        cuts.map(lambda found: CutsAxis(name, tuple(sorted(found))))
    )


AXES = st.one_of(
    st.just(ValuesAxis("c", SCHEMA.columns["c"].values, True)),
    st.just(ValuesAxis("k", SCHEMA.columns["k"].values)),
    st.just(UniformAxis("n", -5, 16, 16)),
    st.sampled_from(NUMBERS).flatmap(binned),
)


@st.composite
def requests(draw: st.DrawFn) -> MomentsRequest:
    columns = tuple(draw(st.lists(st.sampled_from(NUMBERS), max_size=2)))
    places = st.lists(st.integers(0, max(len(columns) - 1, 0)), min_size=1, max_size=2)
    monomials = draw(st.lists(places.map(tuple), max_size=3)) if columns else []
    return MomentsRequest(
        draw(st.none() | PREDICATES),
        tuple(draw(st.lists(AXES, max_size=2))),
        columns,
        tuple(monomials),
        counted=draw(st.booleans()) or not monomials,
    )


@pytest.mark.integration
@examples(150)
@given(tables(NATIVE, None), st.lists(requests(), min_size=1, max_size=3))
def test_native_columns(rows: list[dict[str, Any]], asked: list[MomentsRequest]) -> None:
    expected = [reference.moments(rows, SCHEMA, request) for request in asked]
    assert ask(arrow(rows), SCHEMA, *asked) == expected


@pytest.mark.integration
@examples(80)
@given(tables(NATIVE, None), st.lists(requests(), min_size=1, max_size=3))
def test_parquet_files(rows: list[dict[str, Any]], asked: list[MomentsRequest]) -> None:
    """As above, but DuckDB has the statistics of the file to reason with."""
    expected = [reference.moments(rows, SCHEMA, request) for request in asked]
    with tempfile.TemporaryDirectory() as folder:
        parquet.write_table(arrow(rows), Path(folder, "t.parquet"))
        assert ask(Path(folder, "t.parquet"), SCHEMA, *asked) == expected


@examples(80)
@given(tables(TEXT, ""), st.lists(requests(), min_size=1, max_size=3))
def test_text_columns(rows: list[dict[str, str]], asked: list[MomentsRequest]) -> None:
    expected = [reference.moments(rows, SCHEMA, request) for request in asked]
    text = csv_text(list(SCHEMA.columns), [[row[n] for n in SCHEMA.columns] for row in rows])
    with tempfile.TemporaryDirectory() as folder:
        assert ask(write(Path(folder, "t.csv"), text), SCHEMA, *asked) == expected


def people(count: int) -> pa.Table:
    row = {"n": 3, "big": 2**62, "x": 0.5, "y": 1.0, "d": None, "b": True, "c": "F", "k": "1"}
    return arrow([{**row, ODD: 7}] * count)


@pytest.mark.parametrize("count", [0, 1, 7])
def test_any_number_of_rows(count: int) -> None:
    square = MomentsRequest(columns=("big",), monomials=((0,), (0, 0)))
    everyone, squared = ask(people(count), SCHEMA, MomentsRequest(), square)
    assert everyone.rows == ((count,),)
    assert squared.rows == ((count, count * 2**62, count * 2**124),)


def test_groups_without_rows_are_zeros() -> None:
    axes = (ValuesAxis("c", ("F", "M", "q'\"x"), True), UniformAxis("b", 0, 2, 2))
    (found,) = ask(people(4), SCHEMA, MomentsRequest(None, axes, (ODD,), ((0,),)))
    assert found.rows == ((0, 0), (4, 28)) + ((0, 0),) * 6
    assert all(type(number) is int for row in found.rows for number in row)


def test_requests_of_one_shape_share_their_sums() -> None:
    alone = [
        MomentsRequest(columns=("n",), monomials=((0, 0), (0,))),
        MomentsRequest(columns=("n",), monomials=((0,),)),
        MomentsRequest(columns=("n",), monomials=((0,),), counted=False),
        MomentsRequest(columns=("n",)),
    ]
    found = [m.rows for m in ask(people(5), SCHEMA, *alone)]
    assert found == [((5, 45, 15),), ((5, 15),), ((15,),), ((5,),)]


def test_what_nobody_counts_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count beside a sum takes time; the answer has no place for one that was not asked for."""
    asked: list[str] = []
    query = duck.moments_query

    def spied(*given: Any, **named: Any) -> Any:
        tree = query(*given, **named)
        asked.append(tree.sql("duckdb"))
        return tree

    monkeypatch.setattr(duck, "moments_query", spied)
    total = MomentsRequest(columns=("n", "b"), monomials=((0,),), counted=False)
    assert ask(people(5), SCHEMA, total)[0].rows == ((15,),)
    both = MomentsRequest(columns=("n", "b"), monomials=((0,),))
    assert [m.rows for m in ask(people(5), SCHEMA, total, both)] == [((15,),), ((5, 15),)]
    assert ["COUNT" in text for text in asked] == [False, True]


def test_a_request_may_be_repeated_on_one_source() -> None:
    request = MomentsRequest(columns=("n",), monomials=((0,),))
    with open_source(people(2), SCHEMA, {"n"}) as source:
        assert source.moments([request], KEY) == source.moments([request], b"another")


def test_many_cuts() -> None:
    cuts = tuple(range(1, 2000))
    (found,) = ask(people(6), SCHEMA, MomentsRequest(axes=(CutsAxis(ODD, cuts),)))
    assert [code for code, (count,) in enumerate(found.rows) if count] == [7]

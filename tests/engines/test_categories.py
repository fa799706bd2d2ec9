"""Which stored values show which label, in groups, filters and records alike."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from decimal import Decimal
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from engines.tables import KEY, ask, one
from sudare.engines.open import open_source
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.errors import InvalidPlan
from sudare.facts.query import Comparison, Membership, Missing, Not
from sudare.facts.schema import Schema


def shown(table: Any, schema: Schema) -> Counter[str | None]:
    """How often each label shows, after checking that groups and filters agree with it."""
    with open_source(table, schema, {"v"}) as source:
        labels = [v for batch in source.batches(["v"], KEY) for v in batch.column(0).to_pylist()]
    column = schema.columns["v"]
    axis = ValuesAxis("v", column.values, column.other is not None)
    filters = [MomentsRequest(Comparison("v", "=", label)) for label in schema.domain("v")]
    missing = MomentsRequest(Missing("v"))
    grouped, empty, *filtered = ask(table, schema, MomentsRequest(axes=(axis,)), missing, *filters)
    expected = [labels.count(label) for label in schema.domain("v")]
    assert [count for (count,) in grouped.rows] == expected
    assert [found.rows[0][0] for found in filtered] == expected
    assert empty.rows[0][0] == labels.count(None)
    return Counter(labels)


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        (pa.string(), ["1", " 1", "1\u3000", "01", "", None], ["1", "1", "1", None, None, None]),
        (pa.large_string(), ["1", "x"], ["1", None]),
        (pa.string_view(), ["1", "x"], ["1", None]),
        (pa.dictionary(pa.int8(), pa.string()), ["1", "x", None, "1"], ["1", None, None, "1"]),
        (pa.int64(), [1, -2, 3, None], ["1", "-2", None, None]),
        (pa.uint8(), [1, 200], ["1", None]),
        (pa.float64(), [1.0, 2.5, math.nan, -2.0, math.inf], ["1", "2.5", None, "-2", None]),
        (pa.float32(), [1.0, 2.5], ["1", "2.5"]),
        (pa.decimal128(6, 2), [Decimal("1.00"), Decimal("2.50")], ["1", "2.5"]),
        (pa.bool_(), [True, False, None], ["true", None, None]),
        (pa.date32(), [dt.date(2024, 4, 1), dt.date(2024, 4, 2)], ["2024-04-01", None]),
        (pa.null(), [None], [None]),
    ],
)
def test_labels_in_every_storage(kind: pa.DataType, values: list[Any], expected: list[Any]) -> None:
    table = pa.table({"v": pa.array(values, kind)})
    labels = ["1", "-2", "2.5", "true", "2024-04-01", "1.0", "1e0"]
    assert shown(table, one("category", values=labels)) == Counter(expected)
    with_other = one("category", values=labels, other="rest")
    assert shown(table, with_other) == Counter(label or "rest" for label in expected)


def test_codes_declared_as_numbers() -> None:
    table = pl.DataFrame({"v": [1, 2, None]})
    assert shown(table, one("category", values=[1, 2])) == Counter(["1", "2", None])


def test_labels_that_read_alike_count_once() -> None:
    """Two labels that are one number, or one text but for blanks, must not count a row twice."""
    twins = one("category", values=["0.1", "0.10000000000000001", "a", " a", " "])
    assert shown(pa.table({"v": [0.1]}), twins) == Counter(["0.1"])
    assert shown(pa.table({"v": ["a", " ", ""]}), twins) == Counter(["a", None, None])


def test_hostile_labels_are_only_text() -> None:
    labels = ["'); DROP TABLE rows; --", 'a"b', "\\", "%", "é", "簾", "a\nb"]
    assert shown(pa.table({"v": labels}), one("category", values=labels)) == Counter(labels)


def test_negation_leaves_out_what_is_missing() -> None:
    table = pa.table({"v": ["a", "b", "z", None]})
    plain, other = one("category", values=["a", "b"]), one("category", values=["a", "b"], other="o")
    not_a = MomentsRequest(Not(Membership("v", ("a",))))
    assert ask(table, plain, not_a)[0].rows == ((1,),)
    assert ask(table, other, not_a)[0].rows == ((3,),)


def test_thousands_of_labels() -> None:
    labels = [f"town {number}" for number in range(3000)]
    table = pa.table({"v": [*labels, "elsewhere"]})
    axis = ValuesAxis("v", tuple(labels), True)
    schema = one("category", values=labels, other="elsewhere")
    assert ask(table, schema, MomentsRequest(axes=(axis,)))[0].rows == ((1,),) * 3001


@pytest.mark.parametrize(
    "request_",
    [MomentsRequest(axes=(ValuesAxis("v", ("1",)),)), MomentsRequest(Comparison("v", "=", "1"))],
)
@pytest.mark.parametrize("type", ["key", "text"])
def test_only_categories_have_labels(type: str, request_: MomentsRequest) -> None:
    with pytest.raises(InvalidPlan, match="declared values"):
        ask(pa.table({"v": ["1"]}), one(type), request_)

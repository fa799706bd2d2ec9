"""Rows counted by their codes, and by groups: the same numbers, whichever is quicker."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sudare.engines import duck
from sudare.engines.open import open_source
from sudare.facts.aggregate import MomentsRequest, NearestAxis, UniformAxis, ValuesAxis
from sudare.facts.query import Predicate
from sudare.facts.schema import make_schema
from sudare.queries.compile import compile_question

KEY = bytes(32)
SCHEMA = {
    "columns": {
        "id": {"type": "key"},
        "sex": {"type": "category", "values": ["F", "M"], "other": "?"},
        "age": {"type": "integer", "min": 0, "max": 99},
        "x": {"type": "real", "min": 0, "max": 1, "step": 0.25},
    },
}


def rows(count: int) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "id": [f"p{i % 40}" for i in range(count)],
            "sex": [("F", "M", "x", None)[i] for i in rng.integers(0, 4, count)],
            "age": [None if i > 110 else int(i) for i in rng.integers(-5, 120, count)],
            "x": [None if i < 0.05 else float(i) for i in rng.uniform(0, 1.5, count)],
        }
    )


def older() -> Predicate | None:
    schema = make_schema({"table": {"name": "t"}, **SCHEMA})
    return compile_question("count() where age >= 20 and sex != 'M'", schema).query.where


AGES = UniformAxis("age", 0, 100, 7)
SEXES = ValuesAxis("sex", ("F", "M"), has_other=True)
NEAR = NearestAxis(("age", "x"), ((10.0, 1.0), (60.0, 3.0)), (1.0, 10.0))


@pytest.mark.parametrize("unit", ["row", "id"])
@pytest.mark.parametrize("axes", [(), (AGES,), (SEXES, AGES), (AGES, NEAR)], ids=len)
@pytest.mark.parametrize("filtered", [False, True])
@pytest.mark.parametrize("many", [1, 2**16])
def test_counts_are_the_first_of_the_moments(
    unit: str, axes: tuple[object, ...], filtered: bool, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duck, "MANY_GROUPS", many)
    monkeypatch.setattr(duck, "PORTION_ROWS", 150)
    most = {} if unit == "row" else {"max_rows_per_unit": 5}
    schema = make_schema({"table": {"name": "t", "unit": unit, **most}, **SCHEMA})
    request = MomentsRequest(older() if filtered else None, axes, ("x",))  # type: ignore[arg-type]
    with open_source(rows(400), schema, request.used_columns()) as source:
        (moments,) = source.moments([request], KEY)
        found = source.counts(request, KEY)  # type: ignore[attr-defined]
    assert found.tolist() == [row[0] for row in moments.rows]
    assert found.sum() > 20

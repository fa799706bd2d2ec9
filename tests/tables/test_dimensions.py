"""From `--by` to dimensions: labels, order, levels, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudare.facts.aggregate import CutsAxis, UniformAxis, ValuesAxis
from sudare.facts.errors import (
    BoundsMissing,
    DomainMissing,
    InvalidPlan,
    Unconfirmed,
    UnknownColumn,
)
from sudare.facts.schema import Schema, make_schema
from sudare.tables.dimensions import dimensions_of
from sudare.tables.margins import wanted_margins, weights_of
from support.cubes import flat, tree


def town(**levels: Any) -> Schema:
    return make_schema(
        {
            "table": {"name": "town"},
            "columns": {
                "city": {"type": "category", "values": ["Osaka", "Chiyoda", "Sakai", "Minato"]},
                "age": {"type": "integer", "min": 17, "max": 90},
                "income": {"type": "integer", "min": 0, "max": 10**6},
                "hours": {"type": "real", "min": 0.0, "max": 80.0, "step": 0.5},
                "born": {"type": "date", "min": "2020-01-01", "max": "2020-12-31"},
                "works": {"type": "boolean"},
                "memo": {"type": "text"},
                "open": {"type": "category"},
                "wide": {"type": "integer"},
                "draft": {"type": "category", "values": ["a"], "confirmed": False},
            },
            "levels": {
                "prefecture": {
                    "of": "city",
                    "groups": {"Tokyo": ["Chiyoda", "Minato"], "Osaka-fu": ["Osaka", "Sakai"]},
                },
                "age10": {"of": "age", "width": 10},
                **levels,
            },
        }
    )


def test_members_of_a_group_lie_side_by_side() -> None:
    (found,) = dimensions_of(["city"], town())
    fine, coarse = found.dimension.tiers[1], found.dimension.tiers[0]
    assert coarse.labels == ("Tokyo", "Osaka-fu")
    assert coarse.children == (2, 2)
    assert fine.labels == ("Chiyoda", "Minato", "Osaka", "Sakai")
    assert found.axis == ValuesAxis("city", ("Osaka", "Chiyoda", "Sakai", "Minato"))
    assert found.gathered(np.array([10, 20, 30, 40]), 0).tolist() == [20, 40, 10, 30]


def test_a_level_alone_gathers_the_engine_groups() -> None:
    (found,) = dimensions_of(["prefecture"], town())
    assert found.dimension.depth == 1
    assert found.gathered(np.array([[10, 20, 30, 40]]), 1).tolist() == [[60, 40]]


def test_numbers_are_cut_at_multiples() -> None:
    (whole,) = dimensions_of(["age"], town())
    assert whole.axis == UniformAxis("age", 17, 74, 74)
    assert whole.dimension.tiers[0].labels[:2] == ("17–19", "20–29")
    assert whole.dimension.tiers[0].labels[-1] == "90"
    assert whole.dimension.tiers[0].children == (3, 10, 10, 10, 10, 10, 10, 10, 1)
    (bands,) = dimensions_of(["age10"], town())
    assert bands.axis == CutsAxis("age", (20, 30, 40, 50, 60, 70, 80, 90))


def test_reals_dates_and_booleans() -> None:
    schema = town(shift={"of": "hours", "cuts": [20, 40.5]}, quarter={"of": "born", "width": 92})
    shift, quarter, works = dimensions_of(["shift", "quarter", "works"], schema)
    assert shift.dimension.labels(1) == ("[0, 20)", "[20, 40.5)", "[40.5, 80]")
    assert shift.axis == CutsAxis("hours", (40, 81))
    assert quarter.dimension.labels(1)[0] == "2020-01-01–2020-04-01"
    assert works.dimension.labels(1) == ("false", "true")


def test_a_path_chooses_and_skips_levels() -> None:
    schema = town(
        old={"of": "age10", "cuts": [60]},
        young={"of": "age10", "cuts": [30]},
    )
    (found,) = dimensions_of(["age/old"], schema)
    assert [tier.name for tier in found.dimension.tiers] == ["old", "age"]
    with pytest.raises(InvalidPlan, match="Several levels"):
        dimensions_of(["age"], schema)
    with pytest.raises(InvalidPlan, match="not built on"):
        dimensions_of(["old/age"], schema)


@pytest.mark.parametrize(
    ("by", "error", "said"),
    [
        (["nope"], UnknownColumn, "nope"),
        (["open"], DomainMissing, "open"),
        (["wide"], BoundsMissing, "wide"),
        (["draft"], Unconfirmed, "draft"),
        (["memo"], InvalidPlan, "no declared groups"),
        (["income"], InvalidPlan, "too many values"),
        (["hours"], InvalidPlan, "too many values"),
        (["age", "age10"], InvalidPlan, "one column"),
    ],
)
def test_refusals(by: list[str], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        dimensions_of(by, town())


def test_levels_must_nest() -> None:
    with pytest.raises(InvalidPlan, match="not nested"):
        dimensions_of(["age"], town(odd={"of": "age10", "cuts": [25]}))
    with pytest.raises(InvalidPlan, match="another type"):
        dimensions_of(["late"], town(late={"of": "born", "cuts": [3]}))
    with pytest.raises(InvalidPlan, match="no value can fall"):
        dimensions_of(["fine"], town(fine={"of": "hours", "width": 0.1}))


DIMENSIONS = (flat(2, "sex"), tree((2, 1), name="a"))


def test_margins_as_people_write_them() -> None:
    assert len(wanted_margins("all", DIMENSIONS)) == 6
    assert wanted_margins("none", DIMENSIONS) == ((1, 2),)
    assert wanted_margins("1", DIMENSIONS) == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2))
    assert wanted_margins("sex,a0; total", DIMENSIONS) == ((0, 0), (1, 1), (1, 2))


@pytest.mark.parametrize("text", ["nope", "a0,a1", ";", "sex,nope"])
def test_margins_that_are_none(text: str) -> None:
    with pytest.raises(InvalidPlan):
        wanted_margins(text, DIMENSIONS)


def test_weights() -> None:
    wanted = wanted_margins("1", DIMENSIONS)
    assert weights_of([("sex", 4)], wanted, DIMENSIONS)[(1, 0)] == 4  # type: ignore[list-item]
    with pytest.raises(InvalidPlan, match="not asked for"):
        weights_of([("sex,a0", 4)], wanted, DIMENSIONS)  # type: ignore[list-item]
    with pytest.raises(InvalidPlan, match="weight 0"):
        weights_of([("sex,a1", 0)], ((1, 2),), DIMENSIONS)  # type: ignore[list-item]

"""At most so many rows a unit, chosen at random, whatever the order of the file."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from engines.tables import ask, csv_text, schema, write
from sudare.engines import duck
from sudare.engines.open import open_source
from sudare.facts.aggregate import MomentsRequest, UniformAxis
from sudare.facts.schema import Schema, make_schema
from support.goodness import fits

ROWS_OF = MomentsRequest(axes=(UniformAxis("v", 0, 100, 100),))
VALUES = MomentsRequest(columns=("v",), monomials=((0,),))


def visits(limit: int, **more: Any) -> Schema:
    return schema(
        {
            "who": {"type": "key"},
            "v": {"type": "integer", "min": 0, "max": 99},
            "c": {"type": "category", "values": ["a", "b"]},
            "x": {"type": "real", "min": 0, "max": 1},
            **more,
        },
        unit="who",
        max_rows_per_unit=limit,
    )


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def kept(table: object, limit: int, run: int = 0) -> list[int]:
    """How often each v is kept."""
    return [count for (count,) in ask(table, visits(limit), ROWS_OF, key=key(run))[0].rows]


def table(units: list[Any], values: list[Any]) -> pa.Table:
    return pa.table({"who": units, "v": values})


def test_every_unit_keeps_its_share() -> None:
    units = ["one"] * 1 + ["two"] * 2 + ["five"] * 5 + ["many"] * 40
    data = table(units, list(range(48)))
    for limit, expected in ((1, 4), (2, 7), (3, 9), (100, 48)):
        assert sum(kept(data, limit)) == expected
    assert kept(data, 2)[:3] == [1, 1, 1]


def test_rows_without_a_unit_are_left_out() -> None:
    data = table(["a", None, "", "  ", "b"], [1, 2, 3, 4, 5])
    assert [v for v, count in enumerate(kept(data, 3)) if count] == [1, 5]
    floats = pa.table({"who": [1.0, math.nan, None], "v": [1, 2, 3]})
    assert [v for v, count in enumerate(kept(floats, 3)) if count] == [1]


def test_blanks_do_not_make_another_person() -> None:
    assert sum(kept(table(["a", " a", "a\u3000"], [1, 2, 3]), 1)) == 1


def test_the_order_of_the_file_does_not_matter() -> None:
    rng = np.random.default_rng(1)
    units = [f"p{number}" for number in rng.integers(0, 20, 400)]
    data = table(units, [int(v) for v in rng.integers(0, 10, 400)])
    first = kept(data, 3)
    for _ in range(3):
        assert kept(data.take(pa.array(rng.permutation(400))), 3) == first


def test_file_and_frame_keep_the_same_rows(tmp_path: Path) -> None:
    rows = [("a", number) for number in range(50)] + [("b", 3)] * 9
    text = csv_text(["who", "v"], [[who, str(v)] for who, v in rows])
    file = write(tmp_path / "visits.csv", text)
    assert kept(file, 4) == kept(table([w for w, _ in rows], [v for _, v in rows]), 4)


def test_one_choice_serves_all_requests() -> None:
    data = table(["a"] * 60, list(range(60)))
    with open_source(data, visits(5), {"v"}) as source:
        (groups, sums) = source.moments([ROWS_OF, VALUES], key(1))
        (again,) = source.moments([VALUES], key(1))
        batches = list(source.batches(["v"], key(1)))
    chosen = [v for v, (count,) in enumerate(groups.rows) if count]
    assert (len(chosen), sum(chosen)) == sums.rows[0] == again.rows[0]
    assert sorted(v for batch in batches for v in batch.column(0).to_pylist()) == chosen


def test_other_keys_choose_otherwise() -> None:
    data = table(["a"] * 60, list(range(60)))
    with open_source(data, visits(5), {"v"}) as source:
        chosen = {source.moments([ROWS_OF], key(run))[0].rows for run in range(20)}
    assert len(chosen) == 20


def test_every_choice_is_equally_likely() -> None:
    """3 of 6 rows, two of them alike, over many keys: chi-square at a false alarm of 1e-6."""
    values = [10, 11, 12, 13, 14, 14]
    pairs = list(itertools.combinations(range(6), 3))
    law = Counter(tuple(sorted(values[row] for row in rows)) for rows in pairs)
    outcomes = list(law)
    # 1500 persons with the same rows draw independently under each key.
    people = [str(person) for person in range(1500) for _ in values]
    data = pa.table({"who": people, "v": values * 1500})
    with open_source(data, visits(3), {"v", "who"}) as source:
        drawn = [
            outcomes.index(tuple(sorted(found)))
            for run in range(4)
            for found in _by_person(source, key(run))
        ]
    sample = np.array(drawn)
    assert len(sample) == 6000
    assert fits(sample, {code: law[o] / len(pairs) for code, o in enumerate(outcomes)})
    # A choice that forgets that equal rows are two rows must be rejected.
    assert not fits(sample, {code: 1 / len(outcomes) for code in range(len(outcomes))})


def _by_person(source: Any, run_key: bytes) -> list[list[int]]:
    found: dict[str, list[int]] = {}
    for batch in source.batches(["who", "v"], run_key):
        for row in batch.to_pylist():
            found.setdefault(row["who"], []).append(row["v"])
    return list(found.values())


def test_choices_follow_the_row_not_its_neighbours() -> None:
    """What one person keeps does not depend on who else is in the table."""
    alone = table(["a"] * 30, list(range(30)))
    crowd = table(["b"] * 50 + ["a"] * 30, [50] * 50 + list(range(30)))
    assert kept(alone, 4)[:30] == kept(crowd, 4)[:30]


def test_a_person_with_very_many_rows() -> None:
    data = table(["heavy"] * 100_000 + ["light"], [7] * 100_000 + [9])
    assert kept(data, 3)[7] == 3
    assert sum(kept(data, 3)) == 4


@pytest.mark.parametrize("limit", [1, 2])
def test_missing_values_and_categories_are_content_too(limit: int) -> None:
    data = pa.table(
        {
            "who": ["a"] * 6,
            "v": [1, 1, None, None, 5, 5],
            "c": ["a", None, "a", "zz", "b", "b"],
            "x": [0.1, math.nan, 0.1, None, 0.5, 0.5],
        }
    )
    with open_source(data, visits(limit), {"v", "c", "x"}) as source:
        assert sum(batch.num_rows for batch in source.batches(["v", "c", "x"], key(3))) == limit


def test_an_integer_unit_is_not_clamped() -> None:
    numbered = schema(
        {
            "who": {"type": "integer", "min": 0, "max": 1},
            "v": {"type": "integer", "min": 0, "max": 99},
        },
        unit="who",
        max_rows_per_unit=1,
    )
    data = pa.table({"who": [5, 6, 7], "v": [1, 2, 3]})
    assert ask(data, numbered, VALUES)[0].rows == ((3, 6),)


def test_long_decimal_keys_stay_apart() -> None:
    """Two keys that are one double are still two units."""
    keys = [Decimal("1" + "0" * 40), Decimal("1" + "0" * 39 + "1")]
    table = pa.table({"id": pa.array(keys * 3, pa.decimal256(60, 0))})
    schema = make_schema(
        {
            "table": {"name": "t", "unit": "id", "max_rows_per_unit": 1},
            "columns": {"id": {"type": "key"}},
        }
    )
    with open_source(table, schema, ()) as source:
        assert source.moments([MomentsRequest()], bytes(32))[0].rows == ((2,),)


@pytest.mark.parametrize("unit", ["p{}", 7])
@pytest.mark.parametrize(("form", "stretches", "portions"), [("number", 4, 16), ("text", 1, 4)])
def test_portions_of_units_add_up_to_the_whole(
    form: str, stretches: int, portions: int, unit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether units are taken all at once or a few at a time, the same rows are kept. What has to
    be parsed is held as a whole, all else a stretch at a time."""
    values: list[Any] = [*range(100), 5]
    stored = values if form == "number" else list(map(str, values))
    who = [unit.format(i % 13) if unit == "p{}" else unit * (i % 13) - 30 for i in range(100)]
    visited = table([*who, None], stored)
    together = kept(visited, 2)
    with open_source(visited, visits(2), {"v", "who"}) as source:
        records = [r for b in source.batches(["who", "v"], key(0)) for r in b.to_pylist()]
    settled: list[bool] = []
    made: list[int] = []
    settle, keep = duck.DuckSource._settle, duck.DuckSource._keep

    def settling(source: Any, rows: Any, whole: bool) -> None:
        settled.append(whole)
        settle(source, rows, whole)

    def keeping(source: Any, run_key: bytes, number: int, count: int) -> None:
        made.append(number)
        keep(source, run_key, number, count)

    monkeypatch.setattr(duck, "PORTION_ROWS", 7)
    monkeypatch.setattr(duck, "STRETCH_PORTIONS", 4)
    monkeypatch.setattr(duck.DuckSource, "_settle", settling)
    monkeypatch.setattr(duck.DuckSource, "_keep", keeping)
    assert kept(visited, 2) == together
    assert sorted(made) == list(range(portions))
    assert settled == [stretches == 1] * stretches
    with open_source(visited, visits(2), {"v", "who"}) as source:
        again = [r for b in source.batches(["who", "v"], key(0)) for r in b.to_pylist()]
    assert sorted(records, key=str) == sorted(again, key=str)
    assert len(again) == 26

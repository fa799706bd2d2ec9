"""Classes of records against counting them one by one in Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.engines.classes import ClassSource, open_classes
from sudare.facts.errors import InvalidFile, InvalidPlan, SudareError, UnknownColumn
from sudare.facts.schema import make_schema
from support.tiers import examples

NAMES = ["a", "b", "c"]
values = st.sampled_from(["x", "y", "z", "", " x", "\u3000y", None])
tables = st.lists(st.tuples(values, values, values), min_size=1, max_size=30)


def opened(rows: list[tuple[Any, ...]], names: list[str] = NAMES) -> ClassSource:
    columns = [list(column) for column in zip(*rows, strict=True)]
    frame = pa.table([pa.array(column, pa.string()) for column in columns], names=names)
    return open_classes(frame, names, None)


def bare(rows: list[tuple[Any, ...]]) -> list[tuple[str, ...]]:
    return [tuple((value or "").strip(" \u3000") for value in row) for row in rows]


@examples(20)
@given(rows=tables)
def test_counts_are_those_of_a_loop(rows: list[tuple[Any, ...]]) -> None:
    with opened(rows) as source:
        classes = Counter((a, b) for a, b, _ in bare(rows))
        sizes = source.sizes(["a", "b"])
        assert dict(zip(sizes.sizes, sizes.classes, strict=True)) == Counter(classes.values())
        inside = defaultdict(Counter)
        for a, b, c in bare(rows):
            inside[a, b][c] += 1
        spread = source.spread(["a", "b"], "c")
        found = defaultdict(list)
        for owner, count in zip(spread.owner, spread.count, strict=True):
            found[owner].append(int(count))
        expected = sorted(sorted(each.values()) for each in inside.values())
        assert sorted(sorted(each) for each in found.values()) == expected
        for k, diversity in ((1, 1), (2, 1), (2, 2), (4, 3)):
            failing = [each for each in inside.values()
                       if each.total() < k or len(each) < diversity]  # fmt: skip
            counted = source.failing(["a", "b"], k, ["c"], diversity)
            assert counted == sum(each.total() for each in failing)
        alone = [n for n, (a, b, _) in enumerate(bare(rows), 1) if classes[a, b] < 3]
        assert source.small_rows(["a", "b"], 3, 4) == alone[:4]
        assert source.failing([], len(rows) + 1, [], 1) == len(rows)
        plain = source.sizes(["b"]), source.sizes(["b", "c"]), source.sizes([])
        source.merge(["a", "b"])
        for before, names in zip(plain, (["b"], ["b", "c"], []), strict=True):
            after = source.sizes(names)
            assert after.sizes.tolist() == before.sizes.tolist()
            assert after.classes.tolist() == before.classes.tolist()


@examples(15)
@given(here=tables, there=tables)
def test_matches_are_those_of_a_loop(
    here: list[tuple[Any, ...]], there: list[tuple[Any, ...]]
) -> None:
    other = Counter((b, a) for a, b, _ in bare(there))
    own = Counter((b, a) for a, b, _ in bare(here))
    with opened(here) as source, opened(there) as second:
        found = source.matches(second, ["b", "a"], 3)
    assert found.records == len(here)
    assert found.none == sum(n for key, n in own.items() if key not in other)
    assert found.one == sum(n for key, n in own.items() if other[key] == 1)
    assert found.few == sum(n for key, n in own.items() if 0 < other[key] < 3)
    assert found.both_unique == sum(n for key, n in own.items() if n == other[key] == 1)


def test_the_schema_cleans(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("年齢,sex,job,when,pay\n150,F,a,2024-04-01,1.24\n100, F ,b,2024/04/01,1.26\n"
                    "x,M,c,,9\n,?,d,2024-05-01,9\n", encoding="cp932")  # fmt: skip
    schema = make_schema({
        "table": {"name": "t"},
        "columns": {
            "年齢": {"type": "integer", "min": 0, "max": 100},
            "sex": {"type": "category", "values": ["M", "F"]},
            "job": {"type": "category", "values": ["b"], "other": "rest"},
            "when": {"type": "date", "min": "2024-01-01", "max": "2024-12-31"},
            "pay": {"type": "real", "min": 0.0, "max": 2.0, "step": 0.5},
        },
    })  # fmt: skip
    with open_classes(path, list(schema.columns), schema) as source:
        codes = {name: source.codes(name).tolist() for name in schema.columns}
        labels = {name: source.described(name).labels() for name in schema.columns}
    shown = {name: [labels[name][code] for code in codes[name]] for name in codes}
    assert shown == {
        "年齢": ["100", "100", "", ""],
        "sex": ["F", "F", "M", ""],
        "job": ["rest", "b", "rest", "rest"],
        "when": ["2024-04-01", "2024-04-01", "", "2024-05-01"],
        "pay": ["1", "1.5", "2", "2"],
    }
    assert labels["sex"] == ["M", "F", ""]
    assert [source.columns[name].ordered for name in codes] == [True, False, False, True, True]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([1, 2, None], pa.int16()),
        pa.array([1.0, 2.0, float("nan")]),
        pa.array(["1", "2", None]).dictionary_encode(),
        pa.array([True, False, None]),
        pa.array([None, None, None]),
    ],
    ids=str,
)
def test_every_storage_is_a_category(column: pa.Array) -> None:
    frame = pa.table({"v": column})
    with open_classes(frame, ["v"], None) as source:
        assert source.rows == 3
        assert source.sizes(["v"]).records == 3
    declared = {"type": "category", "values": [1, 2], "other": "else"}
    schema = make_schema({"table": {"name": "t"}, "columns": {"v": declared}})
    with open_classes(frame, ["v"], schema) as source:
        shown = [source.described("v").labels()[code] for code in source.codes("v")]
    assert shown[2] == "else"
    assert shown[:2] in (["1", "2"], ["else", "else"])


def test_levels_are_columns() -> None:
    with opened([("x", "1", "p"), ("y", "1", "p"), ("z", "2", "q")]) as source:
        source.generalize({"coarse": ("a", np.array([0, 0, 1])), "other": ("b", np.array([0, 0]))})
        assert source.sizes(["coarse"]).sizes.tolist() == [1, 2]
        assert source.sizes(["other"]).sizes.tolist() == [3]
        assert source.sizes(["a", "coarse"]).count == 3
        assert source.sizes([]).sizes.tolist() == [3]


def test_refusals_name_no_value(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("a,b\n")
    with pytest.raises(InvalidFile, match="no rows"):
        open_classes(path, ["a"], None)
    path.write_text("a,b\ncanary,1\n")
    with pytest.raises(InvalidPlan, match="no column 'c'"):
        open_classes(path, ["c"], None)
    schema = make_schema({"table": {"name": "t"}, "columns": {"a": {"type": "key"}}})
    with pytest.raises(UnknownColumn):
        open_classes(path, ["b"], schema)
    with pytest.raises(SudareError) as caught:
        open_classes("postgresql://me:canary@host/db#t", ["a"], None)
    assert "canary" not in str(caught.value)


def test_a_table_in_postgresql_has_the_same_classes(postgres_url: str) -> None:
    import psycopg

    rows = [
        ("30", "F", "a"),
        ("30", "F", "b"),
        (None, "M", "a"),
        ("999", "?", "b"),
        ("99", "M", "a"),
        ("99", " blank ", "a"),
    ]
    with psycopg.connect(postgres_url, autocommit=True) as db:
        db.execute("CREATE TABLE people (age text, sex text, job text)")
        db.cursor().executemany("INSERT INTO people VALUES (%s, %s, %s)", rows)
    schema = make_schema({
        "table": {"name": "t", "unit": "job", "max_rows_per_unit": 1},
        "columns": {
            "age": {"type": "integer", "min": 0, "max": 99, "confirmed": False},
            "sex": {"type": "category", "values": ["F", "M", " blank "], "other": "rest"},
            "job": {"type": "key"},
        },
    })  # fmt: skip
    frame = pa.table(list(map(pa.array, zip(*rows, strict=True))), names=list(schema.columns))
    found = []
    for data in (frame, f"{postgres_url}#people"):
        with open_classes(data, list(schema.columns), schema) as source:
            sizes, spread = source.sizes(["age", "sex"]), source.spread(["age"], "job")
            values = [source.described(name).labels() for name in schema.columns]
            found.append(
                (sizes.sizes.tolist(), sizes.classes.tolist(), spread.count.tolist(), values)
            )
        with open_classes(data, ["age", "sex"], schema, people="job") as source:
            people = source.sizes(["age"])
            found[-1] += (source.units, people.sizes.tolist(), people.units.tolist())
    assert found[0] == found[1]
    assert found[0][:2] == ([1, 2], [4, 1])
    # Two people: both have the age 30, both 99 or more, and one none.
    assert found[0][4:] == (2, [1, 2], [1, 1])

"""Histograms, two-way tables and sums against plain Python, on every engine, in many batches."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from engines import reference
from engines.places import ENGINES, OpenAt, place
from engines.tables import KEY, SCHEMA, TYPES, arrow, schema
from sudare.engines import crossing
from sudare.engines.crossing import Leveled, cross, histograms, tally
from sudare.engines.duck import open_duck
from sudare.facts.schema import Schema

NAMES = ("n", "big", "x", "d", "b", "c", "k")
NUMBERS = ("n", "x", "b")


@pytest.fixture(scope="module", params=ENGINES)
def open_at(request: pytest.FixtureRequest) -> Iterator[OpenAt]:
    with place(request.param, request) as found:
        yield found


def rows_of(count: int) -> list[dict[str, Any]]:
    draw = random.Random(11)
    values: dict[str, list[Any]] = {
        "n": [None, -9, -5, 0, 3, 10, 77],
        "big": [None, -(2**62), 0, 5, 2**62, 2**61 + 1],
        "x": [None, -1.5, 0.25, 2.5, 9.0],
        "d": [None, *pa.array([11_000, 12_345, 18_000], pa.int32()).cast(pa.date32()).to_pylist()],
        "b": [None, True, False],
        "c": [None, "F", "M", "elsewhere"],
        "k": [None, "1", "30", "x"],
    }
    empty = dict.fromkeys(TYPES)
    return [
        {**empty, **{name: draw.choice(each) for name, each in values.items()}}
        for _ in range(count)
    ]


def leveled(facts: Schema, name: str) -> Leveled:
    """Every column may miss; numbers are cut at places out of step with their values."""
    column = facts.columns[name]
    if column.type == "category":
        size = len(facts.domain(name))
        return Leveled(name, size + 1, True, level_of=tuple(n // 2 for n in range(size)))
    grid = facts.grid(name)
    starts = sorted({grid.low, grid.low + 1, (grid.low + grid.high) // 2, grid.high})
    return Leveled(name, len(starts) + 1, True, tuple(starts), grid.high)


def code_of(each: Leveled, value: Any, facts: Schema) -> int:
    if value is None:
        return each.size - 1
    if each.level_of:
        return each.level_of[facts.domain(each.name).index(value)]
    return sum(start <= value for start in each.starts) - 1


def cleaned(rows: list[dict[str, Any]], facts: Schema) -> list[dict[str, Any]]:
    return [reference.cleaned(row, facts) for row in rows]


@pytest.mark.parametrize("count", [1, 700])
def test_every_engine_counts_as_plain_python(
    open_at: OpenAt, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Batches of a few rows, so that many are added up; numbers wider than any look-up table.
    monkeypatch.setattr(crossing, "_BATCH", 64)
    rows = rows_of(count)
    clean = cleaned(rows, SCHEMA)
    columns = [leveled(SCHEMA, name) for name in NAMES]
    pairs = list(combinations(range(len(NAMES)), 2))
    with open_at(arrow(rows), SCHEMA, set(NAMES)) as source:
        tallies = tally(source, NAMES, KEY)
        counted = histograms(source, columns, KEY)
        crossed = cross(source, columns, pairs, NUMBERS, [2.0, 1e3, 0.0], KEY)
    codes = [[code_of(each, row[each.name], SCHEMA) for row in clean] for each in columns]
    for name, found in ((name, tallies[name]) for name in NAMES):
        present = [row[name] for row in clean if row[name] is not None]
        if SCHEMA.columns[name].type == "category":
            present = [SCHEMA.domain(name).index(label) for label in present]
        wanted = Counter(int(value) for value in present)
        assert dict(zip(found.values.tolist(), found.counts.tolist(), strict=True)) == wanted
        assert found.missing == count - len(present)
    for each, own, found_counts in zip(columns, codes, counted, strict=True):
        assert found_counts.tolist() == np.bincount(own, minlength=each.size).tolist()
    for a, b in pairs:
        table = np.zeros((columns[a].size, columns[b].size), np.int64)
        np.add.at(table, (codes[a], codes[b]), 1)
        assert crossed.tables[a, b].tolist() == table.tolist()
        # Every row counts once in every table.
        assert crossed.tables[a, b].sum() == crossed.rows == count
    check_sums(clean, columns, codes, crossed)


def check_sums(
    clean: list[dict[str, Any]],
    columns: list[Leveled],
    codes: list[list[int]],
    crossed: crossing.Crossed,
) -> None:
    away = np.array(
        [
            [0.0 if row[name] is None else row[name] - center for row in clean]
            for name, center in zip(NUMBERS, (2.0, 1e3, 0.0), strict=True)
        ]
    )
    assert crossed.sums == pytest.approx(away.sum(axis=1), rel=1e-12)
    assert crossed.products == pytest.approx(away @ away.T, rel=1e-12)
    within = [
        np.concatenate([np.bincount(own, row, each.size)
                        for each, own in zip(columns, codes, strict=True)])
        for row in away
    ]  # fmt: skip
    assert crossed.within == pytest.approx(np.array(within), rel=1e-12)


VISITS = schema(
    {"v": {"type": "integer", "min": 0, "max": 9}, "c": {"type": "category", "values": ["a", "b"]},
     "who": {"type": "key"}},
    unit="who",
    max_rows_per_unit=2,
)  # fmt: skip
BOUNDED = [Leveled("v", 11, True, tuple(range(10)), 9), Leveled("c", 3, True, level_of=(0, 1))]


def visits() -> pa.Table:
    draw = random.Random(5)
    rows = [
        {"who": f"p{draw.randrange(60)}", "v": draw.choice([None, *range(10)]),
         "c": draw.choice(["a", "b", None])}
        for _ in range(600)
    ]  # fmt: skip
    kinds = [("who", pa.string()), ("v", pa.int64()), ("c", pa.string())]
    return pa.Table.from_pylist(rows, schema=pa.schema(kinds))


def bounded(open_at: OpenAt) -> tuple[list[Any], Any]:
    with open_at(visits(), VISITS, {"v", "c"}) as source:
        counts = [each.tolist() for each in histograms(source, BOUNDED, KEY)]
        crossed = cross(source, BOUNDED, [(0, 1)], (), (), KEY)
        other = cross(source, BOUNDED, [(0, 1)], (), (), bytes(reversed(KEY)))
    assert crossed.rows == other.rows == 2 * 60
    assert crossed.tables[0, 1].tolist() != other.tables[0, 1].tolist()
    return counts, crossed.tables[0, 1].tolist()


def test_a_unit_has_the_same_rows_in_every_table_and_engine(open_at: OpenAt) -> None:
    """Histograms and two-way tables see the same rows of each person, under one key."""
    counts, table = bounded(open_at)
    assert np.sum(table, axis=1).tolist() == counts[0]
    assert np.sum(table, axis=0).tolist() == counts[1]
    assert (counts, table) == bounded(open_duck)


def test_of_many_values_neighbours_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossing, "MOST_VALUES", 50)
    monkeypatch.setattr(crossing, "_BATCH", 256)
    facts = schema({"v": {"type": "integer", "min": 3, "max": 5_000}})
    values = [3 + (n * 7919) % 4_998 for n in range(3_000)]
    table = pa.table({"v": pa.array(values, pa.int64())})
    with open_duck(table, facts, {"v"}) as source:
        found = tally(source, ["v"], KEY)["v"]
    assert len(found.values) <= 50
    assert found.shift > 0
    width = 2**found.shift
    assert all(value % width == 0 for value in found.values.tolist())
    held = Counter(value // width * width for value in values)
    assert dict(zip(found.values.tolist(), found.counts.tolist(), strict=True)) == held
    # No sum is lost.
    assert int((found.values * found.counts + found.rest).sum()) == sum(values)


def test_no_rows_at_all() -> None:
    facts = schema({"v": {"type": "integer", "min": 0, "max": 9}})
    with open_duck(pa.table({"v": pa.array([], pa.int64())}), facts, {"v"}) as source:
        assert tally(source, ["v"], KEY)["v"].counts.tolist() == []
        levels = [Leveled("v", 2, False, (0, 5), 9)]
        assert histograms(source, levels, KEY)[0].tolist() == [0, 0]
        crossed = cross(source, levels, [], ["v"], [0.0], KEY)
    assert crossed.rows == 0
    assert crossed.sums.tolist() == [0.0]

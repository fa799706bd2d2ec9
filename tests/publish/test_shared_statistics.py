"""Exact statistics of people with several rows: what is fewest, small or alone is counted in
people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from engines.places import ENGINES, OpenAt, place
from sudare.facts.schema import Schema, make_schema
from sudare.facts.sharing import Holders
from sudare.facts.statistics import Statistics
from sudare.publish.bearable import exact
from sudare.publish.statistics import Rows, exact_statistics
from sudare.synthesis.closeness import closeness
from sudare.synthesis.levels import bins_of

PLACES = ("東京", "大阪", "沖縄")


def schema(most: int = 12) -> Schema:
    return make_schema(
        {
            "table": {"name": "t", "unit": "患者番号", "max_rows_per_unit": most},
            "columns": {
                "患者番号": {"type": "key"},
                "年齢": {"type": "integer", "min": 0, "max": 120},
                "県": {"type": "category", "values": list(PLACES)},
            },
        }
    )


def table(people: int = 400) -> pa.Table:
    """So many people of three rows, and one of twelve who is alone in age and place."""
    draw = np.random.default_rng(3)
    who = [f"q{n}" for n in range(people) for _ in range(3)] + ["p"] * 12
    age = [int(a) for a in draw.integers(20, 60, people) for _ in range(3)] + [103] * 12
    home = [PLACES[int(p)] for p in draw.integers(0, 2, people) for _ in range(3)] + ["沖縄"] * 12
    order = draw.permutation(len(who))
    columns = {"患者番号": who, "年齢": age, "県": home}
    return pa.table({name: [values[at] for at in order] for name, values in columns.items()})


def fewest_people(found: Statistics, given: pa.Table) -> int:
    """The people of the smallest bin that has any."""
    ages = found.marginal("年齢")
    people = defaultdict(set)
    for who, age in zip(given["患者番号"].to_pylist(), given["年齢"].to_pylist(), strict=True):
        people[int(np.searchsorted(ages.starts, age, side="right"))].add(who)
    return min(map(len, people.values()))


@pytest.mark.parametrize("minimum", [10, 11, 25])
def test_a_bin_holds_so_many_people(minimum: int) -> None:
    given = table()
    found = exact_statistics(given, schema(), minimum=minimum)
    assert fewest_people(found, given) >= minimum
    assert 103 not in found.marginal("年齢").starts
    assert found.rows == given.num_rows


def test_the_tested_statistics_do_so_too() -> None:
    given = table()
    found = exact(given, schema(), accept_disclosure=True).statistics
    assert fewest_people(found, given) >= 10


def test_four_people_have_no_bin_of_their_own() -> None:
    old = {"患者番号": [f"o{n}" for n in range(4) for _ in range(3)],
           "年齢": [98, 101, 104, 107] * 3, "県": ["東京"] * 12}  # fmt: skip
    given = pa.concat_tables([table(), pa.table(old)])
    assert fewest_people(exact_statistics(given, schema()), given) >= 10


def test_closeness_counts_people_and_travels_in_the_file() -> None:
    found = exact_statistics(table(), schema())
    told = closeness(found)
    assert told.finding("alone").found > 0
    # Okinawa has twelve rows and one person.
    assert ("県",) in [each.columns for each in told.finding("small_bins").places]
    assert told.finding("sums").verdict == "high"
    again = Statistics.from_json(found.to_json())
    assert closeness(again) == told
    assert found.sharing is None
    assert "sharing" not in found.to_json()


def test_rows_are_people_where_nobody_has_two() -> None:
    plain = schema(1)
    given = table().group_by("患者番号").aggregate([("年齢", "min"), ("県", "min")])
    given = given.rename_columns(["患者番号", "年齢", "県"])
    unit = exact_statistics(given, plain).to_dict()
    row = plain.model_copy(
        update={"table": plain.table.model_copy(update={"unit": "row", "max_rows_per_unit": None}),
                "columns": {k: v for k, v in plain.columns.items() if k != "患者番号"}}
    )  # fmt: skip
    assert unit == exact_statistics(given, row).to_dict()


@pytest.fixture(scope="module", params=ENGINES)
def open_at(request: pytest.FixtureRequest) -> Iterator[OpenAt]:
    with place(request.param, request) as found:
        yield found


def test_people_of_every_bin_level_and_cell_on_every_engine(open_at: OpenAt) -> None:
    given, facts = table(60), schema()
    names = ("年齢", "県")
    with open_at(given, facts, {"患者番号", *names}) as source:
        rows = Rows(source, facts, names, (), bytes(32), "患者番号")
        found = rows.statistics("tables")
    assert found.sharing is not None
    rows_of = given.to_pylist()
    ages = found.marginal("年齢")
    age_bin = [int(np.searchsorted(ages.starts, row["年齢"], side="right")) - 1 for row in rows_of]
    home = [PLACES.index(row["県"]) for row in rows_of]
    who = [row["患者番号"] for row in rows_of]

    def people(*keys: list[int]) -> dict[Any, int]:
        groups = defaultdict(set)
        for person, *key in zip(who, *keys, strict=True):
            groups[tuple(key)].add(person)
        return {key: len(each) for key, each in groups.items()}

    sharing = found.sharing
    ages_by = people(age_bin)
    assert sharing.bins["年齢"].tolist() == [*(ages_by.get((b,), 0) for b in range(ages.bins)), 0]
    assert sharing.levels["県"].tolist() == [people(home)[b,] for b in range(3)]
    age_level = [int(ages.level_of[b]) for b in age_bin]
    cells = people(age_level, home)
    wanted = {key: cells.get(key, 0) for key in product(range(ages.levels), range(3))}
    table_of = sharing.cells["年齢", "県"]
    assert {key: int(table_of[key]) for key in wanted} == wanted


def test_bins_against_counting_by_hand() -> None:
    draw = np.random.default_rng(7)
    for _ in range(200):
        rows = int(draw.integers(1, 120))
        who = draw.integers(0, draw.integers(1, 40), rows)
        value = draw.integers(0, draw.integers(1, 60), rows)
        minimum = int(draw.integers(1, 12))
        values, at, counts = np.unique(value, return_inverse=True, return_counts=True)
        holders = Holders.of(at.astype(np.int64), who)
        cuts = set(draw.integers(0, 60, int(draw.integers(0, 3))).tolist())
        bins = bins_of(values, counts, 0, 59, cuts, minimum, holders=holders)
        assert bins.counts.sum() == rows
        place = np.searchsorted(bins.starts, value, side="right") - 1
        held = [len(set(who[place == b].tolist())) for b in range(len(bins.starts))]
        edges = [*bins.starts.tolist(), 60]
        for b, people in enumerate(held):
            walled = edges[b] in cuts | {0} and edges[b + 1] in cuts | {60}
            assert people == 0 or people >= minimum or walled or _beside_a_wall(b, edges, cuts)


def _beside_a_wall(place: int, edges: list[int], cuts: set[int]) -> bool:
    """A bin that begins at a cut is joined to none before it."""
    return edges[place] in cuts

"""Exact statistics that the rows bear: what is written is no nearer to the people used, or nothing
is written."""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sudare.facts.errors import DisclosureRefused
from sudare.facts.microdata import Microdata, number_column
from sudare.facts.nearness import LIMIT
from sudare.facts.schema import Schema, make_schema
from sudare.publish import synthesize as publishing
from sudare.publish.bearable import exact
from sudare.publish.drawn_rows import as_microdata
from sudare.publish.synthesize import Wish, make
from sudare.risk.nearness import Looks
from sudare.synthesis.synthesize import fit_model

WIDE = 24


def correlated(rows: int, columns: int, seed: int) -> pa.Table:
    """Three hidden causes and noise, as measurements of one thing have."""
    draw = np.random.default_rng(seed)
    found = draw.normal(size=(rows, 3)) @ draw.normal(size=(3, columns))
    values = found + 0.5 * draw.normal(size=(rows, columns))
    return pa.table({f"c{place}": values[:, place] for place in range(columns)})


def schema(columns: int, **table: Any) -> Schema:
    numbers = {f"c{place}": {"type": "real", "min": -15, "max": 15} for place in range(columns)}
    more = {"id": {"type": "key"}} if table else {}
    return make_schema({"table": {"name": "t", **table}, "columns": {**numbers, **more}})


def microdata(table: pa.Table) -> Microdata:
    return Microdata(
        tuple(number_column(name, table[name].to_numpy()) for name in table.column_names)
    )


def share_nearer(train: Microdata, aside: Microdata, made: Microdata) -> float:
    """Outside the program: the share of rows that are nearer to `train`, Manhattan distance."""
    parts = [np.column_stack([each[n].values for n in train.names])  # type: ignore[union-attr]
             for each in (train, aside, made)]  # fmt: skip
    unit = parts[0].std(axis=0)
    far = [np.abs((parts[2] / unit)[:, None] - (each / unit)[None]).sum(2).min(1)
           for each in parts[:2]]  # fmt: skip
    return float((far[0] < far[1]).mean() + (far[0] == far[1]).mean() / 2)


@pytest.fixture(autouse=True)
def few_components(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "fit_model", functools.partial(fit_model, components=120))


@pytest.mark.integration
def test_a_small_wide_table_is_not_given_back() -> None:
    both = correlated(400, WIDE, 1)
    train, aside = both.slice(0, 200), both.slice(200)
    given = exact(train, schema(WIDE), accept_disclosure=True).statistics
    rows = as_microdata(make(given, Wish(600)).drawn, given.marginals)
    assert share_nearer(microdata(train), microdata(aside), rows) > 0.8
    try:
        found = exact(train, schema(WIDE)).statistics
    except DisclosureRefused:
        return
    rows = as_microdata(make(found, Wish(600)).drawn, found.marginals)
    # The limit, and what one split of 200 people may add by chance.
    assert share_nearer(microdata(train), microdata(aside), rows) < LIMIT + 0.06
    told = found.provenance["nearness"]
    assert told["reduced"]
    assert told["nearer"]["high"] <= LIMIT
    assert told["freedom"] < 0.1 * told["capacity"]


def test_too_few_people_are_refused_with_the_private_way() -> None:
    with pytest.raises(DisclosureRefused) as refused:
        exact(correlated(99, 4, 2), schema(4))
    assert refused.value.exit_code == 4
    assert refused.value.code == "disclosure-refused"
    assert "--epsilon" in refused.value.hint
    assert "--accept-disclosure" in refused.value.hint


@pytest.mark.integration
def test_a_long_narrow_table_stays_whole() -> None:
    draw = np.random.default_rng(3)
    area = draw.integers(0, 6, 12_000)
    job = (area + draw.integers(0, 3, 12_000)) % 6
    table = pa.table({"area": [f"a{each}" for each in area], "job": [f"j{each}" for each in job]})
    labels = {"area": [f"a{each}" for each in range(6)], "job": [f"j{each}" for each in range(6)]}
    columns = {name: {"type": "category", "values": each} for name, each in labels.items()}
    given = make_schema({"table": {"name": "t"}, "columns": columns})
    found = exact(table, given)
    told = found.statistics.provenance["nearness"]
    assert not told["reduced"]
    assert not found.statistics.loose
    # Every row has copies on both sides, so nothing is nearer to either.
    assert told["nearer"]["value"] == 0.5
    assert told["guessed"] is None
    assert found.beside is not None
    assert found.beside.rows == 12_000


def test_who_accepts_gets_all_of_it_untested() -> None:
    found = exact(correlated(60, 5, 4), schema(5), accept_disclosure=True).statistics
    told = found.provenance["nearness"]
    assert told["accepted"]
    assert not told["is_safe"]
    assert not told["reduced"]
    assert len(found.crosses) == 10


@pytest.mark.integration
@pytest.mark.parametrize("mode", ["paper", "a", "b"])
def test_the_papers_methods_are_tested_as_they_are(mode: Any) -> None:
    """They have no coarser statistics: they pass whole, or nothing is made."""
    try:
        found = exact(correlated(300, 6, 5), schema(6), mode=mode).statistics
    except DisclosureRefused:
        return
    assert not found.provenance["nearness"]["reduced"]


def _looked(made: Microdata, rows: Microdata, used: np.ndarray[Any, Any]) -> Looks:
    looks = Looks(rows.rows)
    who = np.arange(rows.rows, dtype=np.int64)
    looks.look(rows, who, used, made)
    looks.look(rows, who, ~used, made)
    return looks


def test_copies_are_seen_and_strangers_are_not() -> None:
    rows = microdata(correlated(400, 4, 6))
    used = np.arange(400) < 200
    copies = rows.taken(np.flatnonzero(used))
    looks = Looks(400)
    looks.look(rows, np.arange(400, dtype=np.int64), used, copies)
    found = looks.found()
    assert found.nearer.value == 1.0
    assert found.guessed is not None
    assert found.guessed.value > 0.9
    assert not found.is_safe
    assert looks.is_surely_unsafe
    # The same strangers beside both parts in turn: what one look adds the other takes off.
    strangers = microdata(correlated(400, 4, 6)).taken(np.arange(0, 400, 3))
    again = _looked(strangers, rows, used).found()
    assert again.nearer.value == pytest.approx(0.5, abs=1e-9)


@pytest.mark.integration
def test_chance_alone_refuses_few() -> None:
    """Rows of the same population, drawn apart from both parts: the limit is passed by chance in
    few of many trials, and hardly ever where there are many people."""
    kept = 0
    for seed in range(40):
        everyone = microdata(correlated(900, 4, 100 + seed))
        rows, apart = everyone.taken(np.arange(600)), everyone.taken(np.arange(600, 900))
        used = np.random.default_rng(seed).permutation(600) < 300
        kept += _looked(apart, rows, used).found().nearer.high <= LIMIT
    assert kept >= 38


@pytest.mark.integration
def test_people_are_dealt_not_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each person has the same row three times: dealt by rows, copies would lie on both sides."""
    dealt: list[tuple[set[int], set[int]]] = []
    look = Looks.look

    def seen(self: Looks, rows: Any, who: Any, is_used: Any, made: Any) -> None:
        dealt.append((set(who[is_used].tolist()), set(who[~is_used].tolist())))
        look(self, rows, who, is_used, made)

    monkeypatch.setattr(Looks, "look", seen)
    one = correlated(120, 4, 7)
    table = pa.concat_tables([one, one, one]).append_column("id", pa.array([*range(120)] * 3))
    for more in ({"unit": "id", "max_rows_per_unit": 3, "confirmed": True}, {"unit": "row"}):
        with contextlib.suppress(DisclosureRefused):
            exact(table, schema(4, **more))
    assert len(dealt) > 2
    assert not any(one & two for one, two in dealt)
    assert all(len(one) == len(two) == 60 for one, two in dealt)

"""From a file of reports to statistics and rows: what is told, what is not, and that it is said."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sudare.facts.errors import InvalidFile
from sudare.facts.local_plan import LocalPlan
from sudare.facts.rules import Rule
from sudare.facts.schema import Column, Schema, make_schema
from sudare.facts.statistics import Statistics
from sudare.publish.given_statistics import ruled_by_schema
from sudare.publish.randomize import randomize
from sudare.publish.randomized_statistics import randomized_statistics
from sudare.publish.synthesize import Wish, make
from sudare.synthesis.signal import signal
from sudare.synthesis.synthesize import fit_model
from support.bits import CountedBits

ROWS = 20_000


def schema() -> Schema:
    return make_schema(
        {
            "table": {"name": "town", "neighbours": "replace-one", "public_rows": ROWS},
            "budget": {"epsilon": 100},
            "columns": {
                "age": {"type": "integer", "min": 0, "max": 100},
                "pay": {"type": "real", "min": 0, "max": 50, "step": 0.5},
                "sex": {"type": "category", "values": ["m", "f"]},
                "home": {"type": "category", "values": ["n", "s", "e"], "other": "?"},
            },
        }
    )


def people(missing: bool = False) -> pa.Table:
    """Pay follows age, sex follows age a little, home follows nothing."""
    made = np.random.default_rng(11)
    age = made.integers(0, 101, ROWS)
    sex = np.where(made.random(ROWS) < 0.2 + 0.006 * age, "m", "f").tolist()
    if missing:
        sex = [None if n % 4 == 0 else each for n, each in enumerate(sex)]
    pay = np.round(np.clip(age / 2 + 4 * made.standard_normal(ROWS), 0, 50) * 2) / 2
    home = made.choice(["n", "s", "e"], ROWS, p=[0.6, 0.3, 0.1]).tolist()
    return pa.table({"age": age, "pay": pay, "sex": sex, "home": home})


def told(place: Path, epsilon: str, data: pa.Table | None = None, **wished: Any) -> Statistics:
    plan = LocalPlan(Fraction(epsilon), **{"statistics": ("synthesis",), **wished})
    output = place / "r.parquet"
    table = people() if data is None else data
    bits = CountedBits("statistics")
    randomize(table, schema(), plan, output, ledger=place / "t.ledger", bits=lambda: bits)
    return randomized_statistics(output)


def test_tables_of_every_pair_with_their_noise(tmp_path: Path) -> None:
    found = told(tmp_path, "8")
    assert (found.origin, found.rows, found.names) == (
        "randomized", ROWS, ("age", "pay", "sex", "home"),
    )  # fmt: skip
    assert len(found.crosses) == 6
    assert all(found.noise[pair] > 0 for pair in found.crosses)
    for (a, b), table in found.crosses.items():
        assert table.shape == (found.marginal(a).levels, found.marginal(b).levels)
        assert table.sum() == pytest.approx(ROWS, rel=0.05)
    assert not found.marginal("sex").may_miss
    assert Statistics.from_json(found.to_json()).noise == found.noise


def test_dependence_is_kept_where_there_is_some_and_said(tmp_path: Path) -> None:
    found = told(tmp_path, "8")
    said = signal(found)
    assert said["age", "pay"]
    assert said["age", "sex"]
    drawn, matched = fit_model(found, CountedBits("fit")).sample(20_000, CountedBits("draw"))
    assert matched is None
    assert np.corrcoef(drawn.values["age"], drawn.values["pay"])[0, 1] > 0.8
    assert drawn.values["pay"].min() >= 0
    assert drawn.values["pay"].max() <= 50


def test_drowned_reports_give_independent_columns(tmp_path: Path) -> None:
    said = signal(told(tmp_path, "0.2"))
    assert sum(said.values()) <= 1


def test_missing_labels_are_told(tmp_path: Path) -> None:
    found = told(tmp_path, "8", people(missing=True)).marginal("sex")
    assert found.may_miss
    assert found.missing == pytest.approx(ROWS / 4, rel=0.2)


def test_values_and_labels_of_one_person_give_moments_and_shifts(tmp_path: Path) -> None:
    wished: dict[str, Any] = {
        "statistics": ("mean", "covariance", "histogram"), "budget": "split",
    }  # fmt: skip
    found = told(tmp_path, "24", **wished)
    assert found.moments is not None
    assert set(found.moments.columns) == {"age", "pay"}
    assert ("sex", "home") in found.crosses
    assert {("age", "sex"), ("pay", "home")} <= set(found.shifts)
    assert found.errors["age", "pay"] > 0
    assert signal(found)["age", "pay"]
    age = found.marginal("age")
    assert age.bins == 32
    middle = (np.array(age.starts) + np.array(age.ends)) / 2
    assert age.counts @ middle / age.counts.sum() == pytest.approx(50, abs=3)


def test_bins_of_a_distribution_are_used(tmp_path: Path) -> None:
    found = told(tmp_path, "12", statistics=("distribution", "histogram"), budget="split", bins=10)
    assert found.marginal("age").bins == 10
    assert ("age", "pay") in found.crosses


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"no reports")
    with pytest.raises(InvalidFile):
        randomized_statistics(tmp_path / "x.parquet")


def test_rules_turn_inside_the_bins_of_reports(tmp_path: Path) -> None:
    """A limit of 37 lies in the middle of a bin: rows keep the rule, and means are hardly moved."""
    given = told(tmp_path, "8")
    stated = schema().model_copy(
        update={
            "rules": (
                Rule(never="age >= 37 and pay < 10.5"),
                # Of a column that nobody reported there is nothing to keep.
                Rule(never="name = 'x' and age > 3"),
            ),
            "columns": {**schema().columns, "name": Column(type="category", values=("x",))},
        }
    )
    assert 37 not in given.marginal("age").starts
    found = ruled_by_schema(given, stated)
    assert [rule["never"] for rule in found.rules] == ["age >= 37 and pay < 10.5"]
    assert {37}.issubset(found.marginal("age").level_starts())
    free, ruled = (
        make(each, Wish(20_000), bits=CountedBits("ruled")).drawn.values for each in (given, found)
    )
    broken = [np.mean((each["age"] >= 37) & (each["pay"] < 10.5)) for each in (free, ruled)]
    assert broken[0] > 0.002
    assert broken[1] == 0
    for name in ("age", "pay"):
        wanted = np.asarray(people()[name], float)
        assert abs(ruled[name].mean() - wanted.mean()) < 0.02 * wanted.std(), name
    assert np.corrcoef(ruled["age"], ruled["pay"])[0, 1] > 0.8

"""The whole way of a table: plan, structure, charge, count, noise, record."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sudare.engines import open as engine
from sudare.engines.counting import count_groups
from sudare.facts.errors import (
    BudgetRefused,
    EngineUnavailable,
    InvalidFile,
    InvalidPlan,
    SudareError,
)
from sudare.facts.release import Release
from sudare.facts.schema import Schema, make_schema
from sudare.facts.table_plan import TablePlan, read_weights
from sudare.facts.tabulated import Tabulated
from sudare.ledger.ledger import Ledger
from sudare.publish import tabulate as tabulating
from sudare.publish.tabulate import price_table, tabulate, true_table
from support.bits import CountedBits


def schema(**table: Any) -> Schema:
    return make_schema(
        {
            "table": {"name": "people", **table},
            "budget": {"epsilon": 60.0, "delta": 1e-6},
            "columns": {
                "id": {"type": "key"},
                "sex": {"type": "category", "values": ["F", "M"]},
                "city": {"type": "category", "values": ["a", "b", "c"], "other": "?"},
                "age": {"type": "integer", "min": 0, "max": 99, "label": "Age"},
            },
            "levels": {
                "half": {"of": "city", "groups": {"x": ["a", "c"], "y": ["b"]}},
                "band": {"of": "age", "width": 25, "label": "Age band"},
            },
        }
    )


def people(n: int = 4000) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": [f"p{i % (n // 2)}" for i in range(n)],
            "sex": ["F" if i % 3 else "M" for i in range(n)],
            "city": ["abcz"[i % 4] for i in range(n)],
            "age": [(i * 37) % 120 for i in range(n)],
        }
    )


def plan(*by: str, epsilon: str = "1", **more: Any) -> TablePlan:
    return TablePlan(by or ("sex", "city", "band"), Fraction(epsilon), **more)


def table_of(release: Release) -> Tabulated:
    assert release.tabulation is not None
    return Tabulated.from_dict(release.tabulation)


def test_a_table_is_near_the_truth(tmp_path: Path) -> None:
    found = tabulate(people(), schema(), plan(epsilon="50"), ledger=tmp_path / "l")
    table = table_of(found)
    data = people().with_columns(age=pl.col("age").clip(0, 99))
    assert [d.name for d in table.dimensions] == ["sex", "city", "band"]
    # At ε = 50 noise beyond 5 has a probability below 1e-9 in every cell.
    for place, sex in enumerate("FM"):
        true = data.filter(pl.col("sex") == sex).height
        assert abs(int(table.margin((1, 0, 0))[place, 0, 0]) - true) <= 60
    young = data.filter((pl.col("age") < 25) & (pl.col("city") == "b")).height
    assert table.dimensions[1].labels(2) == ("a", "c", "b", "?")
    assert abs(int(table.margin((0, 2, 1))[0, 2, 0]) - young) <= 60
    assert found.spent == {"epsilon": 50.0, "delta": 0.0}
    assert found.labels == {"age": "Age", "band": "Age band"}
    assert found.answers == ()


def test_every_cell_of_the_domain_is_there(tmp_path: Path) -> None:
    nobody = people(10).filter(pl.col("age") > 500)
    found = tabulate(nobody, schema(), plan(), ledger=tmp_path / "l")
    table = table_of(found)
    assert table.counts.shape == (2, 4, 4)
    assert table.counts.min() >= 0
    assert sum(margin.cells for margin in table.margins) == 3 * 8 * 5


def test_scripted_bits_give_the_same_bytes_but_for_time_and_id(tmp_path: Path) -> None:
    def once(name: str) -> dict[str, Any]:
        bits = CountedBits("golden table")
        release = tabulate(people(), schema(), plan(), ledger=tmp_path / name, bits=bits)
        return json.loads(release.to_bytes()) | {"id": "", "created": ""}  # type: ignore[no-any-return]

    assert once("a") == once("b")


def test_a_release_survives_its_bytes(tmp_path: Path) -> None:
    found = tabulate(people(), schema(), plan(), ledger=tmp_path / "l")
    again = Release.from_bytes(found.to_bytes())
    assert again.to_bytes() == found.to_bytes()
    assert (table_of(again).counts == table_of(found).counts).all()


def test_a_key_returns_the_same_bytes_and_costs_nothing(tmp_path: Path) -> None:
    ledger = tmp_path / "l"
    first = tabulate(people(), schema(), plan(), ledger=ledger, key="k")
    again = tabulate(people(), schema(), plan(), ledger=ledger, key="k")
    assert again.to_bytes() == first.to_bytes()
    with Ledger.open(ledger) as books:
        assert books.balance("people").releases == 1
    for other in (plan("sex"), plan(margins="1"), plan(weights=read_weights(["sex=4"]))):
        with pytest.raises(SudareError, match="another plan"):
            tabulate(people(), schema(), other, ledger=ledger, key="k")


def test_refusals_come_before_the_charge(tmp_path: Path) -> None:
    ledger, broken = tmp_path / "l", tmp_path / "people.csv"
    broken.write_text("id,sex,city,age\n1,2,3,4,5\n")
    with pytest.raises(InvalidFile):
        tabulate(broken, schema(), plan(), ledger=ledger)
    for wrong in (plan("nope"), plan(margins="nope"), plan("id")):
        with pytest.raises(InvalidPlan):
            tabulate(people(), schema(), wrong, ledger=ledger)
    assert not ledger.exists()
    tabulate(people(), schema(), plan(epsilon="59"), ledger=ledger)
    with pytest.raises(BudgetRefused):
        tabulate(people(), schema(), plan(epsilon="2"), ledger=ledger)


def test_the_charge_is_durable_before_a_row_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "l"

    def failing(*_: Any) -> Any:
        with Ledger.open(ledger) as books:
            assert books.balance("people").spent.epsilon_nano == 10**9
        raise EngineUnavailable("The engine went away.", "Try again.")

    monkeypatch.setattr(tabulating, "count_groups", failing)
    with pytest.raises(EngineUnavailable, match="stays charged"):
        tabulate(people(), schema(), plan(), ledger=ledger)
    with Ledger.open(ledger) as books:
        assert books.balance("people").spent.epsilon_nano == 10**9


@pytest.mark.parametrize("unit", [{}, {"unit": "id", "max_rows_per_unit": 1}])
def test_counts_are_those_of_moments(unit: dict[str, Any]) -> None:
    """The short way and the long way of an engine agree, and units are bounded in both."""
    described = schema(**unit)
    request = price_table(described, plan()).request
    with engine.open_source(people(), described, request.used_columns()) as source:
        (moments,) = source.moments([request], b"k" * 32)
        counts = count_groups(source, request, b"k" * 32)
    assert counts.tolist() == [row[0] for row in moments.rows]
    assert counts.sum() == (2000 if unit else 4000)


def test_the_true_table_is_exact_and_spends_nothing(tmp_path: Path) -> None:
    truth = true_table(people(), schema(), plan("sex", "half"))
    assert truth.shape == (2, 3)
    data = people()
    inside = data.filter((pl.col("sex") == "F") & pl.col("city").is_in(["a", "c"])).height
    assert truth[0, 0] == inside
    assert truth.sum() == 4000
    assert truth.dtype == np.int64
    assert not list(tmp_path.iterdir())


def test_gaussian_noise_spends_a_delta(tmp_path: Path) -> None:
    noisy = plan(delta=Fraction("1e-9"), mechanism="gaussian")
    found = tabulate(people(), schema(), noisy, ledger=tmp_path / "l")
    assert found.spent["epsilon"] == 1.0
    assert 0 < found.spent["delta"] <= 1.1e-9
    assert all(fact.mechanism.startswith("discrete Gaussian") for fact in table_of(found).noise)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"mechanism": "gaussian"}, "δ above 0"),
        ({"delta": Fraction("1e-9")}, "spends no δ"),
        ({"mechanism": "geometric"}, "Laplace or Gaussian"),
    ],
)
def test_noise_that_does_not_fit_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidPlan, match=said):
        plan(**given)


@pytest.mark.parametrize("text", ["sex", "=4", "sex=", "sex=-1", "sex=1e9", "sex=1/0", "sex=x"])
def test_weights_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InvalidPlan, match="weight"):
        read_weights([text])

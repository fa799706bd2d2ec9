"""Synthetic rows from Python: dataframes of the type that came in, one fit, many samples."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sudare
from sudare.facts.errors import BudgetRefused, InvalidPlan, InvalidStatistics, UsageError
from sudare.publish import synthesize as publishing
from support.bits import CountedBits

SCHEMA: dict[str, Any] = {
    "table": {"name": "people", "expected_rows": 600},
    "budget": {"epsilon": 3.0},
    "columns": {
        "年齢": {"type": "integer", "min": 0, "max": 99},
        "sex": {"type": "category", "values": ["F", "M"]},
        "pay": {"type": "real", "min": 0, "max": 500, "step": 0.5},
        "name": {"type": "text"},
    },
}
ROWS: dict[str, list[Any]] = {
    "年齢": [(n * 37) % 90 for n in range(600)],
    "sex": ["F" if n % 3 else "M" for n in range(600)],
    "pay": [float((n * 37) % 90) * 4 for n in range(600)],
    "name": [f"person {n}" for n in range(600)],
}

AGES = sum((n * 37) % 90 for n in range(600))


@pytest.fixture(autouse=True)
def fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Fit with few components, and count how often."""
    told: list[int] = []
    whole = functools.partial(publishing.fit_model, components=20)

    def quick(*given: Any, **named: Any) -> Any:
        told.append(1)
        return whole(*given, **named)

    monkeypatch.setattr(publishing, "fit_model", quick)
    return told


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_the_type_that_came_in_goes_out(make: Any) -> None:
    given = make(ROWS)
    maker = sudare.Synthesizer().fit_data(given, schema=SCHEMA, accept_disclosure=True)
    rows = maker.sample(50)
    assert type(rows) is type(given)
    assert rows.shape == (50, 3)
    assert "name" not in list(getattr(rows, "column_names", rows.columns))
    assert maker.certificate_["guarantee"] is None
    assert maker.certificate_["rows"] == 50


def test_sampling_again_does_not_fit_again(fits: list[int]) -> None:
    maker = sudare.Synthesizer().fit_data(pl.DataFrame(ROWS), schema=SCHEMA, accept_disclosure=True)
    fits.clear()
    first, second = maker.sample(300), maker.sample(300)
    assert not fits
    assert not first.equals(second)
    assert maker.sample().height == 600
    assert first["年齢"].is_between(0, 99).all()


def test_statistics_stand_for_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With scripted bits: that whole numbers meet a mean to the last digit is no matter of chance
    here."""
    monkeypatch.setattr(publishing, "SystemBits", lambda: CountedBits("rows"))
    people = sudare.open(pl.DataFrame(ROWS), schema=SCHEMA, ledger=tmp_path / "l")
    given = people.statistics(accept_disclosure=True)
    path = tmp_path / "people.json"
    path.write_text(given.to_json(), encoding="utf-8")
    for form in (given, given.to_dict(), path, str(path)):
        maker = sudare.Synthesizer().fit(form)
        rows = maker.sample(600)
        assert isinstance(rows, pa.Table)
        assert maker.statistics_.to_dict() == given.to_dict()
        mean = sum(rows.column("年齢").to_pylist()) / 600
        assert mean == pytest.approx(AGES / 600, abs=1e-9)
    assert not (tmp_path / "l").exists()


def test_epsilon_is_charged_once_and_the_guarantee_told(tmp_path: Path) -> None:
    ledger = tmp_path / "people.ledger"
    maker = sudare.Synthesizer()
    given = pl.DataFrame(ROWS)
    maker.fit_data(given, schema=SCHEMA, epsilon=2, ledger=ledger, key="k")
    assert maker.statistics_.origin == "private"
    assert maker.sample(100).height == 100
    maker.fit_data(given, schema=SCHEMA, epsilon=2, ledger=ledger, key="k")
    people = sudare.open(given, schema=SCHEMA, ledger=ledger)
    assert people.left()["epsilon"] == 1.0
    maker.sample(10)
    assert "2" in json.dumps(maker.certificate_["guarantee"])
    with pytest.raises(BudgetRefused):
        maker.fit_data(given, schema=SCHEMA, epsilon=2, ledger=ledger)
    assert people.synthesize(30, epsilon=1).shape == (30, 3)
    assert people.left()["epsilon"] == 0.0


def test_a_table_synthesizes_and_is_compared() -> None:
    people = sudare.open(pl.DataFrame(ROWS), schema=SCHEMA, ledger="never-written")
    rows = people.synthesize(200, preserve="moments", columns=["年齢", "pay"])
    assert rows.columns == ["年齢", "pay"]
    found = sudare.compare(pl.DataFrame(ROWS), people.synthesize(600), schema=SCHEMA)
    assert found.measures.moments.max_mean_scaled < 1e-3
    assert not Path("never-written").exists()


def test_parameters_are_those_of_scikit_learn() -> None:
    maker = sudare.Synthesizer(preserve="moments")
    assert maker.get_params()["preserve"] == "moments"
    again = sudare.Synthesizer(**maker.get_params())
    assert again.get_params() == maker.get_params()
    assert maker.set_params(mode="paper", minimum=5) is maker
    assert "mode='paper'" in repr(maker)
    with pytest.raises(UsageError):
        maker.set_params(colour="red")
    clone = pytest.importorskip("sklearn.base").clone
    assert clone(maker).get_params() == maker.get_params()


@pytest.mark.parametrize("mode", ["paper", "a", "b"])
def test_the_papers_modes(mode: Any, fits: list[int]) -> None:
    maker = sudare.Synthesizer(mode=mode).fit_data(
        pl.DataFrame(ROWS), schema=SCHEMA, accept_disclosure=True
    )
    assert maker.sample(80).height == 80
    assert maker.certificate_["mode"] == mode
    assert not fits
    assert ("pay", "sex") in maker.statistics_.shifts
    people = sudare.open(pl.DataFrame(ROWS), schema=SCHEMA, ledger="never-written")
    assert people.synthesize(80, mode=mode).height == 80


def test_the_papers_method_needs_sums_of_exact_statistics() -> None:
    people = sudare.open(pl.DataFrame(ROWS), schema=SCHEMA, ledger="never-written")
    given = people.statistics(accept_disclosure=True)
    assert not given.shifts
    with pytest.raises(InvalidStatistics, match="lack the sums of '年齢' within 'sex'"):
        sudare.Synthesizer(mode="paper").fit(given)
    # What it is compared with looks at no category.
    assert sudare.Synthesizer(mode="b").fit(given).sample(50).num_rows == 50
    maker = sudare.Synthesizer(mode="paper").fit(people.statistics(with_sums=True))
    rows = maker.sample(600)
    # Σ_D of the file is that of the rows: moments of numbers come out to the last digit.
    assert maker.certificate_["after"]["covariance"] < 1e-9
    assert rows.num_rows == 600


def test_the_report() -> None:
    maker = sudare.Synthesizer(language="ja").fit_data(
        pl.DataFrame(ROWS), schema=SCHEMA, accept_disclosure=True
    )
    maker.sample(100)
    page = maker.to_html()
    assert page.lstrip().lower().startswith("<!doctype html")
    assert "person 1" not in page


def test_what_is_asked_too_early_or_wrongly_is_refused(tmp_path: Path) -> None:
    maker = sudare.Synthesizer()
    for early in (maker.sample, maker.to_html, lambda: maker.certificate_):
        with pytest.raises(UsageError):
            early()
    with pytest.raises(UsageError) as refused:
        maker.fit(pl.DataFrame(ROWS))  # type: ignore[arg-type]
    assert refused.value.what == "fit takes statistics, and this is not a file or a value of them."
    assert "fit_data(rows, schema=…)" in refused.value.hint
    with pytest.raises(InvalidStatistics):
        maker.fit({"format": "other"})
    with pytest.raises(sudare.SudareError):
        maker.fit(tmp_path / "none.json")
    with pytest.raises(UsageError):
        sudare.Synthesizer(mode="magic").fit_data(
            pl.DataFrame(ROWS), schema=SCHEMA, accept_disclosure=True
        )  # type: ignore[arg-type]
    maker.fit_data(pl.DataFrame(ROWS), schema=SCHEMA, accept_disclosure=True)
    with pytest.raises(UsageError):
        maker.to_html()
    for rows in (0, -1):
        with pytest.raises(InvalidPlan):
            maker.sample(rows)
    for given in ({"epsilon": 1}, {"delta": 1e-9}):
        with pytest.raises(UsageError):
            maker.fit_data(pl.DataFrame(ROWS), schema=SCHEMA, **given)

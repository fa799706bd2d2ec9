"""Statistics under ε: the charge first, then the rows; noise as stated; post-processing after."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sudare.engines import duck
from sudare.facts.errors import BudgetRefused, EngineUnavailable, SudareError
from sudare.facts.schema import Schema, make_schema
from sudare.facts.statistics import Statistics
from sudare.ledger.ledger import Ledger
from sudare.publish import private_statistics as private
from sudare.publish.private_statistics import (
    PrivatePlan,
    price_statistics,
    private_statistics,
    statistics_of,
)
from support.bits import CountedBits


def schema(**table: Any) -> Schema:
    return make_schema(
        {
            "table": {"name": "people", "expected_rows": 3_000, **table},
            "budget": {"epsilon": 20.0, "delta": 1e-6},
            "columns": {
                "id": {"type": "key"},
                "age": {"type": "integer", "min": 0, "max": 99},
                "pay": {"type": "real", "min": 0, "max": 900, "step": 0.5},
                "sex": {"type": "category", "values": ["F", "M"]},
                "town": {"type": "category", "values": ["a", "b", "c"], "other": "?"},
            },
        }
    )


def people(rows: int = 3_000) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": [f"p{n // 2}" for n in range(rows)],
            "age": [None if n % 10 == 0 else (n * 37) % 120 for n in range(rows)],
            "pay": [float((n * 31) % 1_000) for n in range(rows)],
            "sex": ["F" if n % 3 else "M" for n in range(rows)],
            "town": ["abzz"[n % 4] for n in range(rows)],
        }
    )


def plan(epsilon: str = "10", delta: str = "0", **more: Any) -> PrivatePlan:
    return PrivatePlan(Fraction(epsilon), Fraction(delta), **more)


def spent(ledger: Path) -> float:
    with Ledger.open(ledger) as books:
        return 20.0 - float(books.balance("people").left.epsilon)


@pytest.mark.parametrize("delta", ["0", "1/10000000"])
def test_statistics_are_near_the_truth(delta: str, tmp_path: Path) -> None:
    release = private_statistics(people(), schema(), plan("10", delta), ledger=tmp_path / "l")
    found = statistics_of(release)
    assert found.origin == "private"
    assert found.rows == pytest.approx(3_000, rel=0.05)
    priced = price_statistics(schema(), plan("10", delta))
    assert set(found.noise.values()) == {priced.noise_one, priced.noise_two}
    assert len(found.crosses) == 6
    # Every table adds up to the rows: six deviations of the sum of its cells.
    for pair, table in found.crosses.items():
        assert abs(table.sum() - 3_000) <= 6 * found.noise[pair] * np.sqrt(table.size), pair
    assert release.spent["epsilon"] == 10.0
    assert found.provenance["guarantee"] == release.guarantee
    assert [fact["mechanism"].split(":")[0] for fact in found.provenance["measured"]] == (
        ["discrete Gaussian"] * 2 if delta != "0" else ["discrete Laplace"] * 2
    )
    # No moment, no exact sum and no mean of a bin leaves.
    assert found.moments is None
    assert not found.shifts
    assert all(each.means is None for each in found.marginals)


def test_what_is_released_is_whole_and_stored(tmp_path: Path) -> None:
    release = private_statistics(people(), schema(), plan(), ledger=tmp_path / "l")
    told = dict(release.statistics or {})
    for cross in told["crosses"]:
        flat = np.array(cross["counts"])
        assert np.array_equal(flat, np.rint(flat))
    text = json.dumps({key: value for key, value in told.items() if key != "measured"})
    again = Statistics.from_json(text)
    assert again.crosses.keys() == statistics_of(release).crosses.keys()


def test_the_charge_comes_before_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source that fails after the reservation keeps the charge, and says so."""
    ledger = tmp_path / "l"

    def failing(*given: Any, **named: Any) -> Any:
        assert spent(ledger) == 10.0
        raise EngineUnavailable("The engine stopped.", "Try again.")

    monkeypatch.setattr(private, "histograms", failing)
    with pytest.raises(EngineUnavailable) as caught:
        private_statistics(people(), schema(), plan(), ledger=ledger)
    assert "What was charged stays charged." in caught.value.hint
    assert spent(ledger) == 10.0


def test_a_crash_in_the_middle_keeps_the_charge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "l"

    def crash(*given: Any, **named: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(private, "cross", crash)
    with pytest.raises(KeyboardInterrupt):
        private_statistics(people(), schema(), plan(), ledger=ledger, key="k")
    assert spent(ledger) == 10.0


def test_what_refuses_refuses_before_the_charge(tmp_path: Path) -> None:
    ledger = tmp_path / "l"
    for data, given in (
        (people().drop("age"), plan()),
        (people(), plan(columns=("id",))),
        (people(), plan("1/1000000000")),
    ):
        with pytest.raises(SudareError):
            private_statistics(data, schema(), given, ledger=ledger)
    assert not ledger.exists() or spent(ledger) == 0.0


def test_the_cap_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = tmp_path / "l"
    private_statistics(people(), schema(), plan("15"), ledger=ledger)
    monkeypatch.setattr(duck.DuckSource, "map_batches", _never)
    with pytest.raises(BudgetRefused):
        private_statistics(people(), schema(), plan("6"), ledger=ledger)
    assert spent(ledger) == 15.0


def _never(*given: Any, **named: Any) -> Any:
    raise AssertionError("a row was read")


def test_a_key_returns_the_same_statistics_unpaid(tmp_path: Path) -> None:
    ledger = tmp_path / "l"
    first = private_statistics(people(), schema(), plan(), ledger=ledger, key="k")
    again = private_statistics(people(), schema(), plan(), ledger=ledger, key="k")
    assert again.to_bytes() == first.to_bytes()
    assert spent(ledger) == 10.0
    with pytest.raises(SudareError):
        private_statistics(people(), schema(), plan("5"), ledger=ledger, key="k")


def test_bins_do_not_depend_on_the_data(tmp_path: Path) -> None:
    """Bins and, with nobody in the table, everything else but the noise come from the schema."""
    nobody = people().filter(pl.col("pay") < 0)
    full = statistics_of(private_statistics(people(), schema(), plan(), ledger=tmp_path / "a"))
    empty = statistics_of(private_statistics(nobody, schema(), plan(), ledger=tmp_path / "b"))
    for one, two in zip(full.marginals, empty.marginals, strict=True):
        assert one.starts == two.starts
        assert one.labels == two.labels
        assert one.bins == two.bins


def test_rows_a_unit_are_bounded(tmp_path: Path) -> None:
    facts = schema(unit="id", max_rows_per_unit=1)
    found = statistics_of(private_statistics(people(), facts, plan(), ledger=tmp_path / "l"))
    # Two rows a person, of which one counts.
    assert found.rows == pytest.approx(1_500, rel=0.05)
    one, two = (
        price_statistics(schema(unit="id", max_rows_per_unit=k), plan()).noise_two for k in (1, 3)
    )
    assert two == pytest.approx(3 * one, rel=0.05)


def test_scripted_bits_give_the_same_statistics(tmp_path: Path) -> None:
    def once(name: str) -> Any:
        bits = CountedBits("golden statistics")
        found = private_statistics(people(), schema(), plan(), ledger=tmp_path / name, bits=bits)
        return found.statistics

    assert once("a") == once("b")


def test_a_price_reads_nothing() -> None:
    priced = price_statistics(schema(), plan("1", columns=("age", "sex")))
    assert (priced.columns, priced.pairs) == (2, 1)
    assert priced.cost.epsilon == 1.0
    assert price_statistics(schema(), plan("1")).noise_two > priced.noise_two

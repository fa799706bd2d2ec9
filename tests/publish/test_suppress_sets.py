"""Suppress and check, from file to file: what is written is safe, whole and tells no secret."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from sudare.facts.baskets import read_rho
from sudare.facts.errors import InvalidPlan, UsageError, VerificationFailed
from sudare.facts.sets_plan import SetsPlan
from sudare.publish.check_sets import check_released, check_sets
from sudare.publish.sets_input import SetsInput
from sudare.publish.suppress_sets import suppress_sets

# Alice to Frank of the paper's figure 1; medicine is sensitive to those who have it.
FIGURE = "milk bread medicine\napple\nmilk coffee bread\nmilk medicine\ncoffee bread apple\n"
FIGURE += "orange medicine\n"
MINDED = "user,item\n1,medicine\n4,medicine\n6,medicine\n"
HALF = SetsPlan(rho=Fraction(1, 2))


@pytest.fixture
def given(tmp_path: Path) -> SetsInput:
    (tmp_path / "baskets.dat").write_text(FIGURE)
    (tmp_path / "sensitive.csv").write_text(MINDED)
    return SetsInput(tmp_path / "baskets.dat", tmp_path / "sensitive.csv")


def test_the_release_keeps_lines_and_is_verified(given: SetsInput, tmp_path: Path) -> None:
    result = suppress_sets(given, HALF, tmp_path / "out.dat")
    lines = (tmp_path / "out.dat").read_text().split("\n")
    assert len(lines) == 7
    for before, after in zip(FIGURE.split("\n"), lines, strict=True):
        assert set(after.split()) <= set(before.split())
    assert 0 < result["util1"] <= 3 / 13
    assert result["verified"]["confidence"][0] * 2 <= result["verified"]["confidence"][1]
    assert not list(tmp_path.glob(".partial*"))
    json.dumps(result, allow_nan=False)
    verdict = check_released(given, tmp_path / "out.dat", Fraction(1, 2), None)
    assert verdict["verified"] == result["verified"]


def test_a_release_that_is_not_safe_is_refused_without_names(
    given: SetsInput, tmp_path: Path
) -> None:
    with pytest.raises(VerificationFailed) as failure:
        check_released(given, tmp_path / "baskets.dat", Fraction(1, 2), None)
    for name in ("milk", "medicine", "bread", "orange"):
        assert name not in str(failure.value)


def test_the_check_counts_attackers(given: SetsInput) -> None:
    found = check_sets(given, Fraction(1, 2), 2)
    # With one known item milk (2 of 3, for Alice and Dave) and orange (1 of 1, for Frank) tell of
    # medicine: shares 1/3 of Alice's, 1/2 of Dave's and 1/2 of Frank's attackers, of six people.
    assert found["shares"][0]["share"] == pytest.approx((1 / 3 + 1 / 2 + 1 / 2) / 6)
    assert found["exposed_records"] == 3
    assert {"known": ["milk"], "inferred": "medicine", "together": 2, "alone": 3, "exposed": 2} in (
        found["rules"]
    )
    assert [person["record"] for person in found["people"]] == [1, 4, 6]


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_other_forms_can_be_written(given: SetsInput, tmp_path: Path, name: str) -> None:
    result = suppress_sets(given, HALF, tmp_path / name)
    assert (tmp_path / name).stat().st_size > 0
    assert result["records"] == 6


def test_every_model_ends_in_a_verified_file(given: SetsInput, tmp_path: Path) -> None:
    plans = [
        SetsPlan(rho=Fraction(1, 2), max_knowledge=1),
        SetsPlan(rho=Fraction(1, 2), mode="paper"),
        SetsPlan(rho=Fraction(1, 2), base_rate=True, at_random=True),
        SetsPlan("sampled", Fraction(1, 2), 2, 0.2, 0.2),
        SetsPlan("km", k=2, max_knowledge=2),
    ]
    for plan in plans:
        result = suppress_sets(given, plan, tmp_path / "out.dat")
        assert result["model"] == plan.model
        assert result["verified"]


def test_items_climb_a_hierarchy(given: SetsInput, tmp_path: Path) -> None:
    tree = tmp_path / "tree.csv"
    tree.write_text("item,parent\nmilk,drink\ncoffee,drink\nbread,food\napple,food\norange,food\n")
    plan = SetsPlan("km", k=2, max_knowledge=1, method="generalization")
    result = suppress_sets(given, plan, tmp_path / "out.dat", hierarchy=tree)
    # Orange is alone, so bread, apple and orange become food.
    assert (tmp_path / "out.dat").read_text().split("\n")[5] == "food medicine"
    assert result["loss"] > 0


def test_the_fewest_suppressions_are_told(given: SetsInput, tmp_path: Path) -> None:
    pytest.importorskip("ortools")
    best = suppress_sets(given, HALF, tmp_path / "o.dat", optimum_seconds=20)["optimum"]
    assert best["proved"]
    assert 1 <= best["suppressed"] <= 3


def test_what_contradicts_itself_is_refused_before_reading(tmp_path: Path) -> None:
    nowhere = SetsInput(tmp_path / "none.dat")
    with pytest.raises(UsageError, match="Nothing is called sensitive"):
        suppress_sets(nowhere, HALF, tmp_path / "out.dat")
    for wrong in ({}, {"rho": Fraction(1, 2), "eps": 0.1}, {"model": "km", "k": 2}):
        with pytest.raises(UsageError):
            SetsPlan(**wrong)  # type: ignore[arg-type]
    for text in ("0", "1.5", "-1/2", "half", "1/0", "0.1234567891"):
        with pytest.raises(InvalidPlan):
            read_rho(text)
    assert read_rho("30%") == Fraction(3, 10)

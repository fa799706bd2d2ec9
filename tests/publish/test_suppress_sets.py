"""Suppress and check, from file to file: what is written is safe, whole and tells no secret."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from sudare.facts.baskets import read_rho
from sudare.facts.errors import InvalidFile, InvalidPlan, UsageError, VerificationFailed
from sudare.facts.sets_plan import SetsPlan
from sudare.publish.check_released import check_released
from sudare.publish.check_sets import check_sets
from sudare.publish.outputs import Beside
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
    verdict = check_released(given, tmp_path / "out.dat", HALF)
    assert verdict["verified"] == result["verified"]


def test_a_release_that_is_not_safe_is_refused_without_names(
    given: SetsInput, tmp_path: Path
) -> None:
    with pytest.raises(VerificationFailed) as failure:
        check_released(given, tmp_path / "baskets.dat", HALF)
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
        asked = replace(given, sensitive=None) if plan.model == "km" else given
        result = suppress_sets(asked, plan, tmp_path / "out.dat", force=True)
        assert result["model"] == plan.model
        assert result["verified"]
        again = check_released(asked, tmp_path / "out.dat", plan)["verified"]
        assert plan.model == "sampled" or again == result["verified"]


def test_items_climb_a_hierarchy(given: SetsInput, tmp_path: Path) -> None:
    tree = tmp_path / "tree.csv"
    tree.write_text("item,parent\nmilk,drink\ncoffee,drink\nbread,food\napple,food\norange,food\n")
    plan = SetsPlan("km", k=2, max_knowledge=1, method="generalization")
    given = replace(given, sensitive=None)
    result = suppress_sets(given, plan, tmp_path / "out.dat", hierarchy=tree)
    # Orange is alone, so bread, apple and orange become food.
    assert (tmp_path / "out.dat").read_text().split("\n")[5] == "food medicine"
    assert result["loss"] > 0
    verdict = check_released(given, tmp_path / "out.dat", plan, hierarchy=tree)
    assert verdict["verified"] == result["verified"]
    (tmp_path / "out.dat").write_text("drink\n" * 6)
    with pytest.raises(VerificationFailed, match="not above the items"):
        check_released(given, tmp_path / "out.dat", plan, hierarchy=tree)


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
    for text in ("0", "1.5", "-1/2", "half", "1/0", "0.1234567891", "0.0000000001"):
        with pytest.raises(InvalidPlan):
            read_rho(text)
    assert read_rho("30%") == Fraction(3, 10)
    assert read_rho("0.000000001") == Fraction(1, 10**9)


@pytest.mark.parametrize("name", ["sensitive.csv", "groups.csv", "tree.csv", "baskets.dat"])
def test_no_input_is_replaced(given: SetsInput, tmp_path: Path, name: str) -> None:
    (tmp_path / "groups.csv").write_text("item,category\nmilk,drink\n")
    (tmp_path / "tree.csv").write_text("item,parent\nmilk,drink\n")
    before = (tmp_path / name).read_bytes()
    given = replace(given, categories=tmp_path / "groups.csv")
    plan, tree = HALF, None
    if name == "tree.csv":
        given, tree = replace(given, sensitive=None), tmp_path / name
        plan = SetsPlan("km", k=2, max_knowledge=1, method="generalization")
    with pytest.raises(UsageError, match="would replace"):
        suppress_sets(given, plan, tmp_path / name, hierarchy=tree)
    assert (tmp_path / name).read_bytes() == before


def test_what_stands_beside_the_output_replaces_no_input(given: SetsInput, tmp_path: Path) -> None:
    linked = tmp_path / "r.certificate.json"
    linked.symlink_to(tmp_path / "sensitive.csv")
    with pytest.raises(UsageError, match=r"certificate\.json would replace the sensitive items"):
        suppress_sets(given, HALF, tmp_path / "r.dat", force=True, beside=Beside((linked,)))
    assert (tmp_path / "sensitive.csv").read_text() == MINDED
    assert not (tmp_path / "r.dat").exists()


def test_the_check_of_a_release_needs_something_to_look_for(
    given: SetsInput, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="Nothing is called sensitive"):
        check_released(replace(given, sensitive=None), tmp_path / "baskets.dat", HALF)
    (tmp_path / "sensitive.csv").write_text("user,item\n*,nowhere\n")
    with pytest.raises(InvalidFile, match="No row of the sensitive items fits"):
        check_released(given, tmp_path / "baskets.dat", HALF)
    with pytest.raises(UsageError, match="does not protect what people call sensitive"):
        suppress_sets(given, SetsPlan("km", k=2, max_knowledge=1), tmp_path / "out.dat")


def test_a_release_of_other_users_is_refused(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("user,item\nann,a\nbob,a\ncy,b\n")
    (tmp_path / "r.csv").write_text("user,item\nbob,a\nann,a\ncy,b\n")
    (tmp_path / "s.csv").write_text("user,item\n*,b\n")
    given = SetsInput(tmp_path / "b.csv", tmp_path / "s.csv")
    check_released(given, tmp_path / "b.csv", HALF)
    with pytest.raises(VerificationFailed, match="other users"):
        check_released(given, tmp_path / "r.csv", HALF)


@pytest.mark.parametrize("ending", [".dat", ".csv", ".parquet", ".spmf"])
@pytest.mark.parametrize("form", ["comma", "blank"])
def test_own_releases_pass_the_check(tmp_path: Path, form: str, ending: str) -> None:
    # No line of the release has two items, so nothing tells commas from blanks in it.
    sign = "," if form == "comma" else " "
    (tmp_path / "b.dat").write_text(f"a b{sign}x\n\nx\n" if sign == "," else "a x\n\nx\n")
    (tmp_path / "s.csv").write_text("user,item\n*,x\n")
    given = SetsInput(tmp_path / "b.dat", tmp_path / "s.csv", encoding="cp932")
    result = suppress_sets(given, HALF, tmp_path / f"r{ending}")
    assert check_released(given, tmp_path / f"r{ending}", HALF)["verified"] == result["verified"]


def test_the_optimum_keeps_the_base_rate(tmp_path: Path) -> None:
    pytest.importorskip("ortools")
    (tmp_path / "b.dat").write_text("a\na\na\n\n")
    (tmp_path / "s.csv").write_text("user,item\n*,a\n")
    given = SetsInput(tmp_path / "b.dat", tmp_path / "s.csv")
    plan = replace(HALF, base_rate=True)
    found = suppress_sets(given, plan, tmp_path / "r.dat", optimum_seconds=20)["optimum"]
    assert (found["suppressed"], found["proved"]) == (1, True)
    for seconds in (0, -1, float("nan")):
        with pytest.raises(UsageError, match="seconds above 0"):
            suppress_sets(given, plan, tmp_path / "r.dat", optimum_seconds=seconds)


def test_where_nothing_is_left_there_is_no_util2(tmp_path: Path) -> None:
    (tmp_path / "b.dat").write_text("a b\nc\n")
    given = SetsInput(tmp_path / "b.dat")
    result = suppress_sets(given, SetsPlan("km", k=2, max_knowledge=1), tmp_path / "r.dat")
    assert (result["util1"], result["util2"]) == (1.0, None)

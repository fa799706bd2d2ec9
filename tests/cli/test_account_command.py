"""sudare account shuffle as a command."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from typer.testing import CliRunner

from sudare.cli.accounting import _TEXTS, LocalMechanism
from sudare.cli.app import app
from sudare.facts.errors import InvalidPlan, UsageError
from sudare.publish.accounting import MECHANISMS

ISSUE = "--n 30162 --epsilon0 2 --mechanism two-point --attributes 6 --delta 1e-10"
GROUPS = "--joined 20000 --a-only 0 --b-only 3000 --attributes-a 4 --attributes-b 2"


def run(words: str) -> str:
    found = CliRunner().invoke(app, ["account", "shuffle", *words.split()])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == 0, found.output
    return found.stdout


def as_json(words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(f"{words} --json"))
    return found


def test_all_bounds_and_the_tightest() -> None:
    found = as_json(ISSUE)
    bounds = found["bounds"]
    assert found["epsilon"] == bounds["blanket"] == min(bounds.values())
    assert bounds["blanket"] == pytest.approx(0.0422, abs=1e-4)
    assert bounds["clones"] == pytest.approx(0.1306, abs=1e-4)
    assert bounds["theorem4"] == pytest.approx(0.3871, abs=1e-4)
    assert (found["delta"], found["n"], found["reasons"]) == (1e-10, 30162, {})
    assert (found["mechanism"], found["attributes"]) == ("two-point", 6)


def test_total_and_per_attribute_are_both_said() -> None:
    total, each = as_json(ISSUE), as_json(ISSUE + " --per-attribute")
    assert (total["epsilon0"], each["epsilon0"]) == (2.0, 12.0)
    assert total["epsilon0_per_attribute"] == pytest.approx(1 / 3)
    assert each["epsilon0_per_attribute"] == 2.0
    assert "ε0 = 2 a report in total, 0.3333 an attribute" in run(ISSUE)
    assert "ε0 = 12 a report in total, 2 an attribute" in run(ISSUE + " --per-attribute")


def test_shown_guarantees_are_rounded_up() -> None:
    exact = as_json(ISSUE)["epsilon"]
    shown = float(run(ISSUE).split("After shuffling: ε* = ")[1].split()[0])
    assert exact <= shown < exact * 1.001


def test_refused_outside_its_condition() -> None:
    words = "--n 1000 --epsilon0 4 --mechanism two-point --delta 1e-10"
    found = as_json(words)
    assert found["bounds"]["theorem4"] is None
    assert "condition" in found["reasons"]["theorem4"]
    assert 3.99 <= found["epsilon"] <= 4
    assert "refused: outside its condition" in run(words)


def test_what_fits_a_wanted_epsilon() -> None:
    found = as_json("--n 1000000 --epsilon 0.5 --mechanism two-point --attributes 6")
    assert found["wanted_epsilon"] == 0.5
    assert found["epsilon"] <= 0.5
    back = as_json(f"--n 1000000 --epsilon0 {found['epsilon0']:.9f} --mechanism two-point "
                   "--attributes 6")  # fmt: skip
    assert back["epsilon"] == pytest.approx(0.5, rel=1e-3)
    said = run("--n 1000000 --epsilon 0.5 --mechanism two-point --attributes 6")
    shown = float(said.split("may cost ε0 = ")[1].split()[0])
    assert shown <= found["epsilon0"]


def test_groups_are_accounted_separately() -> None:
    found = as_json(f"{GROUPS} --epsilon0 2 --mechanism two-point")
    joined, alone = found["groups"]
    assert (joined["group"], joined["n"], joined["attributes"]) == ("joined", 20000, 6)
    assert (alone["group"], alone["n"], alone["attributes"]) == ("b-only", 3000, 2)
    assert joined["epsilon"] == as_json(ISSUE.replace("30162", "20000"))["epsilon"]
    assert alone["epsilon0"] == pytest.approx(2 / 3)
    assert found["epsilon"] == max(joined["epsilon"], alone["epsilon"])
    assert found["worst_group"] == "b-only"
    assert "not protected" in run(f"{GROUPS} --epsilon0 2")
    wanted = as_json(f"{GROUPS} --epsilon 0.1 --mechanism two-point")
    assert max(each["epsilon"] for each in wanted["groups"]) <= 0.1


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_every_mechanism_has_an_answer(mechanism: str) -> None:
    found = as_json(f"--n 100000 --epsilon0 1 --mechanism {mechanism} --values 4 --attributes 3")
    assert 0 < found["epsilon"] < 0.05
    assert (found["bounds"]["blanket"] is None) == (mechanism == "any")


def test_a_local_delta() -> None:
    found = as_json("--n 1000000 --epsilon0 2 --delta 1e-8 --delta0 1e-16")
    assert found["epsilon"] == found["bounds"]["theorem4"]
    assert found["bounds"]["clones"] is None
    assert "δ0 = 0" in found["reasons"]["clones"]


def test_languages_say_the_same() -> None:
    assert set(_TEXTS["en"]) == set(_TEXTS["ja"])
    assert {each.value for each in LocalMechanism} == set(MECHANISMS)
    said = run(f"{GROUPS} --epsilon0 2 --mechanism grr --values 5 --lang ja")
    assert "シャッフル後" in said
    assert "保護されません" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--epsilon0 1", "Nobody shuffles"),
        ("--n 10", "Name one of"),
        ("--n 10 --epsilon0 1 --epsilon 1", "Name one of"),
        ("--n 10 --joined 5 --epsilon0 1", "both given"),
        ("--joined 5 --epsilon0 1", "who reports how many"),
        ("--joined 0 --attributes-a 1 --attributes-b 1 --epsilon0 1", "empty"),
        ("--n 10 --epsilon0 1 --mechanism grr", "say how many values"),
        ("--n 10 --epsilon0 1 --delta0 1e-3", "above --delta"),
        ("--n 10 --epsilon 1 --delta0 1e-12", "goes with --epsilon0"),
        ("--n 10 --epsilon0 1 --attributes 5000", "at most 1000 attributes"),
    ],
)
def test_refusals(words: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        run(words)


@pytest.mark.parametrize("words", ["--epsilon0 0", "--epsilon0 x", "--epsilon0 1 --delta 1"])
def test_numbers_are_checked(words: str) -> None:
    with pytest.raises(InvalidPlan):
        run(f"--n 10 {words}")


def test_exit_codes_and_help() -> None:
    start = [sys.executable, "-m", "sudare.cli.app", "account", "shuffle"]
    wrong = subprocess.run([*start, "--n", "0", "--epsilon0", "1"], capture_output=True, text=True)
    assert wrong.returncode == 2
    missing = subprocess.run([*start, "--n", "5", "--json"], capture_output=True, text=True)
    assert missing.returncode == 2
    assert json.loads(missing.stdout)["exit_code"] == 2
    for words in (["account", "--help"], ["account", "shuffle", "--help"]):
        shown = CliRunner().invoke(app, words).output
        assert "Example: sudare account" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("wanted", "expected"), [("0.1", 2.34), ("0.2", 3.56), ("0.5", 5.60), ("1", 7.53)]
)
def test_the_theorem_alone_inverted(wanted: str, expected: float) -> None:
    """The paper prints 2.4, 3.7, 5.7 and 7.6."""
    words = ["account", "shuffle", "--n", "1000000", "--epsilon", wanted, "--delta", "1e-10"]
    found = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert found["epsilon0_by_theorem4"] == pytest.approx(expected, abs=0.005)

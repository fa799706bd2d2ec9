"""`sudare ledger show`: the last releases, and a word on the ones before them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.facts.cost import Cost
from sudare.facts.errors import UsageError
from sudare.facts.relation import Relation
from sudare.ledger.charge import Cap, Charge, Reservation
from sudare.ledger.ledger import Ledger

RELEASES = 90


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Long enough to be opened from a checkpoint; the last release was never finished."""
    path = tmp_path_factory.mktemp("show") / "people.ledger"
    with Ledger.open(path, create=True, relation=Relation.ADD_REMOVE) as ledger:
        for number in range(RELEASES):
            made = ledger.reserve(
                Charge(
                    "people" if number % 3 else "visits",
                    "row",
                    Cost(10**7, 0, 10**8, Relation.ADD_REMOVE),
                    Cap(10**9),
                    "ab" * 32,
                )
            )
            assert isinstance(made, Reservation)
            if number < RELEASES - 1:
                ledger.commit(made, b"answer")
    return str(path)


def shown(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["ledger", "show", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def listed(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("  20")]


def told(*arguments: str) -> dict[str, Any]:
    return json.loads(shown(*arguments, "--json"))  # type: ignore[no-any-return]


def test_a_person_sees_the_last_20_and_how_many_are_not_shown(place: str) -> None:
    text = shown(place)
    whole = shown(place, "--all")
    assert len(listed(whole)) == RELEASES
    assert listed(text) == listed(whole)[-20:]
    assert "  70 earlier releases are not shown; --all shows them.\n" in text
    assert "not shown" not in whole
    assert listed(text)[-1].endswith("never finished: spent, nothing released")
    assert sum("never finished" in line for line in listed(text)) == 1
    # The balances are of all releases, shown or not.
    assert text.splitlines()[:2] == whole.splitlines()[:2]
    assert "spent ε=0.6 of 1" in text


@pytest.mark.parametrize(
    ("last", "word"),
    [
        (0, "90 earlier releases are not shown; --all shows them."),
        (1, "89 earlier releases are not shown; --all shows them."),
        (89, "1 earlier release is not shown; --all shows it."),
        (90, None),
        (10**6, None),
    ],
)
def test_last_says_how_many(place: str, last: int, word: str | None) -> None:
    text = shown(place, "--last", str(last))
    assert listed(text) == listed(shown(place, "--all"))[max(RELEASES - last, 0) :]
    assert (word is None) == ("not shown" not in text)
    assert word is None or word in text


def test_json_is_complete_unless_less_is_asked_for(place: str) -> None:
    whole = told(place)
    assert len(whole["releases"]) == RELEASES
    assert whole["earlier_releases"] == 0
    assert told(place, "--all") == whole
    part = told(place, "--last", "5")
    assert part["releases"] == whole["releases"][-5:]
    assert part["earlier_releases"] == RELEASES - 5
    assert part["datasets"] == whole["datasets"]
    assert sum(each["releases"] for each in part["datasets"].values()) == RELEASES


def test_all_and_last_exclude_each_other(place: str) -> None:
    with pytest.raises(UsageError, match="exclude each other"):
        shown(place, "--all", "--last", "3")


def test_a_short_ledger_has_nothing_more_to_show(tmp_path: Path) -> None:
    path = tmp_path / "new.ledger"
    Ledger.open(path, create=True, relation=Relation.ADD_REMOVE).close()
    assert shown(str(path)) == ""
    assert told(str(path))["releases"] == []

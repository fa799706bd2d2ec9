"""What an analyst is told of an error, and what only its steward is."""

from __future__ import annotations

import pytest

from sudare.facts.errors import (
    BudgetRefused,
    EngineUnavailable,
    InvalidFile,
    InvalidLedger,
    LinkRefused,
    SudareError,
    UnknownColumn,
    UsageError,
)

PLACE = "/srv/secret/people.ledger"


@pytest.mark.parametrize(
    "error",
    [
        InvalidLedger(f"There is no ledger at {PLACE}.", f"See {PLACE}.", place=PLACE),
        InvalidFile(f"There is no data file {PLACE}.", "h"),
        EngineUnavailable("db.example cannot be reached.", "as clerk"),
        LinkRefused("no", PLACE, "plan"),
        SudareError(PLACE, PLACE),
    ],
)
def test_of_what_is_the_stewards_an_analyst_learns_nothing(error: SudareError) -> None:
    told = error.for_analyst("a-17")
    assert (told.code, told.what) == ("table-unavailable", "The table is not available.")
    assert told.hint == "Its steward finds the reason under a-17."
    assert told.arguments == ("a-17",)


def test_places_are_left_out_of_an_analysts_error() -> None:
    error = UsageError(
        f"There is no finished release 64baa in {PLACE}.", f"See {PLACE}.", place=PLACE
    )
    told = error.for_analyst("a-17")
    assert told.what == "There is no finished release 64baa in …."
    assert told.hint == "See …."
    assert told.arguments == ("64baa", "…")
    assert told.code == error.code
    assert str(error) == f"There is no finished release 64baa in {PLACE}. See {PLACE}."


def test_the_longest_place_goes_first() -> None:
    error = UsageError("/a/b/c and /a/b", "h", place=("/a/b", "/a/b/c", ""))
    assert error.for_analyst("x").what == "… and …"


def test_a_refusal_of_the_budget_is_told_with_its_numbers() -> None:
    what = 'this release costs ε=0.8; only ε=0.5 is left on "people".'
    told = BudgetRefused(what, "lower --epsilon").for_analyst("x")
    assert told.what == what
    assert told.arguments == ("ε=0.8", "ε=0.5", "people")


def test_an_error_with_a_class_of_its_own_has_its_name() -> None:
    assert UnknownColumn("agee", ("age",)).code == "unknown-column"
    assert LinkRefused("no", "h", "plan").code == "plan"
    assert UsageError("words that nobody wrote down", "h").code == "usage-error"

"""Every error has a code of its own, and says apart what only the steward may be told."""

from __future__ import annotations

import ast
import re

import pytest

from sudare.facts import errors
from sudare.facts.error_codes import GAP, kebab, recognised
from support.error_codes import CATALOGUE, CLASSES, message, messages, raised

# What a path, an address, a host or a user is called in this house. The rest of the names below
# are the same words for other things.
PLACE = re.compile(
    r"(^|[._\[( ])(path|paths|folder|target|place|_place|address|_address|output|log|moved_to|"
    r"parent|host|user|collection|ledger)\b|^shown\(|^beside$|^source$"
)
NO_PLACES = {
    "queries/logistic.py": {"self.target"},  # a column
    "tables/dimensions.py": {"path[-1]"},  # a level below others
    "engines/baskets/tables.py": {"ask.user"},  # a column
}
CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def test_the_tables_hold_every_message_and_no_other() -> None:
    said = {name: set(texts) for name, texts in messages().items()}
    held = {name: set(CATALOGUE[name].values()) for name in CLASSES}
    hint = "run: cd tests && ../.venv/bin/python -m support.error_codes"
    assert {name: said[name] ^ held[name] for name in CLASSES if said[name] != held[name]} == {}, (
        hint
    )


def test_codes_are_kebab_case_and_nobody_shares_one() -> None:
    codes = [code for each in CATALOGUE.values() for code in each]
    assert len(codes) > 400
    assert not [code for code in codes if not CODE.fullmatch(code)]
    assert len(set(codes)) == len(codes)
    own = {kebab(name) for name, each in vars(errors).items() if name[0].isupper()}
    assert not own & set(codes)


def instance(name: str, said: str) -> errors.SudareError:
    found = getattr(errors, name)(said.replace(GAP, "x1"), "h")
    assert isinstance(found, errors.SudareError)
    return found


@pytest.mark.parametrize("name", CLASSES)
def test_a_message_is_known_by_its_own_code(name: str) -> None:
    for code, said in CATALOGUE[name].items():
        assert recognised(instance(name, said)) == (code, ("x1",) * said.count(GAP)), said


def names_of_places(call: ast.Call) -> set[str]:
    """What a message or its hint names that is a place."""
    return {
        ast.unparse(part.value)
        for said in call.args[:2]
        for part in ast.walk(said)
        if isinstance(part, ast.FormattedValue) and PLACE.search(ast.unparse(part.value))
    }


def given_places(call: ast.Call) -> set[str]:
    given = next((each.value for each in call.keywords if each.arg == "place"), None)
    parts = given.elts if isinstance(given, ast.Tuple) else [given]
    return {ast.unparse(part) for part in parts if part is not None}


def unsaid(where: str, call: ast.Call) -> set[str]:
    known = NO_PLACES.get(where.partition(":")[0], set())
    return {
        name
        for name in names_of_places(call) - given_places(call) - known
        if not name.startswith("line_of(")
    }


def test_every_place_that_is_named_is_given_apart() -> None:
    found = {(each.where, name) for each in raised() for name in unsaid(each.where, each.call)}
    assert found == set()
    assert sum(bool(given_places(each.call)) for each in raised()) > 80


def test_a_place_that_is_not_given_apart_is_found() -> None:
    call = ast.parse("InvalidLedger(f'{self.path} is damaged.', f'See {shown(path)}.')").body[0]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    assert unsaid("new.py:1", call.value) == {"self.path", "shown(path)"}
    assert message(call.value) == "… is damaged."


def test_every_class_says_for_whom_it_is() -> None:
    told = {
        name: each.audience
        for name, each in vars(errors).items()
        if isinstance(each, type) and issubclass(each, errors.SudareError)
    }
    analysts = {
        "UsageError", "BudgetRefused", "RunUnfinished", "InvalidSchema", "ImpossibleRules",
        "InvalidPlan", "UnknownColumn", "BoundsMissing", "DomainMissing", "Unconfirmed",
            "UnitUnconfirmed", "BudgetUnconfirmed",
    }  # fmt: skip
    assert {name for name, audience in told.items() if audience == "analyst"} == analysts

"""The certificate states the claim, and its keys do not move."""

from __future__ import annotations

import hashlib
import json

from report.releases import COUNT, COVARIANCE, LOST, PUBLIC, release
from sudare.facts.certificate import JOBS
from sudare.report.certificate import statement
from sudare.report.guarantee import not_covered, promise

KEYS = ["id", "table", "asked", "spent", "left", "not_covered", "sha256"]


def test_keys_are_stable() -> None:
    for made in (release(), release(PUBLIC), release(COVARIANCE, LOST)):
        stated = statement(made).to_dict()
        assert list(stated) == ["job", "created", "guarantee", "provenance", "body"]
        assert list(stated["body"]) == KEYS == list(JOBS["ask"].keys)
        assert list(stated["guarantee"]) == [
            "epsilon",
            "delta",
            "rho",
            "neighbours",
            "unit",
            "max_rows_per_unit",
            "mechanism",
            "meaning",
        ]
        assert list(stated["provenance"]) == [
            "source",
            "engine",
            "sandbox",
            "schema_sha256",
            "plan_sha256",
            "ledger_entry",
            "software",
        ]


def test_it_states_questions_shares_and_noise() -> None:
    asked = statement(release(COUNT)).body["asked"]
    assert asked == [
        {
            "query": "count()",
            "function": "count",
            "epsilon": 0.1,
            "error95": 669.0,
            "public": False,
            "clips": [],
            "mechanisms": [
                {
                    "mechanism": "discrete Laplace",
                    "cells": 1,
                    "scale": "s = 10",
                    "sensitivity": "L1 = 1",
                }
            ],
        }
    ]


def test_it_pins_the_released_bytes() -> None:
    made = release()
    assert statement(made).body["sha256"] == hashlib.sha256(made.to_bytes()).hexdigest()
    assert statement(release(COUNT)).body["sha256"] != statement(made).body["sha256"]


def test_it_is_json_and_holds_no_value() -> None:
    text = json.dumps(statement(release(COUNT)).to_dict(), ensure_ascii=False, allow_nan=False)
    assert "19873" not in text
    assert json.loads(text)["body"]["not_covered"]["ja"][0].startswith("範囲の制限")


def test_the_promise_in_words() -> None:
    assert promise(release(COUNT), "en") == [
        "Whether any one row is in the table or not, every possible result of this release stays "
        "almost equally likely: no probability changes by more than the factor e^ε = 2.72.",
        "Whoever reads this release learns at most as much about one row as from a survey that "
        "asks one yes-or-no question about it and gets the honest answer with probability 46 %, "
        "and otherwise the toss of a coin.",
        "Someone who knows everything else, and thinks two cases equally likely, guesses right "
        "with probability at most 73 % instead of 50 %.",
    ]


def test_the_promise_names_unit_relation_and_delta() -> None:
    changed = {"unit": "person_id", "max_rows_per_unit": 3, "neighbours": "replace-one"}
    made = release(COUNT, delta=1e-9, **changed)
    said = " ".join(promise(made, "en"))
    assert "Whatever any one “person_id” holds" in said
    assert "extra chance of at most δ = 1e-9" in said
    assert "at most 3 of them are used, chosen at random" in said
    assert "The number of units (“person_id”) is taken as public." in said
    assert any(line.startswith("Row limit") for line in not_covered(made, "en"))
    assert "「person_id」" in " ".join(promise(made, "ja"))
    assert len(promise(made, "en")) == len(promise(made, "ja"))


def test_a_huge_epsilon_is_stated_as_the_nothing_it_is() -> None:
    said = " ".join(promise(release(COUNT, epsilon=1000.0), "en"))
    assert "honest answer with probability 100 %" in said

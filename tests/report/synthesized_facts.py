"""Certificates of synthetic files, made by hand."""

from __future__ import annotations

from typing import Any

from sudare.facts.closeness import CloseFinding, Closeness, Equations, Place
from sudare.facts.synthesized import Correlations, Kept, MomentGap, RuleKept, Synthesized

NAMES = ("age", "<b>sex</b>", "pay")
PAIRS = (("age", "<b>sex</b>"), ("age", "pay"), ("<b>sex</b>", "pay"))
GUARANTEE: dict[str, Any] = {
    "epsilon": 1.0,
    "delta": 0.0,
    "rho": 0.5,
    "neighbours": "add-remove",
    "unit": "row",
    "max_rows_per_unit": 1,
    "mechanism": "laplace",
}


def gap(size: float) -> MomentGap:
    return MomentGap(size, 2 * size, 3 * size, 4 * size, 5 * size, 6 * size)


def closeness() -> Closeness:
    found = CloseFinding("alone", "high", 3, (Place(("age", "pay"), 3),))
    equations = Equations(10, 20, 5, 0, 300, 100, "pay", 12)
    fine = CloseFinding("equations", "fine", 35)
    return Closeness("people", 100, 3, 10, (found, fine), equations)


def exact(**changes: Any) -> Synthesized:
    facts: dict[str, Any] = {
        "table": "people",
        "rows": 1234,
        "created": "2026-01-02T03:04:05+00:00",
        "software": "sudare 0.1.0",
        "origin": "exact",
        "mode": "default",
        "preserve": "tables",
        "guarantee": None,
        "source": {"source": "my people.csv", "engine": "duckdb", "schema_sha256": "ab" * 32},
        "used": {
            "rows": 100.0,
            "histograms": list(NAMES),
            "two_way_tables": [list(pair) for pair in PAIRS],
            "moments": ["age", "pay"],
            "conditional_sums": 0,
            "noise": [],
        },
        "marginals": (
            Kept("age", ("0 – 9", "10 – 99"), (0.25, 0.75), (0.25, 0.75)),
            Kept("<b>sex</b>", ("F", "F", "—"), (0.5, 0.3, 0.2), (0.4, 0.4, 0.2)),
            Kept("pay", tuple(map(str, range(40))), (0.02,) * 40, (0.02,) * 40),
        ),
        "correlations": Correlations(
            ("age", "pay"), ((1.0, None), (None, 1.0)), ((1.0, 0.2), (0.2, 1.0))
        ),
        "drawn": gap(1e-2),
        "before": gap(1e-13),
        "after": gap(1e-7),
        "rounded": ("age", "pay"),
        "two_way": 0.0123,
        "rules": (RuleKept("if age < 15 then pay = 0", 0),),
        "exclusive": (("gain", "loss"),),
        "proposals": ('[[rules]]\nif = "age < 15"\nthen = "pay = 0"\n',),
        "closeness": closeness().to_dict(),
        "file": {"name": "made.csv", "sha256": "cd" * 32},
    }
    return Synthesized(**{**facts, **changes})


def private(**changes: Any) -> Synthesized:
    measured = [{"mechanism": "discrete Laplace: x", "cells": 1, "scale": "20", "sensitivity": "1"}]
    facts: dict[str, Any] = {
        "origin": "private",
        "guarantee": GUARANTEE,
        "source": {"source": "people.csv", "release": "f00d", "ledger_entry": 7,
                   "measured": measured},
        "drawn": None,
        "before": None,
        "after": None,
        "correlations": None,
        "exclusive": (),
        "proposals": (),
        "closeness": None,
        "recovered": PAIRS[:1],
        "lost": PAIRS[1:],
    }  # fmt: skip
    return exact(**{**facts, **changes})


def randomized(**changes: Any) -> Synthesized:
    promised = {
        "epsilon": 4.0,
        "neighbours": "replace-one",
        "unit": "row",
        "shuffle": {"n": 1000, "epsilon": 0.75, "delta": 1e-6},
    }
    source = {"epsilon": 4.0, "untold": ["shoe"]}
    return private(**{"origin": "randomized", "guarantee": promised, "source": source, **changes})

"""One-run audits of local mechanisms: a lower bound on ε from canaries of two values.

Method   Steinke, Nasr, Jagielski 2023: canaries each hold one of two values, by a fair coin; the
         auditor guesses which from the report, or abstains. Under ε each guess is right with
         probability at most e^ε/(1 + e^ε), whatever the others are, so the number of right ones is
         dominated by a binomial, and a Clopper-Pearson bound p gives ε >= ln(p/(1 − p)). Guesses
         are made where the report is e^ε times likelier under one of the values.
How many With n guesses, p = e^ε/(1 + e^ε) the true share of right ones and s = 1/sqrt(n p (1 − p)),
         the guesses' log odds scatter around ε by s, and the bound lies z s below them. It stays in
         [0.98 ε, ε] but with the probability of z deviations, on either side, if 2 z s is at most
         the window. Every mechanism has at least 0.999 of the ε that it claims, so the window is
         0.019 ε. `enough` is n for z = 4.8; more canaries are drawn until so many guesses are
         made. When to stop depends on how many guesses there are, never on which are right.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.local_plan import LocalPlan, read_wishes
from sudare.facts.schema import make_schema
from sudare.local.compile import compile_local
from sudare.local.randomizer import Randomizer
from sudare.mechanisms.local.named import LABELS, NUMBERS, best_for_labels, best_for_numbers
from sudare.mechanisms.local.piecewise import POSITIONS
from support.audit import lower_limit

CANARIES = 1_000_000
DEVIATIONS = 4.8
WINDOW = 0.019
NAMES = sorted([*NUMBERS, *(set(LABELS) - {"pram"})])
VALUES = 4
Guesses = NDArray[np.int64]
Secrets = NDArray[np.int64]
# From the canaries' secrets and bits, what the auditor guesses: 0, 1, or −1 for nothing.
Look = Callable[[Secrets, Any], Guesses]


def enough(epsilon: float) -> int:
    """How many guesses keep a sound mechanism's bound in [0.98 ε, ε]."""
    right = 1 / (1 + math.exp(-epsilon))
    deviation = WINDOW * epsilon / (2 * DEVIATIONS)
    return math.ceil(1 / (right * (1 - right) * deviation**2))


def bound(look: Look, bits: Any, guesses: int, error: float) -> float:
    """The lower bound on ε from at least so many guesses, and from a million canaries at least."""
    made = right = 0
    while made < max(guesses, 1):
        secret = np.frombuffer(bits.take(CANARIES), np.uint8).astype(np.int64) % 2
        found = look(secret, bits)
        told = found >= 0
        made += int(told.sum())
        right += int((found[told] == secret[told]).sum())
    least = lower_limit(right, made, error)
    return math.log(least / (1 - least))


def of_mechanism(name: str, epsilon: Fraction) -> Look:
    """Canaries at the ends of [−1, 1], or at the first and the last label."""
    if name in NUMBERS:
        number: Any = best_for_numbers(name, epsilon)
        return lambda secret, bits: _guessed(name, number, number.report(2.0 * secret - 1, bits))
    label: Any = best_for_labels(name, epsilon, VALUES)
    return lambda secret, bits: _guessed(name, label, label.report((VALUES - 1) * secret, bits))


def _guessed(name: str, mechanism: Any, reports: NDArray[Any]) -> Guesses:
    """The value that is likelier by the whole e^ε, −1 where none is."""
    match name:
        case "two-point":
            return reports.astype(np.int64)
        case "laplace":
            return np.where(reports <= 0, 0, np.where(reports >= POSITIONS, 1, -1))
        case "piecewise":
            return _by_law(mechanism.law(-1.0), mechanism.law(1.0))[reports]
        case "hybrid":
            wave = mechanism.piecewise
            table = np.append(_by_law(wave.law(-1.0), wave.law(1.0)), [0, 1])
            return table[reports]
        case "oue" | "one-hot":
            bits = np.unpackbits(reports, axis=1, count=mechanism.values)
            return _between(bits[:, 0], bits[:, -1])
        case "olh":
            a, b, answer = reports.astype(np.int64).T
            ends = [mechanism._hashed(a, b, np.array(end)) for end in (0, mechanism.values - 1)]
            return _between(ends[0] == answer, ends[1] == answer)
        case _:
            law = mechanism.law()
            return _by_law(law[:, 0], law[:, -1])[reports]


def _by_law(first: NDArray[Any], last: NDArray[Any]) -> Guesses:
    return np.where(first > 1.01 * last, 0, np.where(last > 1.01 * first, 1, -1))


def _between(first: NDArray[Any], last: NDArray[Any]) -> Guesses:
    return np.where(first == last, -1, np.where(first, 0, 1))


def of_row(budget: Any, epsilon: Fraction) -> Look:
    """Everything that a row of two numbers reports, through the randomizer itself. Of both bits a
    guess is made where they agree; of one, always."""
    facts = _compiled(
        LocalPlan(
            epsilon,
            wishes=read_wishes(["two-point"]),
            statistics=("mean",),
            budget=budget,
            report=1 if budget == "sample" else None,
        ),
        most=1,
    ).facts

    def look(secret: Secrets, bits: Any) -> Guesses:
        given: Any = dict.fromkeys(("a", "b"), (secret, None))
        told = np.zeros(len(secret), np.int64)
        for own, reports in Randomizer(facts, lambda: bits)(given, len(secret)).values():
            told[slice(None) if own is None else own] += 2 * reports.astype(np.int64) - 1
        return np.where(told == 0, -1, np.where(told > 0, 1, 0))

    return look


def of_cell(epsilon: Fraction) -> Look:
    """The same where both numbers are reported as one cell of nine. A guess is made where it is
    one of the two that the ends have."""
    job = _compiled(LocalPlan(epsilon, statistics=("covariance",), budget="statistic"), most=10)
    way = next(each.way for each in job.considered if each.way.items[0].parameters == {"values": 9})
    facts = replace(job.facts, items=way.items)

    def look(secret: Secrets, bits: Any) -> Guesses:
        given: Any = dict.fromkeys(("a", "b"), (10 * secret, None))
        _, told = Randomizer(facts, lambda: bits)(given, len(secret))["a+b"]
        return np.where(told == 0, 0, np.where(told == 8, 1, -1))

    return look


def _compiled(plan: LocalPlan, most: int) -> Any:
    columns = {name: {"type": "integer", "min": 0, "max": most} for name in ("a", "b")}
    table = {"name": "t", "neighbours": "replace-one"}
    return compile_local(plan, make_schema({"table": table, "columns": columns}))

"""One-run audits of local mechanisms: a lower bound on ε from canaries of known chances.

Method   after Steinke, Nasr, Jagielski 2023. Each canary holds one of a few values, all equally
         likely. From its report the auditor names a set S of them, a share s, or says nothing.
         Under ε a report is at most e^ε times as likely from a value in S as from one outside, so
         the value lies in S with probability at most p(s) = s e^ε/(s e^ε + 1 − s), whatever the
         other canaries are. The number of hits is then at most a sum of such coins, which is
         dominated, above its mean, by as many equal coins of their mean chance (Hoeffding 1956,
         theorem 4). So a Clopper-Pearson bound on the mean chance gives the ε that has this mean.
         S is named where all its values are e^ε times likelier than all others: whole labels take
         part, because a report that is silent between two labels still tells these from others.
How many Hits scatter the log odds by 1/sqrt(I), I the sum of p(s)(1 − p(s)), and the bound lies z
         times that below them. It stays in [0.98 ε, ε] but with the probability of z deviations,
         on either side, if 2 z/sqrt(I) is at most the window. Every mechanism has at least 0.999
         of the ε that it claims, so the window is 0.019 ε. `enough` is I for z = 5, of which 4.8
         are needed and the rest pays for the unequal coins; canaries are drawn, a million at a
         time, until there is so much. When to stop depends on the shares, never on the hits.
Limits   p(1 − p) is at most 1/4, so a million canaries tell ε to 0.002 at best: at ε = 0.5 the
         window of 0.02 ε is five deviations wide, whoever audits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, logit

from sudare.facts.local_plan import LocalPlan, read_wishes
from sudare.facts.schema import make_schema
from sudare.local.compile import compile_local
from sudare.local.randomizer import Randomizer
from sudare.mechanisms.local.named import LABELS, NUMBERS, best_for_labels, best_for_numbers
from sudare.mechanisms.local.piecewise import POSITIONS
from support.audit import lower_limit

CANARIES = 1_000_000
DEVIATIONS = 5.0
WINDOW = 0.019
NAMES = sorted([*NUMBERS, *(set(LABELS) - {"pram"})])
# Labels of each mechanism: with few, one of them is a good share; with many, a set of them is.
VALUES = {"grr": 4, "square-wave": 4, "oue": 16, "one-hot": 16, "olh": 16}
GREATEST = 20.0
Flags = NDArray[np.bool_]
Guesses = NDArray[np.int64]
Secrets = NDArray[np.int64]


@dataclass(frozen=True)
class Named:
    """Of every canary the share of values that were named, 0 for none, and whether its own is
    among them."""

    share: NDArray[np.float64]
    hit: Flags


@dataclass(frozen=True)
class Look:
    """Canaries hold 0 ... values − 1; `named` is what a report of their secrets tells."""

    values: int
    named: Callable[[Secrets, Any], Named]


def enough(epsilon: float) -> float:
    """How much information keeps a sound mechanism's bound in [0.98 ε, ε]."""
    return (2 * DEVIATIONS / (WINDOW * epsilon)) ** 2


def bound(look: Look, bits: Any, error: float, information: float, epsilon: float) -> float:
    """The lower bound on ε from a million canaries, and from as many as have the information that
    is asked for if ε is true."""
    hits, shares, have = 0, np.empty(0), 0.0
    while not len(shares) or have < information:
        secret = np.frombuffer(bits.take(CANARIES), np.uint8).astype(np.int64) % look.values
        found = look.named(secret, bits)
        told = (found.share > 0) & (found.share < 1)
        hits += int(found.hit[told].sum())
        shares = np.append(shares, found.share[told])
        chance = expit(logit(shares) + epsilon)
        have = float((chance * (1 - chance)).sum())
    return _least(hits, shares, error)


def _least(hits: int, shares: NDArray[np.float64], error: float) -> float:
    """The ε whose mean chance is the lower limit of that of the hits."""
    limit = lower_limit(hits, len(shares), error)
    each, often = np.unique(shares, return_counts=True)
    place = logit(each)

    def over(epsilon: float) -> float:
        return float(often @ expit(place + epsilon)) / len(shares) - limit

    # The domination holds from one above the mean on.
    assert hits >= len(shares) * limit + 1
    return float(brentq(over, -GREATEST, GREATEST, xtol=1e-12))


def of_mechanism(name: str, epsilon: Fraction) -> Look:
    """Canaries at the ends of [−1, 1] or of the bins, or at all labels."""
    if name in NUMBERS:
        number: Any = best_for_numbers(name, epsilon)
        return two(lambda secret, bits: _end(name, number, number.report(2.0 * secret - 1, bits)))
    values = VALUES[name]
    label: Any = best_for_labels(name, epsilon, values)
    if name == "square-wave":
        ends = _by_law(label.law()[:, 0], label.law()[:, -1])
        return two(lambda secret, bits: ends[label.report((values - 1) * secret, bits)])

    def named(secret: Secrets, bits: Any) -> Named:
        likely = _likely(name, label, label.report(secret, bits))
        return Named(likely.mean(axis=1), likely[np.arange(len(secret)), secret])

    return Look(values, named)


def two(guess: Callable[[Secrets, Any], Guesses]) -> Look:
    """Canaries of two values, of which one is named, or none (−1)."""

    def named(secret: Secrets, bits: Any) -> Named:
        found = guess(secret, bits)
        return Named(np.where(found < 0, 0.0, 0.5), found == secret)

    return Look(2, named)


def _end(name: str, mechanism: Any, reports: NDArray[Any]) -> Guesses:
    """The end that is likelier by the whole e^ε, −1 where none is."""
    match name:
        case "two-point":
            return reports.astype(np.int64)
        case "laplace":
            return np.where(reports <= 0, 0, np.where(reports >= POSITIONS, 1, -1))
        case "piecewise":
            return _by_law(mechanism.law(-1.0), mechanism.law(1.0))[reports]
        case _:
            wave = mechanism.piecewise
            table = np.append(_by_law(wave.law(-1.0), wave.law(1.0)), [0, 1])
            return table[reports]


def _by_law(first: NDArray[Any], last: NDArray[Any]) -> Guesses:
    return np.where(first > 1.01 * last, 0, np.where(last > 1.01 * first, 1, -1))


def _likely(name: str, mechanism: Any, reports: NDArray[Any]) -> Flags:
    """Which labels a report is e^ε times likelier from than from the others: one row a report."""
    labels = np.arange(mechanism.values)
    match name:
        case "oue" | "one-hot":
            return np.unpackbits(reports, axis=1, count=mechanism.values).astype(np.bool_)
        case "olh":
            a, b, answer = reports.astype(np.int64).T[:, :, np.newaxis]
            return np.asarray(mechanism._hashed(a, b, labels) == answer)
        case _:
            return np.asarray(reports[:, np.newaxis] == labels)


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

    def guess(secret: Secrets, bits: Any) -> Guesses:
        given: Any = dict.fromkeys(("a", "b"), (secret, None))
        told = np.zeros(len(secret), np.int64)
        for own, reports in Randomizer(facts, lambda: bits)(given, len(secret)).values():
            told[slice(None) if own is None else own] += 2 * reports.astype(np.int64) - 1
        return np.where(told == 0, -1, np.where(told > 0, 1, 0))

    return two(guess)


def of_cell(epsilon: Fraction) -> Look:
    """The same where both numbers are reported as one cell of nine. A guess is made where it is
    one of the two that the ends have."""
    job = _compiled(LocalPlan(epsilon, statistics=("covariance",), budget="statistic"), most=10)
    way = next(each.way for each in job.considered if each.way.items[0].parameters == {"values": 9})
    facts = replace(job.facts, items=way.items)

    def guess(secret: Secrets, bits: Any) -> Guesses:
        given: Any = dict.fromkeys(("a", "b"), (10 * secret, None))
        _, told = Randomizer(facts, lambda: bits)(given, len(secret))["a+b"]
        return np.where(told == 0, 0, np.where(told == 8, 1, -1))

    return two(guess)


def _compiled(plan: LocalPlan, most: int) -> Any:
    columns = {name: {"type": "integer", "min": 0, "max": most} for name in ("a", "b")}
    table = {"name": "t", "neighbours": "replace-one"}
    return compile_local(plan, make_schema({"table": table, "columns": columns}))

"""What an ε means, ready for text or JSON; what PRAM keeps and hides at that ε."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from sudare.accounting import pram
from sudare.accounting.meaning import (
    TABLE_6,
    explain,
    honest_probability,
    least_miss_rate,
)
from sudare.facts.errors import UsageError
from sudare.facts.numbers import MOST_COUNTED

_FALSE_ALARMS = (0.01, 0.05, 0.1, 0.2, 0.5)


def meaning(epsilon: float) -> dict[str, Any]:
    """Honest-answer probability, table 6 of paper 001, error rates, repetition."""
    found = explain(epsilon)
    return {
        "epsilon": epsilon,
        "ratio": found.ratio,
        "honest_probability": found.honest,
        "best_guess": found.best_guess,
        "attacker": [
            {"false_alarm_rate": rate, "least_miss_rate": least_miss_rate(epsilon, rate)}
            for rate in _FALSE_ALARMS
        ],
        "repeated": [
            {"questions": n, "epsilon": total, "honest_probability": honest}
            for n, total, honest in found.repeated
        ],
        "table": [
            {
                "epsilon": None if math.isinf(row) else row,
                "ratio": None if math.isinf(row) else math.exp(row),
                "honest_probability": 1.0 if math.isinf(row) else honest_probability(row),
            }
            for row in TABLE_6
        ],
    }


def pram_meaning(
    epsilon: float | None,
    retentions: Sequence[float],
    values: Sequence[int],
    records: int | None,
    k: float | None,
) -> dict[str, Any]:
    """Retention ↔ ε ↔ Pk-anonymity of a record with attributes of so many values: from one of the
    total ε (shared equally), the retention probabilities (one for all, or one an attribute) and
    the k that `records` people should have."""
    _check(epsilon, retentions, values, records, k)
    if retentions:
        each = retentions if len(retentions) > 1 else list(retentions) * len(values)
        parts = [pram.by_retention(r, v) for r, v in zip(each, values, strict=True)]
    elif k is not None and records is not None:
        parts = list(pram.shared(pram.epsilon_for_pk(k, records), values))
    else:
        parts = list(pram.shared(epsilon or 0.0, values))
    total = pram.record_epsilon(parts)
    return {
        "epsilon": total,
        "attributes": [
            {
                "values": part.values,
                "epsilon": part.epsilon,
                "retention": part.retention,
                "unchanged": part.unchanged,
            }
            for part in parts
        ],
        "records": records,
        "pk": None if records is None else pram.pk(total, records),
    }


def _check(
    epsilon: float | None,
    retentions: Sequence[float],
    values: Sequence[int],
    records: int | None,
    k: float | None,
) -> None:
    if (epsilon is not None) + bool(retentions) + (k is not None) != 1:
        raise UsageError(
            "PRAM is explained from an ε, from --retention or from --pk: name one of them.",
            "Example: sudare explain --retention 0.8 --values 5,2 --records 1000",
        )
    if not values or min(values) < 2 or max(values) > MOST_COUNTED:
        raise UsageError(
            "--values says how many values each attribute has, at least 2 and at most 1e12.",
            "Example: --values 5,2 for two attributes of 5 and of 2 values.",
        )
    if retentions and len(retentions) not in (1, len(values)):
        raise UsageError(
            "--retention and --values name different numbers of attributes.",
            "Give one probability for all attributes, or one an attribute.",
        )
    if not all(0 < retention < 1 for retention in retentions):
        raise UsageError(
            "A retention probability lies above 0 and below 1.",
            "1 would publish the true values, 0 nothing of them.",
        )
    if records is not None and not 2 <= records <= MOST_COUNTED:
        raise UsageError(
            "--records must be at least 2 and at most 1e12.", "Nobody hides in a table of one."
        )
    if k is not None and (records is None or not 1 < k < records):
        raise UsageError(
            "--pk needs --records and lies between 1 and that number.",
            "Example: sudare explain --pk 10 --values 5 --records 1000",
        )

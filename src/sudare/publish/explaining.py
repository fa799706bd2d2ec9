"""What an ε means, ready for text or JSON."""

from __future__ import annotations

import math
from typing import Any

from sudare.accounting.meaning import (
    TABLE_6,
    explain,
    honest_probability,
    least_miss_rate,
)

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

"""What an ε means to a person: paper 001, section 3.

honest        randomised response answers truthfully with probability p = (e^ε − 1)/(e^ε + 1)
              (its equation 4); table 6 lists p for some ε.
error rates   whoever tests "is this person's true row in the table?" with false-alarm rate a
              misses with rate b, and a + e^ε·b >= 1 and e^ε·a + b >= 1 (its equation 3).
repetition    n answers of ε each are one answer of nε (its Theorem 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

# The ε of paper 001, table 6.
TABLE_6: tuple[float, ...] = (0.0, 0.1, 0.2, math.log(2), math.log(3), 3.0, 5.0, math.inf)


def honest_probability(epsilon: float) -> float:
    """(e^ε − 1)/(e^ε + 1), written as tanh so that no ε overflows."""
    return math.tanh(epsilon / 2)


def least_miss_rate(epsilon: float, false_alarm_rate: float) -> float:
    """The smallest miss rate that any attacker with this false-alarm rate can have."""
    steep = 1 - math.exp(min(epsilon, 700.0)) * false_alarm_rate
    flat = math.exp(-epsilon) * (1 - false_alarm_rate)
    return max(0.0, steep, flat)


@dataclass(frozen=True)
class Meaning:
    """Everything `sudare explain` shows of one ε."""

    epsilon: float
    ratio: float
    honest: float
    miss_at_5_percent: float
    best_guess: float
    repeated: tuple[tuple[int, float, float], ...]


def explain(epsilon: float) -> Meaning:
    """The meaning of ε; `best_guess` is the chance of guessing one of two equally likely rows."""
    repeated = tuple((n, n * epsilon, honest_probability(n * epsilon)) for n in (1, 2, 5, 10, 100))
    return Meaning(
        epsilon=epsilon,
        ratio=math.exp(min(epsilon, 700.0)),
        honest=honest_probability(epsilon),
        miss_at_5_percent=least_miss_rate(epsilon, 0.05),
        best_guess=1 / (1 + math.exp(-epsilon)),
        repeated=repeated,
    )

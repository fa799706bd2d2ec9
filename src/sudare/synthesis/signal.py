"""For which pairs of columns noisy statistics show a dependence, and for which they do not."""

from __future__ import annotations

from itertools import combinations

from sudare.facts.statistics import Statistics
from sudare.synthesis.denoising import agreed_shares, cleaned
from sudare.synthesis.gating import kept_covariance, kept_shift
from sudare.synthesis.targets import level_means

Pair = tuple[str, str]


def signal(statistics: Statistics) -> dict[Pair, bool]:
    """Whether the rows will show a dependence of the two columns; where not, they are drawn
    independently of each other. Of exact statistics: whether a dependence is stated at all."""
    kept: dict[Pair, int] = {}
    if statistics.origin != "exact":
        _, kept = cleaned(statistics, agreed_shares(statistics))
    return {pair: _is_told(statistics, pair, kept) for pair in combinations(statistics.names, 2)}


def _is_told(statistics: Statistics, pair: Pair, kept: dict[Pair, int]) -> bool:
    if pair in statistics.crosses:
        return statistics.origin == "exact" or kept[pair] > 0
    one, two = (statistics.marginal(name) for name in pair)
    if one.is_number and two.is_number:
        return kept_covariance(statistics, *pair) > 0
    if not one.is_number and not two.is_number:
        return False
    number, other = (one, two) if one.is_number else (two, one)
    counts = number.level_counts
    mean = float(counts @ level_means(number)) / max(float(counts.sum()), 1e-9)
    return kept_shift(statistics, number.name, other.name, mean) > 0

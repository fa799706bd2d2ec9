"""Which noisy two-way tables look most dependent; it sees noisy numbers alone."""

from __future__ import annotations

import math

import numpy as np

from sudare.facts.statistics import Statistics
from sudare.synthesis.denoising import agreed_shares, with_margins


def most_dependent(statistics: Statistics, count: int) -> list[tuple[str, str]]:
    """The pairs whose tables are farthest from independence in total variation, what noise adds
    to the distance taken off: √(cells · (Σ(t − rc)² − noise)) is the distance of a table whose
    dependence is spread evenly."""
    shares, whole = agreed_shares(statistics), max(statistics.rows, 1.0)
    found: dict[tuple[str, str], float] = {}
    for (a, b), table in statistics.crosses.items():
        rest = with_margins(table / whole, shares[a], shares[b]) - np.outer(shares[a], shares[b])
        freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
        noise = freedom * (statistics.noise.get((a, b), 0.0) / whole) ** 2
        found[a, b] = math.sqrt(max(float((rest**2).sum()) - noise, 0.0) * table.size)
    return sorted(found, key=lambda pair: -found[pair])[:count]

"""A gauge for the scores of a logistic regression: how often either label occurs at which score.

Newton's method from afar is slow where classes are nearly separable: each round the scores grow by
little. How far they should grow can be read off a histogram of scores by label, and a histogram is
cheap: its cells are disjoint groups, so together they have the sensitivity of one count.

Claim    the counts of 2·BINS groups move by at most k (add-remove) or 2k (replace-one) in L1
         (queries/sensitivity.py, of_sum of ones over several groups).
Needs    scores of public coefficients; the regauged ones follow from the noisy counts alone.
Gaps     none known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sudare.facts.aggregate import Moments
from sudare.queries.measurement import Block
from sudare.queries.second_moments import Array
from sudare.queries.sensitivity import Setting, of_sum

REACH, BINS = 6.0, 24
# In one round scores grow by at most this factor, and shrink by its inverse.
MOST = 6.0
_STEPS = 40


@dataclass(frozen=True)
class Gauge:
    """Counts over (bin, label), noised as one block."""

    setting: Setting

    def blocks(self) -> tuple[Block, ...]:
        cells = 2 * BINS
        return (Block(cells, of_sum(replace(self.setting, groups=cells), 1, 1), is_count=True),)

    def exact(self, moments: Moments) -> list[list[int]]:
        return [[row[0] for row in moments.rows]]


def regauged(beta: Array, counts: Array, deviation: float) -> Array:
    """β with its scores η replaced by a + c·η, fitted to the counts by two-parameter Newton steps.

    A pull to (0, 1) as strong as the noise of all counts keeps the fit where counts say little."""
    middles = -REACH + (np.arange(BINS) + 0.5) * (2 * REACH / BINS)
    off, on = np.maximum(counts.reshape(BINS, 2), 0.0).T
    start, scale = 0.0, 1.0
    design = np.stack([np.ones(BINS), middles], axis=1)
    pull = np.diag([1.0, 1.0]) * (1.0 + deviation)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-(start + scale * middles)))
        gradient = design.T @ (on - (on + off) * chance) - pull @ np.array([start, scale - 1])
        curvature = (design * ((on + off) * chance * (1 - chance))[:, None]).T @ design + pull
        step = np.clip(np.linalg.solve(curvature, gradient), -0.5, 0.5)
        start = float(np.clip(start + step[0], -3 * MOST, 3 * MOST))
        scale = float(np.clip(scale + step[1], 1 / MOST, MOST))
    found = scale * beta
    found[0] += start
    return found

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

import math
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
# Rows of a bin, in standard deviations of their noise, from which on it counts.
_STANDING_OUT = 5.0


@dataclass(frozen=True)
class Gauge:
    """Counts over (bin, label), noised as one block."""

    setting: Setting

    def blocks(self) -> tuple[Block, ...]:
        cells = 2 * BINS
        return (Block(cells, of_sum(replace(self.setting, groups=cells), 1, 1), is_count=True),)

    def exact(self, moments: Moments) -> list[list[int]]:
        return [[row[0] for row in moments.rows]]


def middles() -> Array:
    """The scores in the middle of the bins."""
    return np.array([-REACH + (place + 0.5) * (2 * REACH / BINS) for place in range(BINS)])


def standing_out(counts: Array, deviation: float) -> Array:
    """The counts (bins × labels) of bins whose rows stand out of the noise, 0 in the others.

    Noise in empty bins, cut off at 0, would look like rows of both labels at extreme scores. Which
    bins are kept depends on both labels together, so that what is kept tells their odds fairly."""
    pairs = counts.reshape(BINS, 2)
    is_kept = pairs.sum(axis=1) > _STANDING_OUT * math.sqrt(2) * deviation
    found: Array = np.where(is_kept[:, None], pairs, 0.0)
    return found


def fitted(counts: Array, deviation: float) -> tuple[float, float]:
    """a and c of the scores a + c·η that fit the counts, by two-parameter Newton steps.

    A pull to (0, 1) as strong as the noise of a count keeps the fit where counts say little; and
    what noise alone would make of (a, c − 1) is taken off its length."""
    scores = middles()
    off, on = standing_out(counts, deviation).T
    design = np.stack([np.ones(BINS), scores], axis=1)
    found, pull = np.array([0.0, 1.0]), 1.0 + deviation
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-design @ found))
        gradient = design.T @ (on - (on + off) * chance) - pull * (found - [0.0, 1.0])
        weights = np.maximum((on + off) * chance * (1 - chance), 0.0)
        curvature = (design * weights[:, None]).T @ design + pull * np.eye(2)
        step = np.clip(np.linalg.solve(curvature, gradient), -0.5, 0.5)
        found = np.clip(found + step, [-3 * MOST, 1 / MOST], [3 * MOST, MOST])
    # A bin's noise enters the gradient with (1 − p) at one label and p at the other.
    spread = np.where(on + off > 0, deviation**2 * ((1 - chance) ** 2 + chance**2), 0.0)
    noise = (design * spread[:, None]).T @ design + curvature
    moved = curvature @ (found - [0.0, 1.0])
    length = float(moved @ np.linalg.solve(noise, moved))
    kept = max(0.0, 1 - 2 / max(length, 1e-9))
    return kept * float(found[0]), 1 + kept * float(found[1] - 1)


def regauged(beta: Array, start: float, scale: float) -> Array:
    """β with its scores η replaced by start + scale·η."""
    found = scale * beta
    found[0] += start
    return found

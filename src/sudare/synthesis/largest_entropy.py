"""The histogram of largest entropy with a given mean and variance.

Claim    among all histograms on these places with this mean (and variance, where it is known), the
         one found, p ∝ exp(αx + βx²), has the largest entropy.
Source   Jaynes 1957; α and β by damped Newton steps on the dual, which is convex.
Needs    moments that the places can have: they are moved to the nearest possible ones first, a mean
         inside the outermost places, a variance at most that of all mass at both ends.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.statistics import Floats

_STEPS = 200
# How near a possible moment may come to the edge of what is possible, in parts of it.
_EDGE = 0.01
_STEEPEST = 500.0


def largest_entropy(places: Floats, mean: float, variance: float | None) -> Floats:
    """Shares of the places, which ascend."""
    if len(places) == 1:
        return np.ones(1)
    center, half = (places[0] + places[-1]) / 2, (places[-1] - places[0]) / 2
    x = (places - center) / half
    wanted = np.array([np.clip((mean - center) / half, -1 + _EDGE**2, 1 - _EDGE**2)])
    functions = x[:, None]
    if variance is not None and len(places) > 2:
        square = np.clip(variance / half**2, *_possible(x, float(wanted[0])))
        wanted = np.append(wanted, square + wanted[0] ** 2)
        functions = np.stack([x, x**2], axis=1)
    return _fitted(functions, wanted)


def _possible(x: Floats, mean: float) -> tuple[float, float]:
    """Variances between all mass at the nearest two places and all at both ends."""
    above = int(np.clip(np.searchsorted(x, mean), 1, len(x) - 1))
    least = (x[above] - mean) * (mean - x[above - 1])
    most = 1 - mean**2
    return least + _EDGE**2 * (most - least), most - _EDGE * (most - least)


def _fitted(functions: Floats, wanted: Floats) -> Floats:
    theta = np.zeros(len(wanted))
    shares, value = _at(functions, wanted, theta)
    for _ in range(_STEPS):
        means = shares @ functions
        gap = wanted - means
        if np.max(np.abs(gap)) < 1e-10:
            break
        curve = (functions * shares[:, None]).T @ functions - np.outer(means, means)
        step = np.linalg.solve(curve + 1e-12 * np.eye(len(wanted)), gap)
        size = 1.0
        while size > 1e-6:
            tried = theta + size * step
            new, lower = _at(functions, wanted, tried)
            if lower < value and np.max(np.abs(tried)) < _STEEPEST:
                theta, shares, value = tried, new, lower
                break
            size /= 2
        else:
            break
    return shares


def _at(functions: Floats, wanted: Floats, theta: Floats) -> tuple[Floats, float]:
    """The shares at θ, and the dual's value there: log Σ exp(θ·f) − θ·wanted."""
    heights = functions @ theta
    top = float(heights.max())
    raised = np.exp(heights - top)
    total = float(raised.sum())
    shares: Floats = raised / total
    return shares, top + float(np.log(total)) - float(theta @ wanted)

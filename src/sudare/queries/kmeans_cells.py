"""k-means of weighted points: what is done with noisy cells, after the noise.

It sees released numbers alone, so it costs nothing, and it draws nothing: where k-means++ (Arthur
and Vassilvitskii 2007) draws its next centre with a chance in proportion to the squared distance,
this takes the places of an evenly spread sequence, another stretch of it in each restart. The same
cells give the same centres, in every run and on every machine.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
# Multiples of the golden section fill [0, 1) most evenly.
_GOLDEN = (math.sqrt(5) - 1) / 2
_MOST_STEPS = 100
# Entries of the distance matrices that all restarts may cost together; bounds the time.
_MOST_WORK = 2**28


def clustered(points: Array, weights: Array, k: int, restarts: int) -> Array:
    """The best of some runs of k-means: k centres of positively weighted points."""
    runs = min(restarts, max(1, _MOST_WORK // (len(points) * k * 20)))
    found = [_settled(points, weights, _spread(points, weights, k, run)) for run in range(runs)]
    return min(found, key=lambda pair: pair[0])[1]


def square_distances(points: Array, centers: Array) -> Array:
    """|p − c|² of every pair, never below 0."""
    cross = points @ centers.T
    whole = (points**2).sum(axis=1)[:, None] + (centers**2).sum(axis=1)[None, :] - 2 * cross
    found: Array = np.maximum(whole, 0.0)
    return found


def _spread(points: Array, weights: Array, k: int, run: int) -> Array:
    """Starting centres far apart: of some candidates, each time the one that helps most."""
    tries = 2 + int(math.log(k))
    turn = run * k * tries + 1
    chosen = [_at(weights, [turn * _GOLDEN % 1.0])[0]]
    nearest = square_distances(points, points[chosen])[:, 0]
    for step in range(1, k):
        places = [((turn + step * tries + i) * _GOLDEN) % 1.0 for i in range(tries)]
        candidates = _at(weights * nearest, places)
        after = np.minimum(nearest[:, None], square_distances(points, points[candidates]))
        best = int(np.argmin(weights @ after))
        chosen.append(candidates[best])
        nearest = after[:, best]
    return points[chosen]


def _at(masses: Array, places: list[float]) -> list[int]:
    """Where these shares of the whole mass are reached."""
    heaped = np.cumsum(masses)
    found = np.searchsorted(heaped, np.array(places) * heaped[-1], side="right")
    return [int(place) for place in np.minimum(found, len(masses) - 1)]


def _settled(points: Array, weights: Array, centers: Array) -> tuple[float, Array]:
    """Lloyd's steps until nothing moves; the inertia and the centres."""
    k, weighted = len(centers), points * weights[:, None]
    for _ in range(_MOST_STEPS):
        labels = square_distances(points, centers).argmin(axis=1)
        masses = np.bincount(labels, weights, k)
        sums = np.column_stack([np.bincount(labels, column, k) for column in weighted.T])
        held = masses > 0
        moved = centers.copy()
        moved[held] = sums[held] / masses[held, None]
        if np.array_equal(moved, centers):
            break
        centers = moved
    inertia = float(weights @ square_distances(points, centers).min(axis=1))
    return inertia, centers

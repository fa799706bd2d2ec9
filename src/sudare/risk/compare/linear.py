"""Least squares and logistic regression with standard errors, by plain linear algebra.

Claim    `ols` gives the least-squares coefficients and the square roots of the diagonal of
         s² (XᵀX)⁻¹, s² over n − k; `logit` the maximum-likelihood coefficients by Newton's method
         and the square roots of the diagonal of the inverse information.
Needs    features that do not determine each other: see `independent`.
Gaps     Where a feature separates the classes the maximum is infinite; a ridge of 1e-6 a row and
         30 steps keep the coefficient finite, and its error says that nothing is known of it.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.microdata import Floats

_RIDGE = 1e-6
_STEPS = 30
# A feature whose spread beside the others is below this share of its own is determined by them.
_DEPENDENT = 1e-7


def with_constant(features: Floats) -> Floats:
    return np.column_stack([np.ones(len(features)), features])


def independent(*tables: Floats) -> list[int]:
    """The features, from the first on, that those before them do not determine in any table."""
    kept: list[int] = []
    bases: list[list[Floats]] = [[] for _ in tables]
    grams = [table.T @ table for table in tables]
    for place in range(tables[0].shape[1]):
        rests = [_rest(gram, base, place) for gram, base in zip(grams, bases, strict=True)]
        sizes = [float(gram[place, place]) for gram in grams]
        if all(
            rest @ gram @ rest > _DEPENDENT * size and size > 0
            for rest, gram, size in zip(rests, grams, sizes, strict=True)
        ):
            kept.append(place)
            for base, rest, gram in zip(bases, rests, grams, strict=True):
                base.append(rest / np.sqrt(rest @ gram @ rest))
    return kept


def _rest(gram: Floats, base: list[Floats], place: int) -> Floats:
    """What the features so far do not explain of one more, as a combination of features."""
    rest = np.zeros(len(gram))
    rest[place] = 1.0
    # Twice, because once leaves rounding behind.
    for _ in range(2):
        for direction in base:
            rest -= (direction @ gram @ rest) * direction
    return rest


def ols(features: Floats, target: Floats) -> tuple[Floats, Floats]:
    """Coefficients and standard errors; the constant is a feature."""
    inverse = np.linalg.inv(features.T @ features)
    found = inverse @ (features.T @ target)
    left = target - features @ found
    spread = float(left @ left) / max(len(target) - features.shape[1], 1)
    return found, np.sqrt(spread * np.diag(inverse))


def logit(features: Floats, event: Floats) -> tuple[Floats, Floats]:
    """Coefficients and standard errors; the constant is a feature."""
    found = np.zeros(features.shape[1])
    ridge = _RIDGE * len(event) * np.eye(features.shape[1])
    for _ in range(_STEPS):
        chance = chances(features, found)
        weight = chance * (1 - chance)
        information = (features * weight[:, None]).T @ features + ridge
        slope = features.T @ (event - chance) - ridge @ found
        step = np.linalg.solve(information, slope)
        # A longer step would overshoot where the classes are nearly separated.
        step *= min(1.0, 4.0 / max(float(np.abs(step).max()), 1e-12))
        found = found + step
        if np.abs(step).max() < 1e-8:
            break
    return found, np.sqrt(np.diag(np.linalg.inv(information)))


def chances(features: Floats, coefficients: Floats) -> Floats:
    """The chance of the event for each row."""
    found: Floats = 1 / (1 + np.exp(-np.clip(features @ coefficients, -500, 500)))
    return found

"""One trial of an experiment: randomise everybody, estimate, compare.

Paper mode takes the plain moments of the scores, with the diagonal that Theorem 2 does not cover.
Corrected mode is what `sudare randomize` and `sudare estimate` do; an entry that the reports do not
tell counts as the trivial guess, zero, since nothing is presented for it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from sudare.facts.estimated import Estimated, Matrix, Wanted
from sudare.facts.local_plan import LocalPlan
from sudare.facts.reported import Batch
from sudare.local.compile import LocalJob, compile_local
from sudare.local.estimates.estimate import estimate
from sudare.local.paper.people import Floats, People
from sudare.local.randomizer import Randomizer
from sudare.mechanisms.local.mechanism import Numbers
from sudare.mechanisms.local.shares import GREATEST_EPSILON, LEAST_EPSILON
from sudare.randomness.bits import RandomBits

# ε in billionths.
_GRID = 10**9
_BOTH = Wanted(frozenset({"covariance", "correlation"}))


def exact(epsilon: float) -> Fraction:
    """An ε as mechanisms take it."""
    return Fraction(round(epsilon * _GRID), _GRID)


def is_possible(epsilon: float) -> bool:
    """Whether one report may have the whole ε."""
    return LEAST_EPSILON <= exact(epsilon) <= GREATEST_EPSILON


def paper_scores(people: People, mechanism: Numbers, bits: RandomBits) -> Floats:
    """Every person's randomised attributes, one row an attribute."""
    return np.stack([mechanism.scores(mechanism.report(x, bits)) for x in people.scaled])


def paper_covariance(scores: Floats) -> Floats:
    """The covariances of the scores, the uncorrected diagonal among them."""
    return np.asarray(np.cov(scores, bias=True))


def job_of(people: People, plan: LocalPlan) -> LocalJob:
    return compile_local(plan, people.schema)


def estimated(people: People, job: LocalJob, bits: Callable[[], RandomBits]) -> Estimated:
    """Everybody reports under a plan, and the analyst reads the reports."""
    reports = Randomizer(job.facts, bits)(people.columns(), people.count)
    return estimate(job.facts, [Batch(people.count, reports)], _BOTH)


def correlation_of(found: Estimated, people: People) -> Floats:
    """The published correlations; zero where nothing is told."""
    matrix = _values(found.correlation, len(people.names))
    np.fill_diagonal(matrix, 1.0)
    return matrix


def covariance_of(found: Estimated, people: People) -> Floats:
    """The published covariances in paper mode's units; zero where nothing is told."""
    steps = np.array([people.schema.grid(name).step for name in people.names])
    units = people.half * steps
    return _values(found.covariance, len(people.names)) / np.outer(units, units)


def _values(matrix: Matrix | None, size: int) -> Floats:
    if matrix is None:
        return np.zeros((size, size))
    rows = [[0.0 if each.value is None else each.value for each in row] for row in matrix.entries]
    return np.array(rows, np.float64)

"""Audit of a statistical query: from the rows of two neighbouring tables to its noisy cells.

The worst pair of neighbours is found by enumeration: rows that satisfy the condition, do not, or
have no value for it. The audit bounds ε from below on the privacy loss of the noisy cells, which is
a whole number here, so that it also looks at the lowest bits. It must come within 5 % of the ε that
the question found for itself, must not pass it, and must pass it for a twin whose scale is 5 % too
small. All of it is attained: a false alarm has a chance of 1e-6 a test.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.queries.compile import compile_question
from sudare.queries.sq import StatisticalQuery
from support.audit import audit, in_parts
from support.bits import CountedBits
from support.tiny import town

SIZE = 2_000_000


class Works:
    """A table of which only the column of the condition matters."""

    def __init__(self, values: tuple[int | None, ...]) -> None:
        self._values = values

    def moments(self, requests: Sequence[MomentsRequest]) -> list[Moments]:
        every, true = len(self._values), sum(value == 1 for value in self._values)
        return [Moments(((every if request.where is None else true,),)) for request in requests]

    def counts(self, request: MomentsRequest) -> NDArray[np.int64]:
        raise NotImplementedError

    def rows(self, columns: Sequence[str]) -> list[NDArray[np.int64]]:
        raise NotImplementedError


def worst_change(job: StatisticalQuery, relation: str) -> NDArray[np.int64]:
    """The largest change of the cells when a row comes or goes, or is replaced."""
    tables = [(value,) for value in (0, 1, None)]
    others = [()] if relation == "add-remove" else tables
    changes = [
        np.array(job.exact(Works(one))) - np.array(job.exact(Works(other)))
        for one, other in itertools.product(tables, others)
    ]
    return max(changes, key=lambda change: int(np.abs(change).sum()))


def bound(change: NDArray[np.int64], mechanism: DiscreteLaplace, label: str) -> float:
    bits = CountedBits(label)

    def drawn(moved: bool, count: int) -> NDArray[Any]:
        loss = np.zeros(count, dtype=np.int64)
        for step in change[change != 0].tolist():
            noise = replace(mechanism, cells=count)
            noisy = noise.apply_array(np.full(count, step if moved else 0), bits)
            loss += np.abs(noisy - step) - np.abs(noisy)
        return loss

    return audit(
        in_parts(lambda n: drawn(False, n)), in_parts(lambda n: drawn(True, n)), SIZE
    ).epsilon


@pytest.mark.parametrize(
    ("relation", "table"),
    [
        ("add-remove", {"expected_rows": 60}),
        ("replace-one", {"expected_rows": 120}),
        ("replace-one", {"public_rows": 60}),
    ],
)
def test_a_statistical_query_keeps_the_epsilon_it_found(
    relation: str, table: dict[str, Any]
) -> None:
    schema = town(relation, **table)
    job = compile_question("sq(within=0.05, beta=0.05) where works = true", schema)
    assert isinstance(job, StatisticalQuery)
    change = worst_change(job, relation)
    assert int(np.abs(change).sum()) == job.mechanism.l1_sensitivity
    claim = float(job.own_epsilon)
    assert 0.5 < claim < 3
    found = bound(change, job.mechanism, f"sq {relation} {sorted(table)}")
    assert 0.95 * claim <= found <= claim
    twin = replace(job.mechanism, scale=job.mechanism.scale * Fraction(95, 100))
    assert bound(change, twin, f"sq twin {relation} {sorted(table)}") > claim

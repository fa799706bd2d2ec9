"""Audit of whole questions: from the rows of two neighbouring tables to noisy cells.

For every question the worst pair of neighbours is found by enumeration (as in
tests/queries/test_sensitivity.py); the audit then bounds ε from below on the privacy loss of the
noisy cells, Σ|z − Δ| − |z| in units of the grid. It must not exceed the claim, must come within
5 % of it (all of these are tight), and must catch a twin whose sensitivity is 5 % too small.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Additive
from support.audit import audit, in_parts
from support.bits import CountedBits
from support.tiny import moments, town

SIZE = 2_000_000
EPSILON = Fraction(1)
VALUES: dict[str, list[Any]] = {"debt": [-5, 0, 3, None], "sex": ["F", "M"], "works": [0, 1, None]}
QUESTIONS = {
    "count()": ["works"],
    "histogram(sex)": ["sex"],
    "sum(debt)": ["debt"],
    "sum(debt) by (sex)": ["debt", "sex"],
    "mean(debt)": ["debt"],
    "variance(debt)": ["debt"],
}


def worst_change(job: Additive, columns: list[str], relation: str) -> NDArray[np.int64]:
    """The largest change of the only block when one row comes, goes or is replaced."""
    rows = [
        dict(zip(columns, row, strict=True))
        for row in itertools.product(*(VALUES[name] for name in columns))
    ]
    tables = [[], *([row] for row in rows)]
    cells = [np.array(job.exact(moments(job.request, table))[0]) for table in tables]
    others = cells[:1] if relation == "add-remove" else cells
    changes = [one - other for one, other in itertools.product(cells, others)]
    return max(changes, key=lambda change: int(np.abs(change).sum()))


def bound(change: NDArray[np.int64], mechanism: DiscreteLaplace, label: str) -> float:
    """The audited ε between a table and its worst neighbour."""
    moved = change[change != 0]
    bits = CountedBits(label)

    def drawn(center: NDArray[np.int64], count: int) -> NDArray[np.int64]:
        loss = np.zeros(count, dtype=np.int64)
        for place, step in enumerate(moved):
            one = DiscreteLaplace(
                mechanism.relation, mechanism.l1_sensitivity, mechanism.scale, count
            )
            noisy = one.apply_array(np.full(count, center[place]), bits)
            loss += np.abs(noisy - step) - np.abs(noisy)
        return loss

    nothing = np.zeros_like(moved)
    return audit(
        in_parts(lambda n: drawn(nothing, n)), in_parts(lambda n: drawn(moved, n)), SIZE
    ).epsilon


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_keeps_its_claim(question: str, relation: str) -> None:
    job = compile_question(question, town(relation))
    assert isinstance(job, Additive)
    change = worst_change(job, QUESTIONS[question], relation)
    claim = job.blocks[0].sensitivity.l1
    honest = DiscreteLaplace.for_epsilon(job.relation, claim, EPSILON, job.blocks[0].cells)
    found = bound(change, honest, f"audit {question} {relation}")
    assert 0.95 * float(EPSILON) <= found <= float(EPSILON)
    # The twin believes in a sensitivity that is 5 % too small.
    twin = DiscreteLaplace(job.relation, claim, honest.scale * Fraction(95, 100), honest.cells)
    assert bound(change, twin, f"twin {question} {relation}") > float(EPSILON)

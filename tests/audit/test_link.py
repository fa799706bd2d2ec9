"""Audit of what a join releases by noise of its own: sizes of classes with dummies, and the opened
cells of a secure computation with one side's noise alone, as a side that knows its own sees them
(that this law is the one drawn is tested in tests/link/test_secure.py).

Each bound must not exceed the claim, must come within 5 % of it, and must exceed it for a twin
whose noise is 5 % too small. Reports of joined rows are those of test_local.py.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from link.test_reaching import job_of, moved, rows_of
from sudare.link.dummies import DummyLaw, dummy_counts, dummy_law
from sudare.link.secure_job import SecureJob
from sudare.randomness.laplace import discrete_laplace
from support.audit import audit, in_parts
from support.bits import CountedBits

SIZE = 1_000_000
EPSILON = Fraction(2)
WRONG = Fraction(95, 100)


def sizes_bound(law: DummyLaw, delta: float, label: str) -> float:
    """One class loses a person and another gains one."""
    bits = CountedBits(label)

    def drawn(is_moved: bool, count: int) -> NDArray[Any]:
        fallen, risen = (dummy_counts(law, bits, count) for _ in range(2))
        fallen, risen = fallen - is_moved, risen + is_moved
        far = law.shift
        one = np.abs(fallen + 1 - far) - np.abs(fallen - far)
        return one + np.abs(risen - 1 - far) - np.abs(risen - far)

    return audit(
        in_parts(lambda n: drawn(False, n)), in_parts(lambda n: drawn(True, n)), SIZE, delta
    ).epsilon


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(3)])
def test_sizes_of_classes(epsilon: Fraction) -> None:
    law = dummy_law(epsilon, Fraction(1, 10**6))
    found = sizes_bound(law, law.delta, f"sizes {epsilon}")
    assert 0.95 * float(epsilon) <= found <= float(epsilon)
    # Less noise, with a shift for which δ is as small.
    wrong = dummy_law(epsilon / WRONG, Fraction(1, 10**6))
    assert sizes_bound(wrong, wrong.delta, f"wrong sizes {epsilon}") > float(epsilon)


def worst_change(job: SecureJob) -> list[int]:
    """The change of cells that one person's rows make at most."""
    rows = [None, *rows_of(job)]
    return max(
        moved(job, rows),
        key=lambda change: sum(abs(c) / s for c, s in zip(change, job.scales, strict=True)),
    )


def cells_bound(job: SecureJob, share: Fraction, label: str) -> tuple[float, float]:
    """What that change can show of the claim, and the audited ε."""
    bits = CountedBits(label)
    steps = [(c, s) for c, s in zip(worst_change(job), job.scales, strict=True) if c]

    def drawn(is_moved: bool, count: int) -> NDArray[Any]:
        loss = np.zeros(count)
        for step, scale in steps:
            noise = np.asarray(discrete_laplace(bits, scale * share, count))
            noisy = noise + (step if is_moved else 0)
            loss += (np.abs(noisy - step) - np.abs(noisy)) / float(scale)
        return loss

    found = audit(in_parts(lambda n: drawn(False, n)), in_parts(lambda n: drawn(True, n)), SIZE)
    return float(sum(abs(step) / scale for step, scale in steps)), found.epsilon


# Organisations as (spans of numbers, sizes of labels): a product, and a cross table.
@pytest.mark.parametrize("shape", [(((1,), ()), ((1,), ())), (((), (2,)), ((), (2,)))])
def test_opened_cells(shape: Any) -> None:
    job = replace(job_of(shape), epsilon=EPSILON)
    attained, found = cells_bound(job, Fraction(1), f"cells {shape}")
    assert attained == float(job.epsilon)
    assert 0.95 * attained <= found <= attained
    assert cells_bound(job, WRONG, f"wrong cells {shape}")[1] > attained

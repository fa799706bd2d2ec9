"""The sensitivities against every pair of neighbouring tiny tables.

A joined table is a sum over rows, so that all that two neighbours differ in is one row: any row
against any other, or against none. Each claim must hold for all and be attained by one: a claim
that is 5 % too small fails the first half, one that is 5 % too large the second.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sudare.facts.randomized import LabelDomain, NumberDomain
from sudare.link.reaching import attributes_sensitivity, count_weight, numbers_sensitivity
from sudare.link.secure_job import SecureJob, compile_secure

EPSILON = Fraction(3, 10)
SHAPES: list[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]] = [
    # For every organisation the spans of its numbers, and the sizes of its labels.
    (((1,), ()), ((2,), ())),
    (((1, 3), ()), ((2,), ())),
    (((2, 1), ()), ((1, 2), ())),
    (((1,), ()), ((1,), ()), ((2,), ())),
    (((1,), (2,)), ((2,), (3,))),
    (((), (2, 2)), ((), (3,))),
    (((1,), (2,)), ((1,), ()), ((), (2,))),
]


def job_of(shape: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]) -> SecureJob:
    parties: list[Any] = []
    for party, (spans, sizes) in enumerate(shape):
        domains: dict[str, Any] = {
            f"{party} number {i}": NumberDomain("integer", 5, 5 + span, 1.0, True)
            for i, span in enumerate(spans)
        }
        for i, size in enumerate(sizes):
            domains[f"{party} label {i}"] = LabelDomain(tuple(map(str, range(size))))
        parties.append((f"P{party}", domains))
    return compile_secure(parties, EPSILON)


def rows_of(job: SecureJob) -> Iterator[list[int]]:
    """Every possible row's vector, from all values of all columns."""
    choices = []
    for vector in job.vectors:
        for _, domain in vector.columns:
            is_number = isinstance(domain, NumberDomain)
            choices.append(range(5, domain.high + 1) if is_number else range(len(domain.labels)))
    names = [name for vector in job.vectors for name, _ in vector.columns]
    for values in itertools.product(*choices):
        columns = {n: (np.array([v]), None) for n, v in zip(names, values, strict=True)}
        yield [int(e) for v in job.vectors for e in v.coded(columns, 1)[0]]


def cells_of(job: SecureJob, row: list[int] | None) -> list[int]:
    """What a row adds to every cell, written down apart from the computation."""
    if row is None:
        return [0] * len(job.scales)
    found = [row[place] for place, _ in job.numbers]
    for product in job.products:
        if product is (job.tables[0].product if job.tables else None) and job.has_numbers:
            found.append(1)
        for i, j in itertools.product(range(product.rows), range(product.columns)):
            found.append(row[product.first + i] * row[product.second + j])
    return [*found, 1] if job.has_numbers and not job.tables else found


def moved(job: SecureJob, rows: list[list[int] | None]) -> Iterator[list[int]]:
    cells = [cells_of(job, row) for row in rows]
    for one, two in itertools.product(cells, repeat=2):
        yield [a - b for a, b in zip(one, two, strict=True)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_loss_is_at_most_epsilon_and_attained_in_every_block(shape: Any) -> None:
    job = job_of(shape)
    worst = Fraction(0)
    by_block = [Fraction(0)] * len(job.blocks)
    ends = list(itertools.accumulate(event.cells for event in job.blocks))
    for change in moved(job, [*rows_of(job), None]):
        parts = [abs(c) / scale for c, scale in zip(change, job.scales, strict=True)]
        worst = max(worst, sum(parts, Fraction(0)))
        for block, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
            by_block[block] = max(by_block[block], sum(parts[start:end], Fraction(0)))
    assert by_block == [event.epsilon for event in job.blocks]
    assert worst <= job.epsilon == sum(by_block)
    # 5 % less noise would cost more than was charged.
    assert sum(by_block) / Fraction(95, 100) > job.epsilon


@pytest.mark.parametrize("shape", SHAPES[:4], ids=str)
def test_numbers_alone_in_units_of_their_reach(shape: Any) -> None:
    """L itself, and that adding up all cells would overstate it."""
    job = job_of(shape)
    units = [scale / job.blocks[0].scale for scale in job.scales]
    found = max(
        sum(abs(c) / u for c, u in zip(change, units, strict=True))
        for change in moved(job, [*rows_of(job), None])
    )
    assert found == numbers_sensitivity(job.counts)
    assert found < 2 * (job.number_cells - 1)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_one_organisations_attributes(shape: Any) -> None:
    job = job_of(shape)
    rows = list(rows_of(job))
    cells = [cells_of(job, row) for row in rows]
    for vector in job.vectors:
        start = job.starts[vector.party]
        own = range(start, start + vector.width)
        rest = [tuple(v for i, v in enumerate(row) if i not in own) for row in rows]
        worst = max(
            sum(abs(a - b) / s for a, b, s in zip(x, y, job.scales, strict=True))
            for (x, one), (y, two) in itertools.product(zip(cells, rest, strict=True), repeat=2)
            if one == two
        )
        assert worst == job.attributes_epsilon(vector.party) <= job.epsilon


def test_known_values() -> None:
    assert numbers_sensitivity([1, 1]) == 4
    assert numbers_sensitivity([3, 3]) == 24
    assert numbers_sensitivity([2, 1, 1]) == 12
    assert count_weight([3, 3]) == 24 - 15
    assert attributes_sensitivity([3, 3], 0) == 24
    assert all(count_weight(c) >= 1 for c in itertools.product(range(1, 5), repeat=3))

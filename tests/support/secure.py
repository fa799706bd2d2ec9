"""A secure computation in one process: collector, helper and dealer hand messages on by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.randomized import LabelDomain, NumberDomain
from sudare.link.secure import Computing
from sudare.link.secure_job import SecureJob
from sudare.link.shares import split
from sudare.link.triples import Dealer
from support.bits import CountedBits

Rows = NDArray[np.int64]


def numbers(**bounds: tuple[int, int]) -> dict[str, Any]:
    return {n: NumberDomain("integer", a, b, 1.0, True) for n, (a, b) in bounds.items()}


def labels(**sizes: int) -> dict[str, Any]:
    return {n: LabelDomain(tuple(f"{n} {i}" for i in range(size))) for n, size in sizes.items()}


def some_rows(job: SecureJob, count: int, label: str) -> Rows:
    """Random rows of all organisations side by side, ends of bounds among them."""
    made = np.random.default_rng(list(label.encode()))
    columns = {}
    for vector in job.vectors:
        for name, domain in vector.columns:
            low, high = (
                (domain.low, domain.high)
                if isinstance(domain, NumberDomain)
                else (0, len(domain.labels) - 1)
            )
            columns[name] = (made.integers(low, high + 1, count), None)
    return np.concatenate([v.coded(columns, count) for v in job.vectors], axis=1)


def exact_cells(job: SecureJob, rows: Rows) -> list[int]:
    """The cells without noise, in Python's own integers."""
    whole = rows.astype(object)
    found = [sum(whole[:, place]) for place, _ in job.numbers]
    for number, product in enumerate(job.products):
        if number == len(job.pairs) and job.has_numbers:
            found.append(len(rows))
        left = whole[:, product.first : product.first + product.rows]
        right = whole[:, product.second : product.second + product.columns]
        found += [int(cell) for cell in left.T.dot(right).ravel()]
    return [*found, len(rows)] if job.has_numbers and not job.tables else found


def computed(
    job: SecureJob, rows: Rows, label: str, context: bytes = b"session"
) -> tuple[Computing, Computing]:
    """Both sides after the last chunk."""
    bits = CountedBits(label)
    first, second = split(rows, bits)
    dealer = Dealer.of(job, context, bits)
    collector = Computing("collector", dealer.collector, first)
    helper = Computing("helper", dealer.helper, second)
    for chunk in range(collector.chunks):
        shown, other = collector.masked(chunk), helper.masked(chunk)
        collector.add(chunk, other)
        helper.add(chunk, shown, dealer.correction(chunk))
    return collector, helper


def twice(law: dict[int, float]) -> dict[int, float]:
    """The law of the sum of two independent draws."""
    low, high = min(law), max(law)
    weights = np.array([law[value] for value in range(low, high + 1)])
    both: Sequence[float] = np.convolve(weights, weights).tolist()
    return {2 * low + place: weight for place, weight in enumerate(both)}

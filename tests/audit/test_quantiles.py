"""Exact audit of a quantile: the whole law of its three choices on every pair of small neighbours.

The chance of every candidate is known exactly (support/flips.py). The largest |log P[i] / P'[i]| of
each choice, added up, is the exact ε of a pair. It must not exceed the claim on any pair. The claim
of a general choice lets one score rise while another falls; the scores of a quantile mostly move
together, so that small tables show about half of it. A twin whose score sensitivity is 5 % too
small must show more on the same pair, by as much.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.schema import make_schema
from sudare.mechanisms.permute_and_flip import PermuteAndFlip
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from sudare.queries.quantiles import Quantile
from support.bits import CountedBits
from support.flips import law

EPSILON = Fraction(2)
SHARE = Share("laplace", EPSILON)


def question(relation: str, level: str) -> Quantile:
    """A quantile of a column with three values: the smallest case with a middle."""
    schema = make_schema(
        {
            "table": {"name": "t", "neighbours": relation},
            "columns": {"v": {"type": "integer", "min": 0, "max": 2}},
        }
    )
    job = compile_question(f"quantile(v, {level})", schema)
    assert isinstance(job, Quantile)
    return job


def laws(job: Quantile, cells: tuple[int, ...], twin: Fraction) -> list[NDArray[np.float64]]:
    """The laws of the three choices on a table, taken from the question's own scores."""
    caught: list[NDArray[np.float64]] = []

    class Spy(PermuteAndFlip):
        def apply(self, scores: NDArray[np.int64], unit: Fraction, bits: object) -> int:
            noisy = replace(self, score_sensitivity=self.score_sensitivity * twin)
            caught.append(law(scores, unit, noisy))
            return 0

    spies = [Spy(c.relation, c.score_sensitivity, c.epsilon) for c in job.choices(SHARE)]
    job._choose(np.array(cells, dtype=np.int64), list(spies), CountedBits("unused"))
    return caught


def loss(one: list[NDArray[np.float64]], other: list[NDArray[np.float64]]) -> float:
    ratios = (np.abs(np.log(a) - np.log(b)).max() for a, b in zip(one, other, strict=True))
    return float(sum(ratios))


def neighbours(relation: str, most: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Histograms of at most `most` rows that differ by one row."""
    tables = [t for t in itertools.product(range(most + 1), repeat=3) if sum(t) <= most]
    pairs = itertools.combinations(tables, 2)
    apart = 1 if relation == "add-remove" else 2
    size = (1,) if relation == "add-remove" else (0,)
    return [
        (a, b)
        for a, b in pairs
        if sum(abs(x - y) for x, y in zip(a, b, strict=True)) == apart
        and abs(sum(a) - sum(b)) in size
    ]


@pytest.mark.parametrize("level", ["0.5", "0.9"])
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_a_quantile_keeps_its_claim_exactly(relation: str, level: str) -> None:
    job = question(relation, level)
    honest, twin = Fraction(1), Fraction(95, 100)
    known = {t: laws(job, t, honest) for pair in neighbours(relation, 4) for t in pair}
    for found in known.values():
        assert all(abs(one.sum() - 1) < 1e-9 for one in found)
    losses = {(a, b): loss(known[a], known[b]) for a, b in neighbours(relation, 4)}
    worst = max(losses, key=lambda pair: losses[pair])
    assert 0.4 * float(EPSILON) < losses[worst] <= float(EPSILON)
    wrong = loss(laws(job, worst[0], twin), laws(job, worst[1], twin))
    assert wrong > 1.04 * losses[worst]

"""Cells of several numbers: ε-LDP whatever the rounding, unbiased for x, x² and x·y, and told."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from local.test_ways import NUMBERS, plan, schema
from sudare.facts.errors import InvalidFile
from sudare.facts.estimated import Wanted
from sudare.facts.randomized import NumberDomain
from sudare.facts.reported import Batch
from sudare.local.cells import Told, places_in, rounded
from sudare.local.compile import compile_local
from sudare.local.estimates.estimate import estimate
from sudare.local.randomizer import Randomizer
from sudare.mechanisms.local.response import Response
from support.bits import CountedBits

ROWS = 30_000
X = (-1.0, -0.6, 0.0, 0.3, 1.0)
PLACES = [(3, 3), (2, 2), (3, 2), (2, 3, 3)]


def place_law(x: float, places: int) -> NDArray[np.float64]:
    """The places' probabilities: a binomial count of bits."""
    chance = (1 + x) / 2
    return np.array(
        [math.comb(places - 1, k) * chance**k * (1 - chance) ** (places - 1 - k)
         for k in range(places)]
    )  # fmt: skip


def report_law(row: tuple[float, ...], places: tuple[int, ...], mechanism: Response) -> Any:
    own = np.ones(1)
    for x, count in zip(row, places, strict=True):
        own = np.outer(own, place_law(x, count)).reshape(-1)
    return mechanism.law() @ own


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(2), Fraction(6)])
def test_no_two_rows_are_told_apart_by_more(places: tuple[int, ...], epsilon: Fraction) -> None:
    mechanism = Response(epsilon, math.prod(places))
    laws = [report_law(row, places, mechanism) for row in itertools.product(X, repeat=len(places))]
    greatest = max(float((one / other).max()) for one in laws for other in laws)
    assert 0.999 * float(epsilon) <= math.log(greatest) <= float(epsilon) * (1 + 1e-12)


@pytest.mark.parametrize("places", PLACES)
def test_scores_are_unbiased(places: tuple[int, ...]) -> None:
    mechanism = Response(Fraction(3, 2), math.prod(places))
    told = Told.of(mechanism, places)
    for row in itertools.product(X, repeat=len(places)):
        found = report_law(row, places, mechanism) @ told.scores
        squares = [x**2 if count == 3 else 1.0 for x, count in zip(row, places, strict=True)]
        products = [row[i] * row[j] for i, j in told.pairs]
        np.testing.assert_allclose(found, [*row, *squares, *products], atol=1e-9)


def test_places_are_drawn_with_their_probabilities() -> None:
    """Six standard errors; the law of an x that is a tenth off is rejected."""
    x = np.full(200_000, 0.3)
    cells = rounded([x, -x], (3, 2), CountedBits("places"))
    shares = np.bincount(cells, minlength=6) / len(x)
    law = np.outer(place_law(0.3, 3), place_law(-0.3, 2)).reshape(-1)
    wrong = np.outer(place_law(0.4, 3), place_law(-0.4, 2)).reshape(-1)
    reach = 6 * np.sqrt(law * (1 - law) / len(x))
    assert (np.abs(shares - law) < reach).all()
    assert (np.abs(shares - wrong) > reach).any()


def skewed(seed: int) -> NDArray[np.float64]:
    """Six numbers far from the middle, two of them correlated, in steps of a thousandth."""
    made = np.random.default_rng(seed)
    z = made.standard_normal((ROWS, 6))
    z[:, 1] = 0.8 * z[:, 0] + 0.6 * z[:, 1]
    x = np.clip(z * 0.3 + np.linspace(-0.6, 0.6, 6), -1, 1)
    found: NDArray[np.float64] = np.rint(x * 1000) / 1000
    return found


@pytest.mark.parametrize(("epsilon", "cells"), [("1", 4), ("3", 9), ("8", 243)])
def test_estimates_cover_the_truth(epsilon: str, cells: int) -> None:
    """Of 8 × 27 intervals of means, variances and covariances about one in twenty misses; 26 or
    more would be a chance of 1e-4. Published ones of the pair are nearer than none."""
    step = {name: each | {"step": 0.001, "complete": True} for name, each in NUMBERS.items()}
    job = compile_local(plan(epsilon), schema(step))
    assert job.way.items[0].kind == "cell"
    assert job.way.items[0].parameters["values"] == cells
    missed, x = 0, skewed(1)
    true = np.cov(x.T, bias=True)
    for time in range(8):
        bits = CountedBits(f"cells {epsilon} {time}")
        whole = np.rint(x * 1000).astype(np.int64)
        columns: Any = {f"x{i}": (whole[:, i], None) for i in range(6)}
        reports = Randomizer(job.facts, lambda bits=bits: bits)(columns, ROWS)  # type: ignore[misc]
        found = estimate(job.facts, [Batch(ROWS, reports)], Wanted())
        assert found.covariance is not None
        for i, mean in enumerate(found.means):
            missed += not _covers(mean.mean, float(x[:, i].mean()))
            for j in range(i + 1):
                missed += not _covers(found.covariance.entries[i][j], float(true[i, j]))
    assert missed < 26


def test_nine_numbers_are_read_in_the_order_of_the_table() -> None:
    """At an ε where reports hardly stray: more blocks than single moments would be, so that some
    are left out, and the first ones do not hold the first numbers."""
    names = [f"x{i}" for i in range(9)]
    number = NUMBERS["x0"] | {"step": 0.001, "complete": True}
    job = compile_local(plan("5"), schema(dict.fromkeys(names, number)))
    seen = dict.fromkeys(column for item in job.facts.items for column in item.columns)
    assert list(seen) != names
    middles = np.linspace(-0.8, 0.8, 9)
    whole = np.rint(np.tile(middles, (ROWS, 1)) * 1000).astype(np.int64)
    columns: Any = {name: (whole[:, i], None) for i, name in enumerate(names)}
    reports = Randomizer(job.facts, lambda: CountedBits("nine"))(columns, ROWS)
    found = estimate(job.facts, [Batch(ROWS, reports)], Wanted())
    assert [each.column for each in found.means] == names
    assert found.covariance is not None
    assert list(found.covariance.columns) == names
    for mean, middle in zip(found.means, middles, strict=True):
        assert isinstance(mean.mean.value, float)
        assert mean.mean.value == pytest.approx(middle, abs=0.05)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("epsilon", ["1", "3", "8"])
@pytest.mark.parametrize("rows", [1, 2, 7, 60, 400])
def test_few_people(rows: int, epsilon: str) -> None:
    """No crash, no warning, no number that is none."""
    job = compile_local(plan(epsilon), schema(NUMBERS))
    columns: Any = {name: (np.zeros(rows, np.int64), None) for name in NUMBERS}
    reports = Randomizer(job.facts, lambda: CountedBits(f"few {rows}"))(columns, rows)
    found = estimate(job.facts, [Batch(rows, reports)], Wanted(target="x1"))
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["rows"] == rows


def _covers(figure: Any, truth: float) -> bool:
    low, high = figure.interval95
    return bool(low <= truth <= high)


def test_an_item_that_does_not_fit_is_refused() -> None:
    facts = compile_local(plan("3"), schema(NUMBERS)).facts
    item = facts.items[0]
    wrong = replace(item, parameters={"values": 7})
    with pytest.raises(InvalidFile, match="does not fit"):
        places_in(facts, wrong)


def test_two_values_need_two_places() -> None:
    columns = {**NUMBERS, "yes": {"type": "boolean", "complete": True}}
    facts = compile_local(plan("4", columns=("x0", "yes")), schema(columns)).facts
    assert isinstance(facts.domains["yes"], NumberDomain)
    assert [item.kind for item in facts.items] == ["cell"]
    assert places_in(facts, facts.items[0]) == (3, 2)

"""logistic: what one unit moves in a look, the fit without noise, intervals with it, bad data."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from sudare.accounting.compose import plan_cost, pure_epsilon
from sudare.facts.aggregate import Moments, MomentsRequest, UniformAxis
from sudare.facts.errors import SudareError
from sudare.facts.grid import Grid
from sudare.facts.relation import Relation
from sudare.facts.release import Answer
from sudare.mechanisms.box_noise import BoxNoise
from sudare.queries.compile import compile_question
from sudare.queries.logistic import Logistic
from sudare.queries.logistic_gauge import BINS, REACH, Gauge, fitted, regauged
from sudare.queries.logistic_look import Look, score_axis
from sudare.queries.measurement import Share
from sudare.queries.sensitivity import Setting
from support.bits import CountedBits
from support.learning import answered
from support.tiny import moments, town

QUESTION = "logistic(works ~ age, debt)"
TRUTH = (-1.5, 0.03, 0.25)
GRIDS = (Grid(-2, 1, 1.0, True), Grid(0, 1, 1.0, True))
LABEL = UniformAxis("t", 0, 2, 2)
RELATIONS = [Relation.ADD_REMOVE, Relation.REPLACE_ONE]
Rows = list[dict[str, Any]]


def people(count: int, label: int) -> dict[str, NDArray[np.int64]]:
    generator = np.random.default_rng(label)
    age, debt = generator.integers(0, 121, count), generator.integers(-5, 4, count)
    chance = 1 / (1 + np.exp(-(TRUTH[0] + TRUTH[1] * age + TRUTH[2] * debt)))
    return {"age": age, "debt": debt, "works": (generator.random(count) < chance).astype(np.int64)}


def coefficients(answer: Answer) -> NDArray[np.float64]:
    assert isinstance(answer.value, dict)
    return np.array([answer.value[name] for name in ("(intercept)", "age", "debt")])


def units(rows_per_unit: int) -> Iterator[Rows]:
    values = itertools.product(range(-2, 2), range(2), range(2))
    rows = [{"a": a, "b": b, "t": t} for a, b, t in values]
    for count in range(rows_per_unit + 1):
        yield from map(list, itertools.combinations_with_replacement(rows, count))


def changes(cells: list[list[int]], relation: Relation) -> Iterator[NDArray[np.int64]]:
    found = [np.array(each) for each in cells]
    for one in found:
        for other in found if relation is Relation.REPLACE_ONE else found[:1]:
            yield one - other


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("rows_per_unit", [1, 2])
@pytest.mark.parametrize("beta", [None, (0.0, 0.0, 0.0), (9.9, -9.0, 9.0)])
def test_a_look_keeps_its_sensitivities(
    relation: Relation, rows_per_unit: int, beta: tuple[float, ...] | None
) -> None:
    look = Look(GRIDS, Setting(relation, rows_per_unit, 1), beta)
    request = look.request(None, ("a", "b"), LABEL)
    seen = [look.exact(moments(request, rows)) for rows in units(rows_per_unit)]
    parts = ((0, look.gradient_blocks()), (1, look.moments.blocks))
    for part, blocks in parts:
        for place, block in enumerate(blocks):
            moved = list(changes([each[part][place] for each in seen], relation))
            l1 = max(int(np.abs(change).sum()) for change in moved)
            l2 = max(int((change**2).sum()) for change in moved)
            assert l1 <= block.sensitivity.l1
            assert l2 <= block.sensitivity.l2_squared
            # At β = 0 every row counts alike and corners attain the claim; elsewhere only rows
            # whose score lies in the worst bin would.
            if beta is None:
                assert (l1, l2) == (block.sensitivity.l1, block.sensitivity.l2_squared)


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_unit_moves_all_cells_of_a_gradient_at_once(relation: Relation) -> None:
    """The box of the gradient is attained in every cell by one change, so that none of it is idle:
    at β = 0, by a row at a corner, or by two at opposite labels of it."""
    look = Look(GRIDS, Setting(relation, 1, 1), None)
    request = look.request(None, ("a", "b"), LABEL)
    seen = [look.exact(moments(request, rows))[0] for rows in units(1)]
    moved = list(changes([[cell for (cell,) in pulls] for pulls in seen], relation))
    (box,) = look.noisings("laplace", Fraction(1))[0].mechanisms
    assert isinstance(box, BoxNoise)
    shares = np.abs(np.array(moved) / np.array(box.reaches)).min(axis=1)
    assert shares.max() == 1


def test_the_worst_bin_attains_the_gradient() -> None:
    """A label against all odds: the score is beyond the last bin."""
    look = Look(GRIDS, Setting(Relation.ADD_REMOVE, 1, 1), (12.0, 0.0, 0.0))
    request = look.request(None, ("a", "b"), LABEL)
    pulls, _ = look.exact(moments(request, [{"a": -2, "b": 1, "t": 0}]))
    assert [abs(cell) for (cell,) in pulls] == [b.sensitivity.l1 for b in look.gradient_blocks()]


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("rows_per_unit", [1, 2])
def test_a_gauge_keeps_its_sensitivity(relation: Relation, rows_per_unit: int) -> None:
    gauge = Gauge(Setting(relation, rows_per_unit, 1))
    axis = score_axis(("a", "b"), GRIDS, (0.0, 2.0, -1.0), REACH, BINS)
    request = MomentsRequest(None, (axis, LABEL), ("a", "b"))
    (block,) = gauge.blocks()
    cells = [gauge.exact(moments(request, rows))[0] for rows in units(rows_per_unit)]
    moved = list(changes(cells, relation))
    assert max(int(np.abs(change).sum()) for change in moved) == block.sensitivity.l1
    assert max(int((change**2).sum()) for change in moved) == block.sensitivity.l2_squared


def test_a_gauge_finds_the_width_of_the_scores() -> None:
    middles = -REACH + (np.arange(BINS) + 0.5) * (2 * REACH / BINS)
    chance = 1 / (1 + np.exp(-(0.4 + 2.5 * middles)))
    counts = np.stack([1e5 * (1 - chance), 1e5 * chance], axis=1).ravel()
    found = regauged(np.array([0.1, 1.0, -2.0]), *fitted(counts, 0.0))
    np.testing.assert_allclose(found, [0.4 + 2.5 * 0.1, 2.5, -5.0], rtol=1e-3)


def test_a_gauge_is_not_pulled_by_empty_bins() -> None:
    """Scores within ±2 alone, so that two thirds of the bins hold nothing but noise. Cut off at 0
    that would look like rows of both labels at extreme scores and halve the width."""
    middles = -REACH + (np.arange(BINS) + 0.5) * (2 * REACH / BINS)
    rows = np.where(np.abs(middles) < 2, 5000.0, 0.0)
    chance = 1 / (1 + np.exp(-middles))
    exact = np.stack([rows * (1 - chance), rows * chance], axis=1).ravel()
    noise = np.random.default_rng(4).laplace(0, 100, (50, 2 * BINS))
    found = np.array([fitted(exact + each, 100 * 2**0.5) for each in noise])
    assert np.abs(found - [0.0, 1.0]).max() < 0.35
    assert np.abs(found.mean(axis=0) - [0.0, 1.0]).max() < 0.06


def test_a_gauge_of_noise_alone_changes_nothing() -> None:
    noise = np.random.default_rng(5).laplace(0, 100, (50, 2 * BINS))
    found = np.array([fitted(each, 100 * 2**0.5) for each in noise])
    assert np.abs(found - [0.0, 1.0]).max() < 0.5
    assert (found == [0.0, 1.0]).all(axis=1).mean() > 0.8


def test_the_gradient_is_the_gradient() -> None:
    columns = people(500, 1)
    rows = [dict(zip(columns, values, strict=True)) for values in
            zip(*(column.tolist() for column in columns.values()), strict=True)]  # fmt: skip
    schema = town()
    grids = (schema.grid("age"), schema.grid("debt"))
    beta = (0.3, 1.2, -0.7)
    look = Look(grids, Setting(Relation.ADD_REMOVE, 1, 1), beta)
    label = UniformAxis("works", 0, 2, 2)
    pulls, _ = look.exact(moments(look.request(None, ("age", "debt"), label), rows))
    wide = np.stack([np.ones(500), (columns["age"] - 60) / 60, (columns["debt"] + 1) / 4], axis=1)
    rest = columns["works"] - 1 / (1 + np.exp(-wide @ np.array(beta)))
    found = np.array([cell for (cell,) in pulls]) / np.array([2**16, 2**16 * 120, 2**16 * 8])
    # Bins are 1/16 wide, so a chance is off by at most 1/128, at random.
    np.testing.assert_allclose(found, wide.T @ rest, atol=500 / 128 / 4)


def test_without_noise_it_is_maximum_likelihood() -> None:
    columns = people(20_000, 2)
    answer = answered("logistic(works ~ age, debt; rounds=6)", town(), columns)
    wide = np.stack([(columns["age"] - 60) / 60, (columns["debt"] + 1) / 4], axis=1)
    model = LogisticRegression(C=1.0, tol=1e-10).fit(wide, columns["works"])
    slopes = model.coef_[0] / [60, 4]
    found = coefficients(answer)
    np.testing.assert_allclose(found[1:], slopes, rtol=0.01)
    assert found[0] == pytest.approx(model.intercept_[0] - slopes @ [60, -1], rel=0.02)
    assert answer.details is not None
    assert answer.details["accuracy"] == pytest.approx(
        model.score(wide, columns["works"]), abs=0.02
    )


@pytest.mark.integration
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_intervals_hold_the_truth(mechanism: Any) -> None:
    """Fresh samples and fresh noise; nominally 95 %. 200 runs of a right interval fall below
    86 % with probability < 1e-6."""
    bits = CountedBits(f"logistic {mechanism}")
    share = Fraction(3) if mechanism == "laplace" else Fraction(1, 2)
    held = []
    for label in range(200):
        answer = answered(QUESTION, town(), people(5000, label), share, mechanism, bits)
        assert isinstance(answer.interval, dict)
        ends = list(answer.interval.values())
        held.append([low <= b <= high for (low, high), b in zip(ends, TRUTH, strict=True)])
    covered = np.mean(held, axis=0)
    assert covered.min() > 0.86
    assert covered.min() < 0.995


@pytest.mark.parametrize("rounds", [2, 3, 7])
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_the_events_add_up_to_the_share(rounds: int, relation: str) -> None:
    job = compile_question(f"logistic(works ~ age, debt; rounds={rounds})", town(relation))
    events = job.events(Share("laplace", Fraction(1)))
    assert plan_cost(events, Fraction(0)).epsilon == pytest.approx(1.0, abs=1e-6)
    assert pure_epsilon(events) == 1


class Counting:
    """A fetch that counts how often it is asked, over rows given as dictionaries."""

    def __init__(self, rows: Rows) -> None:
        self.data, self.asked = rows, 0

    def moments(self, requests: Sequence[MomentsRequest]) -> list[Moments]:
        self.asked += len(requests)
        return [moments(request, self.data) for request in requests]

    def counts(self, request: MomentsRequest) -> NDArray[np.int64]:
        raise NotImplementedError

    def rows(self, columns: Sequence[str]) -> list[NDArray[np.int64]]:
        raise NotImplementedError


@pytest.mark.parametrize("rows", [
    [], [{"age": 3, "debt": -1, "works": 1}], [{"age": None, "debt": None, "works": None}] * 5,
    [{"age": 7, "debt": 2, "works": 0}] * 50,
])  # fmt: skip
@pytest.mark.parametrize("amount", [Fraction(1, 100), Fraction(1), Fraction(10**6)])
def test_bad_data_is_answered_in_as_many_looks(rows: Rows, amount: Fraction) -> None:
    job = compile_question(QUESTION, town())
    assert isinstance(job, Logistic)
    fetch = Counting(rows)
    answer = job.measure(fetch, Share("laplace", amount), 1.0, CountedBits("bad"))
    json.dumps(asdict(answer), allow_nan=False)
    assert fetch.asked == 5


def test_two_labels_of_a_category_are_classes() -> None:
    columns: dict[str, NDArray[Any]] = dict(people(2000, 3))
    columns["sex"] = np.where(columns["works"] == 1, "M", "F")
    named = answered("logistic(sex ~ age, debt)", town(), columns)
    plain = answered(QUESTION, town(), columns)
    np.testing.assert_allclose(coefficients(named), coefficients(plain), rtol=1e-6)
    assert named.details is not None
    assert named.details["classes"] == ["F", "M"]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("logistic(region ~ age)", "has not exactly two values"),
        ("logistic(age ~ debt)", "has not exactly two values"),
        ("logistic(income ~ debt)", "has no short list of groups"),
        ("logistic(works ~ sex)", "is a category; predictors are"),
        ("logistic(works ~ age; rounds=1)", "rounds must be"),
        ("logistic(works ~ age; rounds=11)", "rounds must be"),
        ("logistic(works ~ age; alpha=-1)", "alpha must be"),
        ("logistic(works ~ age) by (sex)", "not asked by groups"),
    ],
)
def test_refusals_come_from_the_schema(question: str, said: str) -> None:
    with pytest.raises(SudareError, match=said):
        compile_question(question, town())

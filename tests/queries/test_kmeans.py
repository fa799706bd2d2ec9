"""kmeans: what it costs, what it finds without noise and with it, and what bad data does to it.

Its sensitivities and the stages one by one are in test_kmeans_stages.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from sklearn.cluster import KMeans as Plain

from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import GaussianEvent, LaplaceEvent, PrivacyEvent
from sudare.facts.release import Answer
from sudare.facts.schema import Schema
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.queries.compile import compile_question
from sudare.queries.kmeans import KMeans
from sudare.queries.measurement import MechanismName, Share
from support.bits import CountedBits
from support.learning import ArrayFetch, answered
from support.tiny import moments, town

SPANS = {"age": (0, 120), "income": (0, 10_000_000)}
QUESTION = "kmeans(age, income; k=4)"
MIDDLES = np.array([[20, 1_000_000], [40, 7_000_000], [75, 2_000_000], [100, 9_000_000]])
SIZES = (4000, 3000, 2000, 1000)
Rows = list[dict[str, Any]]
Array = NDArray[np.float64]


def blobs() -> dict[str, NDArray[np.int64]]:
    """Four heaps of people, far from each other."""
    generator = np.random.default_rng(4)
    heaps = [
        generator.normal(middle, (3, 200_000), (size, 2))
        for middle, size in zip(MIDDLES, SIZES, strict=True)
    ]
    whole = np.rint(np.vstack(heaps)).astype(np.int64)
    ends = np.array(list(SPANS.values()))
    whole = np.clip(whole, ends[:, 0], ends[:, 1])
    return dict(zip(SPANS, whole.T, strict=True))


def compiled(question: str, schema: Schema) -> KMeans:
    job = compile_question(question, schema)
    assert isinstance(job, KMeans)
    return job


def values(answer: Answer, *names: str) -> Array:
    assert isinstance(answer.value, dict)
    return np.array([[each[name] for name in names] for each in answer.value.values()])


def errors(answer: Answer, *names: str) -> Array:
    assert answer.errors95 is not None
    return np.array([[each[name] for name in names] for each in answer.errors95.values()])


def spent(event: PrivacyEvent) -> Fraction:
    if isinstance(event, GaussianEvent):
        return Fraction(event.l2_sensitivity_squared) / (2 * event.sigma**2)
    assert isinstance(event, LaplaceEvent)
    return Fraction(event.l1_sensitivity) / event.scale


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize("rows", [100, 1_000_000], ids=["few rows", "many rows"])
@pytest.mark.parametrize("asked", ["k=1", "k=2, rounds=1", "k=5", "k=40, rounds=7"])
def test_cells_landmarks_and_rounds_add_up_to_the_share(
    asked: str, rows: int, relation: str, mechanism: MechanismName
) -> None:
    """Laplace to the last digit; σ is rounded up by less than two millionths."""
    job = compiled(f"kmeans(age, income; {asked})", town(relation, expected_rows=rows))
    total = sum(map(spent, job.events(Share(mechanism, Fraction(1)))), Fraction(0))
    assert total == 1 if mechanism == "laplace" else 1 - Fraction(1, 10**5) < total <= 1


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("kmeans(age; k=1)", 1000),
        ("kmeans(age, income; k=3)", 300),
        ("kmeans(age, income; k=3, rounds=4)", 10**6),
        ("kmeans(age, income, debt, hours, works; k=3)", 500),
        ("kmeans(age, income, debt, hours, works; k=2)", 10**6),
    ],
)
def test_the_noise_that_is_added_is_the_noise_that_is_paid_for(
    question: str, rows: int, mechanism: MechanismName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every vector that gets noise is one of the events, in number, size and scale."""
    added: list[PrivacyEvent] = []
    for kind in (DiscreteLaplace, DiscreteGaussian):
        for name in ("apply", "apply_array"):
            plain = getattr(kind, name)

            def noted(self: Any, cells: Any, bits: Any, plain: Any = plain) -> Any:
                added.append(self.event())
                return plain(self, cells, bits)

            monkeypatch.setattr(kind, name, noted)
    job = compiled(question, town(expected_rows=rows))
    share = Share(mechanism, Fraction(1, 2))
    job.measure(TinyFetch([]), share, 0.5, CountedBits("paid"))
    assert added == job.events(share)


@pytest.mark.parametrize("rows", [300, 10_000, 10**6], ids=["cells", "landmarks", "fine"])
def test_without_noise_it_is_as_good_as_kmeans(rows: int) -> None:
    """How many rows are expected decides what the start looks like; all of them find the heaps."""
    columns = blobs()
    answer = answered(QUESTION, town(expected_rows=rows), columns)
    widths = np.array([120.0, 1e7])
    scaled = np.stack(list(columns.values()), axis=1) / widths
    plain = Plain(4, n_init=5, random_state=1).fit(scaled)
    order = np.argsort(-np.bincount(plain.labels_))
    np.testing.assert_allclose(
        values(answer, *SPANS) / widths, plain.cluster_centers_[order], atol=2e-3
    )
    assert values(answer, "size")[:, 0].tolist() == pytest.approx(SIZES, abs=0.5)
    assert answer.drowned == ()


def test_one_cluster_is_the_mean() -> None:
    columns = blobs()
    answer = answered("kmeans(age, income; k=1)", town(), columns)
    found = values(answer, "age", "income", "size")[0]
    truth = [columns["age"].mean(), columns["income"].mean(), 10_000]
    np.testing.assert_allclose(found, truth, rtol=1e-6)


@pytest.mark.integration
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_stated_errors_hold_the_noise_of_the_last_round(
    relation: str, mechanism: MechanismName
) -> None:
    """A mean is right if it is near that of the rows around the last but one centres. Nominally
    95 %; fewer hits than the floor come less than once in a million. Half of the error fails."""
    columns, schema = blobs(), town(relation, expected_rows=10_000)
    share = Share(mechanism, Fraction(1, 2) if mechanism == "laplace" else Fraction(1, 50))
    job, bits = compiled(QUESTION, schema), CountedBits(f"kmeans {relation} {mechanism}")
    hits, narrow = [], []
    for _ in range(150):
        fetch = ArrayFetch(columns)
        answer = job.measure(fetch, share, 1.0, bits)
        request, exact = fetch.seen[-1]
        assert request.axes[0].size == 4
        sums = np.array(exact.rows, dtype=float)
        # Largest first is an order of the noisy sizes; each truth is the nearest exact cluster.
        found, stated = values(answer, *SPANS, "size"), errors(answer, *SPANS, "size")
        places = matched(found[:, :2], sums[:, 1:] / np.maximum(sums[:, :1], 1))
        truth = np.column_stack([sums[:, 1:] / np.maximum(sums[:, :1], 1), sums[:, 0]])[places]
        hits.append(np.abs(found - truth) <= stated)
        narrow.append(np.abs(found - truth) <= stated / 2)
    trials = 150 * 4
    # Errors of one answer are not independent, so all of them count as one tenth of their number.
    floor = stats.binom.ppf(1e-6, trials // 10, 0.95) / (trials // 10)
    assert np.mean(hits, axis=(0, 1)).min() > floor
    assert np.mean(narrow, axis=(0, 1)).max() < 0.9


def matched(found: Array, truth: Array) -> NDArray[np.int64]:
    widths = np.array([120.0, 1e7])
    gaps = (((found / widths)[:, None] - (truth / widths)[None]) ** 2).sum(axis=2)
    return gaps.argmin(axis=1)


class TinyFetch:
    """Rows given one by one; counts how often it is asked."""

    def __init__(self, rows: Rows) -> None:
        self.data, self.asked = rows, 0

    def moments(self, requests: Sequence[MomentsRequest]) -> list[Moments]:
        self.asked += len(requests)
        return [moments(request, self.data) for request in requests]

    def counts(self, request: MomentsRequest) -> NDArray[np.int64]:
        raise NotImplementedError

    def rows(self, columns: Sequence[str]) -> list[NDArray[np.int64]]:
        raise NotImplementedError


BAD: dict[str, Rows] = {
    "empty": [],
    "one row": [{"age": 3, "income": 5}],
    "all missing": [{"age": None, "income": None}] * 9,
    "half missing": [{"age": 3, "income": None}] * 9,
    "constant": [{"age": 50, "income": 5_000_000}] * 60,
    "fewer than k": [{"age": 0, "income": 0}, {"age": 120, "income": 10_000_000}],
}


@pytest.mark.parametrize("amount", [Fraction(1, 1000), Fraction(1), Fraction(10**6)])
@pytest.mark.parametrize("rows", BAD)
def test_bad_data_is_answered_in_as_many_looks(rows: str, amount: Fraction) -> None:
    """Centres lie in the declared bounds whatever the noise is, and nothing tells the tables
    apart but the answer."""
    schema = town(expected_rows=1000)
    job, fetch = compiled("kmeans(age, income; k=7)", schema), TinyFetch(BAD[rows])
    share = Share("laplace", amount)
    answer = job.measure(fetch, share, 1.0, CountedBits(f"bad {rows} {amount}"))
    json.dumps(asdict(answer), allow_nan=False)
    empty = TinyFetch([])
    job.measure(empty, share, 1.0, CountedBits("nobody"))
    assert fetch.asked == empty.asked
    assert list(answer.value) == [str(place) for place in range(1, 8)]  # type: ignore[arg-type]
    for name, (low, high) in SPANS.items():
        found = values(answer, name)
        assert low <= found.min() <= found.max() <= high
    assert values(answer, "size").min() >= 0
    if amount < 1:
        assert len(answer.drowned) >= 5


def test_an_empty_cluster_is_named_and_its_error_is_the_range() -> None:
    answer = answered("kmeans(age; k=3)", town(), {"age": np.full(500, 60)}, Fraction(10**6))
    held, *others = values(answer, "age", "size")
    assert held.tolist() == pytest.approx([60, 500])
    assert [size for _, size in others] == pytest.approx([0, 0], abs=0.01)
    assert answer.drowned == ("2", "3")
    for (age, _), (error, _) in zip(others, errors(answer, "age", "size")[1:], strict=True):
        assert error == pytest.approx(max(age, 120 - age))


def test_the_same_bits_give_the_same_centres() -> None:
    columns = blobs()
    twice = [
        answered(QUESTION, town(), columns, 1, "laplace", CountedBits("again")) for _ in range(2)
    ]
    assert twice[0] == twice[1]


def test_more_budget_and_more_rows_mean_smaller_forecasts() -> None:
    few, many = (compiled(QUESTION, town(expected_rows=rows)) for rows in (1000, 100_000))
    little, much = (Share("laplace", Fraction(amount)) for amount in (1, 10))
    assert few.forecast(much).typical < few.forecast(little).typical / 5
    assert many.forecast(little).error95 < few.forecast(little).error95 / 50


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("kmeans(age)", "k must be"),
        ("kmeans(age; k=0)", "k must be"),
        ("kmeans(age; k=1001)", "k must be"),
        ("kmeans(age; k=2.5)", "k must be"),
        ("kmeans(age; k=many)", "k must be"),
        ("kmeans(age; k=2, rounds=0)", "rounds must be"),
        ("kmeans(age; k=2, rounds=21)", "rounds must be"),
        ("kmeans(age, sex; k=2)", "is category"),
        ("kmeans(age, born; k=2)", "is date"),
        ("kmeans(age, height; k=2)", "no bounds"),
        ("kmeans(age, draft; k=2)", "not confirmed"),
        ("kmeans(age; k=2) by (sex)", "takes no by"),
        ("kmeans(age, age; k=2)", "twice"),
    ],
)
def test_refusals_come_from_the_schema(question: str, said: str) -> None:
    with pytest.raises(InvalidPlan, match=said):
        compile_question(question, town())

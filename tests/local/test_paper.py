"""The paper's figures again: what is known of them by hand, and what corrected mode must show."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from sudare.accounting.shuffle import theorem
from sudare.facts.local_plan import LocalPlan
from sudare.facts.reproduced import PaperFigure, Point
from sudare.facts.schema import make_schema
from sudare.local.paper import against_laplace, bounds, correlations, two_points
from sudare.local.paper.people import People, error, mean_and_error, off_diagonal
from sudare.local.paper.trials import (
    correlation_of,
    covariance_of,
    estimated,
    exact,
    is_possible,
    job_of,
    paper_covariance,
    paper_scores,
)
from sudare.mechanisms.local.two_point import TwoPoint
from sudare.publish.reproduce import ADULT, read_people
from support.bits import CountedBits

SHARED = Path(__file__).parents[3] / "shared" / "data" / "adult.csv.gz"


@pytest.fixture(scope="module")
def people() -> People:
    """Three numbers of 20,000 people, of which the first two go together (0.8)."""
    rng = np.random.default_rng(5)
    first = rng.standard_normal(20_000)
    second = 0.8 * first + 0.6 * rng.standard_normal(20_000)
    third = rng.standard_normal(20_000)
    indices = np.round(np.clip(np.stack([first, second, third], 1) / 3, -1, 1) * 100)
    columns = {name: {"type": "real", "min": -10, "max": 10, "step": 0.1} for name in "abc"}
    schema = make_schema({"table": {"name": "t", "neighbours": "replace-one"}, "columns": columns})
    return People(schema, ("a", "b", "c"), indices.astype(np.int64))


def test_theorem_4_inverted_gives_the_known_values() -> None:
    found = bounds.inverted(6)
    assert [round(row.theorem or 0, 2) for row in found] == [2.34, 3.56, 5.6, 7.53]
    assert all(row.tightest > (row.theorem or 0) for row in found)


def test_paper_mode_draws_the_formula_where_corrected_mode_refuses_it() -> None:
    points = list(bounds.star("n", 1000, 4.0, 1e-10, 6))
    paper, closed, tightest = points
    assert paper.value == pytest.approx(2.33, abs=0.005)
    assert closed.value is None
    # What is proved for Algorithm 3 on six attributes is below its ε′, and here below the formula.
    assert tightest.value is not None
    assert 0 < tightest.value < 2.33
    inside = bounds.formula(10**6, 2.0, 1e-10)
    assert inside == pytest.approx(theorem.epsilon_of(10**6, 2.0, 1e-10), rel=1e-9)


def test_limits_of_figures_1_and_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "AXIS_1", (1e-10,))
    monkeypatch.setattr(bounds, "AXIS_2", (1000, 10**6))
    first, second = bounds.figure_1(6), bounds.figure_2(6)
    limits = {point.series: point.value for point in first.of("paper", "limit")}
    assert limits["n = 1,000"] == pytest.approx(math.log(1000 / (16 * math.log(2e10))))
    for figure in (first, second):
        for point in figure.of("corrected", "allowed"):
            (paper,) = [p for p in figure.of("paper", "limit", point.series) if p.x == point.x]
            assert (point.value or 0) > (paper.value or 0)


def test_only_b_over_a_matters(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    scales = {two_points.mechanism_of(a, 1.5, 6).scale for a in two_points.SIZES}
    assert max(scales) - min(scales) < 1e-6
    wider = two_points.mechanism_of(1.0, 2.0, 6).scale
    assert wider == pytest.approx(2 * two_points.mechanism_of(1.0, 1.0, 6).scale, rel=1e-8)
    monkeypatch.setattr(two_points, "RATIOS", (1.0, 2.0))
    monkeypatch.setattr(two_points, "SIZES", (0.01, 1.0, 1000.0))
    figure = two_points.figure_4(people, 12, CountedBits("figure 4"), lambda: None)
    assert two_points.same_words(figure) < 1e-6
    # Two means of squares with two degrees of freedom each: noise alone passes 12 in fewer than
    # one label in a million.
    assert two_points.spread(figure, 12) < 12
    near = figure.of("paper", "mae", "b = 1 × least")
    far = figure.of("paper", "mae", "b = 2 × least")
    assert all((b.value or 0) > 3 * (a.value or 0) for a, b in zip(near, far, strict=True))


def test_spread_sees_a_true_difference() -> None:
    points = [
        Point("paper", quantity, "s", float(a), value)
        for a in range(4)
        for quantity, value in (("mae", 1.0 + a), ("sd", 0.1))
    ]
    assert two_points.spread(PaperFigure(4, "a", tuple(points)), 10) > 100


def test_recorded_bits_play_again() -> None:
    words = two_points.RecordedBits(CountedBits("again"))
    first = words.take(5) + words.take(7)
    assert words.rewind().take(12) == first
    assert words.take(3) != first[:3]


def test_the_diagonal_is_the_error(people: People) -> None:
    """(b/a)² less the square of a mean near 0, whatever the data."""
    mechanism = TwoPoint.best(Fraction(1))
    found = paper_covariance(paper_scores(people, mechanism, CountedBits("diagonal")))
    assert np.diag(found) == pytest.approx(np.full(3, mechanism.scale**2), rel=0.01)
    assert error(found, people.covariance) > 10 * off_diagonal(found, people.covariance)


def test_curves_cross_where_the_diagonals_do(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    square = float((people.scaled**2).mean())
    places = np.linspace(1, 8, 7001)
    apart = 1 / np.tanh(places / 2) ** 2 - square - 8 / places**2
    wanted = float(places[np.argmax(apart > 0)])
    monkeypatch.setattr(against_laplace, "PLACES", (wanted - 0.4, wanted + 0.4))
    monkeypatch.setattr(against_laplace, "CORRECTED", (2.0,))
    fifth = against_laplace.figure_5(people, 3, lambda: CountedBits("cross"), lambda: None)
    sixth = against_laplace.figure_6(fifth)
    assert against_laplace.crossing(sixth) == pytest.approx(wanted, abs=0.15)
    assert 0.9 < against_laplace.diagonal_share(fifth, 3) < 1
    ours = {point.series: point.value or 1 for point in fifth.of("corrected", "mae")}
    assert set(ours) == {*against_laplace.SPLIT, "default"}
    worst = fifth.of("paper", "mae", "Algorithm 3")[0].value or 0
    assert max(ours.values()) < worst / 5


def test_covariances_come_back_in_paper_units(people: People) -> None:
    job = job_of(people, LocalPlan(exact(15.0)))
    found = estimated(people, job, lambda: CountedBits("units"))
    assert covariance_of(found, people) == pytest.approx(people.covariance, abs=0.02)
    assert correlation_of(found, people) == pytest.approx(people.correlation, abs=0.1)


def test_where_nothing_can_be_told_the_identity_is_left(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(correlations, "PLACES", (1e-5,))
    monkeypatch.setattr(correlations, "CORRECTED", (1e-5, 3.0, 10.0))
    monkeypatch.setattr(correlations, "AXIS_STAR", (1.0,))
    figure = correlations.figure_7(people, 2, 1e-10, lambda: CountedBits("7"), lambda: None)
    identity = correlations.identity_error(people.correlation)
    assert identity == pytest.approx(2 * 0.8 / 9, abs=0.01)
    left = figure.of("paper", "correlation")[0].value
    assert left == pytest.approx(identity, abs=0.01)
    nothing, something = figure.of("corrected", "correlation", "default")
    assert nothing.value == pytest.approx(identity, abs=1e-12)
    assert (something.value or 1) < identity / 2
    # A report of ε = 30 is no local mechanism's: the line ends before.
    assert len(figure.of("corrected", "correlation", "identity")) == 3


def test_small_helpers() -> None:
    assert mean_and_error([3.0]) == (3.0, None)
    mean, doubt = mean_and_error([1.0, 3.0])
    assert mean == 2.0
    assert doubt == pytest.approx(1.0)
    assert is_possible(16)
    assert not is_possible(16.1)
    assert not is_possible(1e-7)
    true, found = np.eye(2), np.array([[5.0, 0.5], [0.5, 1.0]])
    assert error(found, true) == pytest.approx(5 / 4)
    assert off_diagonal(found, true) == pytest.approx(0.5)


@pytest.mark.skipif(not SHARED.is_file(), reason="Adult is not in ../shared/data")
def test_adult_gives_the_papers_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    adult = read_people(SHARED, ADULT, CountedBits("rows"))
    assert adult.indices.shape == (30_162, 6)
    assert correlations.identity_error(adult.correlation) == pytest.approx(0.0534, abs=5e-5)
    monkeypatch.setattr(correlations, "PLACES", (1e-5, 0.004))
    monkeypatch.setattr(correlations, "CORRECTED", ())
    monkeypatch.setattr(correlations, "AXIS_STAR", (4.0,))
    bits = lambda: CountedBits("adult")  # noqa: E731
    seventh = correlations.figure_7(adult, 4, 1e-10, bits, lambda: None)
    for point in seventh.of("paper", "correlation"):
        assert point.value == pytest.approx(0.054, abs=0.002)
    assert seventh.of("paper", "epsilon_star")[0].value == pytest.approx(0.97, abs=0.005)
    monkeypatch.setattr(against_laplace, "PLACES", (3.0, 3.5, 4.0))
    monkeypatch.setattr(against_laplace, "CORRECTED", ())
    fifth = against_laplace.figure_5(adult, 2, bits, lambda: None)
    crossing = against_laplace.crossing(against_laplace.figure_6(fifth)) or 0
    assert crossing == pytest.approx(3.7, abs=0.05)
    assert 6 * crossing == pytest.approx(22, abs=0.5)

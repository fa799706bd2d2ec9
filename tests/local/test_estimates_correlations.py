"""Correlations: matrices that can be, better than the raw ones and than the paper's, and silence
where there is nothing to tell."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.estimated import Estimated, Matrix, Score, Wanted
from sudare.facts.randomized import Item
from sudare.local.estimates.correlations import nearest, shrunk, upper
from sudare.local.estimates.estimate import estimate
from sudare.local.estimates.figures import score
from sudare.local.estimates.prior import expected
from sudare.local.paper.trials import paper_covariance
from sudare.mechanisms.local.two_point import TwoPoint
from support.bits import CountedBits
from support.randomized import autoregressive, numbers, one_statistic, randomized, reports

NAMES = list("abcdef")
ROWS = 8000
WANTED = Wanted(frozenset({"covariance", "correlation", "pca"}))


def estimated(
    x: NDArray[np.float64], items: list[Item], asked: int | None, label: str
) -> Estimated:
    facts = randomized(items, numbers(NAMES), asked)
    return estimate(facts, reports(facts, columns(x), label), WANTED)


def columns(x: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    return {name: x[:, i] for i, name in enumerate(NAMES)}


def values(found: Matrix | None) -> NDArray[np.float64]:
    """The published matrix, no correlation where nothing is told."""
    assert found is not None
    told = [[figure.value for figure in line] for line in found.entries]
    return np.array([[0.0 if v is None else v for v in line] for line in told]) + np.diag(
        [1.0 if line[i] is None else 0.0 for i, line in enumerate(told)]
    )


def error(found: NDArray[np.float64], x: NDArray[np.float64]) -> float:
    return float(np.abs(upper(found) - upper(np.corrcoef(x.T))).mean())


@pytest.mark.parametrize("epsilon", [1, 4])
def test_published_matrices_can_be(epsilon: float) -> None:
    x = autoregressive(ROWS, 6, 0.8, "x")
    found = estimated(x, one_statistic(NAMES, "hybrid", epsilon), 1, f"psd {epsilon}")
    matrix = values(found.correlation)
    np.testing.assert_allclose(matrix, matrix.T)
    np.testing.assert_allclose(np.diag(matrix), 1)
    assert np.linalg.eigvalsh(matrix)[0] > -1e-9
    assert found.covariance is not None
    told = [line[i].value is not None for i, line in enumerate(found.covariance.entries)]
    sure = np.flatnonzero(told)
    inside = [[found.covariance.entries[i][j].value or 0.0 for j in sure] for i in sure]
    assert np.linalg.eigvalsh(np.array(inside))[0] > -1e-6 * np.trace(np.array(inside))


def test_it_beats_the_raw_matrix_and_the_paper_and_no_correlation() -> None:
    """Means over ten tables; each ratio is far from its limit."""
    x = autoregressive(ROWS, 6, 0.8, "x")
    ours, raw, paper, expected, trivial = [], [], [], [], []
    for time in range(10):
        found = estimated(x, one_statistic(NAMES, "hybrid", 4), 1, f"beats {time}")
        assert found.correlation is not None
        ours.append(error(values(found.correlation), x))
        told = [[figure.raw or 0.0 for figure in line] for line in found.correlation.entries]
        raw.append(error(np.array(told), x))
        paper.append(error(_paper(x, 4 / 6, f"paper {time}"), x))
        assert found.correlation.score is not None
        expected.append(found.correlation.score.expected_error)
        trivial.append(found.correlation.score.trivial_error)
    guess = error(np.eye(6), x)
    assert np.mean(ours) < 0.9 * np.mean(raw)
    assert np.mean(ours) < 0.5 * np.mean(paper)
    assert np.mean(ours) < 0.3 * guess
    assert 0.5 < np.mean(expected) / np.mean(ours) < 2
    assert 0.8 < np.mean(trivial) / guess < 1.25


def _paper(x: NDArray[np.float64], epsilon: float, label: str) -> NDArray[np.float64]:
    mechanism, bits = TwoPoint.best(Fraction(epsilon)), CountedBits(label)
    found = paper_covariance(np.stack([mechanism.scores(mechanism.report(c, bits)) for c in x.T]))
    sizes = np.sqrt(np.diag(found))
    scaled: NDArray[np.float64] = found / np.outer(sizes, sizes)
    return scaled


def test_where_nothing_is_correlated_nothing_is_claimed() -> None:
    """Of 10 × 15 entries about one in twenty is flagged; 22 or more would be a chance of 1e-5. No
    eigenvalue passes the edge of noise, and the published matrix is near the identity."""
    x = np.random.default_rng(4).uniform(-1, 1, (ROWS, 6))
    flagged, sizes, eigenvalues = 0, [], 0
    for time in range(10):
        found = estimated(x, one_statistic(NAMES, "hybrid", 2), 1, f"none {time}")
        assert found.correlation is not None
        assert found.pca is not None
        entries = [found.correlation.entries[i][j] for i in range(6) for j in range(i)]
        flagged += sum(figure.distinguishable for figure in entries)
        sizes += [(abs(float(f.value or 0)), abs(f.raw or 0)) for f in entries]
        eigenvalues += sum(each.eigenvalue.distinguishable for each in found.pca.components)
        assert not any(f.distinguishable for c in found.pca.components for f in c.loadings)
    assert flagged < 22
    assert eigenvalues == 0
    published, raw = np.mean(sizes, axis=0)
    assert published < 0.4 * raw


def test_a_drowned_column_is_left_open() -> None:
    x = autoregressive(ROWS, 6, 0.8, "x")
    x[:, 0] /= 40
    found = estimated(x, one_statistic(NAMES, "hybrid", 1), 1, "drowned")
    assert found.correlation is not None
    assert [figure.value for figure in found.correlation.entries[0]] == [None] * 6
    assert any("a" in each.columns and each.reason == "drowned" for each in found.untold)
    assert found.pca is not None
    assert "a" not in found.pca.columns


def test_components_of_strong_correlations_are_told() -> None:
    x = autoregressive(ROWS, 6, 0.8, "x")
    found = estimated(x, one_statistic(NAMES, "hybrid", 8), 1, "pca")
    assert found.pca is not None
    first = found.pca.components[0]
    truth, vectors = np.linalg.eigh(np.corrcoef(x.T))
    assert first.eigenvalue.value == pytest.approx(truth[-1], abs=0.4)
    assert first.eigenvalue.distinguishable
    told = np.array([float(figure.value or 0) for figure in first.loadings])
    exact = np.abs(vectors[:, -1]) * np.sqrt(truth[-1])
    np.testing.assert_allclose(told, exact, atol=0.15)
    assert sum(float(c.share.value or 0) for c in found.pca.components) == pytest.approx(1)


def test_nearest_leaves_a_correlation_matrix_alone() -> None:
    matrix = 0.8 ** np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    np.testing.assert_allclose(nearest(matrix[np.newaxis])[0], matrix, atol=1e-9)


def test_nearest_is_highams_example() -> None:
    """Higham 2002, section 4: the nearest correlation matrix to a chain of ones."""
    chain = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]])
    found = nearest(chain[np.newaxis])[0]
    np.testing.assert_allclose(found[0], [1, 0.7607, 0.1573], atol=2e-3)


def test_sure_entries_are_kept_and_unsure_ones_join_the_others() -> None:
    raw = np.array([[1.0, 0.9, 0.5], [0.9, 1.0, 0.1], [0.5, 0.1, 1.0]])[np.newaxis]
    sure, unsure = np.full((3, 3), 0.001), np.full((3, 3), 0.05)
    unsure[0, 1] = unsure[1, 0] = 5.0
    np.testing.assert_allclose(shrunk(raw, sure)[0][0], raw[0], atol=1e-3)
    (found,), variances = shrunk(raw, unsure)
    assert variances[0, 1] > 10 * variances[0, 2]
    assert abs(found[0, 1] - 0.9) > 0.3
    assert found[0, 2] == pytest.approx(0.5, abs=0.1)


def test_what_is_known_least_moves_most() -> None:
    """0.9 and 0.8 leave at least 0.458 for the third, which says 0."""
    wanted = np.array([[1.0, 0.9, 0.8], [0.9, 1.0, 0.0], [0.8, 0.0, 1.0]])[np.newaxis]
    variances = np.full((3, 3), 0.001)
    variances[1, 2] = variances[2, 1] = 0.1
    found, even = nearest(wanted, variances)[0], nearest(wanted)[0]
    assert np.linalg.eigvalsh(found)[0] > -1e-9
    assert abs(found[0, 1] - 0.9) < 0.02
    assert found[1, 2] > 0.43
    assert even[1, 2] < 0.3


def test_noise_alone_comes_to_nothing() -> None:
    """15 entries of pure noise of size .3: what is published is a small part of it."""
    made = 0.3 * np.random.default_rng(8).standard_normal((200, 15))
    found = np.array([expected(entries, np.full(15, 0.3))[0] for entries in made])
    assert np.abs(found).mean() < 0.25 * np.abs(made).mean()


def test_one_strong_entry_among_many_zeros_is_kept() -> None:
    entries = np.array([0.7, *[0.02, -0.03] * 7])
    found, slope = expected(entries, np.full(15, 0.05))
    assert found[0] == pytest.approx(0.7, abs=0.03)
    assert np.abs(found[1:]).max() < 0.015
    assert slope[0] > 0.8


def test_the_trivial_guess_is_rarely_beaten_by_noise() -> None:
    """Of 300 sets of pure noise about 1 % pass; 12 or more have a chance below 1e-4. Sets with
    something in them pass."""
    made = np.random.default_rng(9).standard_normal((300, 15))
    ones = np.ones(15)
    passed = [score(0.1 * row, row, ones, 0.0).beats_trivial for row in made]
    assert sum(passed) < 12
    told = [score(row + 4, row + 4, ones, 0.0).beats_trivial for row in made]
    assert all(told)


def test_what_is_not_told_is_as_wrong_as_the_guess() -> None:
    """Three sure numbers and as many of which nothing is told: half as wrong as the guess, no
    better, and as a whole no result."""
    raw, sure = np.array([0.5, -0.5, 0.5]), np.full(3, 1e-6)
    known, half, less = (score(raw, raw, sure, 0.0, untold) for untold in (0, 3, 1))
    assert known.expected_error < 1e-5
    assert half.trivial_error == less.trivial_error == known.trivial_error
    assert half.expected_error == pytest.approx(0.25, rel=1e-5)
    assert less.expected_error == pytest.approx(1 / 4 * 0.5, rel=1e-5)
    assert (known.verdict, less.verdict, half.verdict) == ("beats", "beats", "hardly")


@pytest.mark.parametrize(
    ("ours", "told", "verdict"),
    [(1.2, True, "beats"), (1.201, True, "hardly"), (2.999, True, "hardly"), (3.0, True, "beaten"),
     (0.1, False, "beaten")],
)  # fmt: skip
def test_a_small_lead_is_no_result(ours: float, told: bool, verdict: str) -> None:
    found = Score(ours, 3.0, told)
    assert found.verdict == verdict
    assert found.beats_trivial == (verdict == "beats")

"""Estimates from opened cells: unbiased, with the errors that they state."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from sudare.facts.estimated import Estimated
from sudare.link.secure_estimates import estimated
from sudare.link.secure_job import SecureJob, compile_secure, noise_variance
from sudare.randomness.laplace import discrete_laplace
from support.bits import CountedBits
from support.secure import exact_cells, labels, numbers, some_rows

JOB = compile_secure(
    [
        ("A", numbers(a=(0, 10), b=(-40, 40)) | labels(l=2)),
        ("B", numbers(c=(0, 100)) | labels(m=3)),
    ],
    Fraction(2),
)
ROWS = some_rows(JOB, 3000, "estimates")
# Dependent columns, so that there is something to find.
ROWS[:, 4] = np.clip(10 * ROWS[:, 0] + ROWS[:, 4] // 4, -100, 100)
EXACT = np.array(exact_cells(JOB, ROWS))
TRIALS = 600
Cells = NDArray[np.int64]


def noisy(job: SecureJob, exact: Cells, bits: CountedBits, trials: int) -> list[Cells]:
    """Exact cells with two noises each, trial by trial."""
    drawn = [discrete_laplace(bits, s, 2 * trials).reshape(2, -1).sum(axis=0) for s in job.scales]
    return list(exact + np.array(drawn, np.int64).T)


@pytest.fixture(scope="module")
def found() -> list[Estimated]:
    cells = noisy(JOB, EXACT, CountedBits("estimates"), TRIALS)
    return [estimated(JOB, each, "joined") for each in cells]


def test_without_noise_it_is_the_covariance() -> None:
    found = estimated(JOB, EXACT, "joined")
    assert found.covariance is not None
    truth = np.cov(ROWS[:, [0, 1, 4]] / 2, rowvar=False, bias=True)
    for i, j in ((0, 2), (1, 2), (2, 0)):
        assert found.covariance.entries[i][j].raw == pytest.approx(truth[i, j])
    for i, j in ((0, 0), (0, 1), (2, 2)):
        assert found.covariance.entries[i][j].value is None
    assert found.means[0].mean.raw == pytest.approx(5 + ROWS[:, 0].mean() / 2)
    assert found.means[2].mean.raw == pytest.approx(50 + ROWS[:, 4].mean() / 2)
    assert found.rows == 3000


def test_tables_without_noise() -> None:
    found = estimated(JOB, EXACT, "joined").tables[0]
    one, two = ROWS[:, 2:4].argmax(axis=1), ROWS[:, 5:8].argmax(axis=1)
    for i in range(2):
        for j in range(3):
            share = np.mean((one == i) & (two == j))
            assert found.shares[i][j].raw == pytest.approx(share)
            assert found.shares[i][j].value == pytest.approx(share)
    assert found.labels == (("l 0", "l 1"), ("m 0", "m 1", "m 2"))


def spread_fits(values: NDArray[np.float64], stated: float) -> bool:
    """Whether the spread of draws is the stated one; false alarm 1e-6. Laplace noise has heavier
    tails than normal noise, so that a variance scatters by √((kurtosis − 1)/n) with kurtosis up
    to 6."""
    ratio = float(np.var(values)) / stated**2
    return bool(abs(ratio - 1) < 4.9 * np.sqrt(5 / len(values)))


@pytest.mark.parametrize("way", ["mean", "covariance", "table"])
def test_stated_errors_are_the_spread_of_the_estimates(way: str, found: list[Estimated]) -> None:
    def figures(each: Estimated) -> list[Any]:
        if way == "mean":
            return [mean.mean for mean in each.means]
        if way == "covariance":
            assert each.covariance is not None
            return [each.covariance.entries[i][2] for i in (0, 1)]
        return [cell for row in each.tables[0].shares for cell in row]

    exact = figures(estimated(JOB, EXACT, "joined"))
    for place, truth in enumerate(exact):
        values = np.array([figures(each)[place].raw for each in found])
        stated = np.mean([figures(each)[place].standard_error for each in found])
        assert spread_fits(values, stated)
        assert not spread_fits(values, 2 * stated)
        away = (values.mean() - truth.raw) / (values.std() / np.sqrt(TRIALS))
        assert stats.norm.sf(abs(away)) > 1e-6


def test_intervals_cover_and_dependence_is_seen(found: list[Estimated]) -> None:
    """a and c were made dependent."""
    matrices = [each.covariance for each in found if each.covariance is not None]
    assert all(m.entries[0][2].distinguishable for m in matrices)
    exact = estimated(JOB, EXACT, "joined").covariance
    assert exact is not None
    truth = exact.entries[1][2].raw
    ends: list[Any] = [m.entries[1][2].interval95 for m in matrices]
    assert 0.92 < np.mean([low <= truth <= high for low, high in ends]) < 0.98


def test_a_table_of_independent_labels_is_seldom_taken_for_another() -> None:
    """Some 5 % of the cells; the table is exactly independent before the noise."""
    exact = EXACT.copy()
    exact[-6:] = np.outer([2, 1], [600, 300, 100]).ravel()
    found = [
        estimated(JOB, each, "joined").tables[0]
        for each in noisy(JOB, exact, CountedBits("independent"), TRIALS)
    ]
    marks = [cell.distinguishable for table in found for row in table.shares for cell in row]
    assert 0.03 < np.mean(marks) < 0.07
    exact[-6] += 100
    other = estimated(JOB, exact, "joined").tables[0]
    assert other.shares[0][0].distinguishable


def test_swamped_answers_are_left_open() -> None:
    job = compile_secure([(v.party, dict(v.columns)) for v in JOB.vectors], Fraction(1, 1000))
    found = estimated(job, EXACT, "joined")
    assert found.covariance is None
    assert found.means == found.tables == ()
    assert {u.statistic for u in found.untold} == {"covariance", "table"}


def test_the_guarantee_is_plain() -> None:
    found = estimated(JOB, EXACT, "joined")
    told = json.loads(json.dumps(found.to_dict()))["guarantee"]
    assert told["by_party"]["A"] == {"epsilon": 2.0, "attributes": 2.0}
    assert told["noises"] == 2
    assert Estimated.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_noise_variance() -> None:
    for scale in (Fraction(1, 3), Fraction(2), Fraction(1000)):
        ratio = np.exp(-1 / float(scale))
        assert noise_variance(scale) == pytest.approx(4 * ratio / (1 - ratio) ** 2)
    assert noise_variance(Fraction(1, 10**4)) == 0

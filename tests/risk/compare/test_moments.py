"""AveMean and AveCov, recomputed by hand on a tiny table."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sudare.facts.microdata import Microdata, label_column, number_column
from sudare.risk.compare import moments
from sudare.risk.compare.moments import moment_errors

REAL = Microdata(
    (
        number_column("age", [1, 2, 3, math.nan], "integer"),
        label_column("sex", ["F", "F", "M", "M"]),
        number_column("smokes", [0, 0, 1, 1], "boolean"),
    )
)
MADE = Microdata(
    (
        number_column("age", [2, 2, 4], "integer"),
        label_column("sex", ["F", "M", "M"]),
        number_column("smokes", [0, 1, 1], "boolean"),
    )
)


def test_by_hand() -> None:
    found = moment_errors(REAL, MADE)
    # Means 2 and 1/2 against 8/3 and 2/3. The missing age counts as the mean: covariances
    # 1/2, 1/4, 1/4 against 8/9, 2/9, 2/9.
    assert found.ave_mean == pytest.approx((2 / 3 + 1 / 6) / 2)
    assert found.ave_cov == pytest.approx((7 / 18 + 3 / 36) / 4)
    scales = math.sqrt(1 / 2), 1 / 2
    assert found.ave_mean_scaled == pytest.approx((2 / 3 / scales[0] + 1 / 6 / scales[1]) / 2)
    assert found.max_mean_scaled == pytest.approx(2 / 3 / scales[0])
    relative = 7 / 18 / 0.5, 1 / 36 / (scales[0] * scales[1]), 1 / 36 / 0.25
    assert found.ave_cov_scaled == pytest.approx((relative[0] + 2 * relative[1] + relative[2]) / 4)
    assert found.max_cov_scaled == pytest.approx(relative[0])
    assert [each.column for each in found.columns] == ["age", "smokes"]
    assert found.columns[0].means == pytest.approx((2, 8 / 3))
    assert found.columns[0].deviations == pytest.approx((math.sqrt(1 / 2), math.sqrt(8 / 9)))


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = moment_errors(REAL, MADE)
    monkeypatch.setattr(moments, "BLOCK", 2)
    assert moment_errors(REAL, MADE).ave_cov == pytest.approx(whole.ave_cov)


def test_a_constant_column_is_measured_by_its_mean() -> None:
    real = Microdata((number_column("year", [94.0] * 5),))
    assert moment_errors(real, real).max_mean_scaled == 0
    other = Microdata((number_column("year", [95.88] * 7),))
    assert moment_errors(real, other).max_mean_scaled == pytest.approx(0.02)


def test_large_dates_lose_no_digits() -> None:
    days = 1e12 + np.arange(5.0)
    cov = moments.moments_of([number_column("day", days, "date")])[1]
    assert cov[0, 0] == pytest.approx(2.0, rel=1e-12)


def test_without_numbers_nothing_is_off() -> None:
    labels = Microdata((label_column("sex", ["F"]),))
    assert moment_errors(labels, labels).ave_mean == 0


def test_a_column_of_another_kind_is_refused() -> None:
    number, text = Microdata((number_column("a", [1.0]),)), Microdata((label_column("a", ["1"]),))
    with pytest.raises(ValueError, match="number in one table"):
        moment_errors(number, text)

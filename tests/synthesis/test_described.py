"""What a certificate states of finished rows, against counts made here."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.facts.drawn import Drawn
from sudare.facts.statistics import Marginal
from sudare.synthesis.described import (
    correlations,
    kept_marginal,
    level_codes,
    level_names,
    moment_gap,
    two_way_distance,
)
from support.exact_statistics import exact_statistics

GIVEN = exact_statistics(
    {"x": [0, 0, 5, None], "y": [1, 2, 3, 4], "c": ["a", "b", "a", None]},
    {"x": ((0, 1), 9), "y": ((0, 2, 4), 9)},
)


def drawn(x: list[float], y: list[float], c: list[int], lost: int) -> Drawn:
    last = np.arange(len(x)) >= len(x) - lost
    values = {"x": np.array(x, float), "y": np.array(y, float)}
    return Drawn(len(x), values, {"c": np.array(c)}, {"x": last, "c": last})


SAME = drawn([0, 0, 5, 9], [1, 2, 3, 4], [0, 1, 0, 0], 1)
OTHER = drawn([0, 9, 9, 9], [4, 4, 0, 0], [1, 1, 1, 0], 1)


def test_rows_that_are_the_table_have_no_gap() -> None:
    gap = moment_gap(GIVEN, SAME)
    assert gap is not None
    assert max(gap.mean, gap.covariance, gap.ave_mean, gap.ave_cov) < 1e-12
    assert two_way_distance(GIVEN, SAME) == pytest.approx(0, abs=1e-12)
    assert level_codes(GIVEN.marginal("x"), SAME).tolist() == [0, 0, 1, 2]
    assert level_codes(GIVEN.marginal("c"), SAME).tolist() == [0, 1, 0, 2]
    told = correlations(GIVEN, SAME)
    assert told is not None
    assert np.array(told.synthetic) == pytest.approx(np.array(told.stated, float))


def test_gaps_are_in_standard_units_and_in_the_papers() -> None:
    gap = moment_gap(GIVEN, OTHER)
    assert gap is not None
    x, y = np.array([0, 9, 9, 6.0]), np.array([4, 4, 0, 0.0])
    spread = [np.std([0, 0, 5, 5 / 3]), np.std([1, 2, 3, 4])]
    away = [6 - 5 / 3, 2 - 2.5]
    assert gap.mean == pytest.approx(max(abs(a) / s for a, s in zip(away, spread, strict=True)))
    assert gap.ave_mean == pytest.approx(np.mean(np.abs(away)))
    stated = np.cov([[0, 0, 5, 5 / 3], [1, 2, 3, 4]], ddof=0)
    found = np.cov([x, y], ddof=0)
    assert gap.ave_cov == pytest.approx(np.abs(found - stated).mean())
    assert gap.covariance == pytest.approx(
        (np.abs(found - stated) / np.outer(spread, spread)).max()
    )


def test_shares_of_levels() -> None:
    kept = kept_marginal(GIVEN.marginal("x"), OTHER)
    assert kept.labels == ("0", "1 – 9", "—")
    assert kept.stated == (0.5, 0.25, 0.25)
    assert kept.synthetic == (0.25, 0.5, 0.25)
    assert two_way_distance(GIVEN, OTHER) == pytest.approx(0.75, abs=0.2)


def test_names_of_levels() -> None:
    day = Marginal("d", "date", np.ones(2), np.arange(2), starts=(0, 31), high=31)
    assert level_names(day) == ["1970-01-01 – 1970-01-31", "1970-02-01"]
    flag = Marginal("b", "boolean", np.ones(2), np.arange(2), starts=(0, 1), high=1)
    assert level_names(flag) == ["false", "true"]
    shared = Marginal("c", "category", np.ones(3), np.array([1, 0, 1]), 0, True, ("a", "b", "c"))
    assert level_names(shared) == ["b", "a … (2)", "—"]

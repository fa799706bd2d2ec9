"""Algorithm 1 and methods A and B, from statistics to rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sudare.facts.drawn import Drawn
from sudare.facts.errors import InvalidPlan
from sudare.facts.statistics import Statistics
from sudare.synthesis.paper.draw import Method, paper_rows
from support.bits import CountedBits
from support.paper_statistics import people, statistics_of

NUMBERS = ("age", "grade", "income")


def drawn_by(method: Method, statistics: Statistics | None = None, rows: int = 3000) -> Drawn:
    statistics = statistics or statistics_of(people())
    return paper_rows(statistics, rows, CountedBits(f"draw {method}"), method)


def errors(drawn: Drawn) -> tuple[float, float]:
    """The largest error of a mean and of a covariance, in standard deviations."""
    real = np.array([np.asarray(people()[name], float) for name in NUMBERS])
    found = np.array([drawn.values[name] for name in NUMBERS])
    size = real.std(axis=1)
    mean = np.abs(found.mean(axis=1) - real.mean(axis=1)) / size
    apart = (np.cov(found, bias=True) - np.cov(real, bias=True)) / np.outer(size, size)
    return float(mean.max()), float(np.abs(apart).max())


@pytest.mark.parametrize("method", ["b", "paper"])
def test_moments_of_numbers_are_exact(method: Method) -> None:
    mean, covariance = errors(drawn_by(method))
    assert mean < 1e-9
    assert covariance < 1e-9


def test_method_a_leaves_columns_independent() -> None:
    drawn = drawn_by("a", rows=20_000)
    _, covariance = errors(drawn)
    assert covariance > 0.5
    together = np.corrcoef(drawn.values["grade"], drawn.values["income"])[0, 1]
    # Six standard deviations of a correlation that is zero.
    assert abs(together) < 6 / np.sqrt(20_000)
    assert set(drawn.values["grade"]) == {1.0, 2.0, 3.0}


def test_method_b_leaves_the_categories_as_drawn() -> None:
    statistics = statistics_of(people())
    a, b = (paper_rows(statistics, 500, CountedBits("same"), m) for m in ("a", "b"))  # type: ignore[arg-type]
    assert all(np.array_equal(a.codes[name], b.codes[name]) for name in a.codes)
    assert not np.array_equal(a.values["income"], b.values["income"])


def test_the_paper_keeps_what_hangs_together() -> None:
    columns = people()
    school, income = np.array(columns["school"]), columns["income"]
    real = np.array([income[school == s].mean() for s in ("high", "middle", "primary")])
    for method, near in (("paper", True), ("b", False)):
        drawn = drawn_by(method, rows=20_000)  # type: ignore[arg-type]
        found = [drawn.values["income"][drawn.codes["school"] == c].mean() for c in range(3)]
        spread = (max(found) - min(found)) / (real.max() - real.min())
        assert bool(spread > 0.5) is near


def test_constants_come_back() -> None:
    drawn = drawn_by("paper")
    assert set(drawn.values["year"]) == {95.0}
    assert set(drawn.codes["town"]) == {0}
    assert set(drawn.values) | set(drawn.codes) == set(people())


def test_few_rows_and_labels_that_are_never_drawn() -> None:
    columns = people(400)
    rare = ["usual"] * 396 + ["rare", "rarer", "rarest", "all"]
    statistics = statistics_of({**columns, "kind": rare})
    for label in ("one", "two", "three", "four", "five"):
        drawn = paper_rows(statistics, 30, CountedBits(label))
        mean, covariance = errors(drawn)
        assert mean < 1e-9
        assert covariance < 1e-9


def test_a_number_that_was_drawn_the_same_in_every_row() -> None:
    gain = np.where(np.arange(400) == 7, 1000, 0)
    drawn = paper_rows(statistics_of({"gain": gain}), 5, CountedBits("gain"))
    assert drawn.values["gain"].mean() == pytest.approx(2.5)
    assert drawn.values["gain"].var() == pytest.approx(gain.var())


def test_missing_values_stay_missing() -> None:
    columns = people()
    income = np.where(np.arange(400) % 5 == 0, np.nan, columns["income"])
    sex = [None if i % 4 == 0 else s for i, s in enumerate(columns["sex"])]
    statistics = statistics_of({"age": columns["age"], "income": income, "sex": sex})
    drawn = paper_rows(statistics, 20_000, CountedBits("missing"))
    assert drawn.missing.keys() == {"income", "sex"}
    # Six standard deviations of a share of a fifth; a category's share is only near.
    assert abs(drawn.missing["income"].mean() - 0.2) < 6 * np.sqrt(0.16 / 20_000)
    assert 0.1 < drawn.missing["sex"].mean() < 0.4
    assert drawn.codes["sex"].max() == 1


def test_labels_that_share_a_level_are_told_apart_again() -> None:
    columns = {"c": ["a"] * 50 + ["b"] * 30 + ["c"] * 20, "x": np.arange(100)}
    statistics = statistics_of(columns, frozenset({"c"}))
    drawn = paper_rows(statistics, 20_000, CountedBits("shared"), decoding="argmax")
    counts = np.bincount(drawn.codes["c"], minlength=3)
    assert counts[1] / counts[2] == pytest.approx(1.5, rel=0.1)
    assert set(drawn.codes["c"][drawn.values["x"] > 80]) == {1, 2}


def test_a_boolean_is_decoded() -> None:
    age = np.arange(200) % 50
    statistics = statistics_of({"age": age, "is_old": (age > 30).astype(int)})
    drawn = paper_rows(statistics, 5000, CountedBits("flag"))
    assert set(drawn.values["is_old"]) == {0.0, 1.0}
    assert drawn.values["age"][drawn.values["is_old"] == 1].mean() > 30
    b = paper_rows(statistics, 5000, CountedBits("flag"), "b")
    assert set(b.values["is_old"]) == {0.0, 1.0}


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = drawn_by("paper", rows=900)
    monkeypatch.setattr("sudare.synthesis.paper.draw.BLOCK", 100)
    parts = drawn_by("paper", rows=900)
    for name in whole.values:
        assert whole.values[name] == pytest.approx(parts.values[name], abs=1e-6)
    assert all(np.array_equal(whole.codes[n], parts.codes[n]) for n in whole.codes)


def test_refusals() -> None:
    with pytest.raises(InvalidPlan, match="at least one row"):
        drawn_by("a", rows=0)
    with pytest.raises(InvalidPlan, match="more than 6 rows"):
        drawn_by("paper", rows=6)
    assert drawn_by("a", rows=1).rows == 1


def test_only_constants() -> None:
    statistics = statistics_of({"year": np.full(5, 95), "town": ["Here"] * 5})
    drawn = drawn_by("paper", replace(statistics), rows=3)
    assert drawn.values["year"].tolist() == [95.0] * 3

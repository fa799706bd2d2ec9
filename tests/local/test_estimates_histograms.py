"""Histograms and tables: shares that can be, near the truth, with errors that cover it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from sudare.facts.estimated import Histogram, Wanted
from sudare.facts.randomized import LabelDomain, NumberDomain, Randomized
from sudare.local.estimates.bayes import best_smoothing, fitted
from sudare.local.estimates.bins import Bins
from sudare.local.estimates.estimate import estimate
from sudare.local.estimates.jackknife import REACH
from sudare.local.estimates.shares import projected, with_doubt
from sudare.mechanisms.local.response import Response
from sudare.mechanisms.local.square_wave import SquareWave
from support.randomized import item, labels, numbers, randomized, reports

SHARES = np.array([0.4, 0.3, 0.15, 0.1, 0.05])
ROWS = 4000


@pytest.mark.parametrize("share", [0.0, 0.0005, 0.001, 0.003, 0.01, 0.9995])
@pytest.mark.parametrize("epsilon", [4, 8, 12])
def test_the_interval_of_a_rare_label_holds(epsilon: int, share: float) -> None:
    """Exactly: over all numbers of reports that 1,000 people may make. With the spread of the
    replicates alone, which is nothing where nobody reports the label, a share of one in a thousand
    would be missed by a third of the intervals at ε = 8."""
    mechanism, people = Response(Fraction(epsilon), 3), 1000
    p, q = mechanism.shares.chance_near, mechanism.shares.chance_far
    hits = np.arange(people + 1)
    chances = binom.pmf(hits, people, q + (p - q) * share)
    raw = (hits / people - q) / (p - q)
    spread = np.sqrt(hits / people * (1 - hits / people) / people) / (p - q)
    covered = []
    for errors in (with_doubt(mechanism, raw, people, spread), spread):
        assert errors.shape == raw.shape
        low, high = np.clip(raw, 0, 1) - REACH * errors, np.clip(raw, 0, 1) + REACH * errors
        covered.append(float(chances[(low <= share) & (share <= high)].sum()))
    assert covered[0] >= 0.93
    if (epsilon, share) == (8, 0.001):
        assert covered[1] < 0.75


def test_nobody_is_guessed_to_have_no_label() -> None:
    domain = LabelDomain(("m", "f", None))
    facts = randomized([item("label", ["kind"], "grr", 3, 3)], {"kind": domain})
    found = one(facts, kinds("missing") % 2, "missing")
    assert [share.trivial for share in found.shares] == [0.5, 0.5, 0.0]


def test_nobody_reports_a_label_and_its_error_is_not_none() -> None:
    """Also of a cell of a table: neither may stand there as if it were known."""
    facts = randomized([item("label", ["kind"], "grr", 12, 5)], {"kind": labels(5)})
    found = one(facts, np.zeros(ROWS, np.int64), "nobody")
    for share in found.shares:
        assert share.standard_error is not None
        assert share.standard_error > 1 / ROWS


def kinds(label: str, rows: int = ROWS) -> NDArray[np.int64]:
    return np.random.default_rng(list(label.encode())).choice(5, rows, p=SHARES)


def one(facts: Randomized, data: NDArray[np.int64], label: str, method: str = "em") -> Histogram:
    wanted = Wanted(frozenset({"histogram"}), histogram_method=method)  # type: ignore[arg-type]
    return estimate(facts, reports(facts, {"kind": data}, label), wanted).histograms[0]


@pytest.mark.parametrize("mechanism", ["grr", "oue", "olh", "one-hot"])
def test_shares_are_near_and_errors_cover(mechanism: str) -> None:
    """The sum of z² over 60 tables of one label: 60·[0.3, 2.3] but for one in a million."""
    facts = randomized([item("label", ["kind"], mechanism, 1, 5)], {"kind": labels(5)})
    z, errors = [], []
    for time in range(60):
        found = one(facts, kinds(f"{mechanism} {time}"), f"{mechanism} {time}")
        shares = [float(figure.value or 0) for figure in found.shares]
        assert sum(shares) == pytest.approx(1)
        assert min(shares) >= 0
        first = found.shares[0]
        z.append(((first.raw or 0) - SHARES[0]) / (first.standard_error or 1))
        errors.append(np.abs(np.array(shares) - SHARES).mean())
    assert 0.3 < np.mean(np.square(z)) < 2.3
    assert np.mean(errors) < np.abs(SHARES - 0.2).mean() / 3


def test_methods_agree_where_all_shares_are_possible() -> None:
    facts = randomized([item("label", ["kind"], "grr", 3, 5)], {"kind": labels(5)})
    data = kinds("agree")
    both = [one(facts, data, "agree", method) for method in ("em", "inverse")]
    for a, b in zip(both[0].shares, both[1].shares, strict=True):
        assert a.value == pytest.approx(float(b.value or 0), abs=1e-3)
    assert [found.method for found in both] == ["em", "inverse"]


def test_rows_of_bits_are_inverted_whatever_was_asked() -> None:
    facts = randomized([item("label", ["kind"], "oue", 3, 5)], {"kind": labels(5)})
    assert one(facts, kinds("bits"), "bits", "em").method == "inverse"


def test_an_even_distribution_is_not_told_from_one() -> None:
    """Of 40 × 5 shares about 10 are flagged; 27 or more would be a chance of 1e-5."""
    facts = randomized([item("label", ["kind"], "grr", 1, 5)], {"kind": labels(5)})
    flagged = 0
    for time in range(40):
        data = np.random.default_rng(time).integers(0, 5, 1000)
        found = one(facts, data, f"even {time}")
        flagged += sum(figure.distinguishable for figure in found.shares)
    assert flagged < 27


def test_projection_is_the_nearest_point_of_the_simplex() -> None:
    made = np.random.default_rng(1)
    raw = made.normal(0.2, 0.4, (50, 6))
    found = projected(raw)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert found.min() >= 0
    for other in made.dirichlet(np.ones(6), 200):
        assert (((raw - found) ** 2).sum(axis=1) <= ((raw - other) ** 2).sum(axis=1) + 1e-12).all()
    np.testing.assert_allclose(projected(SHARES), SHARES)


def test_iterative_bayes_finds_the_likeliest_shares() -> None:
    law = Response(item("label", ["k"], "grr", 1, 5).exact_epsilon, 5).law()
    told = law @ np.array([0.7, 0.3, 0, 0, 0]) + np.array([0.01, 0.01, -0.02, 0, 0])
    found = fitted(told[np.newaxis], law, np.full((1, 5), 0.2))[0]
    best = told @ np.log(law @ found)
    for other in np.random.default_rng(2).dirichlet(np.ones(5), 500):
        assert told @ np.log(law @ (0.9 * found + 0.1 * other)) <= best + 1e-6


def bins(label: str, epsilon: float, count: int = 16) -> tuple[Histogram, NDArray[np.float64]]:
    x = np.clip(np.random.default_rng(list(label.encode())).normal(0, 0.4, 20_000), -1, 1)
    facts = randomized([item("bins", ["a"], "square-wave", epsilon, count)], numbers(["a"]))
    found = estimate(facts, reports(facts, {"a": x}, label), Wanted()).histograms[0]
    exact = np.bincount(np.minimum(((x + 1) / 2 * count).astype(int), count - 1)) / len(x)
    return found, exact


@pytest.mark.parametrize("epsilon", [1, 4])
def test_bins_are_near_and_covered(epsilon: float) -> None:
    """Errors hold the smoothing's bias, so more than 80 % of 20 × 16 intervals hold the truth."""
    held, ours, guess = [], [], []
    for time in range(20):
        found, exact = bins(f"bins {epsilon} {time}", epsilon)
        for figure, share in zip(found.shares, exact, strict=True):
            low, high = figure.interval95 or (0, 0)
            held.append(float(low) <= share <= float(high))
        shares = np.array([float(figure.value or 0) for figure in found.shares])
        ours.append(np.abs(shares - exact).mean())
        guess.append(np.abs(1 / 16 - exact).mean())
    assert np.mean(held) > 0.8
    assert np.mean(ours) < (0.4 if epsilon == 1 else 0.1) * np.mean(guess)


@pytest.mark.parametrize("epsilon", [1, 2])
def test_bins_with_next_to_nothing_are_covered(epsilon: float) -> None:
    """Their likeliest share is often zero, in every replicate; of 10 × about 20 intervals more than
    93 % hold the truth, where the spread of replicates alone holds some 75 %."""
    held = []
    for time in range(10):
        made = np.random.default_rng(list(f"rare {epsilon} {time}".encode()))
        x = np.where(made.random(20_000) < 0.03, made.uniform(-1, 1, 20_000), -0.2)
        x = np.clip(x + made.normal(0, 0.1, 20_000), -1, 1)
        facts = randomized([item("bins", ["a"], "square-wave", epsilon, 32)], numbers(["a"]))
        found = estimate(facts, reports(facts, {"a": x}, f"rare {time}"), Wanted()).histograms[0]
        exact = np.bincount(np.minimum(((x + 1) * 16).astype(int), 31), minlength=32) / len(x)
        for figure, share in zip(found.shares, exact, strict=True):
            low, high = figure.interval95 or (0, 0)
            held += [float(low) <= share <= float(high)] if share < 0.01 else []
    assert np.mean(held) > 0.93


def test_a_number_that_is_always_in_one_bin_has_an_error() -> None:
    facts = randomized([item("bins", ["a"], "square-wave", 5, 4)], numbers(["a"]))
    data = {"a": np.full(1000, -0.9)}
    found = estimate(facts, reports(facts, data, "one bin"), Wanted()).histograms[0]
    assert all((figure.standard_error or 0) > 1e-3 for figure in found.shares)


def test_smoothing_follows_the_noise() -> None:
    made = np.random.default_rng(9)
    rough = np.where(np.arange(32) % 2 == 0, 1.6, 0.4) / 32
    for epsilon, is_rough in ((12, True), (1, False)):
        law = SquareWave.best(item("bins", ["a"], "grr", epsilon).exact_epsilon, 32).law()
        counts = made.multinomial(200, law @ rough, size=128).astype(float)
        assert (best_smoothing(counts, law) <= 0.01) == is_rough


def test_a_mean_comes_from_bins_where_there_is_no_value() -> None:
    found, _ = bins("mean", 4)
    x = np.clip(np.random.default_rng(3).normal(0.3, 0.2, 5000), -1, 1)
    facts = randomized([item("bins", ["a"], "square-wave", 4, 32)], numbers(["a"]))
    mean = estimate(facts, reports(facts, {"a": x}, "mean"), Wanted()).means[0].mean
    assert mean.value == pytest.approx(30, abs=3)
    assert found.edges is not None
    assert (found.edges[0], found.edges[-1]) == (-100, 100)


@pytest.mark.parametrize(("count", "fitted_"), [(7, False), (32, True), (1000, True)])
def test_every_value_is_in_the_bin_that_names_it(count: int, fitted_: bool) -> None:
    domain = NumberDomain("integer", -3, 2000, 1.0, True)
    each = item("bins", ["a"], "square-wave", 1, count)
    found = Bins.of(domain, each, fitted=fitted_)
    names = found.names()
    assert len(names) == len(found.widths) <= max(128, 7)
    assert found.widths.sum() == pytest.approx(1)
    firsts = [int(name.split(" – ")[0]) for name in names]
    for value in range(-3, 2001):
        x = 2 * (value + 3) / 2003 - 1
        fine = min(int((x + 1) * (count / 2)), count - 1)
        coarse = np.searchsorted(found.starts, fine, side="right") - 1
        assert coarse == np.searchsorted(firsts, value, side="right") - 1


def table_facts(joint: bool) -> Randomized:
    domains = {"kind": labels(5), "sex": labels(2)}
    if joint:
        items = [item("labels", ["kind", "sex"], "grr", 3, 10)]
    else:
        items = [item("label", ["kind"], "grr", 3, 5), item("label", ["sex"], "oue", 3, 2)]
    return randomized(items, domains)


@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize("order", [("kind", "sex"), ("sex", "kind")])
def test_tables_are_near_in_either_order(joint: bool, order: tuple[str, str]) -> None:
    kind = kinds("table", 8000)
    sex = (np.random.default_rng(5).random(8000) < np.where(kind == 0, 0.9, 0.3)).astype(np.int64)
    facts = table_facts(joint)
    data = {"kind": kind, "sex": sex}
    found = estimate(facts, reports(facts, data, "table"), Wanted(tables=(order,))).tables[0]
    exact = np.zeros((5, 2))
    np.add.at(exact, (kind, sex), 1 / 8000)
    exact = exact if order == ("kind", "sex") else exact.T
    told = np.array([[float(f.value or 0) for f in line] for line in found.shares])
    np.testing.assert_allclose(told, exact, atol=0.04)
    assert told.sum() == pytest.approx(1)
    assert found.columns == order
    assert found.shares[0][0].distinguishable
    assert found.score is not None
    assert found.score.beats_trivial


def test_columns_without_association_are_not_told_to_have_one() -> None:
    """Of 30 × 10 cells about 15 are flagged; 36 or more would be a chance of 1e-6. Cells of one
    table depend on each other, hence the wider limit."""
    facts, flagged = table_facts(False), 0
    for time in range(30):
        sex = np.random.default_rng(time).integers(0, 2, 2000)
        data = {"kind": kinds(f"none {time}", 2000), "sex": sex}
        wanted = Wanted(tables=(("kind", "sex"),))
        found = estimate(facts, reports(facts, data, f"none {time}"), wanted).tables[0]
        flagged += sum(figure.distinguishable for line in found.shares for figure in line)
    assert flagged < 45


@pytest.mark.parametrize("statistics", [frozenset(), frozenset({"table"})])
def test_what_was_reported_in_pairs_is_a_table_without_a_word(statistics: frozenset[Any]) -> None:
    """A pair that nobody has is not known not to be there."""
    facts = table_facts(True)
    data = {"kind": np.zeros(500, np.int64), "sex": np.zeros(500, np.int64)}
    found = estimate(facts, reports(facts, data, "pairs"), Wanted(statistics)).tables
    assert [table.columns for table in found] == [("kind", "sex")]
    errors = [cell.standard_error or 0 for line in found[0].shares for cell in line]
    assert min(errors) > 1 / 500
    alone = table_facts(False)
    whole = reports(alone, data, "alone")
    assert estimate(alone, whole, Wanted()).tables == ()


def test_a_table_that_nobody_reports_is_named() -> None:
    items = [item("label", ["kind"], "grr", 3, 5), item("label", ["sex"], "grr", 3, 2)]
    facts = randomized(items, {"kind": labels(5), "sex": labels(2)}, 1)
    data = {"kind": kinds("x", 100), "sex": kinds("y", 100) % 2}
    found = estimate(facts, reports(facts, data, "x"), Wanted(tables=(("kind", "sex"),)))
    assert found.tables == ()
    assert ("table", "no_pair") in [(each.statistic, each.reason) for each in found.untold]

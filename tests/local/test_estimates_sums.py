"""One pass over the reports: the same sums however the rows are cut, and no nonsense accepted."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from sudare.facts.errors import InvalidFile
from sudare.facts.estimated import Wanted
from sudare.facts.reported import Batch
from sudare.local.estimates.channels import lay_out
from sudare.local.estimates.jackknife import GROUPS, debiased, group_of, replicates, spread
from sudare.local.estimates.sums import accumulate
from support.randomized import autoregressive, item, labels, numbers, randomized, reports

NAMES = ["a", "b", "c"]
WANTED = Wanted(tables=(("kind", "kind"),))


def sampled(asked: int | None = 2) -> tuple:
    x = autoregressive(3000, 3, 0.5, "sums")
    data = {name: x[:, i] for i, name in enumerate(NAMES)}
    data["kind"] = (x[:, 0] > 0).astype(np.int64)
    items = [item("value", [name], "piecewise", 1) for name in NAMES]
    items.append(item("label", ["kind"], "oue", 1, 3))
    facts = randomized(items, {**numbers(NAMES), "kind": labels(3)}, asked)
    return facts, reports(facts, data, "sums")


@pytest.mark.parametrize("asked", [2, None])
def test_pieces_make_no_difference(asked: int | None) -> None:
    facts, whole = sampled(asked)
    layout = lay_out(facts, WANTED)
    cut = [0, 1, 700, 701, 3000]
    pieces = [_piece(whole[0], *ends) for ends in pairwise(cut)]
    one, many = accumulate(layout, whole), accumulate(layout, pieces)
    assert one.products is not None
    assert many.products is not None
    for name, sums in one.scores.items():
        np.testing.assert_allclose(sums, many.scores[name], atol=1e-9)
    np.testing.assert_allclose(one.products.products, many.products.products, atol=1e-8)
    np.testing.assert_allclose(one.products.both, many.products.both)
    np.testing.assert_allclose(one.products.beside, many.products.beside, atol=1e-9)


def _piece(batch: Batch, start: int, stop: int) -> Batch:
    found = {}
    for name, (positions, told) in batch.reports.items():
        if positions is None:
            found[name] = None, told[start:stop]
        else:
            inside = (positions >= start) & (positions < stop)
            found[name] = positions[inside] - start, told[inside]
    return Batch(stop - start, found)


def test_products_are_those_of_people_who_report_both() -> None:
    facts, whole = sampled()
    layout = lay_out(facts, WANTED)
    sums = accumulate(layout, whole)
    scores, there = np.zeros((3000, 3)), np.zeros((3000, 3), bool)
    for i, name in enumerate(NAMES):
        positions, told = whole[0].reports[f"value {name}"]
        scores[positions, i] = layout.singles[2 * i].read(told)
        there[positions, i] = True
    both = there[:, 0] & there[:, 1]
    assert sums.products is not None
    mean, first, second = sums.products.between(("value a",), ("value b",))
    assert mean[0, 0, 0] == pytest.approx((scores[both, 0] * scores[both, 1]).mean())
    assert first[0, 0] == pytest.approx(scores[both, 0].mean())
    assert second[0, 0] == pytest.approx(scores[both, 1].mean())
    assert both.sum() < there[:, 0].sum()


def test_progress_counts_rows() -> None:
    facts, whole = sampled()
    seen: list[int] = []
    accumulate(lay_out(facts, WANTED), [*whole, *whole], seen.append)
    assert seen == [3000, 6000]


@pytest.mark.parametrize("broken", [9999, -1])
def test_a_report_that_no_mechanism_makes_is_refused(broken: int) -> None:
    facts, whole = sampled(None)
    told = whole[0].reports["value a"][1].astype(np.int64)
    told[17] = broken
    bad = Batch(3000, {**whole[0].reports, "value a": (None, told)})
    with pytest.raises(InvalidFile, match="do not fit"):
        accumulate(lay_out(facts, WANTED), [bad])


def test_an_item_with_the_wrong_mechanism_is_refused() -> None:
    facts, _ = sampled()
    wrong = replace(facts.items[0], mechanism="grr", parameters={"values": 4})
    with pytest.raises(InvalidFile, match="does not fit"):
        lay_out(replace(facts, items=(wrong, *facts.items[1:])), WANTED)


def test_groups_are_even_and_have_no_pattern() -> None:
    found = group_of(0, 128_000)
    counts = np.bincount(found, minlength=GROUPS)
    # χ² with 127 degrees of freedom: below 210 but for one hash in 200,000.
    assert ((counts - 1000) ** 2 / 1000).sum() < 210
    np.testing.assert_array_equal(found[1000:], group_of(1000, 127_000))
    assert abs(np.corrcoef(found[:-1], found[1:])[0, 1]) < 0.02


def test_the_jackknife_is_the_textbook_error_of_a_mean() -> None:
    made = np.random.default_rng(5).standard_normal(GROUPS * 50)
    sums, counts = made.reshape(GROUPS, 50).sum(axis=1), np.full(GROUPS, 50.0)
    found = spread(replicates(sums) / replicates(counts))
    groups = made.reshape(GROUPS, 50).mean(axis=1)
    assert found == pytest.approx(groups.std(ddof=1) / np.sqrt(GROUPS), rel=0.01)


def test_the_bias_of_a_square_is_removed() -> None:
    values = np.random.default_rng(6).standard_normal(GROUPS)
    means = replicates(values) / replicates(np.ones(GROUPS))
    exact = values.mean() ** 2 - values.var(ddof=1) / GROUPS
    assert debiased(means**2) == pytest.approx(exact, abs=1e-3)

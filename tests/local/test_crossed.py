"""Reports for synthesis: blocks, their bins, which way is taken, and what the reports tell."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from local.test_ways import MIXED, schema
from sudare.facts.errors import InvalidPlan
from sudare.facts.estimated import Wanted
from sudare.facts.local_plan import LocalPlan, read_statistics, read_wishes
from sudare.facts.randomized import Item, LabelDomain, NumberDomain, Randomized
from sudare.facts.reported import Batch
from sudare.local.blocks import bin_starts, bins_of, sizes_in
from sudare.local.compile import LocalJob, compile_local, row_epsilon
from sudare.local.crossed import design
from sudare.local.estimates.channels import lay_out
from sudare.local.estimates.crossed import noise_of, told_column, told_table
from sudare.local.estimates.sums import Sums, accumulate
from sudare.local.randomizer import Randomizer
from support.bits import CountedBits

SPIKED = NumberDomain("integer", 0, 100, 1.0, True)
ROWS = 40_000


def job(epsilon: int, **wished: object) -> LocalJob:
    plan = LocalPlan(Fraction(epsilon), statistics=("synthesis",), **wished)  # type: ignore[arg-type]
    return compile_local(plan, schema(MIXED))


@pytest.mark.parametrize("most", [0, 60, 400, 4096])
def test_every_pair_is_in_a_block(most: float) -> None:
    sizes = {f"c{i}": size for i, size in enumerate((2, 3, 16, 42, 5, 8, 2, 7))}
    blocks = design(sizes, most)
    for pair in combinations(sizes, 2):
        assert any(set(pair) <= set(block) for block in blocks)
    for block in blocks:
        assert len(block) == 2 or np.prod([sizes[name] for name in block]) <= most
    assert len(design(sizes, 0)) == 28 >= len(blocks)


def test_the_lowest_value_has_a_bin_of_its_own() -> None:
    starts = bin_starts(SPIKED, 6)
    assert starts == (0, 1, 21, 41, 61, 81)
    indices = np.arange(101)
    found = bins_of(np.asarray(indices / 50 - 1, np.float64), SPIKED, 6)
    assert found.tolist() == (np.searchsorted(starts, indices, "right") - 1).tolist()


def test_few_values_have_a_bin_each() -> None:
    domain = NumberDomain("integer", 1, 8, 1.0, True)
    assert bin_starts(domain, 8) == tuple(range(1, 9))
    assert bins_of(np.arange(8) * (2 / 7) - 1, domain, 8).tolist() == list(range(8))


def test_sizes_follow_from_the_number_of_joint_labels() -> None:
    domains = {
        "a": SPIKED,
        "b": NumberDomain("integer", 0, 4, 1.0, True),
        "c": LabelDomain(("x", "y")),
    }
    for bins in (2, 4, 5, 11):
        sizes = (bins, 5, 2)
        item = Item("i", "labels", ("a", "b", "c"), "grr", "1", {"values": int(np.prod(sizes))})
        facts = Randomized("t", 1.0, 1, (item,), domains, True)  # type: ignore[arg-type]
        assert sizes_in(facts, item) == sizes
    odd = Item("i", "labels", ("a", "b", "c"), "grr", "1", {"values": 7})
    assert sizes_in(facts, odd) is None


@pytest.mark.parametrize("epsilon", [1, 4, 8, 16, 30])
def test_a_row_costs_the_plan_and_tells_every_pair(epsilon: int) -> None:
    found = job(epsilon)
    assert row_epsilon(found.facts) == epsilon
    names = list(found.facts.domains)
    if found.facts.asked == 1:
        held = [set(item.columns) for item in found.facts.items]
        assert all(any(set(pair) <= each for each in held) for pair in combinations(names, 2))
    else:
        assert {item.columns[0] for item in found.facts.items} == set(names)


def test_blocks_at_a_moderate_epsilon_and_singles_at_a_large_one() -> None:
    assert job(8).way.budget == "statistic"
    assert job(30).way.budget != "statistic"
    assert job(8, budget="split").facts.asked == 4


def test_it_stands_alone() -> None:
    with pytest.raises(InvalidPlan, match="serve nothing else"):
        read_statistics("synthesis,mean")
    with pytest.raises(InvalidPlan, match="their own mechanisms"):
        job(8, wishes=read_wishes(["piecewise"]))
    with pytest.raises(InvalidPlan, match="not more columns"):
        job(8, report=4)


def told(found: LocalJob, columns: dict[str, np.ndarray]) -> Sums:
    reports = Randomizer(found.facts, lambda: CountedBits("crossed"))(
        {name: (values, None) for name, values in columns.items()}, ROWS
    )
    pairs = tuple(combinations(columns, 2))
    layout = lay_out(found.facts, Wanted(frozenset({"histogram"}), tables=pairs))
    return accumulate(layout, [Batch(ROWS, reports)])


@pytest.mark.parametrize("epsilon", [6, 30])
def test_tables_are_unbiased_and_their_noise_is_known(epsilon: int) -> None:
    """Six standard deviations of any cell: a false alarm in fewer than one in a million."""
    made = np.random.default_rng(5)
    age = made.integers(0, 101, ROWS)
    columns = {
        "age": age,
        "born": made.integers(-18_262, 18_263, ROWS),
        "sex": (age > made.integers(0, 101, ROWS)).astype(np.int64),
        "県": made.integers(0, 47, ROWS),
    }
    found = job(epsilon)
    sums = told(found, columns)
    table = told_table(found.facts, sums, "age", "sex")
    shown = told_column(found.facts, sums, "age")
    assert table is not None
    assert shown is not None
    bins = np.searchsorted(shown.starts, age, "right") - 1
    truth = np.zeros(table.shape[1:])
    np.add.at(truth, (bins, columns["sex"]), 1 / ROWS)
    noise = noise_of(table)
    assert np.abs(table[0] - truth).max() < 6 * noise * np.sqrt(truth.size)
    assert np.sqrt(np.mean((table[0] - truth) ** 2)) < 2 * noise
    assert np.abs(shown.shares - truth.sum(axis=1)).max() < 6 * shown.errors.max()
    turned = told_table(found.facts, sums, "sex", "age")
    assert turned is not None
    assert turned[0] == pytest.approx(table[0].T)

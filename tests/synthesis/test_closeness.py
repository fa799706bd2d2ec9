"""Small tables where it is known who is given away, each beside a twin where nobody is."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sudare.facts.closeness import Closeness, Place
from sudare.facts.statistics import Marginal, Statistics
from sudare.report.closeness import parts
from sudare.report.records_risk import lines
from sudare.synthesis.closeness import closeness
from support.exact_statistics import exact_statistics


def pairs(counts: dict[tuple[str, str], int], **how: Any) -> Closeness:
    """A table of two categories by the number of people in every cell."""
    people = [cell for cell, many in counts.items() for _ in range(many)]
    left, right = (list(each) for each in zip(*people, strict=True))
    return closeness(exact_statistics({"job": left, "ill": right}, {}), **how)


def verdicts(found: Closeness) -> dict[str, str]:
    return {each.kind: each.verdict for each in found.findings if each.verdict != "fine"}


SAFE = {("a", "no"): 40, ("a", "yes"): 20, ("b", "no"): 30, ("b", "yes"): 10}


def test_a_table_of_large_cells_is_fine() -> None:
    found = pairs(SAFE)
    assert (found.verdict, verdicts(found)) == ("fine", {})
    assert (found.rows, found.columns, found.minimum) == (100, 2, 10)


def test_a_small_cell_and_its_merged_twin() -> None:
    # The third job has seven people, six of them well: one alone with the illness.
    found = pairs({**SAFE, ("c", "no"): 6, ("c", "yes"): 1})
    assert verdicts(found) == {"small_bins": "look", "small_cells": "look", "alone": "high"}
    assert found.finding("small_bins").places == (Place(("job",), 1),)
    assert found.finding("small_cells").found == 2
    assert found.finding("alone").places == (Place(("job", "ill"), 1),)
    assert found.verdict == "high"
    merged = pairs({**SAFE, ("b", "no"): 36, ("b", "yes"): 11})
    assert merged.verdict == "fine"


def test_the_minimum_itself_is_not_small() -> None:
    assert pairs({**SAFE, ("b", "yes"): 10}).verdict == "fine"
    assert pairs({**SAFE, ("b", "yes"): 9}).finding("small_cells").found == 1
    assert pairs({**SAFE, ("b", "yes"): 9}, minimum=5).verdict == "fine"


def test_a_small_group_that_is_all_of_one_kind() -> None:
    found = pairs({**SAFE, ("c", "yes"): 4})
    assert verdicts(found)["groups"] == "high"
    assert found.finding("groups").places == (Place(("job", "ill"), 1),)
    # Divided, nobody's illness follows; above the minimum it is a rule of the world.
    assert "groups" not in verdicts(pairs({**SAFE, ("c", "yes"): 2, ("c", "no"): 2}))
    assert "groups" not in verdicts(pairs({**SAFE, ("c", "yes"): 10}))


def test_a_constant_column_gives_no_group_away() -> None:
    found = pairs({("a", "no"): 40, ("b", "no"): 4})
    assert found.finding("groups").found == 0
    assert found.finding("constants").places == (Place(("ill",), 1),)
    assert found.finding("constants").verdict == "look"


def lone(counts: list[float], starts: tuple[int, ...], high: int, **more: Any) -> Closeness:
    marginal = Marginal(
        "pay", "integer", np.array(counts), np.arange(len(counts)), starts=starts, high=high, **more
    )
    return closeness(Statistics("t", "exact", sum(counts), (marginal,), {}))


def test_the_value_of_one_person_in_a_histogram() -> None:
    narrow = lone([50, 1, 49], (0, 40, 41), 100)
    assert narrow.finding("values").verdict == "high"
    assert lone([50, 1, 49], (0, 40, 60), 100).finding("values").verdict == "fine"
    means = np.array([20.0, 47.0, 80.0])
    assert lone([50, 1, 49], (0, 40, 60), 100, means=means).finding("values").found == 1
    assert lone([50, 2, 48], (0, 40, 60), 100, means=means).finding("values").found == 0


def test_extreme_values() -> None:
    assert verdicts(lone([50, 49, 1], (0, 40, 100), 100))["extremes"] == "high"
    assert verdicts(lone([50, 46, 4], (0, 40, 100), 100))["extremes"] == "look"
    assert "extremes" not in verdicts(lone([50, 46, 4], (0, 40, 90), 100))
    assert "extremes" not in verdicts(lone([50, 40, 10], (0, 40, 100), 100))
    # The last bin is empty, so the greatest value is that of the bin before.
    assert verdicts(lone([96, 4, 0], (0, 40, 41), 100))["extremes"] == "look"
    # Four people whose mean is the last value of their bin all have it.
    ends = np.array([20.0, 60.0, 100.0])
    assert verdicts(lone([50, 46, 4], (0, 40, 90), 100, means=ends))["extremes"] == "look"
    inside = np.array([20.0, 60.0, 95.0])
    assert "extremes" not in verdicts(lone([50, 46, 4], (0, 40, 90), 100, means=inside))


@pytest.mark.parametrize(("few", "verdict"), [(1, "high"), (2, "look"), (9, "look"), (10, None)])
def test_sums_over_few_people(few: int, verdict: str | None) -> None:
    home = ["a"] * 50 + ["b"] * few
    pay = [float(v % 50) for v in range(len(home))]
    given = exact_statistics({"pay": pay, "home": home}, {"pay": ((0,), 49)}, with_tables=False)
    found = closeness(given)
    assert verdicts(found).get("sums") == verdict
    assert found.finding("sums").places == ((Place(("pay", "home"), 1),) if verdict else ())


def many(rows: int, columns: int, levels: int) -> Statistics:
    draw = np.random.default_rng(3)
    values = {f"c{k}": [f"l{v}" for v in draw.permutation(rows) % levels] for k in range(columns)}
    return exact_statistics(values, {})


def test_independent_numbers_are_counted() -> None:
    found = closeness(many(400, 4, 3)).equations
    assert (found.histograms, found.tables, found.moments, found.sums) == (8, 24, 0, 0)
    assert (found.published, found.unknowns, found.rows) == (32, 1600, 400)
    assert found.against_equations == 7


def test_numbers_that_follow_from_others_are_not_counted() -> None:
    pay, age = [1.0, 2, 3, 9] * 20, [5.0, 6, 6, 7] * 20
    bins: dict[str, Any] = {"pay": ((0, 5), 10), "age": ((5, 6, 7), 7)}
    columns: dict[str, Any] = {"pay": pay, "age": age, "sex": ["f", "m"] * 40}
    found = closeness(exact_statistics(columns, bins, with_tables=False)).equations
    # The histogram of ages fixes their mean and variance, that of pay neither; one covariance.
    assert (found.histograms, found.moments, found.sums) == (1 + 2 + 1, 3, 2)
    means = closeness(exact_statistics(columns, bins, with_means=True, with_tables=False))
    assert (means.equations.histograms, means.equations.moments) == (1 + 2 + 1 + 2, 2)


def test_as_many_equations_as_unknowns() -> None:
    # 30 columns of 4 levels: 29·3 + 1 equations for whoever knows the other columns.
    assert closeness(many(88, 30, 4)).finding("equations").verdict == "high"
    assert closeness(many(200, 30, 4)).finding("equations").verdict == "look"
    assert closeness(many(3000, 30, 4)).finding("equations").verdict == "look"
    assert closeness(many(4000, 30, 4)).finding("equations").verdict == "fine"


def test_so_many_equations_do_give_the_column_back() -> None:
    """What the verdict "high" stands for, carried out: a secret column from published counts."""
    draw = np.random.default_rng(8)
    secret = draw.integers(0, 2, 60)
    known = {f"c{k}": draw.integers(0, 4, 60) for k in range(30)}
    columns: dict[str, Any] = {"secret": [str(v) for v in secret]}
    columns |= {name: [str(v) for v in values] for name, values in known.items()}
    given = exact_statistics(columns, {})
    assert closeness(given).finding("equations").verdict == "high"
    matrix, counts = [], []
    for name, values in known.items():
        table = given.crosses["secret", name]
        matrix += [values == level for level in range(4)]
        counts += table[1].tolist()
    guess = np.linalg.lstsq(np.array(matrix, dtype=float), np.array(counts), rcond=None)[0]
    assert np.array_equal(np.rint(guess), secret)


def test_the_result_is_json_without_values_and_offers_the_private_route() -> None:
    found = pairs({**SAFE, ("c", "no"): 6, ("c", "yes"): 1})
    told = json.loads(json.dumps(found.to_dict()))
    assert told["verdict"] == "high"
    assert told["private"] == "--epsilon 1"
    assert told["equations"]["published"] == found.equations.published
    english, japanese = ("\n".join(lines(parts(found), each)) for each in ("en", "ja"))
    assert "[high] Cells of two-way tables with one person alone: 1." in english
    assert "job × ill (1)" in english
    assert "--epsilon 1" in english
    assert "--epsilon 1" in japanese
    assert "［高い］二元表で一人だけのセル：1 個。" in japanese
    assert "--epsilon" not in "\n".join(lines(parts(pairs(SAFE)), "en"))


def test_noise_is_judged_by_its_epsilon() -> None:
    given = replace(many(100, 2, 2), origin="private")
    with pytest.raises(ValueError, match="exact"):
        closeness(given)

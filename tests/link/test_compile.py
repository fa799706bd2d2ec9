"""What parties report for a join, and that the joined file tells what lies between them."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.engines.reports import ReportWriter, as_batch
from sudare.facts.errors import InvalidPlan
from sudare.facts.estimated import Wanted
from sudare.facts.relation import Relation
from sudare.facts.reported import Column, Reports
from sudare.link.compile import LinkJob, compile_link
from sudare.link.pk import reached, retentions
from sudare.local.randomizer import Randomizer
from sudare.publish.estimate import estimate_file
from sudare.publish.randomized_statistics import randomized_statistics
from support.bits import CountedBits
from support.link_plans import NUMBER, label, party, plan, schema

ROWS = 40_000
SCHEMAS = {
    "病院": schema("病院", {"年齢": NUMBER, "血圧": NUMBER, "体重": NUMBER}, public_rows=ROWS),
    "商店": schema("商店", {"支出": NUMBER, "年齢": NUMBER, "会員": label("金", "銀")}),
    "役所": schema("役所", {"所得": NUMBER, "区": {"type": "category", "values": ["北", "南"]}}),
}
HOSPITAL = party("病院", "年齢", "血圧", "体重")
SHOP = party("商店", "支出", "会員")
OFFICE = party("役所", "所得", "区")


def job(*parties: str, top: str = "epsilon = 6", more: str = "") -> LinkJob:
    return compile_link(plan(*parties, schemas=SCHEMAS, top=top, more=more))


def test_a_party_of_numbers_reports_cells_and_a_mixed_one_reports_columns() -> None:
    found = job(HOSPITAL, SHOP)
    one, two = found.party_facts("病院"), found.party_facts("商店")
    assert ({item.kind for item in one.items}, one.asked) == ({"cell"}, 1)
    assert ({item.kind for item in two.items}, two.asked) == ({"value", "label"}, 2)
    assert found.epsilons() == {"病院": Fraction(18, 5), "商店": Fraction(12, 5)}


def test_a_party_with_a_central_release_reports_one_column_at_the_whole_epsilon() -> None:
    central = party("病院", "年齢", "血圧", "体重", more="central = 1")
    facts = job(central, SHOP).party_facts("病院")
    assert (facts.asked, len(facts.items)) == (1, 3)
    assert {item.epsilon for item in facts.items} == {"18/5"}


def test_costs_are_the_parties_own() -> None:
    found = job(HOSPITAL, SHOP)
    cost = found.cost("商店")
    assert (cost.epsilon_nano, cost.delta_atto, cost.relation) == (
        2_400_000_000, 0, Relation.REPLACE_ONE
    )  # fmt: skip
    with pytest.raises(InvalidPlan, match="not a party"):
        found.cost("役場")


def test_names_are_qualified_where_two_parties_share_them() -> None:
    found = job(party("病院", "年齢", "血圧"), party("商店", "年齢", "支出"))
    facts = found.joined_facts()
    assert list(facts.domains) == ["病院.年齢", "血圧", "商店.年齢", "支出"]
    assert [item.name for item in facts.items] == ["病院.年齢+血圧", "商店.年齢+支出"]
    assert found.item_names("商店") == {"年齢+支出": "商店.年齢+支出"}
    assert found.party_facts("商店").items[0].columns == ("年齢", "支出")


def test_facts_of_a_class_are_those_of_its_members() -> None:
    found = job(HOSPITAL, SHOP, OFFICE)
    some = found.joined_facts(("役所", "商店"))
    assert list(some.domains) == ["支出", "会員", "所得", "区"]
    assert some.asked == sum(found.party_facts(name).asked for name in ("商店", "役所"))
    assert some.epsilon == float(found.epsilons()["商店"] + found.epsilons()["役所"])


def test_dummies_are_expected_in_every_class() -> None:
    more = "[dummies]\nepsilon = 1\ndelta = 1e-6"
    assert job(HOSPITAL, SHOP, more=more).joined_facts().dummies == 27.0
    assert job(HOSPITAL, SHOP).joined_facts().dummies == 0.0


def test_what_cannot_be_reported_is_refused() -> None:
    with pytest.raises(InvalidPlan, match="no records"):
        job(HOSPITAL, SHOP, top='epsilon = 1\njob = "secure"', more='[helper]\nname = "商店"')
    twice = {**SCHEMAS, "商店": schema("商店", {"血圧²": NUMBER, "年齢": NUMBER})}
    with pytest.raises(InvalidPlan, match="one name"):
        compile_link(
            plan(
                party("病院", "血圧", more='mechanisms = ["two-point"]'),
                party("商店", "血圧²", more='mechanisms = ["piecewise"]'),
                schemas=twice,
            )
        )
    open_table = {**SCHEMAS, "商店": schema("商店", {"支出": NUMBER}, neighbours="add-remove")}
    with pytest.raises(InvalidPlan, match="add-remove"):
        compile_link(plan(HOSPITAL, party("商店", "支出"), schemas=open_table))


def people(rows: int = ROWS) -> dict[str, NDArray[np.int64]]:
    """Numbers that follow one another, labels that follow them."""
    made = np.random.default_rng(11)
    first = made.standard_normal(rows)
    found = {}
    for name in ("年齢", "支出", "血圧", "所得", "体重"):
        found[name] = np.clip(500 + 170 * first, 0, 1000).round().astype(np.int64)
        first = 0.8 * first + 0.6 * made.standard_normal(rows)
    found["会員"] = (found["年齢"] > 550).astype(np.int64)
    found["区"] = np.where(made.random(rows) < 0.9, found["会員"], made.integers(0, 2, rows))
    return found


def written(found: LinkJob, path: Path) -> Path:
    """A joined file in which all parties hold everybody."""
    reports: Reports = {}
    for name in found.plan.names:
        facts, names = found.party_facts(name), found.item_names(name)
        columns: dict[str, Column] = {c: (people()[c], None) for c in facts.domains}
        drawn = Randomizer(facts, partial(CountedBits, name))(columns, ROWS)
        reports |= {names[item]: told for item, told in drawn.items()}
    batch = as_batch(reports, ROWS)
    with ReportWriter(path, found.joined_facts(), batch.schema) as writer:
        writer.write(batch)
    return path


WANTED = Wanted(
    frozenset({"mean", "covariance", "correlation", "histogram", "logistic"}),
    "区",
    (("会員", "区"),),
)


def test_the_joined_file_tells_everything_across_parties(tmp_path: Path) -> None:
    path = written(job(HOSPITAL, SHOP, OFFICE, top="epsilon = 14"), tmp_path / "joined.parquet")
    found, truth = estimate_file(path, WANTED), people()
    assert found.covariance is not None
    assert found.correlation is not None
    names = found.covariance.columns
    assert names == ("年齢", "血圧", "体重", "支出", "所得")
    exact = np.cov([truth[name] for name in names])
    for i, j in itertools.product(range(5), repeat=2):
        each = found.covariance.entries[i][j]
        assert each.raw is not None
        assert each.standard_error is not None
        assert abs(each.raw - exact[i, j]) < 5.5 * each.standard_error
        # The same figure without the join, zero, is far away.
        assert i == j or each.raw > 5.5 * each.standard_error
    cell = found.tables[0].shares[1][1]
    assert cell.raw is not None
    assert cell.standard_error is not None
    both = float((truth["会員"] & truth["区"]).mean())
    assert abs(cell.raw - both) < 5.5 * cell.standard_error
    assert cell.distinguishable
    assert {model.kind for model in found.models} >= {"logistic"}
    assert set(found.models[0].columns) == set(names)


def test_synthesis_reads_the_joined_file(tmp_path: Path) -> None:
    path = written(job(HOSPITAL, SHOP, OFFICE, top="epsilon = 14"), tmp_path / "joined.parquet")
    found, truth = randomized_statistics(path), people()
    assert [each.name for each in found.marginals] == [
        "年齢",
        "血圧",
        "体重",
        "支出",
        "会員",
        "所得",
        "区",
    ]
    assert found.moments is not None
    assert found.moments.known.all()
    # A number of one party, in cells, within the labels of another.
    sums = found.shifts["年齢", "区"]
    error = found.errors["年齢", "区"]
    exact = [truth["年齢"][truth["区"] == code].sum() for code in range(2)]
    assert np.abs(sums[:2] - exact).max() < 8 * error
    even = truth["年齢"].mean() * (truth["区"] == 0).sum()
    assert abs(sums[0] - even) > 20 * error
    assert ("会員", "区") in found.crosses


def test_reports_for_synthesis_tell_tables_of_all_pairs(tmp_path: Path) -> None:
    top = 'epsilon = 14\nstatistics = "synthesis"'
    found = randomized_statistics(
        written(job(HOSPITAL, SHOP, OFFICE, top=top), tmp_path / "j.parquet")
    )
    assert len(found.crosses) == 7 * 6 // 2


PK = 'job = "pk"\nk = 10'


def test_pk_gives_every_attribute_the_same_epsilon_from_k_and_n() -> None:
    found = job(HOSPITAL, SHOP, top=PK)
    each = math.log((ROWS - 1) / 9) / 2 / 5
    epsilons = {item.exact_epsilon for item in found.joined_facts().items}
    assert len(epsilons) == 1
    assert 0 <= each - float(epsilons.pop()) < 1e-9
    told = retentions(found.party_facts("商店"))
    assert told["会員"]["values"] == 3
    grown = math.exp(each)
    assert told["会員"]["retention"] == pytest.approx((grown - 1) / (grown + 2), rel=1e-8)
    assert told["支出"]["values"] == 6


def test_pk_after_the_join_is_that_of_the_sizes() -> None:
    found = job(HOSPITAL, SHOP, top=PK)
    both, alone = frozenset({"病院", "商店"}), frozenset({"商店"})
    shown = reached(10, found.epsilons(), {both: ROWS, alone: 3, frozenset({"病院"}): 0})
    assert [each["n"] for each in shown] == [ROWS, 3]
    assert shown[0]["k"] == pytest.approx(10, rel=1e-6)
    assert shown[0]["kept"]
    assert not shown[1]["kept"]
    assert not reached(10, found.epsilons(), {both: int(0.95 * ROWS)})[0]["kept"]


def test_pk_needs_to_know_how_many() -> None:
    with pytest.raises(InvalidPlan, match="how many people"):
        compile_link(plan(SHOP, OFFICE, schemas=SCHEMAS, top=PK))
    with pytest.raises(InvalidPlan, match="below the number"):
        compile_link(plan(SHOP, OFFICE, schemas=SCHEMAS, top=PK + "\njoined_rows = 10"))


def attacked(rows: tuple[Any, ...], chances: list[NDArray[np.float64]]) -> float:
    """The greatest probability with which somebody who knows all records names one of a person's,
    over all publications."""
    cells = list(itertools.product(*(range(len(each)) for each in chances)))
    chance = np.array(
        [[math.prod(t[x, y] for t, x, y in zip(chances, row, cell, strict=True)) for cell in cells]
         for row in rows]
    )  # fmt: skip
    orders = list(itertools.permutations(range(len(rows))))
    greatest = 0.0
    for seen in itertools.combinations_with_replacement(range(len(cells)), len(rows)):
        likely = [math.prod(chance[i, seen[place]] for i, place in enumerate(o)) for o in orders]
        for place in range(len(rows)):
            own = sum(like for like, order in zip(likely, orders, strict=True) if order[0] == place)
            greatest = max(greatest, own / sum(likely))
    return greatest


@pytest.mark.parametrize("k", [1.5, 2.0])
def test_pk_is_the_attackers_best_chance_by_brute_force(k: float) -> None:
    """Three people, two attributes of two values, one a party's each: some data reach 1/k, none
    goes beyond, and an ε that is 5 % larger goes beyond."""

    def worst(factor: float) -> float:
        each = factor * math.log((3 - 1) / (k - 1)) / 2 / 2
        kept = math.exp(each) / (math.exp(each) + 1)
        chances = [np.array([[kept, 1 - kept], [1 - kept, kept]])] * 2
        values = list(itertools.product(range(2), repeat=2))
        return max(attacked(rows, chances) for rows in itertools.product(values, repeat=3))

    assert worst(1.0) == pytest.approx(1 / k, rel=1e-9)
    assert worst(1.05) > 1 / k * (1 + 1e-3)


def test_pk_reports_are_reconstructed(tmp_path: Path) -> None:
    found = job(HOSPITAL, SHOP, OFFICE, top='job = "pk"\nk = 2\njoined_rows = 40000000')
    path = written(found, tmp_path / "pk.parquet")
    told, truth = estimate_file(path, WANTED), people()
    share = next(each for each in told.histograms if each.column == "会員").shares[1]
    assert share.raw is not None
    assert share.standard_error is not None
    assert abs(share.raw - truth["会員"].mean()) < 5.5 * share.standard_error
    cell = told.tables[0].shares[1][1]
    assert cell.raw is not None
    assert cell.standard_error is not None
    assert abs(cell.raw - float((truth["会員"] & truth["区"]).mean())) < 5.5 * cell.standard_error
    assert "年齢" in {mean.column for mean in told.means}

"""Lights: each limit from both sides, and what is not measured is grey."""

from __future__ import annotations

from dataclasses import replace

import pytest

from risk.compare.people import people
from sudare.facts.compared import (
    Attack,
    Attacks,
    Discriminator,
    Estimate,
    Learning,
    Membership,
    Nearest,
    Regression,
    Score,
    Verdict,
)
from sudare.risk.compare.measures import compare_measures
from sudare.risk.compare.verdicts import light, verdicts

NONE, SURE = Estimate(0.0, 0.0, 0.01), Estimate(0.8, 0.75, 0.85)
MEASURES = compare_measures(people(50), people(50))
TOLD = Discriminator(50, 3, 0.0, 0.0, Estimate(0.5, 0.4, 0.6), Estimate(0.5, 0.4, 0.6))
FITTED = Regression("linear", "age", None, (50, 50), (), 0, 1.0, 1.0)
LEARNT = Learning("age", (30, 30), 20, False, (Score("r2", SURE, SURE, 0.0),))
NEAR = Nearest((50, 50), 50, 0.0, NONE, NONE, (0.1, 0.1), (0.2, 0.2), 1.0)
ATTACK = Attack("linkage", None, 50, NONE, NONE, None, NONE)
ATTACKS = Attacks("other_rows", 50, None, ATTACK, (replace(ATTACK, kind="inference", column="a"),))


def lights(**changed: object) -> dict[str, str]:
    given = {
        "measures": MEASURES, "outside": {}, "told": TOLD, "regression": FITTED,
        "learning": LEARNT, "nearest": NEAR, "attacks": ATTACKS,
    }  # fmt: skip
    found: tuple[Verdict, ...] = verdicts(**(given | changed))  # type: ignore[arg-type]
    return {each.topic: each.light for each in found}


def test_the_same_rows_are_good() -> None:
    found = lights()
    assert found.pop("membership") == "grey"
    assert set(found.values()) == {"green"}
    assert list(found)[:4] == ["single", "moments", "pairs", "ranks"]


@pytest.mark.parametrize(("value", "shade"), [(0.1, "green"), (0.15, "amber"), (0.3, "red")])
def test_limits(value: float, shade: str) -> None:
    assert light(value, (0.1, 0.2)) == shade


def test_each_topic_can_turn() -> None:
    crosses = replace(MEASURES.crosses, one_way_tv=0.04, two_way_tv=0.2)
    moments = replace(MEASURES.moments, max_cov_scaled=0.3)
    ranks = replace(MEASURES.ranks, ave_spearman=0.03)
    off = lights(measures=replace(MEASURES, crosses=crosses, moments=moments, ranks=ranks))
    assert [off[each] for each in ("single", "moments", "pairs", "ranks")] == [
        "amber", "red", "red", "amber"
    ]  # fmt: skip
    assert lights(outside={"age": 1})["outside"] == "red"
    assert lights(told=replace(TOLD, auc_boosting=Estimate(0.7, 0.6, 0.8)))["telling"] == "amber"
    assert lights(regression=replace(FITTED, mean_overlap=0.1))["regression"] == "red"
    worse = Score("r2", Estimate(0.5, 0.4, 0.6), Estimate(0.47, 0.4, 0.6), 0.0)
    assert lights(learning=replace(LEARNT, scores=(worse,)))["learning"] == "amber"
    assert "learning" not in lights(learning=None)
    assert "regression" not in lights(regression=None)


def test_copies_are_red() -> None:
    many = Estimate(0.5, 0.4, 0.6)
    assert lights(nearest=replace(NEAR, identical_nearby=many))["nearest"] == "red"
    few = Estimate(0.03, 0.02, 0.04)
    assert lights(nearest=replace(NEAR, identical_nearby=few))["nearest"] == "amber"
    assert lights(nearest=replace(NEAR, ratio=0.7))["nearest"] == "amber"
    assert lights(nearest=replace(NEAR, ratio=None))["nearest"] == "grey"
    assert lights(nearest=replace(NEAR, ratio=0.1))["nearest"] == "red"


def test_attacks() -> None:
    member = Membership((50, 50), Estimate(0.7, 0.65, 0.75), 0.1, 0.3)
    sure = replace(ATTACK, risk=Estimate(0.1, 0.05, 0.2))
    worst = replace(ATTACK, column="b", risk=Estimate(0.5, 0.4, 0.6))
    found = lights(
        attacks=replace(
            ATTACKS, membership=member, linkage=sure, inference=(*ATTACKS.inference, worst)
        )
    )
    assert (found["membership"], found["linkage"], found["inference"]) == ("red", "amber", "red")
    # A high figure with an interval down to nothing is not yet a finding.
    unsure = replace(ATTACK, risk=Estimate(0.3, 0.0, 0.6))
    assert lights(attacks=replace(ATTACKS, linkage=unsure))["linkage"] == "green"


def test_no_verdict_where_nothing_was_measured() -> None:
    """One shared column: there is no pair, no rank correlation and no attack, so none is good."""
    one = compare_measures(people(50).only(["age"]), people(50).only(["age"]))
    nothing = replace(ATTACKS, linkage=None, inference=())
    found = lights(measures=one, attacks=nothing)
    grey = {topic for topic, light in found.items() if light == "grey"}
    assert grey == {"pairs", "ranks", "membership", "linkage", "inference"}
    labels = people(50)
    named = [each.name for each in labels.columns if each.type == "category"]
    only = lights(measures=compare_measures(labels.only(named), labels.only(named)))
    assert only["moments"] == only["outside"] == "grey"


@pytest.mark.parametrize(
    ("area", "shade"),
    [
        ((0.50, 0.48, 0.52), "green"),
        ((0.32, 0.29, 0.35), "red"),  # a model that is misled by near copies
        ((0.41, 0.38, 0.44), "green"),
        ((0.38, 0.30, 0.46), "amber"),
        ((0.50, 0.20, 0.80), "grey"),  # too few rows to say
        ((0.95, 0.80, 1.00), "red"),
    ],
)
def test_telling_apart_is_judged_both_ways(area: tuple[float, float, float], shade: str) -> None:
    told = replace(TOLD, auc_boosting=Estimate(*area))
    found = lights(told=told)
    assert next(found[each] for each in ("telling", "telling_below") if each in found) == shade


def test_too_few_rows_are_not_good() -> None:
    few = replace(ATTACK, attacks=20)
    found = lights(
        nearest=replace(NEAR, rows=(20, 20)),
        attacks=replace(ATTACKS, linkage=few, inference=(few,)),
        regression=replace(FITTED, rows=(8, 8)),
    )
    assert {found[each] for each in ("nearest", "linkage", "inference", "regression")} == {"grey"}
    wide = Membership((20, 20), Estimate(0.5, 0.3, 0.7), 0.1, 0.2)
    assert lights(attacks=replace(ATTACKS, membership=wide))["membership"] == "grey"
    # What is surely bad is bad, however few there were.
    sure = replace(few, risk=Estimate(0.9, 0.6, 1.0))
    assert lights(attacks=replace(ATTACKS, linkage=sure))["linkage"] == "red"


def test_models_that_learn_nothing_show_nothing() -> None:
    blind = Score("r2", Estimate(0.0, -0.1, 0.1), Estimate(0.0, -0.1, 0.1), 0.0)
    assert lights(learning=replace(LEARNT, scores=(blind,)))["learning"] == "grey"
    control = replace(ATTACK, control=Estimate(1.0, 0.9, 1.0))
    given = replace(ATTACKS, linkage=control, inference=(control,))
    assert lights(attacks=given)["linkage"] == "grey"

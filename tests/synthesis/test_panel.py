"""Panels: autocovariances up to the lag, AR and MA coefficients, gaps, rules, the file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sudare.facts.drawn import Drawn
from sudare.facts.errors import InvalidStatistics, SudareError
from sudare.facts.panel import PanelFacts
from sudare.facts.rules import Absent, leaves
from sudare.facts.statistics import Statistics
from sudare.publish.panels import panel_facts, panel_statistics
from sudare.queries.rules import compiled_rules
from sudare.synthesis.matching.match import Matched
from sudare.synthesis.panel import fit_panel, long_marginals
from sudare.synthesis.panel.rules import wide_rules
from sudare.synthesis.ruled import bound_rules
from support.bits import CountedBits
from support.panels import (
    AR,
    MA,
    MadePanel,
    ar2,
    from_rows,
    ma1,
    made_panel,
    panel_schema,
    pooled,
    yule_walker,
)

PERSONS, PERIODS, LAGS, MADE = 700, 9, 3, 1500
# What synthetic coefficients may differ from those of the real rows.
CLOSE = 1e-4


@pytest.fixture(scope="module")
def real() -> MadePanel:
    return made_panel(PERSONS, PERIODS, seed=5)


@pytest.fixture(scope="module")
def statistics(real: MadePanel) -> Statistics:
    return panel_statistics(real.table(), panel_schema(PERIODS, LAGS))


@pytest.fixture(scope="module")
def sampled(statistics: Statistics) -> tuple[Drawn, Matched]:
    bits = CountedBits("panel")
    # Through its file, so that the file is shown to be all that is needed.
    model = fit_panel(Statistics.from_json(statistics.to_json()), bits)
    drawn, matched = model.sample(MADE, bits)
    assert matched is not None
    return drawn, matched


def test_only_near_periods_are_described_together(statistics: Statistics) -> None:
    assert ("income@1", "income@4") in statistics.crosses
    assert ("income@1", "income@5") not in statistics.crosses
    assert ("sex", "hours@9") in statistics.crosses
    assert statistics.moments is not None
    places = {name: place for place, name in enumerate(statistics.moments.columns)}
    known = statistics.moments.known
    assert known[places["income@1"], places["hours@4"]]
    assert not known[places["income@1"], places["hours@5"]]
    assert statistics.rows == PERSONS


def test_autocovariances_up_to_the_lag_are_met(
    real: MadePanel, sampled: tuple[Drawn, Matched]
) -> None:
    drawn, matched = sampled
    assert matched.drawn.largest > 1e-3
    assert matched.before.largest <= 1e-6
    for name in ("income", "hours"):
        made, wanted = from_rows(drawn, name, MADE, PERIODS), real.series[name]
        for lag in range(LAGS + 1):
            for period in range(PERIODS - lag):
                pair = [period, period + lag]
                gap = np.cov(made[:, pair].T, ddof=0) - np.cov(wanted[:, pair].T, ddof=0)
                # Values lie on a grid of 2^-20 of the range, to which the real ones were rounded.
                assert np.max(np.abs(gap)) <= 1e-5 * wanted.var()


def test_ar_and_ma_coefficients_match(real: MadePanel, sampled: tuple[Drawn, Matched]) -> None:
    income = from_rows(sampled[0], "income", MADE, PERIODS)
    hours = from_rows(sampled[0], "hours", MADE, PERIODS)
    real_ar, real_ma = ar2(real.series["income"]), ma1(real.series["hours"])
    assert np.max(np.abs(ar2(income) - real_ar)) <= CLOSE
    assert np.max(np.abs(yule_walker(income) - yule_walker(real.series["income"]))) <= CLOSE
    assert abs(ma1(hours) - real_ma) <= CLOSE
    # A twin whose periods are mixed up keeps every histogram and is told at once.
    mixed = np.random.default_rng(1).permuted(np.arange(PERIODS))
    assert np.max(np.abs(ar2(income[:, mixed]) - real_ar)) > 100 * CLOSE
    assert abs(ma1(hours[:, mixed]) - real_ma) > 100 * CLOSE


def test_the_made_series_are_what_they_are_called() -> None:
    plain = made_panel(20_000, 6, seed=2, effect=0.0)
    by_sex = plain.series["income"] - 4 * 0.4 * plain.sex[:, None]
    assert np.allclose(ar2(by_sex), AR, atol=0.03)
    assert ma1(plain.series["hours"]) == pytest.approx(MA, abs=0.05)


def test_rows_are_long_again(sampled: tuple[Drawn, Matched]) -> None:
    drawn = sampled[0]
    assert drawn.rows == MADE * PERIODS
    assert set(drawn.values) | set(drawn.codes) == {"id", "month", "sex", "work", "income", "hours"}
    keys = drawn.values["id"] * 100 + drawn.values["month"]
    assert np.all(np.diff(keys) > 0)
    assert set(drawn.values["month"]) == set(range(1, PERIODS + 1))
    sex = drawn.codes["sex"].reshape(MADE, PERIODS)
    assert np.all(sex == sex[:, :1])
    for name, high in (("income", 80), ("hours", 60)):
        assert drawn.values[name].min() >= 0
        assert drawn.values[name].max() <= high


def test_categories_go_with_the_series(real: MadePanel, sampled: tuple[Drawn, Matched]) -> None:
    income, work = (from_rows(sampled[0], name, MADE, PERIODS) for name in ("income", "work"))
    for value in (0, 1):
        there = real.working == value
        mean = real.series["income"][there].mean()
        assert income[work == value].mean() == pytest.approx(mean, abs=0.8)
    spread = real.series["income"][real.working == 1].mean() - real.series["income"].mean()
    assert spread > 0.5
    again, told = (np.mean(w[:, 1:] == w[:, :-1]) for w in (work, real.working))
    assert again == pytest.approx(told, abs=0.02)


def test_long_marginals_describe_the_columns(statistics: Statistics) -> None:
    found = {each.name: each for each in long_marginals(statistics)}
    assert list(found) == ["id", "month", "sex", "work", "income", "hours"]
    assert found["work"].labels == ("no", "yes")
    assert float(found["work"].counts.sum()) == PERSONS * PERIODS
    assert float(found["income"].counts.sum()) == PERSONS * PERIODS
    assert (found["month"].low, found["month"].high) == (1, PERIODS)


def test_a_panel_with_gaps_has_whole_rows() -> None:
    real = made_panel(500, 5, seed=7, gaps=0.5)
    bits = CountedBits("gaps")
    statistics = panel_statistics(real.table(), panel_schema(5, 2))
    # Everybody is there in the first period.
    assert [n for n in statistics.names if n.startswith("@")] == ["@2", "@3", "@4", "@5"]
    drawn, matched = fit_panel(statistics, bits).sample(1000, bits)
    assert matched is not None
    assert matched.before.largest <= 1e-6
    assert not any(drawn.is_missing(name).any() for name in ("income", "hours", "work"))
    there = ~np.isnan(from_rows(drawn, "income", 1000, 5))
    assert np.allclose(there.mean(axis=0), real.there.mean(axis=0), atol=0.01)
    # Who has left does not come back, where the lag can see it.
    assert np.mean(~there[:, :-1] & there[:, 1:]) < 0.02


def test_rules_hold_in_every_period() -> None:
    real = made_panel(400, 4, seed=9)
    real.series["income"][real.working == 0] = np.minimum(
        real.series["income"][real.working == 0], 38.0
    )
    rules = [{"if": "work = 'no'", "then": "income <= 38"}, {"never": "income is null"}]
    schema, bits = panel_schema(4, 2, rules=rules), CountedBits("rules")
    statistics = panel_statistics(real.table(), schema)
    # The rules can be bound to the long columns too, by whoever counts what breaks them.
    bound_rules(long_marginals(statistics), compiled_rules(schema))
    drawn, _ = fit_panel(statistics, bits, rules=compiled_rules(schema)).sample(900, bits)
    idle = drawn.codes["work"] == 0
    assert idle.sum() > 100
    assert np.count_nonzero(drawn.values["income"][idle] > 38) == 0
    assert drawn.values["income"][~idle].max() > 45


def test_a_rule_on_what_is_missing_concerns_rows_that_are_there() -> None:
    schema = panel_schema(3, 1, rules=[{"never": "income is null"}, {"never": "sex = 'f'"}])
    found = wide_rules(compiled_rules(schema), panel_facts(schema))
    assert [sorted(rule.columns) for rule in found[:3]] == [
        [f"hours@{p}", f"income@{p}", f"work@{p}"] for p in (1, 2, 3)
    ]
    assert all(isinstance(leaf, Absent) for leaf in leaves(found[0].test))
    assert found[3:] == (compiled_rules(schema)[1],)


def test_a_rule_on_time_is_refused() -> None:
    schema = panel_schema(3, 1, rules=[{"never": "month = 2"}])
    with pytest.raises(SudareError, match="person or time"):
        wide_rules(compiled_rules(schema), panel_facts(schema))


def test_a_file_whose_panel_is_of_other_columns_is_refused(statistics: Statistics) -> None:
    facts = PanelFacts.from_dict(statistics.panel or {})
    other = replace(facts, varying=(*facts.varying, "more")).to_dict()
    for panel in (other, {"person": "id"}, facts.to_dict() | {"lags": 0}):
        with pytest.raises(InvalidStatistics):
            fit_panel(replace(statistics, panel=panel), CountedBits("refused"))


def test_moments_alone(real: MadePanel) -> None:
    bits = CountedBits("moments")
    statistics = panel_statistics(real.table(), panel_schema(PERIODS, 2), "moments")
    assert ("income@1", "income@2") not in statistics.crosses
    drawn, matched = fit_panel(statistics, bits, "moments").sample(600, bits)
    assert matched is not None
    assert matched.before.largest <= 1e-6
    made = from_rows(drawn, "income", 600, PERIODS)
    assert pooled(made, 2) == pytest.approx(pooled(real.series["income"], 2), rel=1e-5)

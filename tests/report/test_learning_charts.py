"""Charts of clusters, components and coefficients: as many marks as numbers, noise in grey."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from report import learned_facts as made
from report.releases import HOSTILE, release
from sudare.report.cards import card
from sudare.report.cells import cells
from sudare.report.cluster_charts import drawn_columns, scatters
from sudare.report.clusters import by_row
from sudare.report.coefficient_charts import effects, forest, reach
from sudare.report.component_charts import loading_squares, scree
from sudare.report.html import render


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("text")]


def test_each_pair_of_columns_is_a_scatter() -> None:
    drawn = scatters(by_row(cells(made.CLUSTERS)), made.BOUNDS, {"income": "年収"})
    assert [heading for heading, _ in drawn] == ["age × 年収", "age × hours", "年収 × hours"]
    for _, svg in drawn:
        assert [label for label in texts(svg) if label in "12345"] == list("12345")
        # Discs: four told and one lost; boxes only around the told ones.
        discs = re.findall(r'<circle [^>]*fill="var\(--(\w+)[^>]*opacity="0.45"', svg)
        assert sorted(discs) == ["bar"] * 4 + ["muted"]
        assert len(re.findall(r'fill-opacity="0.15"', svg)) == 4


def test_one_column_is_a_strip() -> None:
    ((heading, svg),) = scatters(by_row(cells(made.STRIP)), {"age": [0, 110]}, {})
    assert heading == "age"
    assert len(re.findall(r'<line [^>]*stroke-width="2"', svg)) == 2
    assert {"1", "2"} <= set(texts(svg))


def test_at_most_six_pairs() -> None:
    names = [f"c{place}" for place in range(6)]
    value = {
        row: {name: float(place * sign) for place, name in enumerate(names)} | {"size": 100.0}
        for row, sign in (("1", 1), ("2", -1))
    }
    errors = {row: dict.fromkeys(parts, 0.1) for row, parts in value.items()}
    many = replace(
        made.CLUSTERS, value=value, errors95=errors, drowned=(), columns=tuple(names),
        details={"rounds": 2, "bounds": {name: [-9, 9] for name in names}},
    )  # fmt: skip
    # The centres lie farthest apart in the last columns.
    bounds = {name: [-9, 9] for name in names}
    assert drawn_columns(by_row(cells(many)), bounds) == names[2:]
    found = card(many, {})
    assert len(found.pictures) == 6
    assert any("the 4 are drawn" in caption.en for caption in found.pictures[0].captions)


def test_no_picture_where_all_clusters_are_lost() -> None:
    lost = replace(made.CLUSTERS, drowned=("1", "2", "3", "4", "5"))
    assert card(lost, {}).pictures == ()
    assert all(shown.lost for _, line in card(lost, {}).matrices[0].rows for shown in line)


def test_dates_can_be_clustered() -> None:
    value = {"1": {"born": "1980-05-06", "age": 30.0, "size": 90.0}}
    errors = {"1": {"born": 400.0, "age": 1.0, "size": 3.0}}
    bounds = {"born": ["1900-01-01", "2024-12-31"]}
    dated = replace(made.CLUSTERS, value=value, errors95=errors, drowned=())
    ((_, svg),) = scatters(by_row(cells(dated)), bounds, {})
    assert any(re.fullmatch(r"\d{4}", label) for label in texts(svg))


def test_scree_has_a_bar_for_every_component() -> None:
    assert made.COMPONENTS.details is not None
    svg = scree(made.COMPONENTS.details["scree"], 2)
    bars = re.findall(r'<rect [^>]*fill="var\(--(\w+)', svg)
    assert bars == ["bar", "bar", "muted"]
    assert len(re.findall(r'<line [^>]*stroke-width="1.5"', svg)) == 3
    assert {"1", "2", "3"} <= set(texts(svg))


def test_loadings_are_printed_or_blank() -> None:
    svg = loading_squares(by_row(cells(made.COMPONENTS)), {"income": "年収"})
    printed = texts(svg)
    assert printed.count("–") == 3
    assert {"0.123", "0.701", "0.702", "年収"} <= set(printed)


def test_effects_are_over_the_declared_range() -> None:
    found = {one.name: one for one in effects(made.LINEAR, cells(made.LINEAR))}
    assert set(found) == {"age", "hours", "employed"}
    assert found["age"].value == -12_345.0 * 120
    assert found["hours"].high == pytest.approx((98_765.0 + 2_345.0) * 80)
    assert found["employed"].low == 1_234.0 - 45_678.0


def test_forest_greys_what_holds_zero() -> None:
    found = effects(made.LINEAR, cells(made.LINEAR))
    svg = forest(found, {"age": "年齢"})
    assert re.findall(r'<circle [^>]*fill="var\(--(\w+)', svg) == ["bar", "bar", "muted"]
    whiskers = re.findall(r'<line [^>]*stroke="var\(--(\w+)[^>]*stroke-width="2"', svg)
    assert whiskers == ["ink", "ink", "muted"]
    assert {"年齢", "hours", "employed"} <= set(texts(svg))


def test_an_interval_that_tells_nothing_does_not_squeeze_the_others() -> None:
    found = effects(made.LINEAR, cells(made.LINEAR))
    wide = [replace(one, low=-1e12, high=1e12) if one.drowned else one for one in found]
    assert reach(wide) == 2 * max(one.high for one in found)
    alone = [one for one in wide if one.drowned]
    assert reach(alone) == 1e12


def test_the_page_shows_all_of_it() -> None:
    page = render(release(*made.LEARNED), "ja")
    assert page.count("<figure>") == sum(len(card(one, {}).pictures) for one in made.LEARNED)
    for words in ("主成分ごとの分散", "Loadings", "Cluster 5", "第 2 主成分", "holds 0", "0 を含む",
                  "Found in 3 rounds.", "約 41.2 % を説明します"):  # fmt: skip
        assert words in page
    assert (
        len(re.findall(r'role="img" aria-label="[^"]+" data-en="[^"]+" data-ja="[^"]+"', page)) > 8
    )


def test_hostile_names_stay_text() -> None:
    bad = HOSTILE[1]
    value = {"(intercept)": 1.0, bad: 2.0, HOSTILE[0]: 3.0}
    errors = dict.fromkeys(value, 0.1)
    nasty = replace(made.LINEAR, value=value, errors95=errors, interval=None, drowned=(),
                    columns=(bad, HOSTILE[0]), details={"target": bad, "r2": 0.5})  # fmt: skip
    cluster = {"1": {bad: 1.0, HOSTILE[0]: 2.0, "size": 50.0}}
    spread = {"1": {bad: 0.1, HOSTILE[0]: 0.1, "size": 5.0}}
    group = replace(made.CLUSTERS, value=cluster, errors95=spread, drowned=(), columns=(bad,),
                    details={"rounds": 1})  # fmt: skip
    page = render(release(nasty, group))
    assert page.count("<script>") == 1
    assert "<img" not in page

"""Heat maps print what the released matrix says, and leave blank what is noise."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from report.releases import COVARIANCE
from sudare.report.cells import Cell, cells
from sudare.report.covariances import correlations
from sudare.report.heat import heat, luminance, square, squares


def test_heat_maps_print_correlations_and_blank_noise() -> None:
    found = correlations(cells(COVARIANCE))
    assert found["age", "hours"] == pytest.approx(-45.6 / (412.3 * 120.4) ** 0.5)
    assert found["hours", "income"] is None
    svg = heat(cells(COVARIANCE), {"income": "年収"})
    printed = [element.text for element in ElementTree.fromstring(svg).iter("text")]
    assert printed.count("−0.20") == 2
    assert printed.count("–") == 2
    assert "年収" in printed


def test_columns_under_one_label_stay_apart() -> None:
    svg = heat(cells(COVARIANCE), {"age": "x", "hours": "x"})
    printed = [element.text for element in ElementTree.fromstring(svg).iter("text")]
    assert {"age", "hours", "income"} <= set(printed)
    assert printed.count("−0.20") == 2


def test_a_correlation_without_variance_is_not_made_up() -> None:
    made = [
        Cell("", value, 0.1, False, None, a, b)
        for (a, b), value in {
            ("x", "x"): 0.0,
            ("x", "y"): 1.0,
            ("y", "x"): 1.0,
            ("y", "y"): 2.0,
        }.items()
    ]
    assert correlations(made)["x", "y"] is None
    assert correlations(made)["y", "y"] == pytest.approx(1.0)


def test_numbers_on_squares_can_be_read() -> None:
    for place in range(-100, 101):
        found = square(place / 100)
        fill, ink = (
            luminance([int(color[i : i + 2], 16) for i in (1, 3, 5)])
            for color in (found.fill, found.ink)
        )
        light, dark = max(fill, ink), min(fill, ink)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_numbers_shrink_with_their_squares_and_then_vanish() -> None:
    sizes = []
    for count in (3, 14, 40):
        names = [f"column {place}" for place in range(count)]
        svg = squares(names, names, [[square(-0.25)] * count] * count)
        texts = [one for one in ElementTree.fromstring(svg).iter("text") if one.text == "−0.25"]
        sizes.append({float(one.get("font-size", "0")) for one in texts})
    assert sizes[0] == {12.0}
    assert all(8 <= size < 12 for size in sizes[1])
    assert len(sizes[1]) == 1
    assert sizes[2] == set()

"""Cells, AveCross and total variation, recomputed by hand on a tiny table."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sudare.facts.microdata import Microdata, label_column, number_column
from sudare.risk.compare import crosses
from sudare.risk.compare.cells import cells_of
from sudare.risk.compare.crosses import cross_errors

REAL = Microdata(
    (
        label_column("性別", ["F", "F", "M", "M"]),
        label_column("b", ["x", "y", "x", None], ["x", "y", "never"]),
    )
)
MADE = Microdata((label_column("性別", ["F", "M", "M"]), label_column("b", ["x", "x", "z"])))


def test_by_hand() -> None:
    found = cross_errors(cells_of(REAL, MADE))
    # 性別 has the cells F, M; b has x, y, z and missing. The tables differ by 1/3 (性別 alone),
    # by 1 (b alone) and by 1 (both): 1/12 + 1/4 + 1/12 + 1/4 + 1/3.
    assert found.ave_cross == pytest.approx(100 * (1 / 3 / 4 + 1 / 16 + 2 * 1 / 8) / 4)
    assert found.ave_cross_cells == pytest.approx(100 * (1 / 3 + 1 + 2) / (4 + 16 + 16))
    assert found.one_way_tv == pytest.approx((1 / 6 + 1 / 2) / 2)
    assert found.two_way_tv == pytest.approx(1 / 2)
    assert found.max_two_way_tv == pytest.approx(1 / 2)
    assert found.marginals[1].labels == ("x", "y", "z", None)
    assert found.marginals[1].real == pytest.approx((0.5, 0.25, 0, 0.25))
    assert found.marginals[1].synthetic == pytest.approx((2 / 3, 0, 1 / 3, 0))
    assert found.pairs[0].cells == 8
    assert found.pairs[0].mean_percent == pytest.approx(100 / 8)


def test_the_worst_table_whole() -> None:
    (table,) = cross_errors(cells_of(REAL, MADE)).worst
    assert table.columns == ("性別", "b")
    np.testing.assert_allclose(table.real, [[0.25, 0.25, 0, 0], [0.25, 0, 0, 0.25]])
    np.testing.assert_allclose(table.synthetic, [[1 / 3, 0, 0, 0], [1 / 3, 0, 1 / 3, 0]])


def test_a_sparse_table_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    dense = cross_errors(cells_of(REAL, MADE))
    monkeypatch.setattr(crosses, "_DENSE", 1)
    sparse = cross_errors(cells_of(REAL, MADE))
    assert sparse.ave_cross == pytest.approx(dense.ave_cross)
    assert sparse.two_way_tv == pytest.approx(dense.two_way_tv)


def test_ten_bins_over_the_joint_range() -> None:
    real = Microdata((number_column("n", [0, 9.99, 10, 30, math.nan]),))
    made = Microdata((number_column("n", [70, 99, 100]),))
    (cells,) = cells_of(real, made)
    assert cells.real.tolist() == [0, 0, 1, 3, 10]
    assert cells.synthetic.tolist() == [7, 9, 9]
    assert cells.labels[0] == "0 – 10"
    assert cells.labels[-1] is None
    assert cells.size == 11


def test_whole_numbers_meet_their_edges() -> None:
    values = np.arange(0.0, 101.0)
    column = Microdata((number_column("n", values),))
    (cells,) = cells_of(column, column)
    assert cells.real.tolist() == [min(int(value) // 10, 9) for value in values]


@pytest.mark.parametrize(("values", "labels"), [([7.0, 7.0], ("7",)), ([math.nan], (None,))])
def test_a_constant_is_one_cell(values: list[float], labels: tuple[str | None, ...]) -> None:
    column = Microdata((number_column("n", values),))
    (cells,) = cells_of(column, column)
    assert cells.labels == labels
    assert cross_errors([cells]).ave_cross == 0


def test_booleans_and_dates() -> None:
    data = Microdata(
        (
            number_column("ok", [0, 1, math.nan], "boolean"),
            number_column("day", [0, 10, 20], "date"),
        )
    )
    truth, day = cells_of(data, data)
    assert truth.labels == ("false", "true", None)
    assert day.labels[0] == "1970-01-01 – 1970-01-03"


def test_no_columns() -> None:
    assert cross_errors([]).two_way_tv == 0

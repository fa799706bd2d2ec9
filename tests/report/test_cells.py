"""An answer of any shape becomes cells, and joined labels come apart again."""

from __future__ import annotations

from operator import attrgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report.releases import BIRTHS, COVARIANCES, EVERY, INCOMES, LOST, release
from sudare.facts.release import Answer, Release
from sudare.queries.axes import _quoted
from sudare.report.cells import Cell, cells, parts, shown_label


def test_groups() -> None:
    found = cells(INCOMES)
    assert found[0] == Cell("F, north", 21_503_000_000, 463_000_000.0, False)
    assert [cell.drowned for cell in found] == [False] * 4 + [True]


def test_single_numbers_and_intervals() -> None:
    assert cells(LOST) == [Cell("", 12345, 231_456.0, True)]
    assert cells(BIRTHS)[1].interval == ("1999-08-02", "2000-01-20")


def test_grouped_covariances() -> None:
    found = cells(COVARIANCES)
    assert len(found) == 18
    assert found[5] == Cell("F", 120_000.0, 310_000.0, True, None, "hours", "income")
    assert not found[14].drowned


@pytest.mark.parametrize("answer", EVERY, ids=lambda answer: answer.query)
def test_stored_bytes_give_the_same_cells(answer: Answer) -> None:
    again = Release.from_bytes(release(answer).to_bytes())
    by_name = attrgetter("group", "row", "column")
    assert sorted(cells(again.answers[0]), key=by_name) == sorted(cells(answer), key=by_name)


@given(st.lists(st.text(max_size=8), min_size=2, max_size=4))
def test_joined_labels_come_apart(labels: list[str]) -> None:
    joined = ", ".join(_quoted(label, True) for label in labels)
    assert parts(joined, len(labels)) == tuple(labels)


def test_labels_for_people() -> None:
    assert parts("a, b", 1) == ("a, b",)
    assert parts("not, two, parts", 2) == ("not, two, parts", "")
    assert shown_label('other, "east, far"', 2) == "other / east, far"

"""Rows without a missing value, as experiments on public data take them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudare.engines.complete import complete_rows, labels_in
from sudare.facts.errors import InvalidFile


def test_rows_with_the_marker_or_an_empty_field_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n1,x,9\n2,?,9\n3,NA,9\n,y,9\n5,x,?\n", encoding="utf-8")
    found = complete_rows(path, ["a", "b"], "?")
    # "NA" is a label like any other, and a marker in a column that was not asked for is none.
    assert sorted(zip(*found.to_pydict().values(), strict=True)) == [
        ("1", "x"),
        ("3", "NA"),
        ("5", "x"),
    ]
    assert labels_in(found, "b") == ("NA", "x")


def test_nothing_left_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n?,x\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match="no rows"):
        complete_rows(path, ["a", "b"], "?")

"""Work in parts on Spark gives what it gives here, compiled functions and all."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from sudare.facts.engine import EngineChoice
from sudare.publish.check_sets import check_sets
from sudare.publish.sets_input import SetsInput

pytest.importorskip("pyspark")


@pytest.mark.slow
def test_the_check_of_sets_is_shared_out(tmp_path: Path) -> None:
    rows = [f"{u},i{(u * step) % 11}" for u in range(60) for step in (1, 2, 5)]
    (tmp_path / "baskets.csv").write_text("user,item\n" + "\n".join(dict.fromkeys(rows)) + "\n")
    (tmp_path / "sensitive.csv").write_text("user,item\n*,i3\n7,i1\n")
    here = SetsInput(tmp_path / "baskets.csv", tmp_path / "sensitive.csv")
    spark = EngineChoice("spark", "local[2]")
    there = SetsInput(tmp_path / "baskets.csv", tmp_path / "sensitive.csv", engine=spark)
    found, shared = (check_sets(given, Fraction(1, 4), 2) for given in (here, there))
    assert found["exposed_records"] > 0
    # Spark hands records over in any order, so their numbers differ.
    for part in ("shares", "exposed_records", "causes"):
        assert shared[part] == found[part]
    assert len(shared["rules"]) == len(found["rules"])

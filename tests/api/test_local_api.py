"""Randomise and estimate from Python, from a dataframe to figures."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import sudare

SCHEMA = {
    "table": {"name": "people", "neighbours": "replace-one"},
    "budget": {"epsilon": 20},
    "columns": {
        "age": {"type": "integer", "min": 0, "max": 100},
        "sex": {"type": "category", "values": ["F", "M"]},
    },
}


def test_from_a_dataframe_to_figures(tmp_path: Path) -> None:
    frame = pd.DataFrame({"age": [20, 60] * 5000, "sex": ["F", "M"] * 5000})
    people = sudare.open(frame, schema=SCHEMA, ledger=tmp_path / "people.ledger")
    release = people.randomize(
        tmp_path / "r.parquet", epsilon=8, mechanisms=["grr"], budget="split", shuffle=True
    )
    assert release.spent["epsilon"] == 8
    assert people.left()["epsilon"] == 12
    found = sudare.estimate(tmp_path / "r.parquet", statistics=["mean", "histogram"])
    (mean,) = found.means
    assert isinstance(mean.mean.value, float)
    assert mean.mean.standard_error is not None
    # Six standard errors.
    assert abs(mean.mean.value - 40) < 6 * mean.mean.standard_error
    (histogram,) = found.histograms
    share = histogram.shares[0]
    assert share.value == pytest.approx(0.5, abs=6 * (share.standard_error or 0))

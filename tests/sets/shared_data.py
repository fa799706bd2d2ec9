"""The data sets of the paper, where they lie beside the checkout."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sudare.facts.baskets import Baskets

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
BMS = ("bms-webview-1", "bms-webview-2")


@cache
def browsing(name: str) -> Baskets:
    """One transaction a line; the test is skipped where the file is not there."""
    path = DATA / f"{name}.dat.gz"
    if not path.exists():
        pytest.skip(f"{path.name} is not beside the checkout")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [list(dict.fromkeys(line.split())) for line in lines]
    names = list(dict.fromkeys(item for row in rows for item in row))
    codes = {item: code for code, item in enumerate(names)}
    items = np.array([codes[item] for row in rows for item in row], np.int32)
    return Baskets(np.cumsum([0, *map(len, rows)]).astype(np.int64), items, tuple(names))

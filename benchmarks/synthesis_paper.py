"""The table of docs/reproduce.md from what `sudare reproduce synthesis-paper --json` printed.

Example: sudare reproduce synthesis-paper --data ../shared/data --json | \
    python benchmarks/synthesis_paper.py
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

NAMES = {"adult": "Adult", "census": "Census-Income"}
METHODS = {
    "a": "A",
    "b": "B",
    "paper": "P",
    "argmax": "P, largest of all labels",
    "literal": "P, eigenvectors as they come",
    "moments": "`--preserve moments`",
    "tables": "default",
}
COLUMNS = {
    "ave_mean": "AveMean",
    "ave_cov": "AveCov",
    "ave_cross_cells": "AveCross %, all cells",
    "ave_cross": "AveCross %, (4)",
    "ave_spearman_tied": "AveSpearCorr",
    "ave_spearman": "by value",
    "two_way_tv": "two-way TV",
}
SHARES = ("outside", "fractions")


def table(found: dict[str, Any]) -> Iterator[str]:
    """One line a method and data set; what the paper prints stands in brackets."""
    printed = {(each["data"], each["quantity"]): each for each in found["printed"]}
    yield f"| data | method | {' | '.join(COLUMNS.values())} | {' | '.join(SHARES)} |"
    yield "|---|---|" + "---:|" * (len(COLUMNS) + len(SHARES))
    for data in found["tables"]:
        for drawing in data["drawings"]:
            cells = [NAMES[data["data"]], METHODS[drawing["method"]]]
            for quantity in COLUMNS:
                paper = printed.get((data["data"], quantity), {}).get(drawing["method"])
                shown = f"{drawing[quantity]:.3g}"
                cells.append(shown if paper is None else f"{shown} ({paper:.4g})")
            cells += [f"{drawing[share]:.1%}" for share in SHARES]
            yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print("\n".join(table(json.load(sys.stdin))))

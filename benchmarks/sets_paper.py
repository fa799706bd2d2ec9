"""The tables of docs/sets-paper.md from what `sudare reproduce sets-paper --json` printed.

Example: sudare reproduce sets-paper --data ../shared/data --json | python benchmarks/sets_paper.py
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

NAMES = {"bms-webview-1": "BMS-1", "bms-webview-2": "BMS-2", "town": "town"}
MODES = {"paper": "paper mode", "default": "default"}
SIGNS = {"util1": "util₁", "util2": "util₂", "util_mining": "util_mining", "exposed": "max H"}
AXES = {"rho": "ρ", "epsilon": "ε = δ", "share": "prone"}


def tables(found: dict[str, Any]) -> Iterator[str]:
    """One table a figure and quantity."""
    for figure in found["figures"]:
        for quantity in dict.fromkeys(spot["quantity"] for spot in figure["spots"]):
            yield f"Figure {figure['number']}, {SIGNS[quantity]}:"
            yield ""
            spots = [spot for spot in figure["spots"] if spot["quantity"] == quantity]
            yield from table(spots, AXES[figure["axis"]])
            yield ""
    counted = f"{found['repeats']} repetitions, {found['verified']:,} releases verified"
    yield f"{counted}, {found['seconds']:.0f} seconds."


def table(spots: list[dict[str, Any]], axis: str) -> Iterator[str]:
    """One line a data set, setting and mode; mean ± standard deviation at every place."""
    places = sorted({spot["x"] for spot in spots})
    yield f"| data | setting | mode | {' | '.join(f'{axis} {x:g}' for x in places)} |"
    yield "|---|---|---|" + "---:|" * len(places)
    lines: dict[tuple[str, str, str], dict[float, str]] = {
        (spot["data"], spot["setting"], spot["mode"]): {} for spot in spots
    }
    for spot in spots:
        lines[spot["data"], spot["setting"], spot["mode"]][spot["x"]] = shown(spot)
    for (data, setting, mode), cells in lines.items():
        told = " | ".join(cells.get(x, "–") for x in places)
        yield f"| {NAMES[data]} | {setting} | {MODES[mode]} | {told} |"


def shown(spot: dict[str, Any]) -> str:
    spread = spot["deviation"]
    digits = 4 if spot["quantity"] in ("util2", "exposed") else 3
    mean = f"{spot['mean']:.{digits}f}"
    return mean if spread is None else f"{mean} ± {spread:.{digits}f}"


if __name__ == "__main__":
    print("\n".join(tables(json.load(sys.stdin))))

"""How long does a chart take? Every kind that a report draws, and the import before the first.

    .venv/bin/python benchmarks/charts.py [--repeats 9] [--gallery out.html]

Prints milliseconds of processor time a chart (median of the repeats), the size of its SVG, and what
it takes to import all charts in a fresh interpreter. Goal: at most 30 ms each. `--gallery` writes
one page with all of them, light and dark, for whoever changes their look.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from report import learned_facts, releases
from report.compared_facts import compared
from report.synthesized_facts import exact
from sudare.facts.reproduced import PaperFigure, Point
from sudare.facts.sets_paper import MODES, SetsFigure, Spot
from sudare.facts.synthesis_paper import METHODS, Drawing, Redrawn
from sudare.facts.tabulated import ReleasedMargin
from sudare.report import (
    charts,
    cluster_charts,
    coefficient_charts,
    compared_charts,
    component_charts,
    heat,
    link_charts,
    reproduced_charts,
    sets_charts,
    sets_paper_charts,
    synthesis_paper_charts,
    synthesized_charts,
)
from sudare.report.cells import Cell, cells
from sudare.report.clusters import by_row
from sudare.report.comparison import plot

GOAL = 30.0
PAGE = Path(charts.__file__).parent / "page" / "page.css"
IMPORT = "import time; a = time.process_time(); {}; print(1000 * (time.process_time() - a))"
EVERY = "import sudare.report.html, sudare.report.cards, sudare.report.learning_pictures"


def kinds() -> dict[str, Callable[[], str]]:
    """A name and a drawing for each kind of chart."""
    return _grouped() | _matrices() | _learned() | _sets() | _papers()


def _grouped() -> dict[str, Callable[[], str]]:
    shown = {
        "bars": (releases.AGES, True),
        "bars, long labels": (releases.NASTY, True),
        "bars, Japanese": (releases.JAPANESE, True),
        "bars, milliards": (releases.INCOMES, True),
        "bars, 242 upright": (releases.MANY, True),
        "dots": (releases.MEANS, False),
        "dots, dates": (releases.BIRTHS, False),
    }
    found: dict[str, Callable[[], str]] = {
        name: lambda answer=answer, zero=zero: charts.grouped(cells(answer), from_zero=zero)
        for name, (answer, zero) in shown.items()
    }
    wide, date = Cell("", 42.0, 9.0, False), Cell("", "1981-04-05", 3000.0, False)
    found["strip"] = lambda: charts.strip(wide, "0", "120")
    found["strip, dates"] = lambda: charts.strip(date, "1900-01-01", "2024-12-31")
    classes = [
        {"members": names, "epsilon0": e0}
        | {kind: {"epsilon": e0 * 0.6} for kind in link_charts.KINDS}
        for names, e0 in ((["town", "clinic"], 4.0), (["town"], 3.0), (["clinic", "薬局"], 2.5))
    ]
    found["classes of a link"] = lambda: link_charts.class_bars(classes, "outsider")
    return found


def _matrices() -> dict[str, Callable[[], str]]:
    made, drawn = compared(), exact()
    names = tuple(f"column {place}" for place in range(14))
    waves = tuple(tuple(float(np.sin(a * b)) for a in range(14)) for b in range(14))
    assert made.regression is not None
    terms = made.regression.coefficients
    return {
        "correlations": lambda: heat.heat(cells(releases.COVARIANCE), {"income": "年収 (income)"}),
        "matrix": lambda: compared_charts.squares(
            ("a", None),
            ("x", "yard of fabric", "県内"),
            ((50.0, 0.0, 1.0), (-20.0, 30.0, None)),
            50.0,
            1,
        ),
        "matrix, 14 × 14": lambda: compared_charts.squares(names, names, waves, 1.0, 2),
        "shares of both tables": lambda: compared_charts.bars(made.measures.crosses.marginals[0]),
        "forest of both tables": lambda: compared_charts.forest(
            terms, [f"term {place}" for place in range(len(terms))]
        ),
        "stated and synthetic": lambda: synthesized_charts.beside(drawn.marginals[0]),
        "true against released": _scatter,
    }


def _scatter() -> str:
    true = np.arange(2_000) ** 2 % 1_009
    margin = ReleasedMargin("sex × region", (0, 0), 2_000, 1.0, 5.0, 14.0)
    return plot(true, true + np.arange(2_000) % 15 - 7, true < 14, margin, "en")


def _learned() -> dict[str, Callable[[], str]]:
    clusters = by_row(cells(learned_facts.CLUSTERS))
    parts = by_row(cells(learned_facts.COMPONENTS))
    effects = coefficient_charts.effects(learned_facts.LINEAR, cells(learned_facts.LINEAR))
    steps = (learned_facts.COMPONENTS.details or {})["scree"]
    return {
        "clusters, three pairs": lambda: "".join(
            svg
            for _, svg in cluster_charts.scatters(
                clusters, learned_facts.BOUNDS, {"income": "年収"}
            )
        ),
        "clusters, one column": lambda: cluster_charts.scatters(
            by_row(cells(learned_facts.STRIP)), {"age": [0, 110]}, {}
        )[0][1],
        "scree": lambda: component_charts.scree(steps, 2),
        "loadings": lambda: component_charts.loading_squares(parts, {"income": "年収"}),
        "coefficients": lambda: coefficient_charts.forest(effects, {"age": "年齢"}),
    }


def _sets() -> dict[str, Callable[[], str]]:
    before = [round(40_000 / (rank + 1)) for rank in range(1_600)]
    after = [
        count if place % 7 else count // (place % 5 + 1) * (place % 3 > 0)
        for place, count in enumerate(before)
    ]
    found = [
        {
            "known": known,
            "share": share,
            "low": share * 0.9,
            "high": share * 1.1,
            "is_exact": known < 3,
        }
        for known, share in ((1, 0.004), (2, 0.012), (3, 0.021), (4, 0.018))
    ]
    return {
        "items by rank": lambda: sets_charts.ranks(before, after),
        "items before and after": lambda: sets_charts.scatter(before, after),
        "attackers who succeed": lambda: sets_charts.shares(found),
    }


def _papers() -> dict[str, Callable[[], str]]:
    points = tuple(
        Point("paper", "mae", series, x, (place + 1) * 0.3 / x)
        for place, series in enumerate(("piecewise", "hybrid", "laplace", "default"))
        for x in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
    )
    figure = PaperFigure(5, "epsilon_per_attribute", points)
    panel = reproduced_charts.panels(5)[0]
    spots = tuple(
        Spot("bms-webview-1", mode, setting, "util1", x, (0.1 + x / 3, 0.14 + x / 2))
        for mode in MODES
        for setting in ("fixed", "personalized")
        for x in (0.1, 0.2, 0.3, 0.4, 0.5)
    )
    drawings = tuple(
        Drawing(method, 0, 0, 0.1 + place / 20, 0, 0.05, 0, 0.02 * place, 0, 0, 0, 1.0)
        for place, method in enumerate(METHODS)
    )
    table = Redrawn("adult", 30_162, 6, 9, (), drawings)
    return {
        "figure of paper 001": lambda: reproduced_charts.chart(figure, panel),
        "figure of paper 004": lambda: sets_paper_charts.chart(
            SetsFigure(3, spots), "bms-webview-1", "paper", "util1"
        ),
        "table of paper 002": lambda: synthesis_paper_charts.chart(table, "ave_cross_cells"),
    }


def measure(make: Callable[[], str], repeats: int) -> tuple[float, int]:
    """Median milliseconds of processor time, and the characters of the drawing."""
    spent, size = [], len(make())
    for _ in range(repeats):
        start = time.process_time()
        make()
        spent.append(1000 * (time.process_time() - start))
    return statistics.median(spent), size


def import_time() -> float:
    """Milliseconds of processor time to import what draws, in a fresh interpreter."""
    command = [sys.executable, "-c", IMPORT.format(EVERY)]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(3)]
    return statistics.median(float(run.stdout) for run in runs)


def gallery(found: dict[str, Callable[[], str]]) -> str:
    """One page with every chart on a light and on a dark card."""
    parts = "".join(
        f"<h3>{name}</h3><div class=pictures><div class=chart>{make()}</div></div>"
        for name, make in found.items()
    )
    return (
        f'<!doctype html><meta charset="utf-8"><style>{PAGE.read_text(encoding="utf-8")}</style>'
        f'<body style="max-width:none;margin:1rem;columns:480px">{parts}'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--gallery", type=Path)
    chosen = parser.parse_args()
    found = kinds()
    if chosen.gallery:
        chosen.gallery.write_text(gallery(found), encoding="utf-8")
        return
    table = Table(title=f"Charts, goal {GOAL:g} ms each; import {import_time():.0f} ms")
    for column in ("chart", "ms", "SVG bytes"):
        table.add_column(column)
    for name, make in found.items():
        spent, size = measure(make, chosen.repeats)
        text = f"{spent:.2f}"
        table.add_row(name, f"[red]{text}[/]" if spent > GOAL else text, f"{size:,}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()

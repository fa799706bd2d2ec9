"""What `sudare tabulate` prints and writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudare.cli import console
from sudare.cli.ahead import say_outlook
from sudare.cli.output import say_spent

if TYPE_CHECKING:
    from sudare.cli.options import Code
    from sudare.facts.release import Release
    from sudare.publish.outlook import Outlook
    from sudare.publish.outputs import OutputSet
    from sudare.publish.tabulate import Tabulation

# So many lines of a table are shown; the rest is for files.
_MOST_LINES = 40
COMPARISON = "NOT-FOR-PUBLICATION"


def print_table(release: Release, language: Code) -> None:
    """The table, or as much of it as fits on a screen, and how wrong each margin may be."""
    from sudare.report.columns import screen_width
    from sudare.report.crosstab import shown_rows
    from sudare.report.tabulation import table_of

    table = table_of(release)
    assert table is not None
    rows, left_out = shown_rows(table, screen_width(), _MOST_LINES)
    console.table(rows)
    if left_out:
        again = f"sudare ledger release {release.id} -o folder"
        console.show(f"… {left_out:,} more numbers; `{again}` writes all, unpaid.")
    console.show("")
    _print_margins([(margin.name, margin.cells, margin.error95) for margin in table.margins])
    if table.invariant is not None:
        console.say(f"Public, without noise and without protection: {table.invariant['name']}.")
    say_spent(release, language)


def print_forecast(priced: Tabulation, ahead: Outlook, language: Code) -> None:
    """A dry run: what the table would cost and how wrong its margins would be."""
    _print_margins([(each.name, each.cells, each.error95) for each in priced.forecasts()])
    cost = priced.cost
    delta = f", δ={cost.delta:.3g}" if cost.delta else ""
    console.say(f"Would spend ε={cost.epsilon:.6g}{delta}; nothing was spent, no data were read.")
    say_outlook(ahead, language)


def forecast_json(priced: Tabulation, ahead: Outlook) -> dict[str, Any]:
    """The same for programs, in the manner of `ask --dry-run --json`."""
    margins = [
        {
            "name": each.name,
            "levels": list(each.margin),
            "cells": each.cells,
            "weight": each.weight,
            "rmse": each.rmse,
            "error95": each.error95,
        }
        for each in priced.forecasts()
    ]
    return {
        "margins": margins,
        "cost": {"epsilon": priced.cost.epsilon, "delta": priced.cost.delta},
        "spent": {"epsilon": 0.0, "delta": 0.0},
        "release": None,
        **ahead.to_dict(),
    }


def _print_margins(margins: list[tuple[str, int, float]]) -> None:
    rows = [["margin", "cells", "± (95 %)"]]
    rows += [[name, f"{cells:,}", f"{error:,.6g}"] for name, cells, error in margins]
    console.table(rows)


def planned_comparison(target: Path) -> tuple[Path, ...]:
    """True against released, for the steward, in a folder whose name says so."""
    folder = target / COMPARISON
    return (folder / "compare.csv", folder / "compare.html")


def write_comparison(release: Release, truth: Any, files: OutputSet, language: Code) -> list[Path]:
    """Exact counts beside released ones."""
    from sudare.report.comparison import comparison_csv, comparison_html
    from sudare.report.tabulation import table_of

    table = table_of(release)
    assert table is not None
    numbers, page = files.names
    files.write(numbers, comparison_csv(table, truth))
    files.write(page, comparison_html(release, table, truth, language))
    for name in files.names:
        files.place(name).chmod(0o600)
    return files.finish()

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


def write_table(
    release: Release, target: Path, language: Code, ledger: str | Path | None
) -> list[Path]:
    """Tidy CSV, crossed CSV and workbook, certificate and report, into a folder."""
    from sudare.publish.certifying import certify
    from sudare.report.certificate import statement
    from sudare.report.crosstab import crosstab_csv, tidy_csv
    from sudare.report.html import render
    from sudare.report.tabulation import table_of
    from sudare.report.workbook import fits, write_workbook

    table = table_of(release)
    assert table is not None
    target.mkdir(parents=True, exist_ok=True)
    names = [target / name for name in ("table.csv", "crosstab.csv")]
    for path, pieces in zip(names, (tidy_csv(table), crosstab_csv(table)), strict=True):
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
    if fits(table):
        names.append(target / "table.xlsx")
        write_workbook(release, table, names[-1], language)
    else:
        console.say("The table is too large for a workbook; the CSV files hold all of it.")
    names.append(target / "report.html")
    names[-1].write_text(render(release, language), encoding="utf-8")
    return [*names, certify(statement(release), target / "certificate.json", names, ledger)]


def write_comparison(release: Release, truth: Any, target: Path, language: Code) -> list[Path]:
    """True against released, for the steward, in a folder whose name says so."""
    from sudare.report.comparison import comparison_csv, comparison_html
    from sudare.report.tabulation import table_of

    table = table_of(release)
    assert table is not None
    folder = target / COMPARISON
    folder.mkdir(parents=True, exist_ok=True)
    names = [folder / "compare.csv", folder / "compare.html"]
    with names[0].open("w", encoding="utf-8", newline="") as file:
        file.writelines(comparison_csv(table, truth))
    names[1].write_text(comparison_html(release, table, truth, language), encoding="utf-8")
    return names

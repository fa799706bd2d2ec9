"""The part `tables`: a cross table of the town, whole numbers whose margins all agree."""

from __future__ import annotations

from sudare.demo.files import write_table
from sudare.demo.part import Found, Place
from sudare.facts.plan import read_epsilon
from sudare.facts.table_plan import TablePlan
from sudare.publish.tabulate import tabulate
from sudare.report.both import Both
from sudare.report.crosstab import crosstab
from sudare.report.index_page import Card, Link
from sudare.report.tabulation import table_of
from sudare.report.words import padded

BY = ("sex", "employed", "region")
EPSILON = "0.5"


def table(place: Place) -> Found:
    plan = TablePlan(BY, read_epsilon(EPSILON))
    release = tabulate(
        place.data, place.schema(), plan, ledger=place.ledger, key="demo cross table"
    )
    page, *files = write_table(release, place.folder / "table", place.language, place.ledger)
    found = table_of(release)
    assert found is not None
    whole, finest = found.margins[0], found.margins[-1]
    people = int(found.margin(whole.levels).sum())
    number = f"{people:,} ± {whole.error95:,.3g}"
    sentence = Both(
        f"All {len(found.margins)} margins agree: {finest.cells} cells, each ± "
        f"{finest.error95:,.3g}, add up to every total, and none is negative.",
        f"{len(found.margins)} 種類の周辺和がすべて一致します。{finest.cells} 個のセル"
        f"（いずれも ± {finest.error95:,.3g}）の和がどの合計とも等しく、負の数はありません。",
    )
    card = Card(
        "table",
        Both("A cross table", "クロス集計表"),
        Both(f"tabulate --by {','.join(BY)}", f"tabulate --by {','.join(BY)}"),
        Both(f"{number} people", f"{number} 人"),
        sentence,
        "epsilon",
        Both(f"ε = {EPSILON} for the whole table", f"表全体で ε = {EPSILON}"),
        (Link(place.link(page), Both("Report: table and errors", "報告書（表と誤差）")),),
        tuple(place.link(path) for path in files),
    )
    rows = [["" if cell is None else str(cell) for cell in row] for row in crosstab(found)]
    return Found((*padded(rows), sentence[place.language], f"→ {page}"), (card,), release)

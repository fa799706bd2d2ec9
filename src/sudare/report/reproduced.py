"""A paper's figures as one self-contained page, as CSV, and as lines for a terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from sudare.facts.reproduced import Inverted, PaperFigure, Reproduced
from sudare.report.both import Both
from sudare.report.reproduced_charts import axes, chart, panels
from sudare.report.reproduced_texts import said
from sudare.report.templates import render_page
from sudare.report.texts import Language

# The numbers of the figures that are made again.
FIGURES = range(1, 8)


def csv_name(number: int) -> str:
    return f"figure{number}.csv"


def to_csv(figure: PaperFigure) -> str:
    """Every number of a figure; what may not be said is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["mode", "quantity", "series", figure.axis, "value", "standard_error"])
    for point in figure.points:
        told = [_number(each) for each in (point.x, point.value, point.error)]
        writer.writerow([point.mode, point.quantity, point.series, *told])
    return text.getvalue()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.9g}"


def findings(found: Reproduced) -> list[Both]:
    """What differs and why, in numbers of these figures."""
    told, count = found.findings, len(found.attributes)
    crossing = said("no_crossing")
    if told.crossing is not None:
        crossing = said("crossing", each=told.crossing, total=told.crossing * count)
    source = said("bounds_adult" if found.data == "adult" else "bounds_town")
    return [
        said("diagonal", share=told.diagonal),
        said("identity", identity=told.identity, left=told.left_end),
        crossing,
        said("condition", rows=found.rows, limit=told.allowed),
        said("noise", same=told.same_words, spread=told.spread),
        said("bounds", source=source),
    ]


def about(found: Reproduced) -> list[Both]:
    """Which data, and that this is no release."""
    is_adult = found.data == "adult"
    data = said(
        "adult" if is_adult else "town",
        rows=found.rows,
        attributes=", ".join(found.attributes),
        trials=found.trials,
    )
    return [data, *([] if is_adult else [said("get_adult")]), said("public")]


def lines(found: Reproduced, language: Language) -> Iterator[str]:
    """The findings for a terminal."""
    yield from (each[language] for each in about(found))
    yield ""
    yield from (f"- {each[language]}" for each in findings(found))
    yield ""
    yield said("inverted", attributes=len(found.attributes))[language]
    names = [said(key)[language] for key in ("printed", "theorem", "tightest")]
    for row in found.findings.inverted:
        pairs = zip(names, _inverted(row)[1:], strict=True)
        yield f"  ε* = {row.epsilon_star:g}: " + ", ".join(f"{n} {v}" for n, v in pairs)


def page(found: Reproduced, language: Language) -> str:
    """The page, first shown in `language`."""
    return render_page(
        "reproduced",
        title=said("title"),
        lead=said("about"),
        about=about(found),
        differs=said("differs"),
        findings=findings(found),
        inverted=_table(found),
        cards=[_card(figure) for figure in found.figures],
        language=language,
    )


def _table(found: Reproduced) -> dict[str, Any]:
    return {
        "heading": said("inverted", attributes=len(found.attributes)),
        "names": [Both("ε*", "ε*"), said("printed"), said("theorem"), said("tightest")],
        "rows": [_inverted(row) for row in found.findings.inverted],
    }


def _inverted(row: Inverted) -> tuple[str, str, str, str]:
    theorem = "–" if row.theorem is None else f"{row.theorem:.2f}"
    return f"{row.epsilon_star:g}", f"{row.printed:g}", theorem, f"{row.tightest:.2f}"


def _card(figure: PaperFigure) -> dict[str, Any]:
    pictures = []
    for panel in panels(figure.number):
        x, y = axes(figure, panel)
        mode = said(panel.mode)
        label = said("chart", mode=mode, quantity=y, axis=x)
        pictures.append({"heading": mode, "label": label, "svg": chart(figure, panel)})
    return {
        "heading": said("figure", number=figure.number),
        "what": said(f"what{figure.number}"),
        "pictures": pictures,
        "csv": said("csv", name=csv_name(figure.number)),
    }

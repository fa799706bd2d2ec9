"""Paper 004's figures made again: as one page, as CSV, and as lines for a terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sudare.facts.sets_paper import QUANTITIES, SetsFigure, SetsPaper
from sudare.report.both import Both
from sudare.report.html import page_policy
from sudare.report.sets_paper_charts import AXIS_SIGNS, SIGNS, chart
from sudare.report.sets_paper_findings import findings
from sudare.report.sets_paper_texts import name_of, said
from sudare.report.texts import Language

_FOLDER = Path(__file__).parent / "page"
_DIFFERS = ("original", "every", "choice", "theorem", "return", "silent", "plots")
TOWN = "town"


def csv_name(number: int) -> str:
    return f"figure{number}.csv"


def to_csv(figure: SetsFigure) -> str:
    """Every number of a figure; one repetition has no standard deviation."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ["data", "mode", "setting", "quantity", figure.axis, "mean", "standard_deviation", "runs"]
    )
    for spot in figure.spots:
        spread = "" if spot.deviation is None else f"{spot.deviation:.9g}"
        place = (spot.data, spot.mode, spot.setting, spot.quantity, f"{spot.x:g}")
        writer.writerow([*place, f"{spot.mean:.9g}", spread, len(spot.values)])
    return text.getvalue()


def about(found: SetsPaper) -> list[Both]:
    """Which data, what was checked, and that this is no release."""
    told = [
        said(
            "data",
            name=name_of(each.name),
            records=each.records,
            items=each.items,
            longest=each.longest,
            short=each.short,
            repeats=found.repeats,
        )
        for each in found.data
    ]
    if any(each.name == TOWN for each in found.data):
        told.append(said("get"))
    places = sum(len(figure.spots) for figure in found.figures)
    return [
        *told,
        said("verified", count=found.verified),
        said("public"),
        said("seconds", places=places, seconds=found.seconds),
    ]


def lines(found: SetsPaper, language: Language) -> Iterator[str]:
    """The findings for a terminal."""
    yield from (each[language] for each in about(found))
    yield ""
    yield from (f"- {each[language]}" for each in findings(found))


def page(found: SetsPaper, language: Language) -> str:
    """The page, first shown in `language`."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = (_FOLDER / "page.js").read_text(encoding="utf-8")
    return environment.get_template("sets_paper.html.j2").render(
        title=said("title"),
        lead=said("lead"),
        about=about(found),
        heading=said("findings"),
        findings=findings(found),
        differs=said("differs"),
        differences=[said(key) for key in _DIFFERS],
        cards=[_card(figure, found) for figure in found.figures],
        language=language,
        style=(_FOLDER / "page.css").read_text(encoding="utf-8"),
        script=script,
        policy=page_policy(script),
    )


def _card(figure: SetsFigure, found: SetsPaper) -> dict[str, Any]:
    """Modes stand side by side, data sets and quantities below each other."""
    pictures = []
    for quantity in QUANTITIES[figure.number]:
        for data in found.data:
            for mode in found.modes:
                named = {"name": name_of(data.name), "mode": said(mode)}
                label = said(
                    "chart", **named, quantity=SIGNS[quantity], axis=AXIS_SIGNS[figure.axis]
                )
                svg = chart(figure, data.name, mode, quantity)
                pictures.append({"heading": said("panel", **named), "label": label, "svg": svg})
    return {
        "heading": said("figure", number=figure.number),
        "what": said(f"what{figure.number}"),
        "pictures": pictures,
        "csv": said("csv", name=csv_name(figure.number)),
    }

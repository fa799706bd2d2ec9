"""Estimates as one self-contained HTML file: both languages inside, nothing fetched."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sudare.facts.estimated import Estimated, Figure, Histogram, Matrix, Mean
from sudare.report.both import Both
from sudare.report.cells import Cell
from sudare.report.charts import grouped
from sudare.report.estimates import Section, label_name, listed_shares, sections
from sudare.report.estimates_shown import percent
from sudare.report.estimates_texts import said
from sudare.report.heat import heat
from sudare.report.templates import render_page
from sudare.report.texts import Language


@dataclass(frozen=True)
class Drawing:
    """A chart with what it shows."""

    svg: str
    caption: Both


def estimates_page(found: Estimated, language: Language) -> str:
    """The page, first shown in `language`."""
    return render_page(
        "estimates",
        title=said("title", table=found.table),
        sections=[(each, _drawing(each)) for each in sections(found)],
        language=language,
    )


def _drawing(section: Section) -> Drawing | None:
    drawn = section.drawn
    if isinstance(drawn, Matrix):
        return _heat(drawn)
    if isinstance(drawn, Histogram):
        return _bars(drawn)
    return _dots(drawn) if drawn else None


def _heat(found: Matrix) -> Drawing | None:
    cells = [
        Cell("", _number(figure), 0.0, not figure.distinguishable, None, a, b)
        for a, line in zip(found.columns, found.entries, strict=True)
        for b, figure in zip(found.columns, line, strict=True)
    ]
    return Drawing(heat(cells, {}), said("caption_heat")) if len(cells) > 1 else None


def _bars(found: Histogram) -> Drawing:
    shares = [(label_name(label).en, percent(share)) for label, share in listed_shares(found)]
    cells = [
        Cell(name, _number(figure), 0.0, not figure.distinguishable, figure.interval95)
        for name, figure in shares
    ]
    return Drawing(grouped(cells, from_zero=True), said("caption_bars"))


def _dots(found: tuple[Mean, ...]) -> Drawing | None:
    """Where each mean lies between its bounds, in percent of them."""
    cells = []
    for each in found:
        figure = each.mean
        if figure.value is None or figure.interval95 is None:
            continue
        low, high = (_ordinal(end) for end in each.bounds)
        ends = (figure.value, *figure.interval95)
        place, first, last = (100 * (_ordinal(end) - low) / (high - low) for end in ends)
        cells.append(Cell(each.column, place, 0.0, not figure.distinguishable, (first, last)))
    return Drawing(grouped(cells, from_zero=False), said("caption_means")) if cells else None


def _number(figure: Figure) -> float:
    return figure.value if isinstance(figure.value, float) else 0.0


def _ordinal(value: float | str) -> float:
    """A number as it is, a date as its day."""
    return float(dt.date.fromisoformat(value).toordinal()) if isinstance(value, str) else value

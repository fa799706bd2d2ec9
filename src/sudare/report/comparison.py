"""True against released, for the steward before anything is published. It holds exact counts.

The page and the file say NOT FOR PUBLICATION; nothing of them goes into a release or a ledger.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

import numpy as np
from numpy.typing import NDArray

from sudare.facts.cube import margin_of
from sudare.facts.release import Answer, Release
from sudare.facts.tabulated import ReleasedMargin, Tabulated
from sudare.report.crosstab import csv_line, margin_lines
from sudare.report.frames import field
from sudare.report.rulers import Numbers
from sudare.report.style import BAR, INK, MUTED
from sudare.report.tables import BOM
from sudare.report.texts import Language, text

Counts = NDArray[np.int64]
_MOST_POINTS = 2_000
_MOST_LISTED = 50
_HEIGHT, _DOT, _STRENGTH = 260, 18, 0.7


def comparison_csv(table: Tabulated, truth: Counts) -> Iterator[str]:
    """The tidy table with the true count and whether it is drowned, under a warning."""
    names = [tier.name for dimension in table.dimensions for tier in dimension.tiers]
    yield BOM + "NOT FOR PUBLICATION\n"
    yield csv_line(["margin", *names, "count", "error95", "true", "drowned"]) + "\n"
    for margin in table.margins:
        true = margin_of(truth, table.dimensions, margin.levels).ravel().tolist()
        lines = "".join(margin_lines(table, margin)).splitlines()
        for line, count in zip(lines, true, strict=True):
            yield f"{line},{count},{str(_is_lost(count, margin)).lower()}\n"


def comparison_html(release: Release, table: Tabulated, truth: Counts, language: Language) -> str:
    """One page without scripts: for every margin its errors, a plot, the drowned cells."""
    title = text("compare_title", language, table=release.table)
    lead = text("compare_lead", language)
    parts = [_section(table, margin, truth, language) for margin in table.margins]
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        f"<title>{escape(title)}</title><style>body{{font-family:sans-serif;max-width:60rem;"
        "margin:2rem auto;padding:0 1rem}h1{color:#b00020}td,th{padding:.1rem .6rem;"
        "text-align:right}figure{margin:0}svg{max-width:100%;height:auto}th:first-child,td:first-child{text-align:left}</style></head><body>"
        f"<h1>{escape(title)}</h1><p><strong>{escape(lead)}</strong></p>"
        f"{''.join(parts)}</body></html>"
    )


def _section(table: Tabulated, margin: ReleasedMargin, truth: Counts, language: Language) -> str:
    true = margin_of(truth, table.dimensions, margin.levels).ravel()
    found = table.margin(margin.levels).ravel()
    lost = np.array([_is_lost(int(count), margin) for count in true])
    rmse = math.sqrt(float(((found - true) ** 2).mean()))
    said = [
        text(
            "compare_lost",
            language,
            count=f"{int(lost.sum()):,}",
            total=f"{len(true):,}",
            error=f"{margin.error95:g}",
        ),
        text("compare_rmse", language, found=f"{rmse:.2f}", forecast=f"{margin.rmse:.2f}"),
    ]
    picture = plot(true, found, lost, margin, language) if len(true) > 1 else ""
    return (
        f"<section><h2>{escape(margin.name)}</h2><p>{escape(' '.join(said))}</p>{picture}"
        f"{_list(table, margin, true, found, lost, language)}</section>"
    )


def plot(
    true: Counts, found: Counts, lost: NDArray[np.bool_], margin: ReleasedMargin, language: Language
) -> str:
    """A scatter plot; of many cells an evenly spaced part is drawn."""
    step = -(-len(true) // _MOST_POINTS)
    drawn, released, noise = true[::step].tolist(), found[::step].tolist(), lost[::step].tolist()
    most = int(max(true.max(), found.max(), 1))
    frame = field(Numbers(0, most), Numbers(min(0, int(found.min())), most), _HEIGHT)
    start, end = ((frame.x(at), frame.y(at)) for at in (0, most))
    frame.canvas.line(start, end, INK, 1)
    for color, is_noise in ((MUTED, True), (BAR, False)):
        spots = (
            (frame.x(a), frame.y(b))
            for a, b, c in zip(drawn, released, noise, strict=True)
            if c == is_noise
        )
        frame.canvas.dots(spots, _DOT, color, _STRENGTH)
    label = escape(text("compare_chart", language, name=margin.name))
    return (
        f'<figure role="img" aria-label="{label}">{frame.svg()}'
        f"<figcaption>{label}</figcaption></figure>"
    )


def _list(
    table: Tabulated,
    margin: ReleasedMargin,
    true: Counts,
    found: Counts,
    lost: NDArray[np.bool_],
    language: Language,
) -> str:
    """The drowned cells with people in them, the largest first: those that readers would miss."""
    from sudare.report.tabulation import margin_answer

    places = [int(i) for i in np.argsort(-true, kind="stable") if lost[i] and true[i] > 0]
    if not places or len(true) > 200_000:
        return ""
    answer: Answer = margin_answer(table, margin)
    labels = list(answer.value) if isinstance(answer.value, dict) else [margin.name]
    head = "".join(
        f"<th>{escape(text(key, language))}</th>"
        for key in ("compare_cell", "compare_true", "compare_released")
    )
    rows = "".join(
        f"<tr><td>{escape(labels[i])}</td><td>{true[i]:,}</td><td>{found[i]:,}</td></tr>"
        for i in places[:_MOST_LISTED]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _is_lost(count: int, margin: ReleasedMargin) -> bool:
    """A true count that the noise may hide whole."""
    return count < margin.error95

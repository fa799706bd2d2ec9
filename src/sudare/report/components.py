"""Principal components in words: how much of the variance each holds, and along which columns."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sudare.facts.release import Answer
from sudare.report.cells import Cell
from sudare.report.clusters import by_row
from sudare.report.learning_words import told
from sudare.report.numbers import format_number
from sudare.report.texts import Language
from sudare.report.words import column_name, listed

VARIANCE, SHARE = "variance", "share"
_MOST = 3
# A column is named if its loading is at least this part of the component's largest.
_MAIN = 0.5
_MOST_LOADINGS = 3


def loadings(component: Mapping[str, Cell]) -> dict[str, Cell]:
    """The part of a component that is its direction."""
    return {name: cell for name, cell in component.items() if name not in (VARIANCE, SHARE)}


def loading_text(cell: Cell) -> str:
    """A loading with the digits that its error leaves it, at most two where none is known."""
    return format_number(cell.value, max(cell.error, 0.01)).replace("-", "−")


def component_clauses(
    answer: Answer, found: list[Cell], about: str, language: Language, labels: Mapping[str, str]
) -> list[str]:
    """Component by component, then how many more the table has."""
    rows = by_row(found)
    alive = {row: part for row, part in rows.items() if not part[VARIANCE].drowned}
    if not alive:
        return [told("say_no_components", language, subject=about)]
    said = [_component(answer, row, rows[row], language, labels) for row in list(rows)[:_MOST]]
    held = sum(_number(part[SHARE]) for part in alive.values())
    first = told(
        "say_components",
        language,
        count=len(alive),
        subject=about,
        share=percent(min(held, 1.0), max(part[SHARE].error for part in alive.values())),
        first=said[0],
    )
    clauses = [first, *said[1:], told("say_probably", language)]
    if len(rows) > _MOST:
        clauses.append(told("say_more", language, count=len(rows) - _MOST))
    return clauses


def percent(share: float, error: float) -> str:
    """A share in per cent, with the digits that its error leaves it."""
    return f"{format_number(100 * share, max(100 * error, 0.01))} %"


def _component(
    answer: Answer,
    row: str,
    component: Mapping[str, Cell],
    language: Language,
    labels: Mapping[str, str],
) -> str:
    if component[VARIANCE].drowned:
        return told("component_noise", language, row=row)
    share = component[SHARE]
    told_of = {
        "row": row,
        "share": percent(_number(share), share.error),
        "error": f"{format_number(100 * share.error, 100 * share.error)} %",
    }
    direction = loadings(component)
    if all(cell.drowned for cell in direction.values()):
        return told("component_lost", language, **told_of)
    names = listed([_loading(cell, language, labels) for cell in _main(direction)], language)
    angle = (answer.details or {}).get("angle95", {}).get(row)
    if angle is None:
        return told("component", language, loadings=names, **told_of)
    angle = max(1, math.ceil(float(angle)))
    return told("component_angle", language, loadings=names, angle=angle, **told_of)


def _main(direction: Mapping[str, Cell]) -> list[Cell]:
    """The columns that a component mostly consists of, the heaviest first."""
    heaviest = sorted(direction.values(), key=lambda cell: -abs(_number(cell)))
    least = _MAIN * abs(_number(heaviest[0]))
    return [cell for cell in heaviest[:_MOST_LOADINGS] if abs(_number(cell)) >= least]


def _loading(cell: Cell, language: Language, labels: Mapping[str, str]) -> str:
    name = column_name(cell.column, language, labels)
    return told("loading", language, column=name, value=loading_text(cell))


def _number(cell: Cell) -> float:
    return float(cell.value)

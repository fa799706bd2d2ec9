"""Fragments for notebooks: plain tables with inline style, no script, no chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from sudare.facts.release import Answer, Release
from sudare.facts.tabulated import Tabulated
from sudare.report.cells import Cell, cells
from sudare.report.learned_lines import learned_remarks, learned_table
from sudare.report.numbers import format_error, format_number, format_share
from sudare.report.sentences import sentence
from sudare.report.texts import Language, text

_MOST_CELLS = 8
_MOST_LINES = 24
_TABLE = '<table style="border-collapse:collapse;text-align:left">'
_LEFT = 'style="text-align:left;vertical-align:top;padding:0.2em 0.8em"'
_RIGHT = 'style="text-align:right;vertical-align:top;padding:0.2em 0.8em"'


def release_html(release: Release, language: Language = "en") -> str:
    """What a notebook shows of a release: each question, its answer in words, its ε."""
    rows = "".join(_answer(answer, release, language) for answer in release.answers)
    footer = _spent_left(release, language)
    head = _head(("question", _LEFT), ("answer", _LEFT), ("share", _RIGHT), language=language)
    return (
        f'<div lang="{language}">{_TABLE}{head}<tbody>{rows}</tbody></table>'
        f"<p>{escape(footer)}</p></div>"
    )


def forecast_html(rows: Sequence[Mapping[str, Any]], language: Language = "en") -> str:
    """What a notebook shows of a dry run; a row has query, epsilon, error95 and relative."""
    body = "".join(
        f"<tr><th scope='row' {_LEFT}><code>{escape(str(row['query']))}</code></th>"
        f"<td {_RIGHT}>{format_share(row['epsilon'])}</td>"
        f"<td {_RIGHT}>{format_error(0.0, row['error95'])}</td>"
        f"<td {_RIGHT}>{100 * row['relative']:.2g} %</td></tr>"
        for row in rows
    )
    total = format_share(sum(row["epsilon"] for row in rows))
    foot = (
        f"<tfoot><tr><th scope='row' {_LEFT}>{text('total', language)}</th>"
        f"<td {_RIGHT}>{total}</td><td></td><td></td></tr></tfoot>"
    )
    columns = ("question", _LEFT), ("share", _RIGHT), ("error", _RIGHT), ("relative", _RIGHT)
    head = _head(*columns, language=language)
    return f'<div lang="{language}">{_TABLE}{head}<tbody>{body}</tbody>{foot}</table></div>'


def table_html(release: Release, table: Tabulated, language: Language = "en") -> str:
    """What a notebook shows of a cross table: its margins, how many cells, how wrong."""
    rows = "".join(
        f"<tr><th scope='row' {_LEFT}><code>{escape(margin.name)}</code></th>"
        f"<td {_RIGHT}>{margin.cells:,}</td><td {_RIGHT}>{margin.error95:,g}</td></tr>"
        for margin in table.margins
    )
    head = _head(("margin", _LEFT), ("cells", _RIGHT), ("error", _RIGHT), language=language)
    footer = _spent_left(release, language)
    return (
        f'<div lang="{language}">{_TABLE}{head}<tbody>{rows}</tbody></table>'
        f"<p>{escape(footer)}</p></div>"
    )


def _spent_left(release: Release, language: Language) -> str:
    return text(
        "spent_left",
        language,
        spent=format_share(release.spent["epsilon"]),
        left=format_share(release.left["epsilon"]),
        table=release.table,
    )


def _head(*columns: tuple[str, str], language: Language) -> str:
    cells = "".join(
        f'<th scope="col" {side}>{escape(text(key, language))}</th>' for key, side in columns
    )
    return f"<thead><tr>{cells}</tr></thead>"


def _answer(answer: Answer, release: Release, language: Language) -> str:
    said = escape(sentence(answer, language, release.labels))
    listed = _inner(learned_table(answer, language, release.labels))
    if isinstance(answer.value, dict) and not listed:
        listed = _listed(cells(answer), language)
    listed += "".join(f"<p>{escape(each)}</p>" for each in learned_remarks(answer, language))
    return (
        f'<tr><th scope="row" {_LEFT}><code>{escape(answer.query)}</code></th>'
        f"<td {_LEFT}>{said}{listed}</td><td {_RIGHT}>{format_share(answer.epsilon)}</td></tr>"
    )


def _inner(table: list[list[str]]) -> str:
    """Clusters, components and coefficients as a table inside the answer."""
    if not table:
        return ""
    head = "".join(f'<th scope="col" {_RIGHT}>{escape(name)}</th>' for name in table[0])
    rows = "".join(
        f'<tr><th scope="row" {_LEFT}>{escape(row[0])}</th>'
        + "".join(f"<td {_RIGHT}>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in table[1 : 1 + _MOST_LINES]
    )
    return f"{_TABLE}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _listed(found: list[Cell], language: Language) -> str:
    lines = [_line(cell, language) for cell in found[:_MOST_CELLS]]
    if len(found) > _MOST_CELLS:
        lines.append(escape(text("more_cells", language, count=f"{len(found) - _MOST_CELLS:,}")))
    return "<br>" + "<br>".join(lines)


def _line(cell: Cell, language: Language) -> str:
    name = ", ".join(part for part in (cell.group, cell.row, cell.column) if part)
    error = format_error(cell.value, cell.error, language)
    value = text("lost", language) if cell.drowned else f"{format_number(cell.value, cell.error)}"
    return f"{escape(name)}: {escape(value)} ± {escape(error)}"

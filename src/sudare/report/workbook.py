"""A released table as an Excel workbook: the crossed table, its errors, what it promises."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from sudare.facts.release import Release
from sudare.facts.tabulated import Tabulated
from sudare.report.crosstab import crosstab, entries
from sudare.report.guarantee import not_covered, promise
from sudare.report.texts import LANGUAGES, Language, text

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
# A workbook of more cells takes minutes to open; the CSV files have everything.
MOST_CELLS = 2_000_000


def fits(table: Tabulated) -> bool:
    """Whether Excel can hold the crossed table."""
    *down, across = (len(entries(dimension)) for dimension in table.dimensions)
    rows = 1
    for size in down:
        rows *= size
    columns = across + len(down)
    return rows < MOST_ROWS and columns <= MOST_COLUMNS and rows * columns <= MOST_CELLS


def write_workbook(release: Release, table: Tabulated, path: Path, language: Language) -> None:
    """Labels are written as text, so that none of them can be a formula."""
    import xlsxwriter
    from xlsxwriter.exceptions import FileCreateError

    # What does not fit in memory waits beside the workbook, not where others may look.
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = xlsxwriter.Workbook(str(path), {**options, "tmpdir": str(path.parent)})
    _fill(book, release, table, language)
    try:
        book.close()
    except FileCreateError as error:
        raise OSError(*getattr(error.args[0], "args", ())) from None


def _fill(book: Any, release: Release, table: Tabulated, language: Language) -> None:
    bold, number = book.add_format({"bold": True}), book.add_format({"num_format": "#,##0"})
    # The time of the release: the same release gives the same bytes.
    created = dt.datetime.fromisoformat(release.created).replace(tzinfo=None)
    title = text("page_title", language, table=release.table)
    book.set_properties({"title": title, "created": created})
    sheet = book.add_worksheet(text("sheet_table", language))
    down = len(table.dimensions) - 1
    sheet.freeze_panes(1, down)
    for row, cells in enumerate(crosstab(table)):
        for column, cell in enumerate(cells):
            if isinstance(cell, str):
                sheet.write_string(row, column, cell, bold if row == 0 else None)
            elif cell is not None:
                sheet.write_number(row, column, cell, number)
    errors = book.add_worksheet(text("sheet_errors", language))
    titles = [text(key, language) for key in ("margin", "cells", "error")]
    for column, title in enumerate(titles):
        errors.write_string(0, column, title, bold)
    for row, margin in enumerate(table.margins, start=1):
        errors.write_string(row, 0, margin.name)
        errors.write_number(row, 1, margin.cells, number)
        errors.write_number(row, 2, margin.error95)
    about = book.add_worksheet(text("sheet_about", language))
    lines = [f"{text('fact_id', language)} {release.id}"]
    for code in LANGUAGES:
        lines += [*promise(release, code), *not_covered(release, code)]
    for row, line in enumerate(lines):
        about.write_string(row, 0, line)

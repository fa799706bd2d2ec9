"""Files of the tour: each appears whole or not at all, so that a tour cut off can start again."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sudare.facts.release import Release
from sudare.publish.certifying import certify
from sudare.report.certificate import statement
from sudare.report.html import render
from sudare.report.tables import to_csv
from sudare.report.tabulation import table_of
from sudare.report.texts import Language


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A place of the same name to write to; the file gets its own place when all is written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=path.parent))
    try:
        yield aside / path.name
        os.replace(aside / path.name, path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    with whole(path) as place:
        place.write_text(text, encoding="utf-8", newline="")


def write_json(path: Path, value: object) -> None:
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def write_answers(
    release: Release, target: Path, prefix: str, language: Language, ledger: Path
) -> list[Path]:
    """Answers, certificate and report of a release in a folder."""
    answers = target / (f"{prefix}.csv" if prefix else "answers.csv")
    start = f"{prefix}." if prefix else ""
    stated, page = target / f"{start}certificate.json", target / f"{start}report.html"
    write_text(answers, to_csv(release))
    write_text(page, render(release, language))
    certify(statement(release), stated, (answers, page), ledger)
    return [page, answers, stated]


def write_table(release: Release, target: Path, language: Language, ledger: Path) -> list[Path]:
    """The same for a table, which also has a crossed form and a workbook."""
    from sudare.report.crosstab import crosstab_csv, tidy_csv
    from sudare.report.workbook import write_workbook

    table = table_of(release)
    assert table is not None
    names = ("report.html", "table.csv", "crosstab.csv", "table.xlsx", "certificate.json")
    page, tidy, crossed, book, stated = (target / name for name in names)
    write_text(tidy, "".join(tidy_csv(table)))
    write_text(crossed, "".join(crosstab_csv(table)))
    with whole(book) as place:
        write_workbook(release, table, place, language)
    write_text(page, render(release, language))
    certify(statement(release), stated, (tidy, crossed, book, page), ledger)
    return [page, tidy, crossed, book, stated]

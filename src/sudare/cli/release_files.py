"""The files of a release: which there are for a name, and how they are written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sudare.cli import console

if TYPE_CHECKING:
    from sudare.cli.options import Code
    from sudare.facts.release import Release
    from sudare.publish.outputs import OutputSet

# What a release is of: that decides which files it has.
Kind = Literal["answers", "table", "statistics", "reports"]
# The main file where a folder is named, and the endings that a named file may have instead.
_MAIN = {"answers": "answers.csv", "table": "table.csv", "statistics": "statistics.json"}
_ENDINGS = {
    "answers": (".csv", ".json"),
    "table": (),
    "statistics": (".json",),
    "reports": (".parquet", ".pq"),
}
_FILES = frozenset({".csv", ".json", ".parquet", ".pq", ".xlsx", ".html", ".htm", ".tsv", ".toml"})
_TABLE = ("table.csv", "crosstab.csv", "table.xlsx")


def kind_of(release: Release) -> Kind:
    if release.tabulation is not None:
        return "table"
    if release.randomized is not None:
        return "reports"
    return "answers" if release.statistics is None else "statistics"


def planned(kind: Kind, target: Path | None) -> tuple[Path, ...]:
    """The files that a release has under this name, the main one first; none without a name."""
    if target is None:
        return ()
    _check_name(kind, target)
    if target.suffix.lower() in _ENDINGS[kind]:
        return (target, *beside(target))
    mains = _TABLE if kind == "table" else (_MAIN[kind],)
    return tuple(target / name for name in (*mains, "certificate.json", "report.html"))


def beside(target: Path) -> tuple[Path, Path]:
    """The certificate and the report beside a named file."""
    stem = target.with_suffix("")
    return (
        stem.with_name(f"{stem.name}.certificate.json"),
        stem.with_name(f"{stem.name}.report.html"),
    )


def _check_name(kind: Kind, target: Path) -> None:
    from sudare.facts.errors import UsageError

    ending, allowed = target.suffix.lower(), _ENDINGS[kind]
    is_folder = kind != "reports" and (ending not in _FILES or target.is_dir())
    if ending in allowed or is_folder:
        return
    wanted = " or ".join([f"a name{each}" for each in allowed] + ["a folder"] * (kind != "reports"))
    raise UsageError(
        f"The {kind} of a release cannot be written to {target.name}.",
        f"Name {wanted}.",
        place=target.name,
    )


def stage_main(release: Release, files: OutputSet, language: Code) -> None:
    """What was released, but for reports, which no ledger holds."""
    kind, main = kind_of(release), files.names[0]
    if kind == "table":
        _stage_table(release, files, language)
    elif kind == "statistics":
        from sudare.publish.private_statistics import statistics_of

        files.write(main, f"{statistics_of(release).to_json()}\n")
    elif main.suffix.lower() == ".json":
        from sudare.cli.output import release_json

        files.write(main, as_json(release_json(release, language)))
    else:
        from sudare.report.tables import to_csv

        files.write(main, to_csv(release))


def stage_beside(release: Release, files: OutputSet, language: Code) -> None:
    """Report and certificate; the certificate last, when all other files are there."""
    from sudare.report.certificate import certificate
    from sudare.report.html import render

    stated, page = files.names[-2:]
    files.write(page, render(release, language))
    files.write(stated, as_json(certificate(release)))


def write_release(
    release: Release, files: OutputSet, language: Code, ledger: str | Path | None = None
) -> None:
    """The set of files that was asked for, and what became of it."""
    if not files.names:
        return
    main = files.names[0]
    # A name.csv or .json is given again as it is; in a folder the folder is named.
    asked = main if main.name not in (*_MAIN.values(), *_TABLE) else main.parent
    files.charged(release.id, ledger, output=asked)
    stage_main(release, files, language)
    stage_beside(release, files, language)
    say_written(files.finish())


def say_written(paths: list[Path]) -> None:
    for path in paths:
        console.say(f"Wrote {path}.")


def write_page(files: OutputSet, made: Callable[[], str]) -> None:
    """The one page of a set, if one was asked for."""
    for name in files.names:
        files.write(name, made())
    say_written(files.finish())


def say_replaced(files: OutputSet) -> None:
    """What was paid for and goes now, and how it is had again."""
    if files.replaces is None:
        return
    again = f"`sudare ledger release {files.replaces}` shows it again"
    if files.is_of_reports:
        again = "no ledger holds its reports, and they are not drawn again"
    console.say(f"The files of release {files.replaces} will be replaced; {again}.")


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _stage_table(release: Release, files: OutputSet, language: Code) -> None:
    """Tidy CSV, crossed CSV and workbook."""
    from sudare.report.crosstab import crosstab_csv, tidy_csv
    from sudare.report.tabulation import table_of
    from sudare.report.workbook import fits, write_workbook

    table = table_of(release)
    assert table is not None
    tidy, crossed, book = files.names[:3]
    files.write(tidy, tidy_csv(table))
    files.write(crossed, crosstab_csv(table))
    if fits(table):
        write_workbook(release, table, files.place(book), language)
    else:
        console.say("The table is too large for a workbook; the CSV files hold all of it.")

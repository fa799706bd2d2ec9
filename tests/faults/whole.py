"""Whether each file under its final name is whole, and belongs to a release of the ledger."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sudare.facts.release import Release
from sudare.publish.private_statistics import statistics_of
from sudare.report.crosstab import crosstab_csv, tidy_csv
from sudare.report.tables import to_csv
from sudare.report.tabulation import table_of

Check = Callable[[Path, list[Release]], bool]


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_page(path: Path, releases: list[Release]) -> bool:
    return _text(path).rstrip().endswith("</html>")


def _of_release(path: Path, releases: list[Release]) -> bool:
    """A page or a certificate that names its release."""
    text = _text(path)
    whole = _is_page(path, releases) if path.suffix == ".html" else bool(json.loads(text))
    return whole and any(release.id in text for release in releases)


def _answers(path: Path, releases: list[Release]) -> bool:
    return any(_text(path) == to_csv(release) for release in releases)


def _pieces(make: Callable[[Any], Iterator[str]]) -> Check:
    def check(path: Path, releases: list[Release]) -> bool:
        return any(_text(path) == "".join(make(table_of(each))) for each in releases)

    return check


def _workbook(path: Path, releases: list[Release]) -> bool:
    with zipfile.ZipFile(path) as book:
        return book.testzip() is None


def _reports(path: Path, releases: list[Release]) -> bool:
    return any((each.randomized or {})["sha256"] == _digest(path) for each in releases)


def _result(path: Path, releases: list[Release]) -> bool:
    told = json.loads(_text(path))
    return any(
        told["release"] == each.id
        and [a["value"] for a in told["answers"]] == [a.value for a in each.answers]
        for each in releases
    )


def _statistics(path: Path, releases: list[Release]) -> bool:
    return any(_text(path) == statistics_of(each).to_json() + "\n" for each in releases)


def _lines(count: int) -> Check:
    """Rows or records: so many whole lines. Their digest stands in the certificate."""
    return lambda path, _: _text(path).count("\n") == count and _text(path).endswith("\n")


def _stated(name: str) -> Check:
    """A certificate with the digest of the file that it is for, where that is there."""

    def check(path: Path, _: list[Release]) -> bool:
        text, file = _text(path), path.with_name(name)
        return bool(json.loads(text)) and (not file.exists() or _digest(file) in text)

    return check


CHECKS: dict[str, dict[str, Check]] = {
    "ask": {
        "out/answers.csv": _answers,
        "out/answers.certificate.json": _of_release,
        "out/answers.report.html": _of_release,
    },
    "tabulate": {
        "out/table.csv": _pieces(tidy_csv),
        "out/crosstab.csv": _pieces(crosstab_csv),
        "out/table.xlsx": _workbook,
        "out/certificate.json": _of_release,
        "out/report.html": _of_release,
    },
    "synthesize": {
        "synthetic.csv": _lines(21),
        "used.json": _statistics,
        "used.certificate.json": _stated("used.json"),
        "synthetic.certificate.json": _stated("synthetic.csv"),
        "synthetic.report.html": _is_page,
    },
    "randomize": {
        "randomized.parquet": _reports,
        "randomized.certificate.json": _of_release,
        "randomized.report.html": _of_release,
    },
    "aggregate": {
        "out.json": _result,
        "out.certificate.json": _of_release,
        "out.report.html": _of_release,
    },
    "suppress": {
        "released.dat": _lines(6),
        "released.certificate.json": _stated("released.dat"),
        "released.report.html": _is_page,
    },
}


def not_whole(scene: str, folder: Path, releases: list[Release]) -> list[str]:
    """Every file under a final name that is cut off, or is no release's."""
    found = []
    for name, check in CHECKS[scene].items():
        path = folder / name
        if not path.exists():
            continue
        try:
            good = check(path, releases)
        except (ValueError, KeyError, TypeError, OSError, zipfile.BadZipFile) as error:
            found.append(f"{name} is broken ({type(error).__name__})")
            continue
        if not good:
            found.append(f"{name} is cut off or of no release")
    return found

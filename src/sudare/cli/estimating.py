"""sudare estimate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudare.cli import console, options
from sudare.cli.bars import bar
from sudare.cli.options import Language

if TYPE_CHECKING:
    from sudare.publish.estimate import Progress


class HistogramMethod(StrEnum):
    em = "em"
    inverse = "inverse"


def estimate(
    reports: Annotated[Path, typer.Argument(help="A file of `sudare randomize`.")],
    statistics: Annotated[
        str,
        typer.Option(
            "--statistics",
            help="mean (with variance), covariance, correlation, histogram, table, pca, "
            "regression, logistic, svm; without it all that the file tells.",
        ),
    ] = "",
    target: Annotated[
        str | None, typer.Option("--target", help="The column that models explain.")
    ] = None,
    table: Annotated[
        list[str] | None, typer.Option("--table", help="Two columns of a table: sex,region.")
    ] = None,
    histogram_method: Annotated[
        HistogramMethod,
        typer.Option("--histogram-method", help="Iterative Bayes, or the matrix inverse."),
    ] = HistogramMethod.em,
    report: Annotated[
        Path | None, typer.Option("--report", help="Also write a page, name.html.")
    ] = None,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Estimate statistics from randomised reports alone: each number with its standard error and
    what one would have guessed without data. Costs nothing.

    Example: sudare estimate randomized.parquet --statistics mean,correlation
    """
    from sudare.cli.output import print_json
    from sudare.facts.estimated import Wanted, read_statistics
    from sudare.publish.estimate import estimate_file
    from sudare.publish.outputs import Input, OutputSet

    wanted = Wanted(
        read_statistics(statistics),
        target,
        tuple(_pair(words) for words in table or ()),
        histogram_method.value,
    )
    if report is not None:
        _check_page(report)
    inputs = (Input("the reports", reports),)
    with OutputSet(() if report is None else (report,), inputs, force=force) as files:
        with _progress(not json) as progress:
            found = estimate_file(reports, wanted, progress)
        if json:
            print_json(found.to_dict())
        else:
            from sudare.report.estimates import text_lines

            console.show("\n".join(text_lines(found, lang.code)))
        if report is not None:
            from sudare.report.estimates_page import estimates_page
            from sudare.report.estimates_texts import said

            files.write(report, estimates_page(found, lang.code))
            files.finish()
            console.say(said("wrote", path=report)[lang.code])


def _pair(words: str) -> tuple[str, str]:
    from sudare.cli.checking_records import names_of
    from sudare.facts.errors import UsageError

    names = names_of(words)
    if len(names) != 2 or names[0] == names[1]:
        raise UsageError("A table names two columns.", "Example: --table sex,region")
    return names[0], names[1]


def _check_page(report: Path) -> None:
    """Refuse a name before a long file is read."""
    from sudare.facts.errors import UsageError

    if report.suffix.lower() not in (".html", ".htm"):
        raise UsageError("The page is not an HTML file.", "Example: --report estimates.html")


@contextmanager
def _progress(shown: bool) -> Iterator[Progress]:
    with bar("Reading reports", shown) as update:
        yield lambda done, total: update(completed=done, total=total)

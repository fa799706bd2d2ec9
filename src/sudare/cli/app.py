"""The `sudare` command. Nothing heavy is imported before a command needs it.

stdout is data (`--json`, or the table of answers); stderr is for people. Exit codes: 0 ok, 2 usage,
3 budget refused, 4 invalid plan or data, 5 engine unavailable.
"""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from sudare._version import VERSION
from sudare.cli import (
    accounting,
    aggregating,
    anonymizing,
    asking,
    checking,
    comparing,
    demonstrating,
    estimating,
    explaining,
    keeping,
    linking,
    listing,
    randomizing,
    reproducing,
    stewarding,
    suppressing,
    synthesizing,
    tabulating,
)

app = typer.Typer(
    name="sudare",
    help="Answer questions about people's data with a guarantee that is stated, accounted for "
    "and checkable.",
    epilog="Start with `sudare demo`. Example: sudare ask people.csv --epsilon 1 'mean(age)'",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("demo")(demonstrating.demo)
app.command("init")(stewarding.init)
app.command("validate")(stewarding.validate)
app.command("ask")(asking.ask)
app.command("plan")(asking.plan)
app.command("run")(asking.run)
app.command("tabulate")(tabulating.tabulate)
app.command("aggregate")(aggregating.aggregate)
app.command("randomize")(randomizing.randomize)
app.command("estimate")(estimating.estimate)
app.command("synthesize")(synthesizing.synthesize)
app.command("suppress")(suppressing.suppress)
app.command("compare")(comparing.compare)
app.command("explain")(explaining.explain)
app.command("engines")(listing.engines)
app.add_typer(linking.app, name="link")
app.add_typer(keeping.app, name="ledger")
app.add_typer(checking.app, name="check")
app.add_typer(accounting.app, name="account")
app.add_typer(anonymizing.app, name="anonymize")
app.add_typer(reproducing.app, name="reproduce")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sudare {VERSION}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Answer questions about people's data with a guarantee."""


def main() -> None:
    """Run a command; a refusal becomes one line, a hint and its exit code, never a traceback."""
    from sudare.cli.failing import report_failure

    for stream in (sys.stdout, sys.stderr):
        # A terminal without ε or 年 shows an escape; an answer that was paid for is never lost.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except Exception as error:
        sys.exit(report_failure(error, sys.argv))


if __name__ == "__main__":
    main()

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
from sudare.cli import completion, streams
from sudare.cli.lazy import Root

app = typer.Typer(
    name="sudare",
    cls=Root,
    help="Answer questions about people's data with a guarantee that is stated, accounted for "
    "and checkable.",
    epilog='Example: sudare ask people.csv --epsilon 1 "mean(age)"\n\n'
    "Start with `sudare demo`. `sudare COMMAND --help` shows a command's options and an example.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sudare {VERSION}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    install_completion: Annotated[
        bool,
        typer.Option(
            "--install-completion",
            callback=completion.install,
            is_eager=True,
            help="Install completion for the current shell.",
        ),
    ] = False,
    show_completion: Annotated[
        bool,
        typer.Option(
            "--show-completion",
            callback=completion.show,
            is_eager=True,
            help="Print the completion script of the current shell.",
        ),
    ] = False,
) -> None:
    """Typer wants a function where a group has options of its own; the help is the group's."""


def main() -> None:
    """Run a command; a refusal becomes one line, a hint and its exit code, never a traceback."""
    from sudare.cli.failing import report_failure

    streams.open_closed()
    for stream in (sys.stdout, sys.stderr):
        # A terminal without ε or 年 shows an escape; an answer that was paid for is never lost.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    completion.prepare()
    try:
        app(prog_name="sudare")
    except Exception as error:
        sys.exit(report_failure(error, sys.argv))


if __name__ == "__main__":
    main()

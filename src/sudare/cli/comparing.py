"""sudare compare: synthetic rows beside the real ones, for the steward."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudare.cli import console, options
from sudare.cli.bars import bar
from sudare.cli.options import EngineName, Language

if TYPE_CHECKING:
    from sudare.publish.compare import Progress


def compare(
    real: options.Data,
    synthetic: Annotated[
        str, typer.Argument(help="The synthetic rows: any file that can hold the real ones.")
    ],
    schema: options.SchemaFile = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            help="The column that models explain; by default the last boolean or category.",
        ),
    ] = None,
    holdout: Annotated[
        str | None,
        typer.Option(
            "--holdout", help="Real rows that the synthesiser never saw: for the membership risk."
        ),
    ] = None,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a page, name.html.")
    ] = None,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Compare synthetic rows with the real ones: means, tables, correlations, models, and what an
    attacker wins. Stewards only: it reads the real rows, and nothing of it is for publication.

    Example: sudare compare people.csv synthetic.csv --schema people.schema.toml -o report.html
    """
    from sudare.cli.output import print_json
    from sudare.facts.engine import EngineChoice
    from sudare.publish.compare import compare as compare_files
    from sudare.publish.files import load_schema, schema_path
    from sudare.publish.outputs import Input, OutputSet, inputs_of

    if output is not None:
        _check_page(output)
    schema_file = schema if schema is not None else schema_path(real)
    facts = load_schema(schema_file)
    inputs = (
        *inputs_of(real, schema_file),
        Input("the synthetic rows", synthetic),
        Input("the rows that were held out", holdout),
    )
    with OutputSet(() if output is None else (output,), inputs, force=force) as files:
        with _progress(not json) as progress:
            found = compare_files(
                real,
                synthetic,
                facts,
                target=target,
                holdout=holdout,
                engine=EngineChoice(engine.value, master),
                progress=progress,
            )
        if json:
            print_json(found.to_dict())
        else:
            from sudare.report.compared import text_lines

            console.show("\n".join(text_lines(found, lang.code)))
        if output is not None:
            from sudare.report.compared_page import compared_page

            files.write(output, compared_page(found, lang.code))
            files.place(output).chmod(0o600)
            files.finish()
            console.say(f"Wrote {output}. It is not for publication.")


def _check_page(output: Path) -> None:
    """Refuse a name before two files are read."""
    from sudare.facts.errors import UsageError

    if output.suffix.lower() not in (".html", ".htm"):
        raise UsageError("The page is not an HTML file.", "Example: --output report.html")


@contextmanager
def _progress(shown: bool) -> Iterator[Progress]:
    with bar("Comparing", shown, 7) as update:
        yield lambda done, step: update(completed=done, description=f"Comparing: {step}")

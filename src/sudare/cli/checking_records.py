"""sudare check records: what a file gives away to whoever knows some of its columns."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sudare.cli import console, options
from sudare.cli.options import EngineName, Language

Unit = Annotated[
    str | None,
    typer.Option("--unit", help="The column that says whose record each is, or row."),
]
Quasi = Annotated[
    str, typer.Option("--quasi", help="Columns that others may know of a person: age,sex,zip.")
]
Sensitive = Annotated[
    str, typer.Option("--sensitive", help="Columns that they must not learn: disease.")
]


def names_of(words: str) -> list[str]:
    """The columns of a list such as age,sex; a name with a comma stands in double quotes."""
    import csv

    found = next(csv.reader([words], skipinitialspace=True), [])
    return [name.strip() for name in found if name.strip()]


def records(
    data: options.Data,
    quasi: Quasi,
    sensitive: Sensitive = "",
    schema: options.SchemaFile = None,
    sampling_fraction: Annotated[
        float | None,
        typer.Option("--sampling-fraction", help="The share of the population in the file."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", help="A file or table that others may hold, to match with."),
    ] = None,
    largest: Annotated[
        int, typer.Option("--largest", help="Sets of up to so many columns are searched.")
    ] = 3,
    rows: Annotated[
        int, typer.Option("--rows", help="Show so many row numbers of records that are alone.")
    ] = 0,
    unit: Unit = None,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a page, name.html.")
    ] = None,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Say how exposed records are: k-anonymity, ℓ-diversity, t-closeness, uniqueness, the
    columns that single people out, and matches in another file. Stewards only; no values.

    Example: sudare check records people.csv --quasi age,sex,zip --sensitive disease
    """
    from sudare.cli.output import print_json
    from sudare.cli.release_files import write_page
    from sudare.facts.engine import EngineChoice
    from sudare.publish.checking_records import check_records, schema_of
    from sudare.publish.files import schema_path
    from sudare.publish.outputs import Input, OutputSet, inputs_of
    from sudare.report.records_page import page
    from sudare.report.records_risk import lines, parts
    from sudare.report.records_texts import said

    inputs = (
        *inputs_of(data, schema or schema_path(data)),
        Input("the file that others may hold", against),
    )
    with OutputSet(() if output is None else (output,), inputs, force=force) as files:
        found = check_records(
            data,
            names_of(quasi),
            names_of(sensitive),
            schema_of(data, schema),
            sampling_fraction=sampling_fraction,
            largest=largest,
            against=against,
            rows=rows,
            unit=unit,
            engine=EngineChoice(engine.value, master),
        )
        shown = parts(found)
        if json:
            print_json(found)
        else:
            console.show("\n".join(lines(shown, lang.code)))
        write_page(files, lambda: page(said("title"), shown, lang.code))

"""sudare anonymize records: k-anonymity, as the baseline that it is."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.cli import console, options
from sudare.cli.checking_records import Quasi, Sensitive, Unit, names_of
from sudare.cli.options import EngineName, Language


class MethodName(StrEnum):
    lattice = "lattice"
    mondrian = "mondrian"


def records(
    data: options.Data,
    quasi: Quasi,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write: .csv or .parquet.")
    ],
    k: Annotated[int, typer.Option("--k", help="Records, or people, in every class, at least.")],
    sensitive: Sensitive = "",
    diversity: Annotated[
        int, typer.Option("--l", help="Distinct sensitive values in every class, at least.")
    ] = 1,
    closeness: Annotated[
        float | None, typer.Option("--t", help="Distance of a class from the whole, at most.")
    ] = None,
    suppress: Annotated[
        str, typer.Option("--suppress", help="Records that may lose values, at most: 5% or 0.05.")
    ] = "5%",
    method: Annotated[
        MethodName, typer.Option("--method", help="Levels of the schema, or ranges of numbers.")
    ] = MethodName.lattice,
    keep: Annotated[
        str, typer.Option("--keep", help="Other columns to publish as they are; else left out.")
    ] = "",
    unit: Unit = None,
    schema: options.SchemaFile = None,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Publish records so that each shares its quasi-identifiers with k − 1 others, and show what
    the file discloses all the same. Levels come from the schema. Not a formal guarantee.

    Example: sudare anonymize records people.csv --quasi age,sex,zip --sensitive disease
    --k 5 -o out.csv
    """
    from sudare.cli.output import print_json
    from sudare.cli.release_files import say_replaced, say_written
    from sudare.facts.engine import EngineChoice
    from sudare.publish.anonymizing import anonymize_records, make_job
    from sudare.publish.checking_records import schema_of
    from sudare.publish.files import schema_path
    from sudare.publish.outputs import Beside, Input, OutputSet
    from sudare.report.anonymized import parts
    from sudare.report.anonymized_texts import said
    from sudare.report.records_page import page
    from sudare.report.records_risk import lines

    job = make_job(
        quasi=names_of(quasi),
        sensitive=names_of(sensitive),
        keep=names_of(keep),
        method=method.value,
        k=k,
        diversity=diversity,
        closeness=closeness,
        suppress=suppress,
        unit=unit,
    )
    choice = EngineChoice(engine.value, master)
    report = output.with_name(output.stem + ".report.html")
    written: list[Path] = []

    def stage(found: dict[str, Any], files: OutputSet) -> None:
        files.write(report, page(said("title"), parts(found, job.quasi), lang.code))

    found = anonymize_records(
        data,
        job,
        output,
        schema_of(data, schema),
        choice,
        inputs=(Input("the schema", schema or schema_path(data)),),
        force=force,
        beside=Beside((report,), stage, say_replaced, written.extend),
    )
    shown = parts(found, job.quasi)
    if json:
        print_json(found)
    else:
        console.show("\n".join(lines(shown, lang.code)))
    say_written(written)

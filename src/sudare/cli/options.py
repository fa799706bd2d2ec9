"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from sudare.cli.language import VARIABLE

Code = Literal["en", "ja"]


class Language(StrEnum):
    en = "en"
    ja = "ja"

    @property
    def code(self) -> Code:
        return "ja" if self is Language.ja else "en"


class EngineName(StrEnum):
    auto = "auto"
    duckdb = "duckdb"
    postgresql = "postgresql"
    spark = "spark"


class MechanismName(StrEnum):
    laplace = "laplace"
    gaussian = "gaussian"
    geometric = "geometric"


Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
Lang = Annotated[
    Language,
    typer.Option("--lang", envvar=VARIABLE, help="Language of sentences and reports."),
]
SchemaFile = Annotated[
    Path | None,
    typer.Option("--schema", help="The schema; by default people.schema.toml beside people.csv."),
]
Data = Annotated[
    str,
    typer.Argument(
        help="A CSV, TSV or Parquet file, a pattern of Parquet files in quotes, or a table in "
        "PostgreSQL: postgresql://user@host/database#schema.table"
    ),
]
LedgerFile = Annotated[
    str | None,
    typer.Option(
        "--ledger",
        help="The ledger; by default beside the schema. For many machines: "
        "postgresql://user@host/database",
    ),
]
Engine = Annotated[
    EngineName,
    typer.Option("--engine", help="Who reads the rows; by default the kind of data decides."),
]
Master = Annotated[
    str | None,
    typer.Option("--master", help="Where Spark runs: local[*], or spark://host:7077."),
]
Epsilon = Annotated[
    str | None, typer.Option("--epsilon", "-e", help="The total ε of all questions together.")
]
Delta = Annotated[str, typer.Option("--delta", help="The total δ; 0 keeps pure ε.")]
Mechanism = Annotated[
    MechanismName,
    typer.Option("--mechanism", help="The noise: laplace, gaussian (needs δ), or geometric."),
]
Analyst = Annotated[
    str | None,
    typer.Option("--analyst", envvar="SUDARE_ANALYST", help="Who asks, where quotas are declared."),
]
Key = Annotated[
    str | None,
    typer.Option("--key", help="Idempotency key: the same key returns the same bytes, unpaid."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show cost and expected errors; spend nothing.")
]
Force = Annotated[
    bool,
    typer.Option(
        "--force", help="Replace outputs that are there already; never what the command reads."
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="Write CSV, certificate and report: a folder, or a name.csv."
    ),
]

"""A private DuckDB: in memory, never on disk, no extensions, no network, no other file.

Data must not outlive the process in a temporary file, so DuckDB may not spill: a query that needs
more memory than there is fails. After the input is attached, the settings are locked and every
file but the input is out of reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from sudare.engines.border import gave_up, guarded
from sudare.engines.inputs.find import Input
from sudare.engines.inputs.parquet_input import ParquetInput
from sudare.engines.sql import nodes as sql
from sudare.facts.errors import EngineUnavailable, InvalidFile

if TYPE_CHECKING:
    import duckdb

_SETTINGS = {
    "temp_directory": "",
    "max_temp_directory_size": "0KB",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
}
ROWS = "rows"


@dataclass(frozen=True)
class Attached:
    """DuckDB's types of the columns of `rows`, and how many rows there are."""

    types: tuple[str, ...]
    rows: int


def connect() -> duckdb.DuckDBPyConnection:
    """An empty in-memory database."""
    missing = EngineUnavailable("DuckDB cannot be started.", "Install it anew: pip install duckdb.")
    connection = guarded(_connect, missing)
    # Dates of moments with a time zone are dates in UTC, whatever the clock of this machine.
    guarded(lambda: connection.execute("SET TimeZone = 'UTC'"), missing)
    guarded(lambda: connection.execute("SET enable_progress_bar = false"), missing)
    return connection


def _connect() -> duckdb.DuckDBPyConnection:
    import duckdb

    return duckdb.connect(":memory:", config=dict(_SETTINGS))


def attach(connection: duckdb.DuckDBPyConnection, source: Input, places: Sequence[int]) -> Attached:
    """Show the columns at `places` as c0, c1, ... of the view `rows`, and nothing else."""
    unreadable = InvalidFile(
        "The data has a column of a type that cannot be read.",
        "Store numbers, text, booleans and dates as plain columns.",
    )
    if isinstance(source, ParquetInput):
        rows = source.rows
        guarded(lambda: _attach_parquet(connection, source, places), unreadable)
    else:
        table = source.table(places)
        rows = table.num_rows
        names = [f"c{number}" for number in range(len(places))]
        guarded(lambda: connection.register(ROWS, table.rename_columns(names)), unreadable)
        guarded(lambda: connection.execute("SET enable_external_access = false"), gave_up())
    guarded(lambda: connection.execute("SET lock_configuration = true"), gave_up())
    described = guarded(lambda: connection.execute(f"DESCRIBE {ROWS}").fetchall(), unreadable)
    return Attached(tuple(row[1] for row in described), rows)


def _attach_parquet(
    connection: duckdb.DuckDBPyConnection, source: ParquetInput, places: Sequence[int]
) -> None:
    paths = exp.array(*(sql.text(path) for path in source.patterns), dialect="duckdb")
    allowed = exp.Set(
        expressions=[exp.SetItem(this=exp.EQ(this=exp.var("allowed_paths"), expression=paths))]
    )
    connection.execute(allowed.sql("duckdb"))
    connection.execute("SET enable_external_access = false")
    # Folder names such as year=2024 are not columns of the file.
    scan = exp.Anonymous(
        this="READ_PARQUET",
        expressions=[
            paths.copy(),
            exp.EQ(this=exp.var("hive_partitioning"), expression=exp.false()),
        ],
    )
    everything = exp.select("*").from_(exp.Table(this=scan))
    # DuckDB renames columns that differ in capitals alone, so they are taken by their place.
    names = [
        row[0] for row in connection.execute(f"DESCRIBE {everything.sql('duckdb')}").fetchall()
    ]
    shown = [
        sql.named(exp.column(names[place], quoted=True), f"c{number}")
        for number, place in enumerate(places)
    ]
    view = exp.Create(
        kind="VIEW",
        this=exp.to_table(ROWS),
        expression=sql.select(*shown).from_(exp.Table(this=scan.copy())),
    )
    connection.execute(view.sql("duckdb"))

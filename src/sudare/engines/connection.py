"""A private DuckDB: in memory, never on disk, no extensions, no network, no other file.

Data must not outlive the process in a temporary file, so DuckDB may not spill: a query that needs
more memory than there is fails. After the input is attached, the settings are locked and every
file but the input is out of reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
from sqlglot import exp

from sudare.engines.border import damaged, gave_up, guarded
from sudare.engines.duck_types import physical_of
from sudare.engines.inputs.find import Input
from sudare.engines.inputs.parquet_input import ParquetInput
from sudare.engines.sql import nodes as sql
from sudare.facts.errors import EngineUnavailable, InvalidFile

if TYPE_CHECKING:
    import duckdb

SETTINGS = {
    "temp_directory": "",
    "max_temp_directory_size": "0KB",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    # Statistics in a Parquet footer are its writer's claim. A clip that they "prove" idle must not
    # be dropped, because the sensitivity rests on it.
    "disabled_optimizers": "statistics_propagation",
}
ROWS = "rows"
FRAME = "frame"


@dataclass(frozen=True)
class Attached:
    """DuckDB's types of the columns of `rows`, how many rows there are, and the table that lies
    behind the view if it lies in memory."""

    types: tuple[str, ...]
    rows: int
    frame: pa.Table | None


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

    return duckdb.connect(":memory:", config=dict(SETTINGS))


def attach(
    connection: duckdb.DuckDBPyConnection,
    source: Input,
    places: Sequence[int],
    types_only: bool = False,
) -> Attached:
    """Show the columns at `places` as c0, c1, ... of the view `rows`, and nothing else. Values are
    checked against the rules of their storage, unless the types alone are of interest."""
    unreadable = _unreadable()
    native = isinstance(source, ParquetInput) and (types_only or not source.is_fragile(places))
    if isinstance(source, ParquetInput) and native:
        rows, frame = source.rows, None
        guarded(lambda: _allow(connection, source), gave_up())
        scan, taken = _scan(source), list(places)
    else:
        frame = _frame(connection, source, places)
        rows, scan, taken = frame.num_rows, exp.to_table(FRAME), list(range(len(places)))
    guarded(lambda: connection.execute("SET enable_external_access = false"), gave_up())
    guarded(lambda: connection.execute("SET lock_configuration = true"), gave_up())
    types = guarded(lambda: _show(connection, scan, taken), unreadable)
    if native and not types_only and not _is_sound(connection, types):
        # DuckDB ends a query at text that is not UTF-8, so it is given what can be read of it.
        guarded(lambda: connection.execute(f"DROP VIEW {ROWS}"), gave_up())
        frame = _frame(connection, source, places)
        scan, taken = exp.to_table(FRAME), list(range(len(places)))
        types = guarded(lambda: _show(connection, scan, taken), unreadable)
    return Attached(tuple(types), rows, frame)


def _frame(connection: duckdb.DuckDBPyConnection, source: Input, places: Sequence[int]) -> pa.Table:
    """The columns in memory, where DuckDB finds them."""
    names = [f"c{number}" for number in range(len(places))]
    frame = source.table(places).rename_columns(names)
    guarded(lambda: connection.register(FRAME, frame), _unreadable())
    return frame


def _unreadable() -> InvalidFile:
    return InvalidFile(
        "The data has a column of a type that cannot be read.",
        "Store numbers, text, booleans and dates as plain columns.",
    )


def _allow(connection: duckdb.DuckDBPyConnection, source: ParquetInput) -> None:
    """Let DuckDB read these files, under their names and under the patterns that mean them."""
    names = {*map(str, source.paths), *source.patterns}
    paths = exp.array(*(sql.text(name) for name in sorted(names)), dialect="duckdb")
    setting = exp.SetItem(this=exp.EQ(this=exp.var("allowed_paths"), expression=paths))
    connection.execute(exp.Set(expressions=[setting]).sql("duckdb"))


def _scan(source: ParquetInput) -> exp.Table:
    """READ_PARQUET of all files. Folder names such as year=2024 are not columns of the table.
    Parquet's statistics leave NaN out; unless told so, DuckDB takes them as proof that there is
    none and answers "is it NaN" with no (duckdb issue 25521)."""
    paths = exp.array(*(sql.text(path) for path in source.patterns), dialect="duckdb")
    options = [("hive_partitioning", exp.false()), ("can_have_nan", exp.true())]
    settings = [exp.EQ(this=exp.var(name), expression=value) for name, value in options]
    return exp.Table(this=exp.Anonymous(this="READ_PARQUET", expressions=[paths, *settings]))


def _show(
    connection: duckdb.DuckDBPyConnection, scan: exp.Table, places: Sequence[int]
) -> list[str]:
    """Create the view `rows` over `scan`; return the types of its columns."""
    everything = sql.select(exp.Star()).from_(scan).sql("duckdb")
    # DuckDB renames columns that differ in capitals alone, so they are taken by their place.
    found = connection.execute(f"DESCRIBE {everything}").fetchall()
    shown = [
        sql.named(exp.column(found[place][0], quoted=True), f"c{number}")
        for number, place in enumerate(places)
    ]
    query = sql.select(*shown).from_(scan)
    view = exp.Create(kind="VIEW", this=exp.to_table(ROWS), expression=query)
    connection.execute(view.sql("duckdb"))
    return [found[place][1] for place in places]


def _is_sound(connection: duckdb.DuckDBPyConnection, types: Sequence[str]) -> bool:
    """Read what a Parquet file may store against the rules of its type: text that is not UTF-8
    (DuckDB raises), decimals with more digits than declared. pyarrow has done so for the rest."""
    tests = [test for number, kind in enumerate(types) for test in _soundness(f"c{number}", kind)]
    if not tests:
        return True
    query = sql.select(*tests).from_(exp.to_table(ROWS), copy=False).sql("duckdb")
    try:
        found = guarded(lambda: connection.execute(query).fetchall()[0], damaged())
    except InvalidFile:
        return False
    return all(each is not False for each in found)


def _soundness(alias: str, kind: str) -> list[sql.Sql]:
    """An aggregate that no statistics of a file can answer, so that every text is read; or one
    that is false if a decimal is too long."""
    if kind == "VARCHAR":
        hashed = exp.Anonymous(this="HASH", expressions=[sql.column(alias)])
        return [exp.Anonymous(this="BIT_XOR", expressions=[hashed])]
    physical = physical_of(kind)
    if physical is None or physical.kind != "decimal":
        return []
    nines = "9" * (physical.digits - physical.scale) + "." + "9" * physical.scale
    low, high = (sql.decimal(sign + nines, physical.digits, physical.scale) for sign in ("-", ""))
    return [exp.LogicalAnd(this=sql.between(sql.column(alias), low, high))]

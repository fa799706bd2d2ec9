"""Open a table for Spark: the structure is checked here, and no row is read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sudare.engines.border import damaged
from sudare.engines.choose import is_spark_frame
from sudare.engines.layout import layout_of, wanted_columns
from sudare.engines.spark.border import gave_up, guarded
from sudare.engines.spark.dialect import render
from sudare.engines.spark.frames import Rows, rows_of
from sudare.engines.spark.session import Lease, lease
from sudare.engines.spark.shown import Shown, shown, unit_shown
from sudare.engines.spark.source import SparkSource
from sudare.engines.spark.tables import ROWS, Tables
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.bounding import UNIT
from sudare.engines.sql.nodes import Sql
from sudare.facts.errors import SudareError, UsageError
from sudare.facts.schema import Schema


def open_spark(
    data: object,
    schema: Schema,
    columns: Collection[str],
    master: str | None = None,
    session: object = None,
) -> SparkSource:
    """The rows of `data` for one run over `columns` and the unit's.

    `data` is a path or pattern of Parquet files or an address of some (hdfs://…, s3a://…), a path
    of a CSV file, a DataFrame of Spark's, whose session is then used, or an object with
    __arrow_c_stream__. Without a `session` one is started at `master` (local[*]).
    """
    if is_spark_frame(data):
        session = getattr(data, "sparkSession", None)
    if session is not None and master is not None:
        raise UsageError(
            "A session of Spark has its master already.", "Leave the master out, or the session."
        )
    leased = lease(session, master)
    try:
        return SparkSource(_tables(data, schema, wanted_columns(schema, columns), leased))
    except SudareError:
        leased.close()
        raise


def _tables(data: object, schema: Schema, names: Sequence[str], leased: Lease) -> Tables:
    rows = rows_of(data, schema.table, names, leased)
    columns = [
        None if storage is None else shown(storage, schema.columns[name].type, sql.column(f"r{n}"))
        for n, (name, storage) in enumerate(zip(names, rows.storages, strict=True))
    ]
    layout = layout_of(schema, names, [None if c is None else c.physical for c in columns])
    views = {f"c{n}": c.value for n, c in enumerate(columns) if c is not None}
    unit = _unit(schema, names, rows)
    if unit is not None:
        views[UNIT] = unit.value
    _show(rows, views or {"c0": sql.integer(1)}, leased)
    physical = None if unit is None else unit.physical
    return Tables(leased, schema, layout, rows.most, physical)


def _unit(schema: Schema, names: Sequence[str], rows: Rows) -> Shown | None:
    if schema.table.unit == "row":
        return None
    place = list(names).index(schema.table.unit)
    storage = rows.storages[place]
    return None if storage is None else unit_shown(storage, sql.column(f"r{place}"))


def _show(rows: Rows, views: dict[str, Sql], leased: Lease) -> None:
    """The view `rows` of what is shown, once long decimals have been read."""
    frame = guarded(rows.frame, gave_up())
    long = [f"r{n}" for n, storage in enumerate(rows.storages) if storage and storage.may_break]
    if rows.is_file and long:
        # Spark checks these as it reads them, and would end a query that has been paid for.
        guarded(frame.selectExpr(*(f"max({name})" for name in long)).collect, damaged())
    shown_as = [render(sql.named(value, alias)) for alias, value in views.items()]
    view = guarded(lambda: frame.selectExpr(*shown_as), gave_up())
    guarded(lambda: view.createOrReplaceTempView(ROWS), gave_up())

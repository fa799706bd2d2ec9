"""DuckDB as an engine: it settles what has to be settled once and runs the primitives' SQL.

Native columns are cleaned inside each query, so that nothing is copied. Numbers stored as text
are parsed once into a table of indices; so are all columns when the unit is a column, because
the choice of rows must be the same for every request of a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa
from sqlglot import exp

from sudare.engines.adding import BLOCK, added, can_add
from sudare.engines.border import gave_up, guarded
from sudare.engines.connection import FRAME, ROWS, Attached
from sudare.engines.passes import Monomials, in_passes
from sudare.engines.sql import bounding, category, clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.moments import EVERYTHING, Shape, is_plain_sum, moments_query
from sudare.engines.sql.physical import INDEX, Cell, Layout, Physical
from sudare.engines.sql.records import records_query, with_labels
from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.schema import NUMERIC, Schema

if TYPE_CHECKING:
    import duckdb

# A file's rows pass through one thread on their way out of DuckDB; with more threads than this, its
# own slower clip is the faster way.
_FEW_THREADS = 4
_SETTLED, _HEAVY, _KEPT = "settled", "heavy", "kept"


class DuckSource:
    """One opened table; see `sudare.engines.open.Source`."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        schema: Schema,
        layout: Layout,
        attached: Attached,
    ) -> None:
        self._connection = connection
        self._table_facts = schema.table
        self._layout = layout
        self._rows = attached.rows
        self._frame = attached.frame
        self._table = ROWS
        self._kept_for: bytes | None = None
        self._code_tables: dict[tuple[str, tuple[str, ...]], str] = {}

    def moments(self, requests: Sequence[MomentsRequest], run_key: bytes) -> list[Moments]:
        """One answer a request; requests that differ in monomials alone share a pass."""
        self._prepare(run_key)
        return in_passes(requests, self._ask)

    def batches(
        self, columns: Sequence[str], run_key: bytes, rows: int = 100_000
    ) -> Iterator[pa.RecordBatch]:
        """The cleaned rows in no particular order; run no other query before the last batch."""
        self._prepare(run_key)
        cells = [self._layout[name] for name in columns]
        query = records_query(cells, self._table).sql("duckdb", copy=False)
        reader: pa.RecordBatchReader = guarded(
            lambda: self._connection.sql(query).to_arrow_reader(rows), gave_up()
        )
        while (batch := guarded(lambda: next(reader, None), gave_up())) is not None:
            yield with_labels(batch, cells)

    def close(self) -> None:
        """Forget the data."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _ask(self, shape: Shape, monomials: Monomials) -> list[tuple[Any, ...]]:
        # How many rows there are is known since the table was opened.
        if shape == EVERYTHING and self._table != _KEPT:
            return [(self._rows,)]
        if self._table == ROWS and is_plain_sum(shape, monomials):
            cell = self._layout[shape.columns[0]]
            if can_add(cell) and (self._frame is not None or self._threads() <= _FEW_THREADS):
                return [guarded(lambda: self._added(cell), gave_up())]
        query = moments_query(shape, monomials, self._layout, self._table, self._codes)
        text = query.sql("duckdb", copy=False)
        return guarded(lambda: self._connection.execute(text).fetchall(), gave_up())

    def _added(self, cell: Cell) -> tuple[int, int]:
        if self._frame is not None:
            return added(cell, self._frame.column(cell.alias).chunks, self._threads())
        query = sql.select(cell.raw).from_(exp.to_table(ROWS), copy=False).sql("duckdb")
        batches = self._connection.sql(query).to_arrow_reader(BLOCK)
        return added(cell, (batch.column(0) for batch in batches))

    def _threads(self) -> int:
        setting = "SELECT current_setting('threads')"
        return int(self._connection.execute(setting).fetchall()[0][0])

    def _codes(self, cell: Cell, labels: Sequence[str], alias: str) -> sql.Sql | None:
        """The codes of a column's labels, stored once: DuckDB is slow to read them in a query."""
        place = cell.alias, tuple(labels)
        if place not in self._code_tables:
            written = category.code_table(cell, labels, "written")
            if written is None:
                return None
            name = f"codes{len(self._code_tables)}"
            self._create(name, sql.select(exp.Star()).from_(written, copy=False))
            self._code_tables[place] = name
        return exp.to_table(self._code_tables[place], alias=alias)

    def _prepare(self, run_key: bytes) -> None:
        bounded = self._table_facts.unit != "row"
        if self._table == ROWS and (bounded or any(map(_needs_parsing, self._layout.values()))):
            self._settle(bounded)
        if bounded and self._kept_for != run_key:
            self._keep(run_key)

    def _settle(self, bounded: bool) -> None:
        """Clean numbers once; rows without a unit end here."""
        shown = [sql.named(_settled(cell), cell.alias) for cell in self._layout.values()]
        query = sql.select(*shown).from_(exp.to_table(ROWS), copy=False)
        if bounded:
            unit = bounding.unit_name(self._layout[self._table_facts.unit])
            query.select(sql.named(unit, bounding.UNIT), copy=False)
            query.where(sql.is_present(unit), copy=False)
        self._create(_SETTLED, query)
        # The text that was parsed is not needed any more.
        guarded(lambda: self._connection.unregister(FRAME), gave_up())
        self._frame = None
        self._layout = {name: _as_settled(cell) for name, cell in self._layout.items()}
        self._table = _SETTLED

    def _keep(self, run_key: bytes) -> None:
        """Bound every unit's rows under this run's key."""
        limit = self._table_facts.rows_per_unit
        aliases = [cell.alias for cell in self._layout.values()]
        if self._kept_for is None:
            self._create(_HEAVY, bounding.heavy_units(_SETTLED, limit))
        self._create(_KEPT, bounding.kept_rows(_SETTLED, _HEAVY, aliases, limit, run_key))
        self._table, self._kept_for = _KEPT, run_key

    def _create(self, name: str, query: exp.Expr) -> None:
        self._run(exp.Create(kind="TABLE", replace=True, this=exp.to_table(name), expression=query))

    def _run(self, statement: exp.Expr) -> None:
        guarded(lambda: self._connection.execute(statement.sql("duckdb", copy=False)), gave_up())


def _needs_parsing(cell: Cell) -> bool:
    return cell.physical.kind == "text" and cell.column.type in NUMERIC


def _settled(cell: Cell) -> sql.Sql:
    if cell.column.type in NUMERIC:
        return clean.index(cell, cell.raw)
    # The choice of rows writes every column as text, which not every instant allows.
    return category.as_text(cell, cell.raw) if cell.physical.kind == "timestamp" else cell.raw


def _as_settled(cell: Cell) -> Cell:
    if cell.column.type in NUMERIC:
        return Cell(cell.name, cell.column, INDEX, cell.alias)
    if cell.physical.kind == "timestamp":
        return Cell(cell.name, cell.column, Physical("text"), cell.alias)
    return cell

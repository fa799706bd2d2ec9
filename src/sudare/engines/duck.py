"""DuckDB as an engine: it settles what has to be settled once and runs the primitives' SQL.

Native columns are cleaned inside each query, so that nothing is copied. Numbers stored as text
are parsed once into a table of indices; so are all columns when the unit is a column, because
the choice of rows must be the same for every request of a run. The choice is made for a portion of
the units at a time, so that its sorting and hashing need memory for a portion of the rows alone;
whose rows are kept depends on nobody else's, and exact sums of portions add up. Of a large table
not even the settled rows are held all at once: a stretch of several portions is read at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa
from sqlglot import exp

from sudare.engines.adding import added, can_add
from sudare.engines.border import gave_up, guarded
from sudare.engines.connection import FRAME, ROWS, Attached, attach, connect
from sudare.engines.counting import Counts, scattered
from sudare.engines.duck_types import physical_of
from sudare.engines.inputs.find import find_input
from sudare.engines.inputs.names import places_of
from sudare.engines.layout import layout_of, wanted_columns
from sudare.engines.mapped import BatchFunction, mapped, of_size
from sudare.engines.nearest import PORTION, is_nearest_sum, placed
from sudare.engines.passes import Monomials, in_passes, together
from sudare.engines.sql import bounding, category
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.moments import (
    COUNT,
    EVERYTHING,
    Shape,
    greatest,
    is_plain_sum,
    moments_query,
    shape_of,
)
from sudare.engines.sql.physical import Cell, Layout
from sudare.engines.sql.records import records_query, with_labels
from sudare.engines.sql.settle import needs_parsing, settled_layout, settled_rows
from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.errors import SudareError
from sudare.facts.schema import Schema
from sudare.facts.whereabouts import NOWHERE, Whereabouts

if TYPE_CHECKING:
    import duckdb

_SETTLED, _PORTION, _HEAVY, _KEPT = "settled", "portion", "heavy", "kept"
# A choice among so many rows takes about 250 megabytes; larger portions take no less time a row.
PORTION_ROWS = 1_000_000
# So many times as many where all rows are held, because each portion is a pass over all of them.
_HELD = 4
# Every stretch reads the whole table once more, and holds its rows.
STRETCH_PORTIONS = 8
# From so many groups on, rows are counted by their codes.
MANY_GROUPS = 2**16
_CODES_AT_ONCE = 500_000


class DuckSource:
    """One opened table; see `sudare.engines.source.Source`."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        schema: Schema,
        layout: Layout,
        attached: Attached,
    ) -> None:
        self._connection = connection
        self._table_facts = schema.table
        self._layout = self._stored = layout
        self._rows = attached.rows
        self._frame = attached.frame
        self._table = ROWS
        self._kept_for: bytes | None = None
        self._code_tables: dict[tuple[str, tuple[str, ...]], str] = {}

    @property
    def places(self) -> Whereabouts:
        """A file's name says it all."""
        return NOWHERE

    @property
    def most_rows(self) -> int:
        """The rows of the file or frame, with those that have no unit."""
        return self._rows

    def moments(self, requests: Sequence[MomentsRequest], run_key: bytes) -> list[Moments]:
        """One answer a request; requests that differ in monomials alone share a pass."""
        found = [in_passes(requests, self._ask) for _ in self._portions(run_key)]
        return [together(parts) for parts in zip(*found, strict=True)]

    def counts(self, request: MomentsRequest, run_key: bytes) -> Counts:
        """The rows of every group as one array."""
        portions = (self._counted(request) for _ in self._portions(run_key))
        return scattered(request, chain.from_iterable(portions))

    def batches(
        self, columns: Sequence[str], run_key: bytes, rows: int = 100_000
    ) -> Iterator[pa.RecordBatch]:
        """The cleaned rows in no particular order; run no other query before the last batch."""
        return of_size(self._batches(columns, run_key, rows), rows)

    def _batches(
        self, columns: Sequence[str], run_key: bytes, rows: int
    ) -> Iterator[pa.RecordBatch]:
        for _ in self._portions(run_key):
            cells = [self._layout[name] for name in columns]
            query = records_query(cells, self._table).sql("duckdb", copy=False)
            yield from self._streamed(query, cells, rows)

    def _streamed(self, query: str, cells: Sequence[Cell], rows: int) -> Iterator[pa.RecordBatch]:
        reader: pa.RecordBatchReader = guarded(
            lambda: self._connection.sql(query).to_arrow_reader(rows), gave_up()
        )
        while (batch := guarded(lambda: next(reader, None), gave_up())) is not None:
            yield with_labels(batch, cells)

    def map_batches(
        self,
        columns: Sequence[str],
        run_key: bytes,
        function: BatchFunction,
        rows: int = 100_000,
    ) -> Iterator[pa.RecordBatch]:
        """`function` of each batch, in this process."""
        return mapped(self.batches(columns, run_key, rows), function)

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
        if self._frame is not None and is_plain_sum(shape, monomials):
            cell, frame = self._layout[shape.columns[0]], self._frame
            if can_add(cell):
                chunks, threads = frame.column(cell.alias).chunks, self._threads()
                found = guarded(lambda: added(cell, chunks, threads), gave_up())
                return [found if COUNT in monomials else found[1:]]
        if is_nearest_sum(shape, monomials, self._layout):
            return guarded(lambda: self._nearest(shape, monomials), gave_up())
        cells = [self._layout[name] for name in shape.columns]
        total = narrow_total if sums_fit(monomials, cells, self._rows) else sql.total
        query = moments_query(shape, monomials, self._layout, self._table, self._codes, total=total)
        text = query.sql("duckdb", copy=False)
        return guarded(lambda: self._connection.execute(text).fetchall(), gave_up())

    def _nearest(self, shape: Shape, monomials: Monomials) -> list[tuple[Any, ...]]:
        """Rows by nearest center, read where they lie if they need no more than a clip."""
        cells = [self._layout[name] for name in shape.axes[0].columns]
        if self._frame is not None and all(map(can_add, cells)):
            batches = self._frame.select([cell.alias for cell in cells]).to_batches(PORTION)
            return placed(shape, monomials, cells, batches)
        query = records_query(cells, self._table).sql("duckdb", copy=False)
        cleaned = list(settled_layout({cell.name: cell for cell in cells}).values())
        return placed(shape, monomials, cleaned, self._streamed(query, cleaned, PORTION))

    def _counted(self, request: MomentsRequest) -> Iterator[pa.RecordBatch]:
        """Codes with their counts; of very many groups the codes of the rows, some at a time. To
        look up a group among millions takes longer than to add one to its place in an array."""
        query = moments_query(
            shape_of(request),
            (COUNT,),
            self._layout,
            self._table,
            self._codes,
            merged=False,
            grouped=request.groups < MANY_GROUPS or not request.axes,
        ).sql("duckdb", copy=False)
        reader: pa.RecordBatchReader = guarded(
            lambda: self._connection.sql(query).to_arrow_reader(_CODES_AT_ONCE), gave_up()
        )
        while (batch := guarded(lambda: next(reader, None), gave_up())) is not None:
            yield batch

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

    def _portions(self, run_key: bytes) -> Iterator[None]:
        """Make each portion of the rows ready to be asked, in turn."""
        is_text = any(map(needs_parsing, self._stored.values()))
        if self._table_facts.unit == "row":
            if is_text and self._table == ROWS:
                self._settle(settled_rows(self._stored, ROWS, None), whole=True)
            yield
            return
        count = max(1, -(-self._rows // (PORTION_ROWS * (_HELD if is_text else 1))))
        # To parse text takes far longer than to read it, so that is done once in any case.
        stretches = 1 if is_text else -(-count // STRETCH_PORTIONS)
        count = stretches * -(-count // stretches)
        rows = settled_rows(self._stored, ROWS, self._table_facts.unit)
        for stretch in range(stretches):
            if stretches > 1:
                own = _is_own(self._hashed(ROWS), stretch, stretches)
                self._settle(rows.where(own), whole=False)
            elif self._table == ROWS:
                self._settle(rows, whole=True)
            for number in range(stretch, count, stretches):
                if count > 1 or self._kept_for != run_key:
                    self._keep(run_key, number, count)
                yield

    def _settle(self, rows: exp.Select, whole: bool) -> None:
        """Clean numbers once; rows without a unit end here."""
        self._drop(_KEPT, _HEAVY, _PORTION, _SETTLED)
        self._create(_SETTLED, rows)
        if whole:
            # The text that was parsed is not needed any more.
            guarded(lambda: self._connection.unregister(FRAME), gave_up())
        self._frame = None
        self._layout = settled_layout(self._stored)
        self._table = _SETTLED

    def _keep(self, run_key: bytes, number: int, count: int) -> None:
        """Bound the rows of every unit of a portion under this run's key."""
        limit, rows = self._table_facts.rows_per_unit, _SETTLED
        cells, key = list(self._layout.values()), sql.text(run_key.hex())
        self._drop(_KEPT, _HEAVY, _PORTION)
        if count > 1:
            rows = _PORTION
            own = _is_own(self._hashed(_SETTLED), number, count)
            settled = sql.select(exp.Star()).from_(exp.to_table(_SETTLED), copy=False)
            self._create(_PORTION, settled.where(own, copy=False))
        self._create(_HEAVY, bounding.heavy_units(rows, limit))
        self._create(_KEPT, bounding.kept_rows(rows, _HEAVY, cells, limit, key))
        self._table, self._kept_for = _KEPT, run_key

    def _hashed(self, table: str) -> sql.Sql:
        """What tells units apart, the same in the view and in the settled rows: the name, or a
        whole number, which needs not be written as text for it."""
        cell = self._stored[self._table_facts.unit]
        if (cell.column.type, cell.physical.kind) == ("key", "integer"):
            return cell.raw
        return bounding.unit_name(cell) if table == ROWS else sql.column(bounding.UNIT)

    def _create(self, name: str, query: exp.Expr) -> None:
        self._run(exp.Create(kind="TABLE", this=exp.to_table(name), expression=query))

    def _drop(self, *names: str) -> None:
        """Let go of what is to be made anew: to replace a table would hold both for a while."""
        for name in names:
            self._run(exp.Drop(kind="TABLE", exists=True, tables=[exp.to_table(name)]))

    def _run(self, statement: exp.Expr) -> None:
        guarded(lambda: self._connection.execute(statement.sql("duckdb", copy=False)), gave_up())


def sums_fit(monomials: Monomials, cells: Sequence[Cell], rows: int) -> bool:
    """Whether no sum of so many rows can leave 64 bits."""
    return all(greatest(monomial, cells) * rows < 2**63 for monomial in monomials)


def narrow_total(value: sql.Sql) -> sql.Sql:
    """A sum in 64 bits, unchecked. DuckDB uses it where a file's statistics prove that it fits;
    here the declared bounds do, and statistics are not believed."""
    return exp.Anonymous(this="SUM_NO_OVERFLOW", expressions=[value])


def _is_own(unit: sql.Sql, number: int, count: int) -> sql.Sql:
    """Whether a unit hashes to this number of so many. Where `few` divides `count`, the
    units of number n of `count` are all among those of n modulo `few` of `few`."""
    place = exp.Anonymous(this="HASH", expressions=[unit])
    return sql.equal(exp.Mod(this=place, expression=sql.integer(count)), sql.integer(number))


def open_duck(data: object, schema: Schema, columns: Collection[str]) -> DuckSource:
    """Check the structure of a file, a pattern of Parquet files or a dataframe."""
    table = schema.table
    wanted = wanted_columns(schema, columns)
    source = find_input(data, table.encoding, table.delimiter)
    # A count needs no column, but a view needs one; the first is never read.
    places = places_of(wanted, source.names) or [0]
    connection = connect()
    try:
        attached = attach(connection, source, places)
        layout = layout_of(schema, wanted, [physical_of(kind) for kind in attached.types])
        return DuckSource(connection, schema, layout, attached)
    except SudareError:
        connection.close()
        raise

"""The views of one opened table in its session: `rows`, and with a unit the rows that are kept.

Nothing is written down but what the choice of rows needs more than once: the units over their
limit and the rows chosen of them. Everything else is read anew for each request, by columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
from sqlglot import exp

from sudare.engines.spark import bounding
from sudare.engines.spark.border import gave_up, guarded
from sudare.engines.spark.dialect import render
from sudare.engines.spark.session import Lease
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.bounding import UNIT
from sudare.engines.sql.physical import Cell, Layout, Physical
from sudare.engines.sql.settle import settled_layout, settled_rows
from sudare.facts.schema import Schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROWS = "rows"
_SETTLED, _HEAVY, _CHOSEN, _KEPT, _RUN = "settled", "heavy", "chosen", "kept", "run"


class Tables:
    """`name` and `layout` are those of the view to ask; `most` bounds how many rows it has."""

    def __init__(
        self, lease: Lease, schema: Schema, layout: Layout, most: int, unit: Physical | None
    ) -> None:
        self.name, self.layout, self.most = ROWS, layout, most
        self._lease, self._limit = lease, schema.table.rows_per_unit
        name = schema.table.unit
        self._unit = None if unit is None else Cell(name, schema.columns[name], unit, UNIT)
        self._chosen_for: bytes | None = None
        self._heaviest = (0, 0)
        self._chosen: DataFrame | None = None

    def choose(self, run_key: bytes) -> None:
        """Bound every unit's rows under this run's key."""
        if self._unit is None or self._chosen_for == run_key:
            return
        if self._chosen_for is None:
            self._settle()
        if self._heaviest[0]:
            self._keep(run_key)
        self._chosen_for = run_key

    def run(self, query: exp.Query) -> list[tuple[Any, ...]]:
        """The rows of a query that has few."""
        frame = self.frame(query)
        return [tuple(row) for row in guarded(frame.collect, gave_up())]

    def frame(self, query: exp.Query) -> DataFrame:
        text = render(query)
        return guarded(lambda: self._lease.session.sql(text), gave_up())

    def close(self) -> None:
        self._lease.close()

    def _settle(self) -> None:
        query = settled_rows(self.layout, ROWS, None).select(sql.column(UNIT), copy=False)
        query = query.where(sql.is_present(sql.column(UNIT)), copy=False)
        self._show(_SETTLED, self.frame(query))
        self.layout, self.name = settled_layout(self.layout), _SETTLED
        self._hold(_HEAVY, bounding.heavy_units(_SETTLED, self._limit))
        ((units, rows),) = self.run(bounding.heaviest(_HEAVY))
        self._heaviest = (units, rows or 0)

    def _keep(self, run_key: bytes) -> None:
        cells, unit = list(self.layout.values()), self._unit
        assert unit is not None
        # The key is a value in a table, so that no plan, page or log of Spark's shows it.
        key = pa.table({"k": [run_key.hex()]})
        session = self._lease.session
        self._show(_RUN, guarded(lambda: session.createDataFrame(key), gave_up()))
        secret = exp.Subquery(this=sql.select(sql.column("k")).from_(exp.to_table(_RUN)))
        if self._chosen is not None:
            guarded(self._chosen.unpersist, gave_up())
        blocks = self._heaviest[1] > bounding.BLOCK
        chosen = bounding.chosen_rows(_SETTLED, _HEAVY, unit, cells, self._limit, secret, blocks)
        self._chosen = self._hold(_CHOSEN, chosen)
        light = bounding.light_rows(_SETTLED, _HEAVY, cells)
        self._show(_KEPT, self.frame(bounding.kept_rows(light, _CHOSEN, cells)))
        self.name = _KEPT

    def _hold(self, name: str, query: exp.Query) -> DataFrame:
        """A view whose rows are computed once."""
        frame = guarded(self.frame(query).persist, gave_up())
        self._lease.at_end(frame.unpersist)
        self._show(name, frame)
        return frame

    def _show(self, name: str, frame: DataFrame) -> None:
        guarded(lambda: frame.createOrReplaceTempView(name), gave_up())

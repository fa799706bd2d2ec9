"""Statistics of a panel: one record a person, columns of near periods described together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sudare.engines.panels import open_panel, wide_rows
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidSchema
from sudare.facts.panel import ABSENT, PRESENT, PanelFacts, facts_of
from sudare.facts.schema import Column, Schema
from sudare.facts.statistics import Statistics
from sudare.publish.statistics import (
    Preserve,
    Progress,
    Rows,
    ruled_by,
    silent,
    synthetic_columns,
)
from sudare.queries.rules import compiled_rules
from sudare.randomness.bits import SystemBits, run_key
from sudare.synthesis.levels import MINIMUM
from sudare.synthesis.panel.rules import wide_rules

# A column of one period is one of many: tables of few levels each are fitted better and faster.
MOST_LEVELS = 10


def panel_facts(
    schema: Schema, lags: int | None = None, columns: tuple[str, ...] | None = None
) -> PanelFacts:
    """The wide form of a schema's panel; reads no data."""
    panel = schema.panel
    if panel is None:
        raise InvalidSchema(
            "The schema declares no panel.",
            "Name the person and the time under [panel]; see docs/panels.md.",
        )
    own = (panel.person, panel.time)
    asked = None if columns is None else tuple(name for name in columns if name not in own)
    names = tuple(name for name in synthetic_columns(schema, asked) if name not in own)
    time = schema.grid(panel.time)
    is_date = schema.column(panel.time).type == "date"
    return facts_of(panel, is_date, time.low, time.high, names, lags)


def wide_schema(schema: Schema, facts: PanelFacts) -> Schema:
    """The schema of wide records: a row is a person."""
    columns = {name: schema.column(name) for name in facts.fixed}
    for name, (column, _) in facts.places.items():
        # Presence is never missing, which a category with `other` says: everybody else is present.
        present = Column(type="category", values=(ABSENT,), other=PRESENT)
        columns[name] = _may_miss(schema.column(column)) if column else present
    table = schema.table.model_copy(update={"unit": "row", "max_rows_per_unit": None})
    update = {"table": table, "columns": columns, "levels": {}, "invariants": {}, "panel": None}
    return schema.model_copy(update=update)


def _may_miss(column: Column) -> Column:
    """A column as it is in a period: missing for whoever has no row, whatever the rows hold."""
    if column.other is None:
        return column.model_copy(update={"complete": False})
    return column.model_copy(update={"values": (*column.values, column.other), "other": None})


@contextmanager
def panel_rows(
    data: object,
    schema: Schema,
    lags: int | None = None,
    columns: tuple[str, ...] | None = None,
    engine: EngineChoice = AUTO,
    progress: Progress = silent,
) -> Iterator[Rows]:
    """A panel's wide records, a row a person."""
    facts = panel_facts(schema, lags, columns)
    schema = ruled_by(schema, facts.long)
    rules = wide_rules(compiled_rules(schema), facts)
    key = run_key(SystemBits())
    progress("persons", 0.0)
    with open_panel(data, schema, facts, engine) as source:
        wide = wide_rows(source, facts, key)
    names = [*facts.fixed]
    for name, (column, period) in facts.places.items():
        # Where everybody has a row, or nobody has, there is nothing to tell.
        if column or wide.is_mixed(facts.presence(period)):
            names.append(name)
    with wide:
        yield Rows(
            wide, wide_schema(schema, facts), tuple(names), tuple(rules), key,
            most=MOST_LEVELS, near=facts.near, panel=facts.to_dict(),
        )  # fmt: skip


def panel_statistics(
    data: object,
    schema: Schema,
    preserve: Preserve = "tables",
    *,
    lags: int | None = None,
    columns: tuple[str, ...] | None = None,
    minimum: int = MINIMUM,
    engine: EngineChoice = AUTO,
    progress: Progress = silent,
) -> Statistics:
    """Exact statistics of a panel, whatever they give away; nothing is charged, because nothing is
    protected."""
    with panel_rows(data, schema, lags, columns, engine, progress) as rows:
        return rows.statistics(preserve, minimum, progress=progress)

"""Open a table in PostgreSQL: the structure is checked here, and no row is read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlglot import exp

from sudare.engines.inputs.names import places_of
from sudare.engines.layout import layout_of, wanted_columns
from sudare.engines.postgres.identity import identity_of
from sudare.engines.postgres.link import Link
from sudare.engines.postgres.source import PostgresSource
from sudare.engines.postgres.statement import Tables
from sudare.engines.postgres.structure import Relation, find, stored_types, table_address
from sudare.engines.postgres.types import shown
from sudare.engines.postgres.view import rows_of
from sudare.facts.errors import SudareError
from sudare.facts.schema import Schema


def open_postgres(address: str, schema: Schema, columns: Collection[str]) -> PostgresSource:
    """The table that `address` names after #, for one run over `columns` and the unit's."""
    wanted, place = wanted_columns(schema, columns), table_address(address)
    link = Link(place)
    try:
        relation = find(link, place)
        tables = _tables(link, relation, schema, wanted)
        return PostgresSource(link, tables, identity_of(link, relation.oid))
    except SudareError:
        link.close()
        raise


def _tables(link: Link, relation: Relation, schema: Schema, names: Sequence[str]) -> Tables:
    places_of(names, relation.columns)
    columns = [
        shown(stored, schema.columns[name].type, exp.column(name, quoted=True), f"c{number}")
        for number, (name, stored) in enumerate(
            zip(names, stored_types(link, relation, names), strict=True)
        )
    ]
    layout = layout_of(schema, names, [column.physical if column else None for column in columns])
    rows = rows_of(relation.table, [column for column in columns if column is not None])
    counted = relation.table if relation.stored else None
    return Tables(schema.table, layout, rows, relation.small, counted)

"""The structure of a table: that it is there, what its columns are, and that they may be read.

Everything is asked of the catalogue, or by a query that reads no row. The query also takes the
lock under which nobody changes the table until the transaction has ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sudare.engines.inputs.names import checked_names
from sudare.engines.postgres.dialect import render
from sudare.engines.postgres.link import Link
from sudare.engines.postgres.types import Stored
from sudare.engines.sql import nodes as sql
from sudare.facts.address import Address, parse_address
from sudare.facts.errors import InvalidFile, UsageError

# Looked up along the user's own search path; nothing else in it depends on that path.
_FIND = "SELECT CAST(pg_catalog.to_regclass($1) AS pg_catalog.oid)"
# Tables, partitioned and foreign ones, views and materialized views. A heap (access method 2) of
# its own rows alone has fewer than 2^32 pages, and a page of 8 kB at most 291 rows (a header of 24
# bytes and a pointer of 4 each): fewer than 2^41 rows. Nothing bounds what a view joins, what
# partitions and children hold together, or what another method or server keeps.
_NAME = """
SELECT n.nspname, c.relname, c.relkind IN ('r', 'm') AND c.relam = 2 AND NOT c.relhassubclass
    AND CAST(current_setting('block_size') AS integer) <= 8192,
    c.relkind IN ('r', 'p', 'm')
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.oid = $1 AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
"""
_COLUMNS = """
SELECT attname FROM pg_attribute
WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
_ENUMS = "SELECT oid FROM pg_type WHERE typtype = 'e'"
_ENCODING = "SELECT current_setting('server_encoding')"


@dataclass(frozen=True)
class Relation:
    """A table or view, by its full name, and the names of its columns; `small` if it cannot have
    2^41 rows, `stored` if its rows lie there, so that no expression runs to count them."""

    oid: int
    table: exp.Table
    columns: tuple[str, ...]
    small: bool
    stored: bool


def table_address(text: str) -> Address:
    """The address of a table, or the refusal, before anybody is called."""
    address = parse_address(text)
    if address.fragment is None:
        raise UsageError(
            "The address names no table.",
            "Put schema and table after #: postgresql://user@host/database#schema.table.",
        )
    return address


def find(link: Link, address: Address) -> Relation:
    """The table that the address names after #, as PostgreSQL reads names."""
    unknown = InvalidFile(
        f"There is no table {address.shown}.",
        'Check schema and name; capitals and blanks need quotes: #"Schema"."Table".',
        place=address.shown,
    )
    ((oid,),) = link.run(_FIND, [address.fragment], unknown)
    link.settle()
    found = link.run(_NAME, [oid])
    if not found:
        raise unknown
    _check_encoding(link, address)
    schema, name, *kinds = found[0]
    columns = checked_names([column for (column,) in link.run(_COLUMNS, [oid])])
    return Relation(oid, exp.table_(name, db=schema, quoted=True), columns, *map(bool, kinds))


def stored_types(link: Link, relation: Relation, names: Sequence[str]) -> list[Stored]:
    """How the named columns are stored; a refusal if they may not be read."""
    columns: list[sql.Sql] = [exp.column(name, quoted=True) for name in names]
    probe = sql.select(*(columns or [sql.integer(1)])).from_(relation.table).where(exp.false())
    forbidden = InvalidFile(
        "The table may not be read by this user.",
        "Ask its owner: GRANT USAGE ON SCHEMA … and GRANT SELECT ON … (docs/engines.md).",
    )
    found = link.describe(render(probe), forbidden)
    enums = {oid for (oid,) in link.run(_ENUMS)}
    types = [Stored(oid, modifier, oid in enums) for oid, modifier in found]
    return types[: len(names)]


def _check_encoding(link: Link, address: Address) -> None:
    """In any other encoding a text may hold bytes that are no text, and a query may stumble."""
    if link.run(_ENCODING) != [("UTF8",)]:
        raise InvalidFile(
            f"{address.database} is not a database in UTF-8.",
            "Copy the table into one that is: CREATE DATABASE … ENCODING 'UTF8'.",
            place=address.database,
        )

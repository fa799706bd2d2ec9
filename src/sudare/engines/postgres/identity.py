"""What a server says of where a table's rows lie, whatever name led there.

Claim    a table is met again under any address that leads to it: other spellings, aliases and
         poolers, services and the environment, a standby, a view of it or of a view of it.
Rule     the server is known by the number that it was made with; where that may not be read, by the
         end of the connection that reads the rows. A view is the tables that it reads, as the
         catalogue knows them; of partitions and children, parts and wholes belong together.
Needs    the connection that reads the rows, so that what is asked is what is read. Only the
         catalogue is read.
Gaps     what a function reads whose text is a string, what lies behind a foreign table, a
         partition that was taken out after its whole was charged, and copies.
"""

from __future__ import annotations

from contextlib import closing
from typing import Any

from sudare.engines.postgres.link import Link
from sudare.engines.postgres.structure import find, table_address
from sudare.facts.whereabouts import Whereabouts

_MAY_ASK = """
SELECT has_function_privilege(found, 'EXECUTE')
FROM (SELECT to_regprocedure('pg_catalog.pg_control_system()')) AS asked (found)
"""
_NUMBER = "SELECT system_identifier FROM pg_control_system()"
_DATABASE = "SELECT oid, datname FROM pg_database WHERE datname = current_database()"
# From a view to what its rule reads, and on through views and functions whose bodies the server
# has parsed. A rule hangs on its own view too, which UNION meets once.
_READ = """
WITH RECURSIVE met (class, id) AS (
    SELECT CAST('pg_class'::regclass AS oid), CAST($1 AS oid)
    UNION
    SELECT d.refclassid, d.refobjid
    FROM met
    LEFT JOIN pg_rewrite AS r
        ON met.class = 'pg_class'::regclass AND r.ev_class = met.id AND r.ev_type = '1'
    JOIN pg_depend AS d
        ON (d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid)
        OR (met.class = 'pg_proc'::regclass AND d.classid = met.class AND d.objid = met.id)
    WHERE d.refclassid IN ('pg_class'::regclass, 'pg_proc'::regclass)
)
SELECT c.oid, quote_ident(n.nspname), quote_ident(c.relname)
FROM met JOIN pg_class AS c ON met.class = 'pg_class'::regclass AND c.oid = met.id
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.oid = $1 OR (c.relkind IN ('r', 'p', 'm', 'f') AND c.oid >= 16384)
ORDER BY c.oid
"""
# Wholes and parts of these tables, at any distance.
_AROUND = """
WITH RECURSIVE above (id) AS (
    SELECT inhparent FROM pg_inherits WHERE inhrelid = ANY($1::oid[])
    UNION SELECT i.inhparent FROM pg_inherits AS i JOIN above ON i.inhrelid = above.id
), below (id) AS (
    SELECT inhrelid FROM pg_inherits WHERE inhparent = ANY($1::oid[])
    UNION SELECT i.inhrelid FROM pg_inherits AS i JOIN below ON i.inhparent = below.id
)
SELECT c.oid, quote_ident(n.nspname), quote_ident(c.relname)
FROM (SELECT id FROM above UNION SELECT id FROM below) AS met
JOIN pg_class AS c ON c.oid = met.id JOIN pg_namespace AS n ON n.oid = c.relnamespace
ORDER BY c.oid
"""


def identity_of(link: Link, oid: int) -> Whereabouts:
    """Where the rows of a relation lie. A table keeps its number while it is renamed, and its name
    while it is made anew: both are asked for."""
    ((base, name),) = link.run(_DATABASE)
    server, *others = _servers(link)
    read = link.run(_READ, [oid])
    near = link.run(_AROUND, [[each for each, *_ in read]])

    def names(server: str, found: list[tuple[Any, ...]]) -> list[str]:
        return [f"postgresql {server} {name}#{schema}.{table}" for _, schema, table in found]

    def numbers(server: str, found: list[tuple[Any, ...]]) -> list[str]:
        return [f"postgresql {server} {base}#{each}" for each, *_ in found]

    return Whereabouts(
        own=tuple(names(server, read)),
        around=tuple(each for at in (server, *others) for each in names(at, near))
        + tuple(numbers(server, near)),
        here=(*numbers(server, read), *(each for at in others for each in names(at, read))),
    )


def identity_at(address: str) -> Whereabouts:
    """The same, for whoever has not opened the table."""
    place = table_address(address)
    with closing(Link(place)) as link:
        return identity_of(link, find(link, place).oid)


def _servers(link: Link) -> list[str]:
    """The server by its number, if this user may ask for it, and by the end of the connection, for
    those who may not."""
    end = f"at {link.end}"
    if link.run(_MAY_ASK) == [(True,)]:
        return [f"system {link.run(_NUMBER)[0][0]}", end]
    return [end]

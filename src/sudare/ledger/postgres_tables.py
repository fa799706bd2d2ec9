"""The tables of a ledger in PostgreSQL: how they are named, made, brought up to date and checked.

Each ledger is a schema of its own, `sudare_NAME`, so that a database may hold several, and rights,
backups and migrations are each ledger's own. Migration n makes format n out of format n - 1, and
a new ledger runs them all. An applied migration is never edited; a change is a new one.
"""

from __future__ import annotations

import hashlib
import re

from sudare.facts.address import Address
from sudare.facts.errors import InvalidLedger, UsageError
from sudare.ledger.marks import marks_of
from sudare.ledger.postgres_link import Link

DEFAULT_NAME = "ledger"
MIGRATIONS = (
    # 1: the rows, as in SQLite, and the list of the migrations that were applied.
    """
    CREATE TABLE {schema}.migration (version integer PRIMARY KEY);
    CREATE TABLE {schema}.entry (
        seq bigint PRIMARY KEY, payload bytea NOT NULL, hash bytea NOT NULL, release bytea
    )
    """,
    # 2: the server itself refuses to change or remove an entry, by whomever. ALWAYS: also in a
    # session that plays the replica, where ordinary triggers sleep.
    """
    CREATE FUNCTION {schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$BEGIN RAISE EXCEPTION 'a sudare ledger is only added to'; END$$;
    CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON {schema}.entry
        FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse();
    ALTER TABLE {schema}.entry ENABLE ALWAYS TRIGGER only_added_to
    """,
    # 3: by what a row is found again, and the books as they stood after some rows. No table of
    # their own: who may add a row may then add these with it, and nobody needs to change any.
    """
    ALTER TABLE {schema}.entry
        ADD COLUMN keyed bytea, ADD COLUMN charge bigint, ADD COLUMN checkpoint bytea;
    CREATE INDEX entry_keyed ON {schema}.entry (keyed, seq) WHERE keyed IS NOT NULL;
    CREATE INDEX entry_charge ON {schema}.entry (charge, seq) WHERE charge IS NOT NULL;
    CREATE INDEX entry_hash ON {schema}.entry (hash)
    """,
)
VERSION = len(MIGRATIONS)
_MARKED = 3
_PAGE = 5_000
# What the catalogue says of format 3, and must say, line by line. 58 is the sum of PostgreSQL's
# bits for a trigger BEFORE (2) DELETE (8), UPDATE (16) and TRUNCATE (32); A is ALWAYS.
SHAPE = (
    "column entry 1 seq bigint t",
    "column entry 2 payload bytea t",
    "column entry 3 hash bytea t",
    "column entry 4 release bytea f",
    "column entry 5 keyed bytea f",
    "column entry 6 charge bigint f",
    "column entry 7 checkpoint bytea f",
    "column migration 1 version integer t",
    "constraint entry entry_pkey p {1}",
    "constraint migration migration_pkey p {1}",
    "function refuse trigger plpgsql BEGIN RAISE EXCEPTION 'a sudare ledger is only added to'; END",
    "relation entry r p",
    "relation entry_charge i p",
    "relation entry_hash i p",
    "relation entry_keyed i p",
    "relation entry_pkey i p",
    "relation migration r p",
    "relation migration_pkey i p",
    "trigger entry only_added_to 58 A refuse",
)
# Rules, policies and children could each hide, change or add rows, as could a default or a
# generated column; a table that is not permanent (p) is emptied by a crash.
_CATALOGUE = """
WITH here AS (SELECT * FROM pg_class WHERE relnamespace = to_regnamespace(%(schema)s))
SELECT concat_ws(' ', 'relation', relname, relkind, relpersistence,
        CASE WHEN relrowsecurity OR relforcerowsecurity OR relhassubclass OR relispartition
            THEN 'bent' END)
    FROM here
UNION ALL
SELECT concat_ws(' ', 'column', relname, attnum, attname, format_type(atttypid, atttypmod),
        CASE WHEN attnotnull THEN 't' ELSE 'f' END,
        CASE WHEN atthasdef OR attidentity <> '' OR attgenerated <> '' THEN 'filled' END)
    FROM pg_attribute JOIN here ON attrelid = here.oid
    WHERE relkind <> 'i' AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT concat_ws(' ', 'constraint', relname, conname, contype, conkey)
    FROM pg_constraint JOIN here ON conrelid = here.oid WHERE contype <> 'n'
UNION ALL
SELECT concat_ws(' ', 'trigger', relname, tgname, tgtype, tgenabled, proname)
    FROM pg_trigger JOIN here ON tgrelid = here.oid JOIN pg_proc ON tgfoid = pg_proc.oid
    WHERE NOT tgisinternal
UNION ALL
SELECT concat_ws(' ', 'rule', relname, rulename) FROM pg_rewrite JOIN here ON ev_class = here.oid
UNION ALL
SELECT concat_ws(' ', 'policy', relname, polname) FROM pg_policy JOIN here ON polrelid = here.oid
UNION ALL
SELECT concat_ws(' ', 'function', proname, format_type(prorettype, NULL), lanname, prosrc)
    FROM pg_proc JOIN pg_language ON prolang = pg_language.oid
    WHERE pronamespace = to_regnamespace(%(schema)s)
"""


def schema_of(address: Address) -> str:
    """The schema that holds the ledger which the address names after its #."""
    name = address.fragment or DEFAULT_NAME
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        raise UsageError(
            "The name of a ledger in PostgreSQL has signs that it may not have.",
            "After the # write 1 to 40 of a-z, 0-9 and _, a letter first; without a # the name is "
            f"{DEFAULT_NAME}.",
        )
    return f"sudare_{name}"


def lock_key(schema: str) -> int:
    """The number of the ledger's advisory lock, which is there before its tables are."""
    return int.from_bytes(hashlib.sha256(schema.encode()).digest()[:8], "big", signed=True)


def is_made(link: Link, schema: str) -> bool:
    return link.run("SELECT to_regnamespace(%s) IS NOT NULL", (schema,)) == [(True,)]


def version_of(link: Link, schema: str) -> int:
    """The format of the ledger, unless it is newer than this sudare."""
    found: int | None = link.run(f"SELECT max(version) FROM ONLY {schema}.migration")[0][0]
    if found is None:
        raise changed(link)
    if found > VERSION:
        raise InvalidLedger(
            f"{link.address.shown} has ledger format {found}; this sudare reads format {VERSION}.",
            "Use the version of sudare that wrote it.",
            place=link.address.shown,
        )
    return found


def make(link: Link, schema: str) -> None:
    """An empty ledger of the latest format; only inside a transaction that holds the lock."""
    link.run(f"CREATE SCHEMA {schema}")
    migrate(link, schema, 0)


def migrate(link: Link, schema: str, version: int) -> None:
    """Apply what is new since `version`; only inside a transaction that holds the lock."""
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        link.run(statements.format(schema=schema))
        if number == _MARKED:
            _mark(link, schema)
        link.run(f"INSERT INTO {schema}.migration VALUES ({number})")
    check_shape(link, schema)


def _mark(link: Link, schema: str) -> None:
    """Put marks beside the rows that were there before; the one change that rows ever see, by
    their owner, who keeps all others out until the migration has ended."""
    link.run(f"ALTER TABLE {schema}.entry DISABLE TRIGGER only_added_to")
    read = f"SELECT seq, payload FROM ONLY {schema}.entry WHERE seq > %s ORDER BY seq LIMIT {_PAGE}"
    put = (
        f"UPDATE ONLY {schema}.entry AS e SET keyed = m.keyed, charge = m.charge "
        "FROM unnest(%s::bigint[], %s::bytea[], %s::bigint[]) AS m (seq, keyed, charge) "
        "WHERE e.seq = m.seq"
    )
    last = -(2**63)
    while page := link.run(read, (last,)):
        marks = [marks_of(payload) for _, payload in page]
        link.run(
            put,
            (
                [seq for seq, _ in page],
                [each.keyed for each in marks],
                [each.charge for each in marks],
            ),
        )
        last = page[-1][0]
    link.run(f"ALTER TABLE {schema}.entry ENABLE ALWAYS TRIGGER only_added_to")


def check_shape(link: Link, schema: str) -> None:
    """The tables are exactly ours; anything more, such as a rule, could undo what is appended."""
    lines = sorted(line for (line,) in link.run(_CATALOGUE, {"schema": schema}))
    if lines != list(SHAPE):
        raise changed(link)


def changed(link: Link) -> InvalidLedger:
    return InvalidLedger(
        f"The tables in {link.address.shown} were changed.",
        "Restore the ledger from its backup.",
        place=link.address.shown,
    )

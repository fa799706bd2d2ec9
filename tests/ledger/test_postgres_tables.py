"""Tables in PostgreSQL: old formats are brought up to date, newer and changed ones are refused."""

from __future__ import annotations

import os

import psycopg
import pytest

from ledger.support import ADD_REMOVE, as_clerk, charge, drain, fork, make, raw, reserve, tell
from sudare.facts.address import parse_address
from sudare.facts.errors import InvalidLedger
from sudare.ledger import postgres_tables
from sudare.ledger.charge import StoredRelease
from sudare.ledger.ledger import Ledger
from sudare.ledger.postgres import PostgresStore

DELETE = "DELETE FROM S.entry WHERE seq = 5"


def make_format_1(url: str) -> list[tuple[object, ...]]:
    """A ledger as the first format had it, with a real chain in it; returns its rows."""
    make(url)
    raw(url, "DROP TRIGGER only_added_to ON S.entry", "DROP FUNCTION S.refuse()")
    # A table of its own, since a dropped column would leave its number behind.
    raw(
        url,
        "ALTER TABLE S.entry RENAME TO later",
        "ALTER INDEX S.entry_pkey RENAME TO later_pkey",
        "CREATE TABLE S.entry (seq bigint PRIMARY KEY, payload bytea NOT NULL, "
        "hash bytea NOT NULL, release bytea)",
        "INSERT INTO S.entry SELECT seq, payload, hash, release FROM S.later",
        "DROP TABLE S.later",
        "DELETE FROM S.migration WHERE version > 1",
    )
    return rows(url)


def rows(url: str, table: str = "entry", columns: str = "*") -> list[tuple[object, ...]]:
    address = parse_address(url)
    schema = f"sudare_{address.fragment or 'ledger'}"
    with psycopg.connect(address.url) as db:
        return db.execute(f"SELECT {columns} FROM {schema}.{table} ORDER BY 1").fetchall()


def test_format_1_becomes_format_3_with_every_row_in_place(
    ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Pages smaller than the ledger, so that marking goes over their ends.
    monkeypatch.setattr(postgres_tables, "_PAGE", 2)
    before = make_format_1(ledger_url)
    with Ledger.open(ledger_url) as ledger:
        assert ledger.verify().ok
        reserve(ledger, charge(0.1))
    assert rows(ledger_url, columns="seq, payload, hash, release")[:5] == before
    assert rows(ledger_url, "migration") == [(1,), (2,), (3,)]
    # The whole was checked once; the next write put a checkpoint beside itself.
    checkpoints = rows(ledger_url, columns="seq, checkpoint IS NULL")
    assert [seq for seq, is_missing in checkpoints if not is_missing] == [6]
    with Ledger.open(ledger_url) as ledger:
        assert isinstance(ledger.reserve(charge(1.0, idempotency_key="k")), StoredRelease)
        assert ledger.verify().ok
    with pytest.raises(psycopg.errors.RaiseException, match="only added to"):
        raw(ledger_url, DELETE)


def test_the_format_1_of_the_test_is_the_format_1_of_the_code(ledger_url: str) -> None:
    make_format_1(ledger_url)
    store = PostgresStore(f"{ledger_url}_twin")
    with store._session.transaction():
        store._link.run(f"CREATE SCHEMA {store.schema}")
        store._link.run(postgres_tables.MIGRATIONS[0].format(schema=store.schema))
        twin, query = store.schema, postgres_tables._CATALOGUE
        old = parse_address(ledger_url).fragment
        found = [
            sorted(store._link.run(query, {"schema": name})) for name in (twin, f"sudare_{old}")
        ]
        assert found[0] == found[1]
    store.close()


def test_eight_processes_at_once_migrate_once(ledger_url: str) -> None:
    make_format_1(ledger_url)

    def child(pipe: int) -> None:
        with Ledger.open(ledger_url) as ledger:
            tell(pipe, str(reserve(ledger, charge(0.01)).seq))

    children = [fork(child) for _ in range(8)]
    told = sorted(int(line[0]) for _, pipe in children for line in drain(pipe))
    assert [os.waitpid(pid, 0)[1] for pid, _ in children] == [0] * 8
    assert told == list(range(6, 14))
    assert rows(ledger_url, "migration") == [(1,), (2,), (3,)]


def test_a_migration_that_fails_changes_nothing(
    ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(ledger_url)
    fourth = "CREATE TABLE {schema}.more (x integer); SELECT 1 / 0"
    monkeypatch.setattr(postgres_tables, "MIGRATIONS", (*postgres_tables.MIGRATIONS, fourth))
    monkeypatch.setattr(postgres_tables, "VERSION", 4)
    with pytest.raises(InvalidLedger, match="22012"):
        Ledger.open(ledger_url)
    monkeypatch.undo()
    with Ledger.open(ledger_url) as ledger:
        reserve(ledger, charge(0.1))


def test_who_may_not_migrate_is_told_and_changes_nothing(clerk: str, postgres_url: str) -> None:
    make_format_1(postgres_url)
    raw(postgres_url, f"GRANT USAGE ON SCHEMA sudare_ledger TO {clerk}")
    raw(postgres_url, f"GRANT SELECT ON ALL TABLES IN SCHEMA sudare_ledger TO {clerk}")
    with pytest.raises(InvalidLedger, match="may not be read, written or made"):
        Ledger.open(as_clerk(clerk, postgres_url))
    assert rows(postgres_url, "migration") == [(1,)]


def test_a_newer_format_is_refused_also_while_the_ledger_is_open(ledger_url: str) -> None:
    make(ledger_url)
    with Ledger.open(ledger_url) as ledger:
        raw(ledger_url, "INSERT INTO S.migration VALUES (4)")
        with pytest.raises(InvalidLedger, match="format 4; this sudare reads format 3"):
            ledger.reserve(charge(0.1))
    with pytest.raises(InvalidLedger, match="format 4; this sudare reads format 3"):
        Ledger.open(ledger_url, create=True, relation=ADD_REMOVE)


@pytest.mark.parametrize(
    "statements",
    [
        ("ALTER TABLE S.entry DISABLE TRIGGER only_added_to",),
        ("ALTER TABLE S.entry ENABLE TRIGGER only_added_to",),
        ("DROP TRIGGER only_added_to ON S.entry",),
        ("CREATE OR REPLACE FUNCTION S.refuse() RETURNS trigger LANGUAGE plpgsql AS "
         "$$BEGIN RETURN NULL; END$$",),
        ("CREATE FUNCTION S.undo() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$",
         "CREATE TRIGGER undo BEFORE INSERT ON S.entry FOR EACH ROW EXECUTE FUNCTION S.undo()"),
        ("CREATE RULE undo AS ON INSERT TO S.entry DO INSTEAD NOTHING",),
        ("ALTER TABLE S.entry ENABLE ROW LEVEL SECURITY",),
        ("CREATE POLICY few ON S.entry USING (seq < 3)",),
        ("CREATE TABLE S.child () INHERITS (S.entry)",),
        ("ALTER TABLE S.entry ADD COLUMN more integer",),
        ("ALTER TABLE S.entry ALTER COLUMN release SET DEFAULT 'x'",),
        ("ALTER TABLE S.entry ALTER COLUMN hash DROP NOT NULL",),
        ("ALTER TABLE S.entry DROP CONSTRAINT entry_pkey",),
        ("ALTER TABLE S.entry SET UNLOGGED",),
        ("CREATE VIEW S.more AS SELECT 1",),
        ("DROP INDEX S.entry_keyed",),
        ("ALTER TABLE S.entry DROP COLUMN checkpoint",),
        ("DROP TABLE S.migration",),
        ("DELETE FROM S.migration",),
    ],
    ids=lambda statements: statements[-1][:40],
)  # fmt: skip
def test_changed_tables_are_refused(ledger_url: str, statements: tuple[str, ...]) -> None:
    make(ledger_url)
    raw(ledger_url, *statements)
    with pytest.raises(InvalidLedger, match=r"The tables in postgresql://.* were changed"):
        Ledger.open(ledger_url)


def test_rows_of_a_child_table_elsewhere_are_not_read_and_the_child_is_refused(
    ledger_url: str,
) -> None:
    make(ledger_url)
    with Ledger.open(ledger_url) as ledger:
        child = f"public.child_{parse_address(ledger_url).fragment}"
        raw(ledger_url, f"CREATE TABLE {child} () INHERITS (S.entry)")
        raw(ledger_url, f"INSERT INTO {child} VALUES (6, 'x', 'y')")
        assert ledger.verify().entries == 5
    with pytest.raises(InvalidLedger, match="were changed"):
        Ledger.open(ledger_url)


def test_the_formats_are_numbered_and_the_last_one_is_the_one_that_is_checked() -> None:
    assert postgres_tables.VERSION == len(postgres_tables.MIGRATIONS) == 3
    assert list(postgres_tables.SHAPE) == sorted(postgres_tables.SHAPE)

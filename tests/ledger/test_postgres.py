"""The store in PostgreSQL: made whole or not at all, ours or refused, durable, and append-only."""

from __future__ import annotations

import os
from contextlib import suppress
from urllib.parse import quote

import psycopg
import pytest

from ledger.support import (
    ADD_REMOVE,
    REPLACE_ONE,
    as_clerk,
    charge,
    drain,
    fork,
    make,
    raw,
    reserve,
    tell,
)
from sudare.facts.errors import InvalidLedger, UsageError
from sudare.ledger import postgres
from sudare.ledger.charge import StoredRelease
from sudare.ledger.drafts import first_row
from sudare.ledger.ledger import Ledger
from sudare.ledger.postgres import PostgresStore
from sudare.ledger.store import Row
from sudare.ledger.stores import is_there
from support.postgres import Server


def test_what_was_written_is_there_after_reopening(ledger_url: str) -> None:
    assert not is_there(ledger_url)
    make(ledger_url)
    assert is_there(ledger_url)
    with Ledger.open(ledger_url) as ledger:
        assert ledger.balance("people").spent.epsilon == 1.5
        again = ledger.reserve(charge(1.0, idempotency_key="k"))
        assert isinstance(again, StoredRelease)
        assert again.bytes == b"answer" * 50
        assert ledger.verify().ok


def test_the_relation_is_fixed_when_the_ledger_is_made(ledger_url: str) -> None:
    Ledger.open(ledger_url, create=True, relation=REPLACE_ONE).close()
    with Ledger.open(ledger_url, create=True, relation=ADD_REMOVE) as ledger:
        assert ledger.relation is REPLACE_ONE


def test_without_create_a_missing_ledger_stays_missing(ledger_url: str) -> None:
    with pytest.raises(InvalidLedger, match="no ledger at postgresql://"):
        Ledger.open(ledger_url)
    assert not is_there(ledger_url)


def test_a_database_holds_several_ledgers_and_the_first_needs_no_name(postgres_url: str) -> None:
    for place in (postgres_url, f"{postgres_url}#other"):
        with Ledger.open(place, create=True, relation=ADD_REMOVE) as ledger:
            reserve(ledger, charge(3.0))
    assert is_there(f"{postgres_url}#ledger")
    with Ledger.open(f"{postgres_url}#ledger") as ledger:
        assert ledger.verify().entries == 3


@pytest.mark.parametrize("name", ["A", "1a", "a-b", "a.b", "a;drop", "a" * 41, "%22", "人"])
def test_odd_names_are_refused(ledger_database: str, name: str) -> None:
    with pytest.raises(UsageError, match="name of a ledger"):
        Ledger.open(f"{ledger_database}#{name}", create=True, relation=ADD_REMOVE)


def test_a_first_row_that_cannot_be_written_leaves_nothing(ledger_url: str) -> None:
    first = first_row(ADD_REMOVE)
    with pytest.raises(InvalidLedger):
        PostgresStore.create(ledger_url, Row(2**70, first.payload, first.hash))
    assert not is_there(ledger_url)


def test_rows_are_read_in_pages(ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make(ledger_url)
    whole = list(PostgresStore.open(ledger_url).rows())
    monkeypatch.setattr(postgres, "_PAGE", 2)
    with Ledger.open(ledger_url) as ledger:
        for since in (None, 1, 2, 5, 6):
            assert list(ledger._store.rows(since)) == [
                row for row in whole if since is None or row.seq >= since
            ]


@pytest.mark.parametrize(
    "statement",
    ["UPDATE S.entry SET release = NULL", "DELETE FROM S.entry", "TRUNCATE S.entry"],
)
def test_the_server_refuses_to_change_an_entry(ledger_url: str, statement: str) -> None:
    make(ledger_url)
    for setting in (
        "SET session_replication_role = origin",
        "SET session_replication_role = replica",
    ):
        with pytest.raises(psycopg.errors.RaiseException, match="only added to"):
            raw(ledger_url, setting, statement)
    with Ledger.open(ledger_url) as ledger:
        assert ledger.verify().entries == 5


def test_who_can_turn_the_trigger_off_is_found_out_by_the_chain(ledger_url: str) -> None:
    make(ledger_url)
    with Ledger.open(ledger_url) as ledger:
        head = ledger.export_head()
    off = "ALTER TABLE S.entry DISABLE TRIGGER only_added_to"
    on = "ALTER TABLE S.entry ENABLE ALWAYS TRIGGER only_added_to"
    raw(ledger_url, off, "UPDATE S.entry SET release = 'ansver' WHERE release IS NOT NULL", on)
    with Ledger.open(ledger_url) as ledger:
        assert ledger.verify().broken_seq == 4
    raw(ledger_url, off, "DELETE FROM S.entry WHERE seq >= 3", on)
    with Ledger.open(ledger_url) as ledger:
        assert ledger.verify().ok
        assert ledger.verify(head).broken_seq == 3


def test_history_taken_away_under_an_open_ledger_is_noticed(ledger_url: str) -> None:
    make(ledger_url)
    with Ledger.open(ledger_url) as ledger:
        ledger.balance("people")
        off = "ALTER TABLE S.entry DISABLE TRIGGER only_added_to"
        raw(ledger_url, off, "DELETE FROM S.entry WHERE seq = 5")
        with pytest.raises(InvalidLedger, match="taken away"):
            ledger.reserve(charge(0.1))


def test_a_ledger_dropped_while_open_is_not_charged(ledger_url: str) -> None:
    make(ledger_url)
    with Ledger.open(ledger_url) as ledger:
        raw(ledger_url, "DROP TABLE S.entry")
        with pytest.raises(InvalidLedger, match=r"tables .* were changed"):
            ledger.reserve(charge(0.1))


def test_a_stranger_who_ignores_the_lock_cannot_make_us_overspend(ledger_url: str) -> None:
    """Two writers who read the same tip: the primary key lets one of them append, whatever the
    lock is worth."""
    make(ledger_url)
    store = PostgresStore.open(ledger_url)

    def late() -> None:
        with store.transaction():
            *_, last = store.rows()
            raw(ledger_url, "INSERT INTO S.entry VALUES (6, 'x', 'y')")
            store.append(Row(last.seq + 1, b"ours", b"hash"))

    with pytest.raises(InvalidLedger, match="23505"):
        late()
    assert [row.payload for row in store.rows(6)] == [b"x"]
    store.close()


def test_an_error_inside_a_transaction_leaves_nothing(ledger_url: str) -> None:
    make(ledger_url)
    store = PostgresStore.open(ledger_url)
    rows = list(store.rows())

    def interrupted() -> None:
        with store.transaction():
            store.append(Row(99, b"x", b"y"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(store.rows()) == rows
    with store.transaction():
        pass
    store.close()


def test_a_commit_that_the_server_turned_into_a_rollback_is_noticed(ledger_url: str) -> None:
    make(ledger_url)
    store = PostgresStore.open(ledger_url)

    def careless() -> None:
        with store.transaction():
            store.append(Row(6, b"x", b"y"))
            with suppress(InvalidLedger):
                store.append(Row(6, b"x", b"y"))

    with pytest.raises(InvalidLedger, match="rolled back"):
        careless()
    assert list(store.rows(6)) == []
    store.close()


def test_every_transaction_waits_for_the_disk_and_sees_what_came_before_it(ledger_url: str) -> None:
    weak = "-c synchronous_commit=off -c default_transaction_isolation=serializable"
    url = ledger_url.replace("#", f"?options={quote(weak)}#")
    make(url)
    store = PostgresStore.open(url)
    with store.transaction():
        asked = (
            "SELECT current_setting('synchronous_commit'), current_setting('transaction_isolation')"
        )
        assert store._link.run(asked) == [("on", "read committed")]
    store.close()


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_a_server_that_may_lose_what_it_promised_is_read_but_not_charged(
    postgres_alone: Server, setting: str
) -> None:
    def put(value: str) -> None:
        with postgres_alone.connect() as admin:
            admin.execute(f"ALTER SYSTEM SET {setting} = {value}")
            admin.execute("SELECT pg_reload_conf()")
            # A backend takes the setting over when it is next asked something.
            while admin.execute(f"SHOW {setting}").fetchone() != (value,):
                pass

    with postgres_alone.database() as url:
        make(url)
        put("off")
        try:
            with Ledger.open(url) as ledger:
                assert ledger.balance("people").spent.epsilon == 1.5
                with pytest.raises(InvalidLedger, match="fsync or full_page_writes off"):
                    ledger.reserve(charge(0.1))
            with pytest.raises(InvalidLedger, match="fsync or full_page_writes off"):
                make(f"{url}#other")
        finally:
            put("on")
        with Ledger.open(url) as ledger:
            reserve(ledger, charge(0.1))


def test_who_charges_needs_to_read_and_to_add_and_no_more(clerk: str, postgres_url: str) -> None:
    make(f"{postgres_url}#ledger")
    for use in (
        lambda: Ledger.open(as_clerk(clerk, postgres_url)),
        lambda: Ledger.open(
            f"{as_clerk(clerk, postgres_url)}#more", create=True, relation=ADD_REMOVE
        ),
    ):
        with pytest.raises(InvalidLedger, match="may not be read, written or made by this user"):
            use()
    raw(postgres_url, f"GRANT USAGE ON SCHEMA sudare_ledger TO {clerk}")
    raw(postgres_url, f"GRANT SELECT ON S.entry, S.migration TO {clerk}")
    with Ledger.open(as_clerk(clerk, postgres_url)) as ledger:
        assert ledger.verify().ok
        with pytest.raises(InvalidLedger, match="may not be"):
            ledger.reserve(charge(0.1))
    raw(postgres_url, f"GRANT INSERT ON S.entry TO {clerk}")
    with Ledger.open(as_clerk(clerk, postgres_url), create=True, relation=ADD_REMOVE) as ledger:
        reserve(ledger, charge(0.1))
        assert ledger.verify().ok


def test_a_server_that_may_only_be_read_says_so(ledger_url: str) -> None:
    make(ledger_url)
    with Ledger.open(ledger_url) as ledger:
        begin = ledger._store._session._enter  # type: ignore[attr-defined]

        def on_a_standby() -> None:
            begin()
            ledger._store._link.run("SET transaction_read_only = on")  # type: ignore[attr-defined]

        ledger._store._session._enter = on_a_standby  # type: ignore[attr-defined]
        with pytest.raises(InvalidLedger, match="may only be read"):
            ledger.reserve(charge(0.1))


def test_a_closed_ledger_refuses(ledger_url: str) -> None:
    make(ledger_url)
    ledger = Ledger.open(ledger_url)
    ledger.close()
    for use in (lambda: ledger.reserve(charge(0.1)), lambda: ledger.balance("people")):
        with pytest.raises(UsageError, match="closed"):
            use()


def test_a_ledger_does_not_cross_a_fork(ledger_url: str) -> None:
    make(ledger_url)
    ledger = Ledger.open(ledger_url)

    def child(pipe: int) -> None:
        for use in (lambda: ledger.reserve(charge(0.1)), lambda: ledger.balance("people")):
            try:
                use()
            except UsageError:
                tell(pipe, "refused")
        ledger.close()

    pid, pipe = fork(child)
    assert drain(pipe) == [["refused"], ["refused"]]
    assert os.waitpid(pid, 0)[1] == 0
    reserve(ledger, charge(0.1))
    ledger.close()

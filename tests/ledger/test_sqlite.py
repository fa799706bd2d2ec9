"""The SQLite file: made whole or not at all, ours or refused, durable, and private to its owner."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import apsw
import pytest

from ledger.support import ADD_REMOVE, REPLACE_ONE, charge, drain, fork, make, reserve, tell
from sudare.facts.errors import BudgetRefused, InvalidLedger, SudareError, UsageError
from sudare.ledger import sqlite_file
from sudare.ledger.charge import Reservation, StoredRelease
from sudare.ledger.drafts import first_row
from sudare.ledger.ledger import Ledger
from sudare.ledger.sqlite import SqliteStore
from sudare.ledger.store import Row


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.ledger"


def raw(path: Path, *statements: str) -> None:
    db = apsw.Connection(str(path))
    for statement in statements:
        db.execute(statement)
    db.close()


def test_what_was_written_is_there_after_reopening(path: Path) -> None:
    make(path)
    with Ledger.open(path) as ledger:
        assert ledger.balance("people").spent.epsilon == 1.5
        again = ledger.reserve(charge(1.0, idempotency_key="k"))
        assert isinstance(again, StoredRelease)
        assert again.bytes == b"answer" * 50
        assert ledger.verify().ok


def test_the_relation_is_fixed_when_the_file_is_made(path: Path) -> None:
    Ledger.open(path, create=True, relation=REPLACE_ONE).close()
    with Ledger.open(path, create=True, relation=ADD_REMOVE) as ledger:
        assert ledger.relation is REPLACE_ONE


def test_a_new_ledger_needs_a_relation(path: Path) -> None:
    with pytest.raises(UsageError, match="relation"):
        Ledger.open(path, create=True)
    assert not path.exists()


def test_without_create_a_missing_ledger_stays_missing(path: Path) -> None:
    with pytest.raises(InvalidLedger, match="no ledger at"):
        Ledger.open(path)
    assert list(path.parent.iterdir()) == []


def test_only_the_owner_may_read_the_file_and_its_log(path: Path) -> None:
    old = os.umask(0)
    try:
        with Ledger.open(path, create=True, relation=ADD_REMOVE) as ledger:
            reserve(ledger, charge())
            modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
    finally:
        os.umask(old)
    assert modes == dict.fromkeys((path.name, path.name + "-wal", path.name + "-shm"), 0o600)


def test_the_file_is_marked_and_every_connection_syncs(path: Path) -> None:
    make(path)
    store = SqliteStore(path)
    pragmas = ("application_id", "user_version", "journal_mode", "synchronous", "trusted_schema")
    assert [store._db.pragma(name) for name in pragmas] == [0x53754461, 2, "wal", 2, 0]
    store.close()


def test_a_file_of_another_make_is_refused_and_left_alone(path: Path, tmp_path: Path) -> None:
    table = tmp_path / "other.db"
    raw(table, "CREATE TABLE t (x)")
    files = {"text": b"name,age\nx,1\n" * 100, "empty": b"", "database": table.read_bytes()}
    for content in files.values():
        path.write_bytes(content)
        with pytest.raises(InvalidLedger) as caught:
            Ledger.open(path, create=True, relation=ADD_REMOVE)
        assert caught.value.exit_code == 4
        assert path.read_bytes() == content


def test_a_directory_or_a_place_that_cannot_be_is_refused(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    file = tmp_path / "file"
    file.write_bytes(b"x")
    places = [tmp_path, tmp_path / "no" / "where", file / "below", loop, "a\x00b", "/", "x" * 300]
    for place in places:
        with pytest.raises(SudareError):
            Ledger.open(place, create=True, relation=ADD_REMOVE)


def test_another_format_is_refused(path: Path) -> None:
    make(path)
    raw(path, "PRAGMA user_version = 3")
    with pytest.raises(InvalidLedger, match="format 3; this sudare reads format 2"):
        Ledger.open(path)


def test_another_format_is_refused_also_while_the_ledger_is_open(path: Path) -> None:
    make(path)
    with Ledger.open(path) as ledger:
        raw(path, "PRAGMA user_version = 3")
        with pytest.raises(InvalidLedger, match="format 3"):
            ledger.reserve(charge(0.1))


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER undo AFTER INSERT ON entry BEGIN DELETE FROM entry WHERE seq > 2; END",
        "CREATE VIEW more AS SELECT 1",
        "ALTER TABLE entry ADD COLUMN more INTEGER",
        "DROP INDEX entry_keyed",
        "PRAGMA user_version = 1",
    ],
)
def test_changed_tables_are_refused(path: Path, statement: str) -> None:
    make(path)
    raw(path, statement)
    with pytest.raises(InvalidLedger, match="tables"):
        Ledger.open(path)


def test_rows_changed_in_the_file_are_found(path: Path) -> None:
    make(path)
    with Ledger.open(path) as ledger:
        head = ledger.export_head()
    raw(path, "UPDATE entry SET release = CAST('ansver' AS BLOB) WHERE release IS NOT NULL")
    with Ledger.open(path) as ledger:
        assert ledger.verify().broken_seq == 4
    raw(path, "DELETE FROM entry WHERE seq >= 3")
    with Ledger.open(path) as ledger:
        assert ledger.verify().ok
        assert ledger.verify(head).broken_seq == 3


@pytest.mark.integration
def test_every_changed_byte_of_the_file_is_refused_found_or_harmless(path: Path) -> None:
    """Each seventh byte is inverted in turn; the slack between cells is all that may change."""
    make(path)
    sound = path.read_bytes()
    with Ledger.open(path) as ledger:
        head = ledger.export_head()
        rows = list(ledger._store.rows())
    harmful = 0
    for place in range(0, len(sound), 7):
        damaged = bytearray(sound)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        try:
            with Ledger.open(path) as ledger:
                if ledger.verify(head).ok:
                    assert list(ledger._store.rows()) == rows
                    continue
        except InvalidLedger:
            pass
        harmful += 1
    assert harmful > 100


@pytest.mark.parametrize("length", [10, 100, 4095, 4096, 5000])
def test_a_file_cut_short_is_refused(path: Path, length: int) -> None:
    make(path)
    head_length = len(path.read_bytes())
    assert length < head_length
    os.truncate(path, length)
    with pytest.raises(InvalidLedger), Ledger.open(path) as ledger:
        ledger.balance("people")


def test_a_fresh_ledger_is_not_made_beside_an_orphaned_log(path: Path) -> None:
    path.with_name("people.ledger-wal").write_bytes(b"left over")
    with pytest.raises(InvalidLedger, match="forget what was spent"):
        Ledger.open(path, create=True, relation=ADD_REMOVE)
    assert not path.exists()


def test_making_leaves_nothing_else_behind_and_never_overwrites(path: Path) -> None:
    make(path)
    before = path.read_bytes()
    sqlite_file._build(path.with_name("draft"), first_row(REPLACE_ONE))
    sqlite_file._publish(path.with_name("draft"), path)
    path.with_name("draft").unlink()
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_ledger_replaced_while_open_is_not_charged(path: Path) -> None:
    make(path)
    with Ledger.open(path) as ledger:
        ledger.balance("people")
        path.rename(path.with_name("away"))
        with pytest.raises(InvalidLedger, match="replaced"):
            ledger.reserve(charge(0.1))
        path.with_name("away").rename(path)
        reserve(ledger, charge(0.1))


def test_an_error_inside_a_transaction_leaves_nothing(path: Path) -> None:
    make(path)
    store = SqliteStore(path)
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


def test_a_full_disk_refuses_and_charges_nothing(path: Path) -> None:
    make(path)
    with Ledger.open(path) as ledger:
        ledger._store._db.pragma("max_page_count", 4)  # type: ignore[attr-defined]
        reservation = reserve(ledger, charge(0.1))
        with pytest.raises(InvalidLedger, match="free space"):
            ledger.commit(reservation, b"x" * 100_000)
        assert ledger.find_release(reservation.release_id) is None
        assert ledger.verify().ok


def test_a_busy_ledger_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(path)
    monkeypatch.setattr(sqlite_file, "BUSY_MILLISECONDS", 1)
    holder, other = SqliteStore(path), Ledger.open(path)
    with holder.transaction(), pytest.raises(InvalidLedger, match="another process"):
        other.reserve(charge(0.1))
    holder.close()
    reserve(other, charge(0.1))
    other.close()


def test_a_file_that_may_not_be_written_can_be_read_but_not_charged(path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may write everywhere")
    make(path)
    path.chmod(0o400)
    with Ledger.open(path) as ledger:
        assert ledger.verify().ok
        with pytest.raises(InvalidLedger, match="permissions"):
            ledger.reserve(charge(0.1))


def test_a_closed_ledger_refuses(path: Path) -> None:
    make(path)
    ledger = Ledger.open(path)
    ledger.close()
    with pytest.raises(InvalidLedger):
        ledger.reserve(charge(0.1))


def test_a_ledger_does_not_cross_a_fork(path: Path) -> None:
    make(path)
    ledger = Ledger.open(path)

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


def test_a_refused_charge_leaves_its_changed_cap_on_the_disk(path: Path) -> None:
    make(path)
    with Ledger.open(path) as ledger, pytest.raises(BudgetRefused):
        ledger.reserve(charge(1.0, cap=1.0))
    with Ledger.open(path) as ledger:
        assert ledger.balance("people").cap.epsilon == 1.0


def test_a_full_disk_says_what_became_of_the_charge(tmp_path: Path) -> None:
    """Full while charging: nothing is charged. Full while committing: the charge stays."""
    place = tmp_path / "people.ledger"
    with Ledger.open(place, create=True, relation=ADD_REMOVE) as books:
        reserved = books.reserve(charge(0.5))
        assert isinstance(reserved, Reservation)
        db = books._store._db  # type: ignore[attr-defined]
        db.pragma("max_page_count", db.pragma("page_count"))
        with pytest.raises(InvalidLedger, match="FullError") as told:
            books.commit(reserved, bytes(10**6))
        assert "What was charged stays charged; nothing was released." in told.value.hint
        with pytest.raises(InvalidLedger, match="FullError") as told:
            _reserve_until_full(books)
        assert "No row was read." in told.value.hint
        assert "sudare ledger show" in told.value.hint
        assert books.balance("people").spent.epsilon >= 0.5
        assert books.verify().ok


def _reserve_until_full(books: Ledger) -> None:
    while True:
        books.reserve(charge(1e-6))

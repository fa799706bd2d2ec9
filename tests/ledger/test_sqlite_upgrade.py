"""A file of format 1: it opens, is read whole, and the next write brings it up to date."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from ledger.support import charge, make, reserve
from sudare.facts.errors import BudgetRefused, InvalidLedger
from sudare.ledger import sqlite_file
from sudare.ledger.charge import StoredRelease
from sudare.ledger.ledger import Ledger

Rows = list[tuple[object, ...]]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A ledger as the first format had it, with a real chain in it."""
    made, path = tmp_path / "made.ledger", tmp_path / "people.ledger"
    make(made)
    db = apsw.Connection(str(path))
    db.pragma("application_id", sqlite_file.APPLICATION_ID)
    db.pragma("user_version", 1)
    for statement in sqlite_file.TABLES[1]:
        db.execute(statement)
    for row in rows(made):
        db.execute("INSERT INTO entry VALUES (?, ?, ?, ?)", row)
    db.pragma("journal_mode", "wal")
    db.close()
    return path


def rows(path: Path, columns: str = "seq, payload, hash, release") -> Rows:
    db = apsw.Connection(str(path))
    try:
        return db.execute(f"SELECT {columns} FROM entry ORDER BY seq").fetchall()
    finally:
        db.close()


def version(path: Path) -> int:
    db = apsw.Connection(str(path))
    try:
        return int(db.pragma("user_version"))
    finally:
        db.close()


def test_reading_leaves_an_old_file_as_it_is(old: Path) -> None:
    before = rows(old, "*")
    with Ledger.open(old) as ledger:
        assert ledger.balance("people").spent.epsilon == 1.5
        assert ledger.is_charged("people", "k", None)
        assert [finished for _, finished in ledger.latest(5)] == [True, False]
        charges = [entry for entry in ledger.entries() if entry.kind == "reserve"]
        assert ledger.find_release(charges[0].release_id or "") == b"answer" * 50
        assert ledger.verify().ok
    assert version(old) == 1
    assert rows(old, "*") == before


def test_the_next_write_brings_it_up_to_date_with_every_row_in_place(old: Path) -> None:
    before = rows(old)
    with Ledger.open(old) as ledger:
        head = ledger.export_head()
        reserve(ledger, charge(0.1))
    assert version(old) == 2
    assert rows(old)[:5] == before
    kept = rows(old, "seq, keyed IS NOT NULL, charge, checkpoint IS NOT NULL")
    assert kept == [
        (1, 0, None, 0),
        (2, 0, None, 0),
        (3, 1, 3, 0),
        (4, 0, 3, 0),
        (5, 0, 5, 0),
        (6, 0, 6, 1),
    ]
    with Ledger.open(old) as ledger:
        assert ledger.verify(head).ok
        assert isinstance(ledger.reserve(charge(1.0, idempotency_key="k")), StoredRelease)


def test_an_open_ledger_goes_on_when_another_one_brings_the_file_up_to_date(old: Path) -> None:
    with Ledger.open(old) as first, Ledger.open(old) as second:
        assert first.balance("people").releases == second.balance("people").releases == 2
        reserve(second, charge(0.1))
        reserve(first, charge(0.1))
        assert first.balance("people") == second.balance("people")
        assert first.verify().ok


def test_a_refused_charge_may_bring_it_up_to_date_and_adds_nothing(old: Path) -> None:
    before = rows(old)
    with Ledger.open(old) as ledger, pytest.raises(BudgetRefused):
        ledger.reserve(charge(2.0))
    assert rows(old) == before
    with Ledger.open(old) as ledger:
        assert ledger.verify().ok
        assert ledger.balance("people").spent.epsilon == 1.5


def test_a_broken_chain_is_not_brought_up_to_date(old: Path) -> None:
    db = apsw.Connection(str(old))
    change = "CAST(replace(CAST(payload AS TEXT), 'ask', 'aks') AS BLOB)"
    db.execute(f"UPDATE entry SET payload = {change} WHERE seq = 3")
    db.close()
    before = rows(old, "*")
    with Ledger.open(old) as ledger, pytest.raises(InvalidLedger, match="Entry 3"):
        ledger.reserve(charge(0.1))
    assert (rows(old, "*"), version(old)) == (before, 1)


def test_an_upgrade_that_is_cut_off_changes_nothing(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows(old, "*")
    monkeypatch.setattr(sqlite_file, "_INDEXES", ("CREATE INDEX broken ON nothing (seq)",))
    with Ledger.open(old) as ledger, pytest.raises(InvalidLedger, match="cannot be read or"):
        ledger.reserve(charge(0.1))
    monkeypatch.undo()
    assert (rows(old, "*"), version(old)) == (before, 1)
    with Ledger.open(old) as ledger:
        reserve(ledger, charge(0.1))
        assert ledger.verify().ok

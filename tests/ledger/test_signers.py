"""Who signs certificates stands in the chain: once, for good, on every store."""

from __future__ import annotations

import json

import pytest

from ledger.support import ListStore, charge, reserve
from sudare.ledger.books import TAIL, Books
from sudare.ledger.chain import Broken
from sudare.ledger.checkpoint import EVERY
from sudare.ledger.drafts import signs
from sudare.ledger.ledger import Ledger
from sudare.ledger.verify import verify

MINE, THEIRS = "ab" * 32, "cd" * 32


def test_a_signer_is_recorded_once(ledger: Ledger) -> None:
    assert ledger.signers() == {}
    ledger.add_signer(MINE)
    entries = ledger.export_head().seq
    ledger.add_signer(MINE)
    ledger.add_signer(THEIRS)
    assert ledger.signers() == {MINE: entries, THEIRS: entries + 1}
    assert [each.kind for each in ledger.entries()] == ["open", "signer", "signer"]
    assert ledger.verify().ok


def test_a_signer_spends_nothing(ledger: Ledger) -> None:
    ledger.commit(reserve(ledger, charge(1.0)), b"answer")
    before = ledger.balance("people")
    ledger.add_signer(MINE)
    assert ledger.balance("people") == before


def test_checkpoints_carry_signers_and_say_nothing_where_there_are_none() -> None:
    store = ListStore()
    ledger = Ledger(store)
    for _ in range(EVERY):
        ledger.commit(reserve(ledger, charge(1e-9)), b"answer")
    kept = [row.checkpoint for row in store.rows() if row.checkpoint is not None]
    assert all(b"signers" not in each for each in kept)
    ledger.add_signer(MINE)
    for _ in range(2 * EVERY):
        ledger.commit(reserve(ledger, charge(1e-9)), b"answer")
    resumed = Books.resumed(store.tail(TAIL))
    assert resumed is not None
    assert not resumed.is_whole
    assert list(resumed.signers) == [MINE]
    assert Ledger(store).signers() == ledger.signers()
    assert verify(store).ok


def test_a_signer_twice_is_broken() -> None:
    books = Books()
    for row in ListStore().rows():
        books.read(row)
    books.write(signs(MINE))
    with pytest.raises(Broken, match="names a signer for the second time"):
        books.write(signs(MINE))


def test_a_changed_fingerprint_is_found() -> None:
    store = ListStore()
    Ledger(store).add_signer(MINE)
    rows = list(store.rows())
    told = json.loads(rows[-1].payload)
    assert (told["kind"], told["key"]) == ("signer", MINE)
    books = Books()
    books.read(rows[0])
    with pytest.raises(Broken, match="its hash does not follow"):
        books.read(rows[1].__class__(2, rows[1].payload.replace(b"ab", b"cd"), rows[1].hash))

"""Entries as bytes, links and heads."""

from __future__ import annotations

import hashlib
import json

import pytest

from ledger.support import ADD_REMOVE, ListStore, charge, reserve
from sudare.facts.errors import InvalidLedger
from sudare.ledger.chain import Broken, Head, Tip, unseal
from sudare.ledger.drafts import first_row
from sudare.ledger.entries import from_bytes, to_bytes
from sudare.ledger.ledger import Ledger
from sudare.ledger.store import Row


def test_the_hash_is_sha256_of_previous_hash_and_payload() -> None:
    store = ListStore()
    reserve(Ledger(store), charge(dataset="住民"))
    previous = bytes(32)
    for row in store.kept:
        previous = hashlib.sha256(previous + row.payload).digest()
        assert row.hash == previous


def test_the_payload_is_sorted_json_in_utf8_without_blanks() -> None:
    store = ListStore()
    reserve(Ledger(store), charge(dataset="住民"))
    for row in store.kept:
        plain = json.loads(row.payload)
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert row.payload == text.encode()
    assert "住民".encode() in store.kept[-1].payload


def test_an_entry_reads_back_as_itself() -> None:
    payload = first_row(ADD_REMOVE).payload
    assert to_bytes(from_bytes(payload)) == payload


def test_other_spellings_of_an_entry_are_refused() -> None:
    plain = json.loads(first_row(ADD_REMOVE).payload)
    text = first_row(ADD_REMOVE).payload.decode()
    other = [
        json.dumps(plain),
        text.replace('"seq":1', '"seq":1.0'),
        text.replace('"seq":1', '"seq":true'),
        text.replace('"seq":1', '"seq":0,"seq":1'),
        text.replace("add-remove", "both"),
        text.replace("{", '{"extra":1,', 1),
        text.replace("+00:00", "+09:00"),
        "null",
        "",
    ]
    for spelling in other:
        with pytest.raises(ValueError):  # noqa: PT011  (pydantic's and our own, both are)
            from_bytes(spelling.encode())


def test_a_row_without_bytes_is_broken_and_not_a_crash() -> None:
    row = first_row(ADD_REMOVE)
    for payload, link in [(None, row.hash), ("text", row.hash), (row.payload, None)]:
        with pytest.raises(Broken):
            unseal(Tip(), Row(1, payload, link))  # type: ignore[arg-type]


def test_release_ids_come_from_the_reserve_entry() -> None:
    store = ListStore()
    reservation = reserve(Ledger(store), charge())
    assert reservation.release_id == store.kept[reservation.seq - 1].hash.hex()[:16]


def test_a_head_survives_json() -> None:
    ledger = Ledger(ListStore())
    reserve(ledger, charge())
    head = ledger.export_head()
    assert Head.from_json(head.to_json()) == head
    assert set(json.loads(head.to_json())) == {"seq", "hash", "relation", "time"}
    assert ledger.export_head() == head


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"seq": 1, "hash": "ab"}', "\x00"])
def test_something_else_is_not_a_head(text: str) -> None:
    with pytest.raises(InvalidLedger, match="export-head"):
        Head.from_json(text)

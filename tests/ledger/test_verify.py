"""Whatever is done to the stored rows, verify() finds it and names the first broken entry."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest

from ledger.support import ADD_REMOVE, REPLACE_ONE, ListStore, charge, reserve
from sudare.facts.cost import NANO
from sudare.facts.errors import BudgetRefused, InvalidLedger
from sudare.ledger.chain import Head, Tip, _link
from sudare.ledger.ledger import Ledger
from sudare.ledger.store import Row
from sudare.ledger.verify import Verification, verify


@pytest.fixture
def store() -> ListStore:
    """1 open, 2 cap, 3 reserve, 4 commit, 5 cap (raised), 6 reserve, 7 reserve, 8 commit."""
    store = ListStore()
    ledger = Ledger(store)
    quotas = {"aki": 2 * NANO}
    first = reserve(ledger, charge(1.0, analyst="aki", quotas=quotas, idempotency_key="k"))
    ledger.commit(first, b"first answer")
    reserve(ledger, charge(1.0, cap=4.0, analyst="aki", quotas=quotas))
    third = reserve(ledger, charge(0.0, cap=4.0, analyst="aki", quotas=quotas))
    ledger.commit(third, b"third answer")
    return store


def head_of(store: ListStore) -> Head:
    return Ledger(store).export_head()


def rewritten(store: ListStore, seq: int, change: Callable[[dict[str, Any]], None]) -> ListStore:
    """What a forger does who knows the format: change one entry, then relink all after it."""
    tip, rows = Tip(), []
    for row in store.kept:
        plain = json.loads(row.payload)
        if row.seq == seq:
            change(plain)
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        link = _link(tip.hash, text.encode())
        rows.append(Row(row.seq, text.encode(), link))
        tip = Tip(row.seq, link)
    store.kept = rows
    return store


def test_a_sound_ledger_verifies_and_so_does_every_earlier_head(store: ListStore) -> None:
    whole = head_of(store)
    assert verify(store, whole) == Verification(True, 8, whole)
    for length in range(1, 9):
        short = ListStore()
        short.kept, short.releases = store.kept[:length], store.releases
        assert verify(store, head_of(short)).ok


def test_every_changed_byte_of_a_payload_or_a_hash_is_found(store: ListStore) -> None:
    for index, row in enumerate(list(store.kept)):
        for field in ("payload", "hash"):
            text = getattr(row, field)
            for place in range(len(text)):
                changed = text[:place] + bytes([text[place] ^ 1]) + text[place + 1 :]
                store.kept[index] = dataclasses.replace(row, **{field: changed})
                found = verify(store)
                assert (found.ok, found.broken_seq) == (False, row.seq)
                assert found.entries == row.seq - 1
        store.kept[index] = row
    assert verify(store).ok


def test_every_changed_byte_of_a_release_is_found(store: ListStore) -> None:
    for seq, release in list(store.releases.items()):
        for place in range(len(release)):
            changed = release[:place] + bytes([release[place] ^ 1]) + release[place + 1 :]
            store.releases[seq] = changed
            assert verify(store).broken_seq == seq
        store.releases[seq] = release


def test_releases_that_are_lost_or_slipped_in_are_found(store: ListStore) -> None:
    kept = store.releases.pop(4)
    assert verify(store).broken_seq == 4
    store.releases |= {4: kept, 6: b"slipped in"}
    assert verify(store).broken_seq == 6


def test_every_dropped_row_is_found(store: ListStore) -> None:
    head, rows = head_of(store), store.kept
    for index in range(8):
        store.kept = rows[:index] + rows[index + 1 :]
        found = verify(store, head)
        assert (found.ok, found.broken_seq) == (False, index + 1)


def test_every_reordered_pair_is_found_with_and_without_its_numbers(store: ListStore) -> None:
    rows = store.kept
    for index in range(7):
        one, two = rows[index], rows[index + 1]
        swapped = [dataclasses.replace(two, seq=one.seq), dataclasses.replace(one, seq=two.seq)]
        for pair in ([two, one], swapped):
            store.kept = rows[:index] + pair + rows[index + 2 :]
            assert verify(store).broken_seq == index + 1


def test_rows_put_before_or_between_are_found(store: ListStore) -> None:
    rows = store.kept
    store.kept = [dataclasses.replace(rows[0], seq=0), *rows]
    assert verify(store).broken_seq == 1
    store.kept = [*rows[:4], rows[3], *rows[4:]]
    assert verify(store).broken_seq == 5


def test_every_truncation_is_found_against_an_exported_head(store: ListStore) -> None:
    head, rows = head_of(store), store.kept
    for length in range(8):
        store.kept = rows[:length]
        found = verify(store, head)
        assert (found.ok, found.broken_seq) == (False, length + 1)


def test_a_truncated_ledger_that_grew_again_is_found(store: ListStore) -> None:
    head = head_of(store)
    store.kept = store.kept[:4]
    del store.releases[8]
    for _ in range(4):
        reserve(Ledger(store), charge(0.1))
    assert verify(store).ok
    found = verify(store, head)
    assert (found.ok, found.broken_seq) == (False, head.seq)


def test_a_relinked_change_is_found_against_an_exported_head(store: ListStore) -> None:
    head = head_of(store)
    rewritten(store, 3, lambda entry: entry.update(job="other"))
    assert verify(store).ok
    assert verify(store, head).broken_seq == head.seq


def test_a_head_of_another_ledger_is_found(store: ListStore) -> None:
    other = Ledger(ListStore(REPLACE_ONE)).export_head()
    assert verify(store, other).broken_seq == 1
    assert not verify(store, dataclasses.replace(head_of(store), relation=REPLACE_ONE)).ok


def _lower_cost(entry: dict[str, Any]) -> None:
    entry["cost"]["epsilon_nano"] -= 1


def _lower_all(entry: dict[str, Any]) -> None:
    for name in ("asked", "cost", "spent"):
        entry[name]["epsilon_nano"] -= 1


@pytest.mark.parametrize(
    ("seq", "change", "broken", "why"),
    [
        (3, _lower_cost, 3, "add up"),
        (3, _lower_all, 6, "add up"),
        (3, lambda e: e["spent"].update(rho_pico=0), 3, "add up"),
        (3, lambda e: e.update(relation="replace-one"), 3, "add-remove ledger"),
        (3, lambda e: e.update(dataset="visits"), 3, "no cap"),
        (3, lambda e: e.update(analyst="eve"), 3, "no quota"),
        (2, lambda e: e.update(epsilon_nano=NANO - 1), 3, "over the budget"),
        (2, lambda e: e.update(quotas={"aki": NANO - 1}), 3, "over the budget"),
        (2, lambda e: e.update(rho_pico=5), 2, "zCDP"),
        (5, lambda e: e.update(unit="person"), 5, "unit"),
        (4, lambda e: e.update(reserve=2), 4, "never charged"),
        (4, lambda e: e.update(dataset="visits"), 4, "never charged"),
        (8, lambda e: e.update(reserve=3), 8, "second time"),
        (8, lambda e: e.update(size=1), 8, "not the ones"),
        (6, lambda e: e.update(key="k"), 6, "twice"),
        (6, lambda e: e.update(seq=5), 6, "says it is entry 5"),
        (6, lambda e: e.update(kind="refund"), 6, "not an entry"),
        (6, lambda e: e["cost"].update(epsilon_nano=-1), 6, "not an entry"),
    ],
)
def test_even_a_relinked_chain_must_keep_the_rules(
    store: ListStore, seq: int, change: Callable[[dict[str, Any]], None], broken: int, why: str
) -> None:
    found = verify(rewritten(store, seq, change))
    assert (found.ok, found.broken_seq) == (False, broken)
    assert why in (found.reason or "")


def test_a_second_opening_and_a_missing_one_are_found(store: ListStore) -> None:
    opening = json.loads(store.kept[0].payload)
    again = rewritten(store, 6, lambda e: (e.clear(), e.update(opening, seq=6)))
    assert verify(again).broken_seq == 6
    later = json.loads(store.kept[1].payload)
    assert (
        verify(rewritten(store, 1, lambda e: (e.clear(), e.update(later, seq=1)))).broken_seq == 1
    )


def test_a_broken_ledger_is_not_used(store: ListStore) -> None:
    row = store.kept[2]
    store.kept[2] = dataclasses.replace(row, payload=row.payload.replace(b"ask", b"ask2"))
    ledger = Ledger(store)
    for use in (
        lambda: ledger.reserve(charge(0.1)),
        lambda: ledger.balance("people"),
        lambda: ledger.export_head(),
        lambda: list(ledger.entries()),
    ):
        with pytest.raises(InvalidLedger, match="Entry 3 of the ledger is broken"):
            use()


def test_what_a_ledger_writes_itself_always_verifies_after_refusals() -> None:
    ledger = Ledger(ListStore(ADD_REMOVE))
    for step in range(20):
        try:
            ledger.reserve(charge(0.3 + step / 10, cap=1.0 + step / 5))
        except BudgetRefused:
            continue
    assert ledger.verify(ledger.export_head()).ok

"""Idempotency keys, commits and what is found again, over every store (see conftest.py)."""

from __future__ import annotations

import threading

import pytest

from ledger.support import OTHER_PLAN, PLAN, ListStore, charge, reserve
from sudare.facts.cost import NANO
from sudare.facts.errors import BudgetRefused, InvalidLedger, UsageError
from sudare.ledger.charge import Reservation, StoredRelease
from sudare.ledger.ledger import Ledger
from sudare.ledger.store import Row


@pytest.fixture
def store() -> ListStore:
    return ListStore()


def test_a_committed_key_returns_the_stored_bytes_and_costs_nothing(ledger: Ledger) -> None:
    reservation = reserve(ledger, charge(3.0, idempotency_key="k"))
    ledger.commit(reservation, b"answer")
    before = ledger.export_head()
    again = ledger.reserve(charge(3.0, idempotency_key="k"))
    assert again == StoredRelease(reservation.release_id, b"answer")
    assert ledger.export_head() == before


def test_a_key_belongs_to_its_plan(ledger: Ledger) -> None:
    ledger.commit(reserve(ledger, charge(idempotency_key="k")), b"answer")
    with pytest.raises(UsageError, match="another plan"):
        ledger.reserve(charge(idempotency_key="k", plan_hash=OTHER_PLAN))


def test_a_key_that_was_cut_off_stays_spent_and_closed(ledger: Ledger) -> None:
    reserve(ledger, charge(0.5, idempotency_key="k"))
    with pytest.raises(BudgetRefused, match="use a new key"):
        ledger.reserve(charge(0.5, idempotency_key="k"))
    assert ledger.balance("people").spent.epsilon == 0.5


def test_a_key_belongs_to_its_dataset(ledger: Ledger) -> None:
    reserve(ledger, charge(idempotency_key="k"))
    assert reserve(ledger, charge(idempotency_key="k", dataset="visits")).dataset == "visits"


def test_without_a_key_every_run_pays(ledger: Ledger) -> None:
    first, second = reserve(ledger, charge(0.5)), reserve(ledger, charge(0.5))
    assert first != second
    assert ledger.balance("people").spent.epsilon == 1.0


def test_a_charge_is_committed_once(ledger: Ledger) -> None:
    reservation = reserve(ledger, charge())
    ledger.commit(reservation, b"one")
    with pytest.raises(UsageError, match="committed before"):
        ledger.commit(reservation, b"two")
    assert ledger.find_release(reservation.release_id) == b"one"


def test_only_a_reservation_of_this_ledger_can_be_committed(ledger: Ledger) -> None:
    real = reserve(ledger, charge())
    for forged in (
        Reservation(real.release_id, 99, "people"),
        Reservation("0" * 16, real.seq, "people"),
        Reservation(real.release_id, real.seq, "visits"),
        Reservation(real.release_id, 1, "people"),
    ):
        with pytest.raises(UsageError, match="not in this ledger"):
            ledger.commit(forged, b"x")


def test_a_release_is_found_by_its_id(ledger: Ledger) -> None:
    done, cut_off = reserve(ledger, charge()), reserve(ledger, charge())
    ledger.commit(done, b"")
    assert ledger.find_release(done.release_id) == b""
    assert ledger.find_release(cut_off.release_id) is None
    assert ledger.find_release("0" * 16) is None


def test_changed_release_bytes_are_never_handed_out(store: ListStore) -> None:
    ledger = Ledger(store)
    reservation = reserve(ledger, charge(idempotency_key="k"))
    ledger.commit(reservation, b"answer")
    store.releases[reservation.seq + 1] = b"ansver"
    with pytest.raises(InvalidLedger):
        ledger.find_release(reservation.release_id)
    with pytest.raises(InvalidLedger):
        ledger.reserve(charge(idempotency_key="k"))


def test_two_ledger_objects_on_one_store_see_each_other(store: ListStore) -> None:
    one, two = Ledger(store), Ledger(store)
    reserve(one, charge(2.0))
    with pytest.raises(BudgetRefused):
        two.reserve(charge(2.0))
    ledgers = [two, one, two, one]
    for each in ledgers:
        reserve(each, charge(0.25))
    assert one.balance("people") == two.balance("people")


def test_a_failed_write_is_not_remembered(store: ListStore) -> None:
    ledger = Ledger(store)
    reserve(ledger, charge(1.0))
    real = store.append

    def full(row: Row, release: bytes | None = None) -> None:
        real(row, release)
        raise InvalidLedger("the disk is full", "make room")

    store.append = full  # type: ignore[method-assign]
    with pytest.raises(InvalidLedger, match="full"):
        ledger.reserve(charge(1.0))
    store.append = real  # type: ignore[method-assign]
    assert ledger.balance("people").spent.epsilon == 1.0
    reserve(ledger, charge(2.0))
    assert ledger.verify().ok


def test_history_taken_away_under_an_open_ledger_is_noticed(store: ListStore) -> None:
    ledger = Ledger(store)
    reserve(ledger, charge(3.0))
    store.kept.pop()
    with pytest.raises(InvalidLedger, match="taken away"):
        ledger.reserve(charge(3.0))


def test_a_ledger_without_any_entry_is_refused(store: ListStore) -> None:
    ledger = Ledger(store)
    store.kept.clear()
    with pytest.raises(InvalidLedger, match="never empty"):
        ledger.datasets()
    assert ledger.verify().broken_seq == 1


def test_entries_can_be_read_for_one_dataset(ledger: Ledger) -> None:
    reserve(ledger, charge())
    reserve(ledger, charge(dataset="visits"))
    assert [entry.kind for entry in ledger.entries("visits")] == ["cap", "reserve"]
    first = next(ledger.entries())
    assert (first.kind, first.dataset, first.seq, first.release_id) == ("open", None, 1, None)


def test_the_plan_job_analyst_and_key_are_on_record(ledger: Ledger) -> None:
    reserve(ledger, charge(analyst="aki", idempotency_key="k", job="ask"))
    *_, entry = ledger.entries()
    body = entry.body
    assert (body.plan, body.job, body.analyst, body.key) == (PLAN, "ask", "aki", "k")


def test_threads_share_one_ledger(ledger: Ledger) -> None:
    made: list[int] = []

    def run() -> None:
        for _ in range(25):
            made.append(reserve(ledger, charge(1 / NANO)).seq)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 200
    assert ledger.balance("people").spent.epsilon_nano == 200
    assert ledger.verify().ok

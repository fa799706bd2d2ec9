"""Idempotency keys belong to an analyst, and whoever has no share gets nothing by a key."""

from __future__ import annotations

import pytest

from ledger.support import OTHER_PLAN, ListStore, charge, make, reserve
from sudare.facts.errors import BudgetRefused, RunUnfinished, UsageError
from sudare.ledger.books import TAIL
from sudare.ledger.charge import Reservation, StoredRelease
from sudare.ledger.ledger import Ledger

QUOTAS = {"aki": 10**9, "ben": 10**9}


def test_a_stranger_with_key_and_plan_gets_nothing(ledger: Ledger) -> None:
    mine = charge(analyst="aki", quotas=QUOTAS, idempotency_key="k")
    ledger.commit(reserve(ledger, mine), b"answer")
    for stranger in (None, "eve"):
        theirs = charge(analyst=stranger, quotas=QUOTAS, idempotency_key="k")
        for look in (ledger.reserve, ledger.stored):
            with pytest.raises(BudgetRefused, match='"people" is shared out among analysts'):
                look(theirs)
    assert ledger.balance("people").releases == 1


def test_another_analyst_with_the_same_key_pays_and_gets_its_own(ledger: Ledger) -> None:
    first = charge(analyst="aki", quotas=QUOTAS, idempotency_key="k")
    ledger.commit(reserve(ledger, first), b"aki's")
    second = charge(analyst="ben", quotas=QUOTAS, idempotency_key="k")
    assert ledger.stored(second) is None
    ledger.commit(reserve(ledger, second), b"ben's")
    for mine, bytes_ in ((first, b"aki's"), (second, b"ben's")):
        stored = ledger.reserve(mine)
        assert isinstance(stored, StoredRelease)
        assert stored.bytes == bytes_
    assert ledger.balance("people").releases == 2
    assert ledger.verify().ok


def test_nobody_learns_from_a_key_what_others_asked(ledger: Ledger) -> None:
    """Neither that a key was used for another plan, nor that a run is unfinished."""
    reserve(ledger, charge(analyst="aki", quotas=QUOTAS, idempotency_key="k"))
    theirs = charge(analyst="ben", quotas=QUOTAS, idempotency_key="k", plan_hash=OTHER_PLAN)
    assert isinstance(ledger.reserve(theirs), Reservation)
    with pytest.raises(RunUnfinished):
        ledger.reserve(charge(analyst="aki", quotas=QUOTAS, idempotency_key="k"))
    with pytest.raises(UsageError, match="another plan"):
        ledger.reserve(charge(analyst="ben", quotas=QUOTAS, idempotency_key="k"))


def test_an_exhausted_quota_still_gets_what_it_paid_for(ledger: Ledger) -> None:
    mine = charge(1.0, analyst="aki", quotas=QUOTAS, idempotency_key="k")
    ledger.commit(reserve(ledger, mine), b"answer")
    with pytest.raises(BudgetRefused, match="quota"):
        ledger.reserve(charge(0.5, analyst="aki", quotas=QUOTAS))
    assert isinstance(ledger.reserve(mine), StoredRelease)


def test_keys_of_nobody_belong_to_nobody(place: str) -> None:
    """As in a ledger of before keys had owners, whose entries name no analyst."""
    make(place)
    with Ledger.open(place) as ledger:
        assert isinstance(ledger.reserve(charge(1.0, idempotency_key="k")), StoredRelease)
        assert ledger.is_charged("people", "k", None)
        assert not ledger.is_charged("people", "k", "aki")
        assert ledger.stored(charge(1.0, analyst="aki", idempotency_key="k")) is None


def test_keys_before_a_checkpoint_are_told_apart_too() -> None:
    store = ListStore()
    ledger = Ledger(store)
    for name in ("aki", "ben"):
        given = charge(0.01, analyst=name, idempotency_key="k")
        ledger.commit(reserve(ledger, given), name.encode())
    for _ in range(TAIL):
        reserve(ledger, charge(0.01))
    later = Ledger(store)
    for name in ("aki", "ben"):
        stored = later.reserve(charge(0.01, analyst=name, idempotency_key="k"))
        assert isinstance(stored, StoredRelease)
        assert stored.bytes == name.encode()
    assert not later._books.is_whole
    assert later.stored(charge(0.01, analyst="eve", idempotency_key="k")) is None
    assert later.verify().ok

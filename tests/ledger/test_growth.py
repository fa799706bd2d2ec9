"""A ledger does not get slower as it grows: counted in the database's own work, not in time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.support import ADD_REMOVE, PLAN
from sudare.facts.cost import Cost
from sudare.ledger.books import Books
from sudare.ledger.charge import Cap, Charge, Reservation, StoredRelease
from sudare.ledger.drafts import committed, first_row, reserved, terms
from sudare.ledger.entries import Amount
from sudare.ledger.ledger import Ledger
from sudare.ledger.postgres import PostgresStore
from sudare.ledger.sqlite import SqliteStore
from sudare.ledger.store import Store
from sudare.ledger.stores import create_store, open_store


def asked(key: str) -> Charge:
    cost = Cost(1, 0, 1, ADD_REMOVE)
    return Charge("people", "row", cost, Cap(10**6), PLAN, idempotency_key=key)


def grow(place: str, releases: int) -> None:
    """A ledger of finished releases, written in one transaction."""
    first, books = first_row(ADD_REMOVE), Books()
    books.read(first)
    create_store(place, first)
    one = Amount.of(asked("k").cost)
    with closing(open_store(place)) as store, store.transaction():
        store.append(books.write(terms(asked("k")))[0])
        for number in range(releases):
            spent = Amount.of(Cost(number + 1, 0, number + 1, ADD_REMOVE))
            row, entry = books.write(reserved(asked(f"k{number}"), one, spent))
            store.append(row)
            made = Reservation(entry.release_id or "", entry.seq, "people")
            store.append(books.write(committed(made, b"answer"))[0], b"answer")


def use(store: Store, releases: int) -> Ledger:
    """Everything that must stay flat, once."""
    ledger = Ledger(store)
    assert ledger.balance("people").releases == releases
    assert isinstance(ledger.reserve(asked("k0")), StoredRelease)
    made = ledger.reserve(asked("new"))
    assert isinstance(made, Reservation)
    ledger.commit(made, b"answer")
    assert len(ledger.latest(20)) == 20
    assert ledger.find_release(made.release_id) == b"answer"
    first = Ledger(store).stored(asked("k0"))
    assert first is not None
    assert Ledger(store).find_release(first.release_id) == b"answer"
    return ledger


def test_sqlite_takes_as_many_steps_for_ten_times_as_many_releases(tmp_path: Path) -> None:
    steps = []
    # As far from a checkpoint, both of them.
    for releases in (160, 1_600):
        place = str(tmp_path / f"{releases}.ledger")
        grow(place, releases)
        taken = 0

        def step() -> bool:
            nonlocal taken
            taken += 1
            return False

        with closing(SqliteStore(place)) as store:
            store._db.set_progress_handler(step, 1)
            ledger = use(store, releases)
            assert not ledger._books.is_whole
        steps.append(taken)
    assert steps[0] > 1_000
    assert abs(steps[1] - steps[0]) <= 0.02 * steps[0]


def test_postgresql_finds_every_row_by_an_index(
    ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(ledger_url, 600)
    with closing(PostgresStore.open(ledger_url)) as store:
        plans: dict[str, str] = {}
        run: Callable[..., Any] = store._link.run

        def explained(query: str, given: Any = None) -> Any:
            if query.startswith("SELECT") and ".entry" in query:
                plans[query] = "\n".join(line for (line,) in run(f"EXPLAIN {query}", given))
            return run(query, given)

        monkeypatch.setattr(store._link, "run", explained)
        ledger = use(store, 600)
        assert not ledger._books.is_whole
    assert len(plans) >= 6
    assert [plan for plan in plans.values() if "Seq Scan" in plan or "Index" not in plan] == []

"""Checkpoints: what begins at one equals what began at entry 1, and a false one is not believed."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.support import ADD_REMOVE, REPLACE_ONE, ListStore, charge, reserve
from sudare.facts.cost import Cost
from sudare.facts.errors import BudgetRefused, InvalidLedger, SudareError
from sudare.facts.whereabouts import Whereabouts
from sudare.ledger import books as books_module
from sudare.ledger import ledger as ledger_module
from sudare.ledger.books import TAIL, Books
from sudare.ledger.chain import Broken
from sudare.ledger.charge import Cap, Reservation
from sudare.ledger.checkpoint import EVERY, _digest
from sudare.ledger.drafts import placed
from sudare.ledger.entries import Committed
from sudare.ledger.ledger import Ledger
from sudare.ledger.store import Row
from sudare.ledger.verify import verify
from sudare.ledger.watch import place_digest
from support.tiers import examples


def grown(charges: int) -> ListStore:
    """Every charge is released, so that a checkpoint lies between many."""
    store = ListStore()
    ledger = Ledger(store)
    for number in range(charges):
        ledger.commit(reserve(ledger, tiny(idempotency_key=f"k{number}")), b"answer %d" % number)
    return store


def tiny(**given: Any) -> Any:
    return charge(cost=Cost(1, 0, 1, ADD_REMOVE), cap=Cap(10**6), **given)


def checkpoints(store: ListStore) -> list[int]:
    return [row.seq for row in store.kept if row.checkpoint is not None]


def state(books: Books) -> tuple[object, ...]:
    return books.accounts, books.moved_to, books.head(), books.tip


def forged(store: ListStore, change: Callable[[dict[str, Any]], object], back: int) -> ListStore:
    """What a forger does who knows the format: change a checkpoint, counted from the end, and
    compute its digest anew."""
    at = checkpoints(store)[-back] - 1
    row = store.kept[at]
    plain = json.loads((row.checkpoint or b"")[32:])
    change(plain)
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    store.kept[at] = dataclasses.replace(row, checkpoint=_digest(row.hash, text) + text)
    return store


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["people", "visits", "住民"]),
        # ε alone, ε with δ, and a ρ that is not the one of its ε.
        st.sampled_from([(3, 0, 5), (7, 2, 1), (1, 0, 900), (2, 9, 40)]),
        st.sampled_from([None, "aki", "ben"]),
        st.one_of(st.none(), st.integers(0, 30).map(str)),
        st.sampled_from(["basic", "zcdp"]),
        st.integers(0, 4),
        st.sampled_from(["finish", "finish", "abandon", "crash in reserve", "crash in commit"]),
    ),
    min_size=12,
    max_size=60,
)


class CrashingStore(ListStore):
    """Its next append is cut off right after it, before the transaction has ended."""

    is_crashing = False

    def append(self, row: Row, release: bytes | None = None) -> None:
        super().append(row, release)
        if self.is_crashing:
            raise KeyboardInterrupt


# A checkpoint after every third entry, so that a short history goes over many.
@patch.object(books_module, "EVERY", 3)
@patch.object(ledger_module, "TAIL", 7)
@examples(40)
@given(steps=STEPS, relation=st.sampled_from([ADD_REMOVE, REPLACE_ONE]))
def test_books_from_any_checkpoint_equal_books_from_the_first_entry(
    steps: list[Any], relation: Any
) -> None:
    store = CrashingStore(relation)
    steady = Ledger(store)
    for dataset, amounts, who, key, composition, raised, end in steps:
        # A ledger opened anew knows only what the last checkpoints say; one that stays open takes
        # turns with it.
        ledger = steady if raised % 2 else Ledger(store)
        cap = Cap(300 + raised, 10**12, composition, 5_000 if composition == "zcdp" else None)
        quotas = {"aki": 150, "ben": 150} if raised == 4 and who is not None else {}
        asked = charge(
            cost=Cost(*amounts, ADD_REMOVE),
            cap=cap,
            dataset=dataset,
            analyst=who,
            quotas=quotas,
            idempotency_key=key,
        )
        store.is_crashing = end == "crash in reserve"
        with suppress(SudareError, KeyboardInterrupt):
            made = ledger.reserve(asked)
            store.is_crashing = end == "crash in commit"
            if end != "abandon" and isinstance(made, Reservation):
                ledger.commit(made, b"answer")
        store.is_crashing = False
    whole = Books()
    whole.read(store.kept[0])
    for end in range(2, len(store.kept) + 1):
        whole.read(dataclasses.replace(store.kept[end - 1], checkpoint=None))
        resumed = Books.resumed(store.kept[max(end - 7, 0) : end])
        assert resumed is not None
        assert resumed.is_whole == (end <= 7)
        assert state(resumed) == state(whole)
    assert verify(store).ok


def test_a_checkpoint_comes_with_the_first_write_and_then_every_so_often() -> None:
    store = grown(60)
    assert checkpoints(store) == [2, 2 + EVERY, 2 + 2 * EVERY, 2 + 3 * EVERY]
    # Two writers who take turns keep the same measure.
    one, two = Ledger(store), Ledger(store)
    for number in range(EVERY):
        reserve((one, two)[number % 2], tiny())
    assert checkpoints(store)[-1] == 2 + 4 * EVERY


def test_opening_reads_no_more_rows_however_long_the_ledger_is() -> None:
    read = []
    for length in (48, 400):
        store = grown(length)
        ledger = Ledger(store)
        fetched: list[int] = []
        rows, tail = store.rows, store.tail

        def counted_rows(since: Any = None, until: Any = None, fetched: Any = fetched,
                         rows: Any = rows) -> Any:  # fmt: skip
            found = list(rows(since, until))
            fetched.append(len(found))
            return iter(found)

        def counted_tail(count: int, fetched: Any = fetched, tail: Any = tail) -> Any:
            found = tail(count)
            fetched.append(len(found))
            return found

        store.rows, store.tail = counted_rows, counted_tail  # type: ignore[method-assign]
        assert ledger.balance("people").releases == length
        ledger.reserve(tiny(idempotency_key="k0"))
        ledger.commit(reserve(ledger, tiny()), b"new")
        assert len(ledger.latest(20)) == 20
        read.append(sum(fetched))
    assert read[0] == read[1]
    assert read[0] <= TAIL + 2 * 20 + 20


def test_keys_ids_and_releases_before_the_checkpoint_are_found_again() -> None:
    store = grown(50)
    ledger = Ledger(store)
    first = next(entry for entry in ledger.entries() if entry.kind == "reserve")
    assert ledger.stored(tiny(idempotency_key="k0")) is not None
    assert ledger.is_charged("people", "k0", None)
    assert not ledger.is_charged("people", "new", None)
    assert ledger.find_release(first.release_id or "") == b"answer 0"
    assert ledger.find_release("zz") is None
    assert ledger.find_release("0" * 16) is None
    listed = ledger.latest(3)
    assert [finished for _, finished in listed] == [True] * 3
    assert [entry.body.key for entry, _ in listed] == ["k47", "k48", "k49"]  # type: ignore[union-attr]
    assert not ledger._books.is_whole
    charges = [entry for entry in ledger.entries() if entry.kind == "reserve"]
    with pytest.raises(SudareError, match="committed before"):
        ledger.commit(_reservation(charges[0]), b"again")


def _reservation(entry: Any) -> Any:
    return Reservation(entry.release_id, entry.seq, entry.dataset)


def test_every_changed_byte_of_a_checkpoint_is_refused_at_opening_and_by_verify() -> None:
    store = grown(40)
    at = checkpoints(store)[-1] - 1
    row = store.kept[at]
    sound = row.checkpoint or b""
    assert len(sound) > 300
    for place in range(len(sound)):
        changed = sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :]
        store.kept[at] = dataclasses.replace(row, checkpoint=changed)
        with pytest.raises(InvalidLedger, match=f"Entry {row.seq} .* its checkpoint"):
            Ledger(store).balance("people")
    assert verify(store).broken_seq == row.seq
    for cut in (b"", sound[:10], sound[:32], sound[:-1], sound + b" "):
        store.kept[at] = dataclasses.replace(row, checkpoint=cut)
        with pytest.raises(InvalidLedger, match=f"Entry {row.seq} .* its checkpoint"):
            Ledger(store).reserve(tiny())


def test_a_checkpoint_of_another_entry_or_another_ledger_is_refused() -> None:
    store, other = grown(40), grown(40)
    first, *_, last = checkpoints(store)
    for foreign in (store.kept[first - 1].checkpoint, other.kept[last - 1].checkpoint):
        row = store.kept[last - 1]
        broken = ListStore()
        broken.kept, broken.releases = list(store.kept), store.releases
        broken.kept[last - 1] = dataclasses.replace(row, checkpoint=foreign)
        with pytest.raises(InvalidLedger, match=f"Entry {last} .* its checkpoint"):
            Ledger(broken).balance("people")
        assert verify(broken).broken_seq == last


def _account(plain: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = plain["accounts"]["people"]
    return found


@pytest.mark.parametrize("back", [1, 2])
@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.update(relation="replace-one"),
        lambda p: p.update(moved_to="postgresql://h/db"),
        lambda p: p.update(seq=p["seq"] - 1),
        lambda p: p.update(more=1),
        lambda p: p.pop("relation"),
        lambda p: p["accounts"].clear(),
        lambda p: _account(p)["spent"].update(epsilon_nano=0),
        lambda p: _account(p)["spent"].update(delta_atto=1),
        lambda p: _account(p)["spent"].update(rho_pico=0),
        lambda p: _account(p).update(charges=1),
        lambda p: _account(p).update(charges=-1),
        lambda p: _account(p)["by_analyst"].update(eve=1),
        lambda p: _account(p)["terms"].update(epsilon_nano=10**9),
        lambda p: _account(p)["terms"].update(dataset="visits"),
        lambda p: _account(p)["terms"].update(unit="person"),
        lambda p: _account(p)["terms"].update(quotas={"eve": 1}),
    ],
)
def test_a_forged_checkpoint_with_a_fitting_digest_is_refused_and_found_by_verify(
    change: Callable[[dict[str, Any]], object], back: int
) -> None:
    store = forged(grown(40), change, back)
    kept = list(store.kept)
    for use in (lambda: Ledger(store).balance("people"), lambda: Ledger(store).reserve(tiny())):
        with pytest.raises(InvalidLedger, match="is broken"):
            use()
    assert store.kept == kept
    found = verify(store)
    assert (found.ok, found.broken_seq) == (False, checkpoints(store)[-back])
    assert found.reason == "its checkpoint is not what the entries come to"


def test_two_forged_checkpoints_that_fit_each_other_are_found_by_verify() -> None:
    """What opening cannot see (docs/ledger.md): nothing near the end speaks of "people"."""
    store = grown(2)
    others = Ledger(store)
    while len(store.kept) < 3 * EVERY:
        reserve(others, tiny(dataset="visits"))
    for back in (1, 2):
        forged(store, lambda p: _account(p)["spent"].update(epsilon_nano=0), back)
    assert Ledger(store).balance("people").spent.epsilon_nano == 0
    assert verify(store).broken_seq == checkpoints(store)[-2]
    with pytest.raises(InvalidLedger, match="its checkpoint is not what the entries come to"):
        list(Ledger(store).entries())


def test_a_checkpoint_that_was_taken_away_is_found_and_the_ledger_is_not_used() -> None:
    for back in (1, 2, 3):
        store = grown(80)
        gone = checkpoints(store)[-back]
        store.kept[gone - 1] = dataclasses.replace(store.kept[gone - 1], checkpoint=None)
        found = verify(store)
        assert (found.broken_seq, found.reason) == (gone, "its checkpoint is missing")
        # The one before the last two is not read when the ledger is opened.
        if back == 1:
            with pytest.raises(InvalidLedger, match=f"Entry {gone} .* its checkpoint is missing"):
                Ledger(store).reserve(tiny())


def test_an_entry_changed_after_the_checkpoint_is_refused_at_opening() -> None:
    store = grown(40)
    last = checkpoints(store)[-1]
    for seq in range(last, len(store.kept) + 1):
        row = store.kept[seq - 1]
        store.kept[seq - 1] = dataclasses.replace(row, payload=row.payload.replace(b"2", b"3", 1))
        with pytest.raises(InvalidLedger, match=f"Entry {seq} of the ledger is broken"):
            Ledger(store).balance("people")
        store.kept[seq - 1] = row
    assert Ledger(store).balance("people").releases == 40


def test_an_entry_changed_before_the_checkpoint_is_found_by_verify_and_when_it_is_used() -> None:
    store = grown(40)
    row = store.kept[2]
    store.kept[2] = dataclasses.replace(row, payload=row.payload.replace(b"ask", b"ask2"))
    ledger = Ledger(store)
    assert ledger.balance("people").releases == 40
    assert ledger.verify().broken_seq == 3
    with pytest.raises(InvalidLedger, match="Entry 3 of the ledger is broken"):
        ledger.reserve(tiny(idempotency_key="k0"))
    with pytest.raises(InvalidLedger, match="Entry 3 of the ledger is broken"):
        list(ledger.entries())


@pytest.mark.parametrize("marks", [{"keyed": None}, {"charge": 7}, {"keyed": b"x" * 32}])
def test_changed_marks_are_found_by_verify(marks: dict[str, Any]) -> None:
    store = grown(40)
    row = store.kept[2]
    assert row.marks is not None
    store.kept[2] = dataclasses.replace(row, marks=dataclasses.replace(row.marks, **marks))
    found = verify(store)
    assert (found.broken_seq, found.reason) == (
        3,
        "it would not be found again: the marks beside it were changed",
    )


def test_marks_that_lead_to_another_entry_are_not_followed() -> None:
    store = grown(40)
    three, five = store.kept[2], store.kept[4]
    assert five.marks is not None
    store.kept[2] = dataclasses.replace(three, marks=five.marks)
    with pytest.raises(InvalidLedger, match="not the charge that its marks say"):
        Ledger(store).reserve(tiny(idempotency_key="k1"))


def test_without_its_checkpoints_a_ledger_is_read_whole_and_gets_a_new_one() -> None:
    store = grown(40)
    store.kept = [dataclasses.replace(row, checkpoint=None) for row in store.kept]
    ledger = Ledger(store)
    assert ledger.balance("people").releases == 40
    assert ledger._books.is_whole
    reserve(ledger, tiny())
    assert checkpoints(store) == [len(store.kept)]
    fresh = Ledger(store)
    assert fresh.balance("people") == ledger.balance("people")
    assert not fresh._books.is_whole
    row = store.kept[2]
    store.kept = [dataclasses.replace(row, checkpoint=None) for row in store.kept]
    store.kept[2] = dataclasses.replace(row, payload=row.payload.replace(b"ask", b"ask2"))
    with pytest.raises(InvalidLedger, match="Entry 3"):
        Ledger(store).balance("people")


def test_books_that_begin_at_a_checkpoint_still_judge_what_comes_after() -> None:
    store = grown(40)
    tail = store.kept[-TAIL:]
    books = Books.resumed(tail)
    assert books is not None
    again = next(row for row in reversed(store.kept) if b'"commit"' in row.payload)
    plain = json.loads(again.payload)
    with pytest.raises(Broken, match="it releases a charge for the second time"):
        books.write(lambda seq, time: _committed(plain, seq, time))


def _committed(plain: dict[str, Any], seq: int, time: str) -> Any:
    return Committed(**(plain | {"seq": seq, "time": time}))


def placed_at(*places: str, **given: Any) -> Any:
    return tiny(places=Whereabouts(places), **given)


def test_where_rows_lie_is_known_behind_a_checkpoint_too() -> None:
    store = ListStore()
    Ledger(store).reserve(placed_at("file /a"))
    for _ in range(2 * TAIL):
        Ledger(store).reserve(tiny())
    later = Ledger(store)
    later.balance("people")
    assert not later._books.is_whole
    with pytest.raises(BudgetRefused, match='charged as "people" before'):
        later.reserve(placed_at("file /a", dataset="others"))
    with pytest.raises(BudgetRefused, match='charged as "people" before'):
        later.reserve(placed_at("file /b", "file /a", dataset="others"))
    later.reserve(placed_at("file /a", dataset="others", declared=True))
    assert later.verify().ok


def test_a_ledger_without_places_has_the_checkpoints_it_always_had() -> None:
    store = grown(EVERY)
    texts = [(row.checkpoint or b"")[32:] for row in store.kept if row.checkpoint is not None]
    assert [set(json.loads(text)) for text in texts] == [
        {"seq", "relation", "moved_to", "accounts"}
    ] * len(texts)


def test_rows_that_change_over_undeclared_are_found_by_verify() -> None:
    store = ListStore()
    ledger = Ledger(store)
    ledger.reserve(placed_at("file /a"))
    ledger.reserve(tiny(dataset="others"))
    digest = place_digest(ledger.id, "file /a")
    with patch.object(Books, "_place"):
        books = Books()
        for row in store.kept:
            books.read(row)
        store.append(books.write(placed(placed_at("file /a", dataset="others"), digest))[0])
    found = verify(store)
    assert not found.ok
    assert found.reason == "it counts known rows as another dataset, and nobody said so"

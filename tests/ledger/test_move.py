"""A ledger moves house: all of it arrives, the old door is shut first, and a crash opens none."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import apsw
import pytest

from ledger.lives import strike
from ledger.support import ADD_REMOVE, REPLACE_ONE, ListStore, charge, drain, fork, reserve
from sudare.facts.errors import BudgetRefused, InvalidLedger, SudareError, UsageError
from sudare.ledger.books import Books
from sudare.ledger.chain import Broken, seal
from sudare.ledger.charge import StoredRelease
from sudare.ledger.drafts import arrived, moved, terms
from sudare.ledger.ledger import Ledger
from sudare.ledger.move import move
from sudare.ledger.postgres_session import Session
from sudare.ledger.store import Row
from sudare.ledger.stores import is_there, open_store
from support.postgres import Server


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return filled(tmp_path / "people.ledger")


def filled(path: Path) -> Path:
    """A ledger with two charges and one release."""
    with Ledger.open(path, create=True, relation=REPLACE_ONE) as ledger:
        ledger.commit(reserve(ledger, charge(0.5, idempotency_key="k")), b"answer" * 50)
        reserve(ledger, charge(0.25, idempotency_key="cut"))
    return path


def contents(place: str | Path) -> list[tuple[Any, ...]]:
    store = open_store(place)
    found = [(row.seq, row.payload, row.hash, store.release(row.seq)) for row in store.rows()]
    store.close()
    return found


def accepts(place: str | Path) -> bool:
    """Whether a charge can be made there."""
    try:
        with Ledger.open(place) as ledger:
            reserve(ledger, charge(0.001))
        return True
    except SudareError:
        return False


def test_everything_arrives_and_goes_on(
    path: Path, ledger_url: str, postgres_server: Server
) -> None:
    before = contents(path)
    with Ledger.open(path) as ledger:
        exported = ledger.export_head()
    done = move(path, ledger_url)
    assert contents(ledger_url)[: len(before)] == before == contents(path)[: len(before)]
    with Ledger.open(ledger_url) as ledger:
        assert [entry.kind for entry in ledger.entries()][-3:] == ["reserve", "move", "arrive"]
        for head in (exported, done.left, done.head):
            assert ledger.verify(head).ok
        assert ledger.relation is REPLACE_ONE
        assert ledger.balance("people").spent.epsilon == 1.5
        again = ledger.reserve(charge(0.5, idempotency_key="k"))
        assert ledger.stored(charge(0.5, idempotency_key="k")) == again
        assert isinstance(again, StoredRelease)
        assert again.bytes == b"answer" * 50
        with pytest.raises(BudgetRefused, match="its cost is spent"):
            ledger.reserve(charge(0.25, idempotency_key="cut"))
        reserve(ledger, charge(0.75))
        with pytest.raises(BudgetRefused):
            ledger.reserve(charge(0.01))
        assert ledger.verify().ok
    stored = b"".join(row[1] for row in contents(ledger_url))
    assert postgres_server.password[6:22].encode() not in stored + path.read_bytes()
    assert (done.source, done.head.seq) == (str(path), done.left.seq + 1)


def test_the_old_ledger_is_closed_for_good_but_can_be_read(path: Path, ledger_url: str) -> None:
    with Ledger.open(path) as open_before:
        pending = reserve(open_before, charge(0.1))
        move(path, ledger_url)
        for ledger in (open_before, Ledger.open(path)):
            for use in (
                lambda ledger=ledger: ledger.reserve(charge(0.1)),
                lambda ledger=ledger: ledger.reserve(charge(0.5, idempotency_key="k")),
                lambda ledger=ledger: ledger.commit(pending, b"late"),
            ):
                with pytest.raises(InvalidLedger, match=r"was moved to postgresql://") as caught:
                    use()
                assert "--ledger" in caught.value.hint
            assert ledger.stored(charge(0.5, idempotency_key="k")) is None
            assert ledger.verify().ok
            assert ledger.balance("people").spent.epsilon == 1.7
            assert ledger.moved_to is not None
            assert ledger.moved_to.startswith("postgresql://")


def test_a_move_done_before_is_checked_and_nothing_is_written(path: Path, ledger_url: str) -> None:
    move(path, ledger_url)
    with Ledger.open(ledger_url) as ledger:
        reserve(ledger, charge(0.1))
    before = contents(path), contents(ledger_url)
    assert move(path, ledger_url).head.seq == len(before[1])
    assert (contents(path), contents(ledger_url)) == before


def test_a_target_that_holds_a_ledger_is_refused(path: Path, ledger_url: str) -> None:
    Ledger.open(ledger_url, create=True, relation=REPLACE_ONE).close()
    before = contents(path), contents(ledger_url)
    with pytest.raises(InvalidLedger, match="holds another ledger already"):
        move(path, ledger_url)
    assert (contents(path), contents(ledger_url)) == before
    assert accepts(path)


def test_a_moved_ledger_does_not_move_elsewhere(path: Path, ledger_url: str) -> None:
    move(path, ledger_url)
    elsewhere = f"{ledger_url}_too"
    with pytest.raises(InvalidLedger, match="was moved to"):
        move(path, elsewhere)
    assert not is_there(elsewhere)


def test_a_ledger_in_postgresql_moves_on_to_another(path: Path, ledger_url: str) -> None:
    move(path, ledger_url)
    further = f"{ledger_url}_further"
    done = move(ledger_url, further)
    assert not accepts(ledger_url)
    assert accepts(further)
    with Ledger.open(further) as ledger:
        assert ledger.verify(done.left).ok
        kinds = [entry.kind for entry in ledger.entries()]
        assert kinds.count("move") == kinds.count("arrive") == 2


def test_only_postgresql_is_a_target(path: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="into PostgreSQL"):
        move(path, str(tmp_path / "other.ledger"))
    assert accepts(path)


def test_a_broken_ledger_is_not_moved(path: Path, ledger_url: str) -> None:
    db = apsw.Connection(str(path))
    db.execute("UPDATE entry SET release = CAST('ansver' AS BLOB) WHERE release IS NOT NULL")
    db.close()
    with pytest.raises(InvalidLedger, match=r"Entry 4 of the ledger is broken"):
        move(path, ledger_url)
    assert not is_there(ledger_url)
    assert "move" not in [entry.kind for entry in Ledger.open(path).entries()]


def test_a_copy_that_is_not_the_same_is_not_made(
    path: Path, ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that swallows the bytes of releases, say."""
    real = Session.append
    monkeypatch.setattr(Session, "append", lambda self, row, release: real(self, row, None))
    with pytest.raises(InvalidLedger, match="The copy does not verify"):
        move(path, ledger_url)
    monkeypatch.undo()
    assert not is_there(ledger_url)
    assert accepts(path)


def move_until_killed(path: Path, place: str, step: int, after: bool) -> bool:
    """Move in a child that dies at the given journey to the server; False if it lived."""

    def child(_: int) -> None:
        strike(step, after)
        move(path, place)

    pid, pipe = fork(child)
    drain(pipe)
    status = os.waitpid(pid, 0)[1]
    assert status in (0, signal.SIGKILL)
    return status == signal.SIGKILL


@pytest.mark.parametrize("after", [False, True])
def test_a_kill_at_any_step_leaves_at_most_one_place_open_and_the_move_can_be_finished(
    tmp_path: Path, ledger_database: str, after: bool
) -> None:
    seen: set[tuple[bool, bool]] = set()
    # In strides through the copying, whose steps are all alike, and one by one around the end.
    for step in (*range(1, 24, 4), *range(24, 60)):
        path = filled(tmp_path / f"{step}.ledger")
        place = f"{ledger_database}#kill_{after:d}_{step}"
        was_killed = move_until_killed(path, place, step, after)
        old, new = accepts(path), is_there(place) and accepts(place)
        assert not (old and new)
        seen.add((old, new))
        done = move(path, place)
        assert accepts(place)
        assert not accepts(path)
        with Ledger.open(place) as ledger:
            assert ledger.verify(done.left).ok
            # What was charged on either side of the crash is all there, once.
            assert ledger.balance("people").releases == 2 + 1 + (old or new)
        if not was_killed:
            break
    else:
        pytest.fail("the move has more steps than this test tries")
    # The kills came before the old door was shut, between the doors, and after the new one opened.
    assert seen == {(True, False), (False, False), (False, True)}


def test_the_chain_itself_forbids_to_go_on_after_a_move_or_to_arrive_without_one() -> None:
    store = ListStore(ADD_REMOVE)
    ledger = Ledger(store)
    reserve(ledger, charge(0.1))
    rows = list(store.kept)
    with pytest.raises(Broken, match="goes on where it arrived"):
        folded(rows).read(seal(folded(rows).tip, arrived))
    rows.append(seal(folded(rows).tip, moved("postgresql://h/db")))
    for write in (terms(charge(0.1, cap=9.0)), moved("postgresql://h/other")):
        with pytest.raises(Broken, match="goes on where it arrived"):
            folded(rows).read(seal(folded(rows).tip, write))
    assert folded(rows).moved_to == "postgresql://h/db"
    rows.append(seal(folded(rows).tip, arrived))
    assert folded(rows).moved_to is None


def folded(rows: list[Row]) -> Books:
    books = Books()
    for row in rows:
        books.read(row)
    return books

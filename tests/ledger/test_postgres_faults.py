"""A wire cut around a COMMIT, a server that crashes, writers that are killed: nothing is lost that
was acknowledged, nothing happens twice, and the messages say what is known."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator

import pytest

from ledger.lives import Witness, asked, live, strike
from ledger.proxy import Proxy, proxied
from ledger.support import ADD_REMOVE, charge, drain, fork, hear, reserve, tell
from sudare.facts.errors import BudgetRefused, EngineUnavailable, InvalidLedger, SudareError
from sudare.ledger import postgres_link, postgres_session
from sudare.ledger.charge import Reservation, StoredRelease
from sudare.ledger.ledger import Ledger
from support.postgres import Server

UNKNOWN = "does not come back to say whether it was"
NOTHING = "broke before anything was recorded"


@pytest.fixture
def proxy(ledger_url: str) -> Iterator[Proxy]:
    Ledger.open(ledger_url, create=True, relation=ADD_REMOVE).close()
    with proxied(ledger_url) as wire:
        yield wire


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_link, "PATIENCE_SECONDS", 0.3)


def spent(url: str) -> float:
    """What the server itself says, over an unbroken wire."""
    with Ledger.open(url) as ledger:
        assert ledger.verify().ok
        return ledger.balance("people").spent.epsilon if ledger.datasets() else 0.0


def test_a_charge_whose_answer_was_lost_is_found_on_the_server(
    proxy: Proxy, ledger_url: str
) -> None:
    with Ledger.open(proxy.url) as ledger:
        proxy.cut = "after"
        made = reserve(ledger, charge(0.5, idempotency_key="k"))
        ledger.commit(made, b"answer")
        assert ledger.find_release(made.release_id) == b"answer"
    assert spent(ledger_url) == 0.5


def test_a_release_whose_answer_was_lost_is_there_once(proxy: Proxy, ledger_url: str) -> None:
    with Ledger.open(proxy.url) as ledger:
        made = reserve(ledger, charge(0.5, idempotency_key="k"))
        proxy.cut = "after"
        ledger.commit(made, b"answer")
        again = ledger.reserve(charge(0.5, idempotency_key="k"))
        assert again == StoredRelease(made.release_id, b"answer")
    assert spent(ledger_url) == 0.5


def test_a_charge_that_never_got_through_is_not_there_and_may_be_made_again(
    proxy: Proxy, ledger_url: str
) -> None:
    with Ledger.open(proxy.url) as ledger:
        proxy.cut = "before"
        with pytest.raises(EngineUnavailable, match=NOTHING):
            ledger.reserve(charge(0.5, idempotency_key="k"))
        assert spent(ledger_url) == 0.0
        reserve(ledger, charge(0.5, idempotency_key="k"))
    assert spent(ledger_url) == 0.5


@pytest.mark.parametrize(("cut", "charged"), [("after, for good", 0.5), ("before, for good", 0.0)])
def test_where_the_server_stays_away_the_message_says_what_is_not_known(
    proxy: Proxy, ledger_url: str, cut: str, charged: float
) -> None:
    with Ledger.open(proxy.url) as ledger:
        proxy.cut = cut
        with pytest.raises(EngineUnavailable, match=UNKNOWN) as caught:
            ledger.reserve(charge(0.5, idempotency_key="k"))
        assert "same idempotency key: no second noise" in caught.value.hint
        assert caught.value.exit_code == 5
    assert spent(ledger_url) == charged
    # What the hint promises: the same key is never drawn for twice, nor charged twice.
    with Ledger.open(ledger_url) as ledger:
        if charged:
            with pytest.raises(BudgetRefused, match="its cost is spent"):
                ledger.reserve(charge(0.5, idempotency_key="k"))
        else:
            reserve(ledger, charge(0.5, idempotency_key="k"))
    assert spent(ledger_url) == 0.5


def test_an_equal_row_of_somebody_else_is_not_taken_for_ours(
    proxy: Proxy, ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two machines whose clocks agree to the microsecond write the same bytes; one is cut off."""
    monkeypatch.setattr("sudare.ledger.chain.now", lambda: "2026-01-01T00:00:00.000000+00:00")
    with Ledger.open(proxy.url) as ledger:
        proxy.cut = "before"
        real = postgres_session.Session._was_recorded

        def late(session: postgres_session.Session) -> bool | None:
            with Ledger.open(ledger_url) as other:
                reserve(other, charge(0.5))
            return real(session)

        monkeypatch.setattr(postgres_session.Session, "_was_recorded", late)
        with pytest.raises(EngineUnavailable, match=NOTHING):
            ledger.reserve(charge(0.5))
    assert spent(ledger_url) == 0.5


def test_a_wire_cut_between_reserve_and_commit_costs_nothing(proxy: Proxy, ledger_url: str) -> None:
    with Ledger.open(proxy.url) as ledger:
        made = reserve(ledger, charge(0.5))
        proxy.sever()
        ledger.commit(made, b"answer")
        proxy.sever()
        assert ledger.balance("people").spent.epsilon == 0.5
        assert ledger.find_release(made.release_id) == b"answer"
    assert spent(ledger_url) == 0.5


def test_a_wire_cut_inside_a_transaction_leaves_nothing(proxy: Proxy, ledger_url: str) -> None:
    with Ledger.open(proxy.url) as ledger:
        store, rows = ledger._store, list(ledger._store.rows())

        def cut_off() -> None:
            with store.transaction():
                proxy.sever()
                store.append(rows[0])

        with pytest.raises(EngineUnavailable, match=NOTHING):
            cut_off()
        reserve(ledger, charge(0.5))
    assert spent(ledger_url) == 0.5


def test_a_server_that_is_away_is_named_and_the_charge_is_not_made(
    proxy: Proxy, ledger_url: str
) -> None:
    with Ledger.open(proxy.url) as ledger:
        proxy.refuses = True
        proxy.sever()
        with pytest.raises(EngineUnavailable, match="cannot be reached"):
            ledger.reserve(charge(0.5))
        proxy.refuses = False
        reserve(ledger, charge(0.5))
    assert spent(ledger_url) == 0.5


def one_life(place: str, keys: list[str], chance: random.Random) -> tuple[list[list[str]], bool]:
    """Half are killed from outside at some time, half strike themselves at some statement."""
    step, after, outside = chance.randrange(1, 60), chance.random() < 0.5, chance.random() < 0.5

    def child(pipe: int) -> None:
        if not outside:
            strike(step, after)
        live(place, pipe, keys)

    pid, pipe = fork(child)
    told = []
    if outside:
        # After so many of its lines; where it is by then nobody knows.
        told = hear(pipe, chance.randrange(18))
        os.kill(pid, signal.SIGKILL)
    told += drain(pipe)
    status = os.waitpid(pid, 0)[1]
    assert status in (0, signal.SIGKILL)
    return told, status == signal.SIGKILL


def life_of_a_ledger(place: str, kills: int, chance: random.Random) -> Witness:
    witness, life = Witness(place), 0
    Ledger.open(place, create=True, relation=ADD_REMOVE).close()
    while kills:
        life += 1
        keys = [f"{life}-{number}" for number in range(6)]
        keys += sorted(witness.drawn)[-2:]
        told, killed = one_life(place, keys, chance)
        kills -= killed
        witness.hear(told)
        witness.check()
    return witness


def check_kills(place: str, kills: int) -> Witness:
    seed = int.from_bytes(os.urandom(4))
    print(f"seed {seed}")
    return life_of_a_ledger(place, kills, random.Random(seed))


def test_20_kills_lose_no_charge_and_redraw_no_noise(ledger_url: str) -> None:
    witness = check_kills(ledger_url, 20)
    assert len(witness.read) > 10


@pytest.mark.slow
def test_200_kills_lose_no_charge_and_redraw_no_noise(ledger_database: str) -> None:
    witnesses = [check_kills(f"{ledger_database}#kills_{number}", 20) for number in range(10)]
    # The kills must have struck on both sides of the commit, or nothing was tested.
    assert sum(len(witness.refused) for witness in witnesses) > 5
    assert sum(witness.unsent for witness in witnesses) > 0
    assert sum(len(witness.sent) for witness in witnesses) > 100


def test_a_process_killed_after_reserve_leaves_the_charge_spent_and_the_key_closed(
    ledger_url: str,
) -> None:
    def child(pipe: int) -> None:
        with Ledger.open(ledger_url, create=True, relation=ADD_REMOVE) as ledger:
            tell(pipe, reserve(ledger, charge(0.5, idempotency_key="k")).release_id)
            os.kill(os.getpid(), signal.SIGKILL)

    pid, pipe = fork(child)
    assert len(drain(pipe)) == 1
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL
    with Ledger.open(ledger_url) as ledger:
        assert ledger.balance("people").spent.epsilon == 0.5
        with pytest.raises(BudgetRefused, match="its cost is spent"):
            ledger.reserve(charge(0.5, idempotency_key="k"))


def test_a_writer_that_hangs_is_waited_for_no_longer_than_is_said(
    ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_session, "LOCK_SECONDS", 1)
    with (
        Ledger.open(ledger_url, create=True, relation=ADD_REMOVE) as holder,
        Ledger.open(ledger_url) as other,
    ):
        with holder._store.transaction():
            with pytest.raises(InvalidLedger, match="held by another process"):
                other.reserve(charge(0.1))
            assert other.verify().ok
        reserve(other, charge(0.1))


def busy(place: str, name: str, pipe: int, ready: int) -> None:
    """Pay, draw, commit; errors are told, and the next key is tried."""
    with Ledger.open(place) as ledger:
        os.write(ready, b".")
        for key in (f"{name}-{number}" for number in range(40)):
            try:
                got = ledger.reserve(asked(key))
                assert isinstance(got, Reservation)
                tell(pipe, "reads", key)
                noise = os.urandom(16)
                tell(pipe, "draws", key, noise.hex())
                ledger.commit(got, noise)
                tell(pipe, "sends", key, noise.hex())
            except SudareError as error:
                known = [
                    text for text in (NOTHING, UNKNOWN, "cannot be reached") if text in error.what
                ]
                tell(pipe, "failed", key, *(known or ["unclear", error.what])[0].split())


def test_a_server_that_crashes_under_load_forgets_nothing(
    postgres_alone: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_link, "PATIENCE_SECONDS", 120)
    with postgres_alone.database() as place:
        Ledger.open(place, create=True, relation=ADD_REMOVE).close()
        waiting, ready = os.pipe()
        children = [
            fork(lambda pipe, name=name: busy(place, name, pipe, ready))  # type: ignore[misc]
            for name in "abcd"
        ]
        for _ in children:
            os.read(waiting, 1)
        os.close(waiting)
        os.close(ready)
        told = []
        for _ in range(3):
            # Each crash comes when all have got on by some requests since the last.
            for _, pipe in children:
                told += hear(pipe, 12)
            postgres_alone.restart("immediate")
        told += [line for _, pipe in children for line in drain(pipe)]
        assert [os.waitpid(pid, 0)[1] for pid, _ in children] == [0] * 4
        witness = Witness(place)
        failed = {key: " ".join(why) for what, key, *why in told if what == "failed"}
        witness.hear([line for line in told if line[0] != "failed"])
        witness.check()
    assert not [why for why in failed.values() if "unclear" in why]
    # A key that failed before it was read, with nothing recorded, is indeed not charged: then it
    # is neither closed nor answered.
    for key, why in failed.items():
        if why == NOTHING and key not in witness.read:
            assert key not in witness.refused | set(witness.sent)
    # The crashes came while they worked, and most went on through them over new connections.
    assert len(witness.sent) > 120


@pytest.mark.parametrize("mode", ["on", "off"])
def test_an_acknowledged_charge_survives_a_crash_whatever_the_user_has_set(
    postgres_alone: Server, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """The twin ("off") shows that the test can fail: there the last charges are gone."""
    monkeypatch.setattr(postgres_link, "PATIENCE_SECONDS", 120)
    begin = postgres_session._BEGIN.replace(
        "synchronous_commit = on", f"synchronous_commit = {mode}"
    )
    monkeypatch.setattr(postgres_session, "_BEGIN", begin)
    with postgres_alone.connect() as admin:
        admin.execute("ALTER SYSTEM SET wal_writer_delay = '10s'")
        admin.execute("ALTER ROLE keeper SET synchronous_commit = off")
        admin.execute("SELECT pg_reload_conf()")
    with postgres_alone.database() as place:
        with Ledger.open(place, create=True, relation=ADD_REMOVE) as ledger:
            reserve(ledger, charge(0.5))
            with postgres_alone.connect() as admin:
                admin.execute("CHECKPOINT")
            made = [reserve(ledger, charge(0.1)).seq for _ in range(5)]
        postgres_alone.restart("immediate")
        with Ledger.open(place) as ledger:
            kept = [entry.seq for entry in ledger.entries() if entry.seq in made]
            assert ledger.verify().ok
    assert (kept == made) == (mode == "on")

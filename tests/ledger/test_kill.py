"""SIGKILL at 200 random points: no charge is lost, no noise is drawn twice, nothing is half done.

Half of the kills come from outside after a random time, half strike just before a random write,
sync, truncation or deletion of SQLite's, every other one of them leaving a torn write behind.
"""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

from ledger.disk import killer, watched
from ledger.support import ADD_REMOVE, charge, drain, fork, tell
from sudare.facts.cost import Cost
from sudare.facts.errors import BudgetRefused
from sudare.ledger.charge import Cap, Charge, Reservation, StoredRelease
from sudare.ledger.ledger import Ledger

LEDGERS, KILLS = 10, 20
ASKED_PER_LIFE = 12


def asked(key: str) -> Charge:
    return charge(cost=Cost(1, 0, 1, ADD_REMOVE), cap=Cap(10**6), idempotency_key=key)


def live(path: Path, pipe: int, keys: list[str]) -> None:
    """Reserve, draw, commit, send, over and over; the log is folded in half way through."""
    for half in (keys[::2], keys[1::2]):
        with Ledger.open(path, create=True, relation=ADD_REMOVE) as ledger:
            for key in half:
                try:
                    got = ledger.reserve(asked(key))
                except BudgetRefused:
                    tell(pipe, "refused", key)
                    continue
                if isinstance(got, Reservation):
                    tell(pipe, "reads", key)
                    noise = os.urandom(16)
                    tell(pipe, "draws", key, noise.hex())
                    ledger.commit(got, noise)
                    tell(pipe, "sends", key, noise.hex())
                else:
                    tell(pipe, "sends", key, got.bytes.hex())


class Witness:
    """Remembers all that any child ever told, and holds the ledger to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.read: set[str] = set()
        self.sent: dict[str, str] = {}
        self.drawn: dict[str, str] = {}
        self.refused: set[str] = set()
        self.unsent = 0

    def hear(self, told: list[list[str]]) -> None:
        for what, key, *noise in told:
            if what == "reads":
                self.read.add(key)
            elif what == "refused":
                self.refused.add(key)
            elif what == "draws":
                assert self.drawn.setdefault(key, noise[0]) == noise[0], "noise was drawn twice"
            else:
                assert self.sent.setdefault(key, noise[0]) == noise[0], "two answers to one key"

    def check(self) -> None:
        with Ledger.open(self.path) as ledger:
            assert ledger.verify().ok
            charged = {e.body.key for e in ledger.entries() if e.kind == "reserve"}
            assert self.read <= charged
            assert set(self.sent) <= charged
            if charged:
                assert ledger.balance("people").spent.epsilon_nano == len(charged)
            for key in sorted(charged):
                self.check_key(ledger, key)
            assert ledger.verify().entries == 1 + bool(charged) + len(charged) + len(self.sent)

    def check_key(self, ledger: Ledger, key: str) -> None:
        try:
            got = ledger.reserve(asked(key))
        except BudgetRefused:
            # Cut off between reserve and commit: closed for ever, and nothing was sent.
            assert key not in self.sent
            self.refused.add(key)
            return
        assert isinstance(got, StoredRelease)
        assert key not in self.refused
        assert got.bytes.hex() == self.drawn[key]
        self.unsent += key not in self.sent
        assert self.sent.setdefault(key, got.bytes.hex()) == got.bytes.hex()


def one_life(path: Path, keys: list[str], chance: random.Random) -> tuple[list[list[str]], bool]:
    """Start a child, kill it or let it kill itself, and hear it out."""
    step, torn = chance.randrange(1, 90), chance.random() < 0.5
    from_outside = chance.random() < 0.5

    def child(pipe: int) -> None:
        if from_outside:
            live(path, pipe, keys)
            return
        with watched(killer(step, torn, str(path.parent))):
            live(path, pipe, keys)

    pid, pipe = fork(child)
    if from_outside:
        time.sleep(chance.uniform(0, 0.03))
        os.kill(pid, signal.SIGKILL)
    told = drain(pipe)
    status = os.waitpid(pid, 0)[1]
    assert status in (0, signal.SIGKILL)
    return told, status == signal.SIGKILL


def life_of_a_ledger(path: Path, chance: random.Random) -> Witness:
    witness, kills, life = Witness(path), 0, 0
    while kills < KILLS:
        life += 1
        fresh = [f"{life}-{number}" for number in range(ASKED_PER_LIFE)]
        known = sorted(witness.drawn)
        keys = [chance.choice(known) if known and chance.random() < 0.25 else key for key in fresh]
        told, killed = one_life(path, keys, chance)
        kills += killed
        witness.hear(told)
        if path.exists():
            witness.check()
        else:
            assert not witness.read
    return witness


def test_200_kills_lose_no_charge_and_redraw_no_noise(tmp_path: Path) -> None:
    seed = int.from_bytes(os.urandom(4))
    print(f"seed {seed}")
    chance = random.Random(seed)
    witnesses = [
        life_of_a_ledger(tmp_path / f"{number}.ledger", chance) for number in range(LEDGERS)
    ]
    # The kills must have struck on both sides of the commit, or nothing was tested.
    assert sum(len(witness.refused) for witness in witnesses) > 5
    assert sum(witness.unsent for witness in witnesses) > 0
    assert sum(len(witness.sent) for witness in witnesses) > 100


def test_a_kill_at_any_step_of_making_a_ledger_leaves_a_whole_one_or_none(tmp_path: Path) -> None:
    step, finished = 0, False
    while not finished:
        step += 1
        path = tmp_path / str(step) / "people.ledger"
        path.parent.mkdir()

        def make(_: int, path: Path = path, step: int = step) -> None:
            with watched(killer(step, step % 2 == 0, str(path.parent))):
                Ledger.open(path, create=True, relation=ADD_REMOVE).close()

        pid, pipe = fork(make)
        drain(pipe)
        finished = os.waitpid(pid, 0)[1] == 0
        if path.exists():
            with Ledger.open(path) as ledger:
                assert ledger.verify().ok
        with Ledger.open(path, create=True, relation=ADD_REMOVE) as ledger:
            assert ledger.reserve(asked("k"))
    assert step > 10

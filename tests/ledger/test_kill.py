"""SIGKILL at 200 random points: no charge is lost, no noise is drawn twice, nothing is half done.

Half of the kills come from outside after a random time, half strike just before a random write,
sync, truncation or deletion of SQLite's, every other one of them leaving a torn write behind.
"""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

from ledger.disk import killer, watched
from ledger.lives import Witness, asked, live
from ledger.support import ADD_REMOVE, drain, fork, hear
from sudare.ledger.ledger import Ledger

pytestmark = pytest.mark.integration

LEDGERS, KILLS = 10, 20
ASKED_PER_LIFE = 12


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
    told = []
    if from_outside:
        # After so many of its lines; where it is by then nobody knows.
        told = hear(pipe, chance.randrange(3 * ASKED_PER_LIFE))
        os.kill(pid, signal.SIGKILL)
    told += drain(pipe)
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
        assert [each.name for each in path.parent.iterdir()] == [path.name]
    assert step > 10

"""Many processes at one ledger: the cap holds, is used to the end, and one key has one draw."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE

from ledger.support import ADD_REMOVE, charge, drain, fork, reserve, tell
from sudare.facts.cost import Cost
from sudare.facts.errors import BudgetRefused
from sudare.ledger.charge import Cap, Reservation, StoredRelease
from sudare.ledger.ledger import Ledger

RACERS = 16
Job = Callable[[int], None]


def race(work: list[Job]) -> list[list[list[str]]]:
    """Start every child behind one gate, open it, and collect what each told."""
    gate_reading, gate = os.pipe()

    def behind_the_gate(job: Job) -> Job:
        def run(pipe: int) -> None:
            os.close(gate)
            os.read(gate_reading, 1)
            job(pipe)

        return run

    children = [fork(behind_the_gate(job)) for job in work]
    os.close(gate)
    told = [drain(pipe) for _, pipe in children]
    assert [os.waitpid(pid, 0)[1] for pid, _ in children] == [0] * len(children)
    os.close(gate_reading)
    return told


def test_sixteen_processes_use_the_cap_fully_and_never_overspend(
    place: str, tmp_path: Path
) -> None:
    one = charge(cost=Cost(1, 0, 1, ADD_REMOVE), cap=Cap(200))

    def spend(pipe: int) -> None:
        # The ledger does not exist yet: making it is a part of the race.
        ledger = Ledger.open(place, create=True, relation=ADD_REMOVE)
        while True:
            try:
                tell(pipe, str(reserve(ledger, one).seq))
            except BudgetRefused:
                return

    told = race([spend] * RACERS)
    places = [words[0] for child in told for words in child]
    assert len(places) == len(set(places)) == 200
    with Ledger.open(place) as ledger:
        balance = ledger.balance("people")
        assert (balance.spent.epsilon_nano, balance.left.epsilon_nano) == (200, 0)
        assert ledger.verify().ok
    # Of the files that were made on the way, none is left but the ledger, if it is a file.
    assert {each.name for each in tmp_path.iterdir()} <= {"l.ledger"}


def test_sixteen_processes_with_uneven_prices_never_overspend(place: str) -> None:
    Ledger.open(place, create=True, relation=ADD_REMOVE).close()

    def spender(price: int) -> Job:
        def spend(pipe: int) -> None:
            ledger = Ledger.open(place)
            asked = charge(cost=Cost(price, 0, 1, ADD_REMOVE), cap=Cap(500))
            try:
                while True:
                    ledger.commit(reserve(ledger, asked), b"x")
                    tell(pipe, str(price))
            except BudgetRefused:
                return

        return spend

    told = race([spender(price) for price in range(3, 3 + RACERS)])
    with Ledger.open(place) as ledger:
        spent = ledger.balance("people").spent.epsilon_nano
        assert ledger.verify().ok
    assert spent == sum(int(words[0]) for child in told for words in child)
    # The cheapest racer stops last, so less than its price of 3 can be left.
    assert 497 < spent <= 500


def test_one_key_has_one_draw_whoever_asks_at_once(place: str) -> None:
    Ledger.open(place, create=True, relation=ADD_REMOVE).close()

    def ask(pipe: int) -> None:
        ledger = Ledger.open(place)
        for key in (f"key{number}" for number in range(12)):
            asked = charge(cost=Cost(1, 0, 1, ADD_REMOVE), cap=Cap(12), idempotency_key=key)
            got: Reservation | StoredRelease | None = None
            while got is None:
                try:
                    got = ledger.reserve(asked)
                except BudgetRefused as refusal:
                    # Another racer holds the key; any other refusal would be a fault.
                    if "has not finished" not in refusal.what:
                        raise
            if isinstance(got, Reservation):
                noise = os.urandom(16)
                ledger.commit(got, noise)
                tell(pipe, key, noise.hex(), "drawn")
            else:
                tell(pipe, key, got.bytes.hex(), "stored")

    answers = defaultdict(list)
    for child in race([ask] * 6):
        for key, answer, how in child:
            answers[key].append((answer, how))
    assert len(answers) == 12
    for seen in answers.values():
        assert len(seen) == 6
        assert len({answer for answer, _ in seen}) == 1
        assert sum(how == "drawn" for _, how in seen) == 1
    with Ledger.open(place) as ledger:
        assert ledger.balance("people").spent.epsilon_nano == 12
        assert ledger.verify().ok


def test_two_machines_race_for_the_last_of_the_budget(place: str) -> None:
    """Programs of their own, that share nothing but the ledger; one wins, the other is told."""
    Ledger.open(place, create=True, relation=ADD_REMOVE).close()
    words = [sys.executable, "-c", MACHINE, *sys.path]
    machines = [subprocess.Popen(words, stdin=PIPE, stdout=PIPE, text=True) for _ in range(2)]
    ended = []
    for each in machines:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in machines:
        assert each.stdin is not None
        each.stdin.write(f"{place}\n")
        each.stdin.flush()
    for each in machines:
        ended.append(each.communicate(timeout=60)[0].split("\n"))
        assert each.returncode == 0
    for won, lost in zip(*ended, strict=True):
        assert {won, lost} in ({"paid", "refused"}, {""})
    with Ledger.open(place) as ledger:
        assert ledger.balance("people").spent.epsilon_nano == ROUNDS
        assert ledger.verify().ok


ROUNDS = 5
MACHINE = f"""
import sys
sys.path[:] = sys.argv[1:]
from ledger.support import ADD_REMOVE, charge
from sudare.facts.cost import Cost
from sudare.facts.errors import BudgetRefused
from sudare.ledger.charge import Cap
from sudare.ledger.ledger import Ledger

print("ready", flush=True)
with Ledger.open(input()) as ledger:
    for left in range(1, {ROUNDS} + 1):
        try:
            # Both raise the cap by the same one unit, and both want it.
            ledger.reserve(charge(cost=Cost(1, 0, 1, ADD_REMOVE), cap=Cap(left)))
            print("paid", flush=True)
        except BudgetRefused:
            print("refused", flush=True)
"""

"""Loss of power at any moment: what reserve() and commit() said was done is on the disk.

A killed process leaves its writes with the operating system; a cut of power loses whatever was
not synced. So every write and sync is recorded, and disks are built that hold all that was synced
and a random part of the rest.
"""

from __future__ import annotations

import random
from pathlib import Path

import apsw
import pytest

from ledger.disk import Recorder, watched
from ledger.support import ADD_REMOVE, charge, reserve
from sudare.facts.cost import Cost
from sudare.facts.errors import InvalidLedger
from sudare.ledger import sqlite
from sudare.ledger.charge import Cap
from sudare.ledger.ledger import Ledger

pytestmark = pytest.mark.integration


def record(folder: Path) -> Recorder:
    """Three sessions of ten paid releases; each end of a session folds the log into the file."""
    path = folder / "people.ledger"
    Ledger.open(path, create=True, relation=ADD_REMOVE).close()
    recorder = Recorder({path.name: path.read_bytes()})
    with watched(recorder.before):
        for session in range(3):
            with Ledger.open(path) as ledger:
                for number in range(10):
                    asked = charge(cost=Cost(1, 0, 1, ADD_REMOVE), cap=Cap(100))
                    reservation = reserve(ledger, asked)
                    recorder.mark(f"paid {reservation.release_id}")
                    ledger.commit(reservation, f"{session} {number}".encode() * 900)
                    recorder.mark(f"kept {reservation.release_id}")
    return recorder


def lost(folder: Path, disk: dict[str, bytes], promised: list[str]) -> int:
    """How many promises this disk breaks; a disk that cannot be read breaks all of them."""
    folder.mkdir()
    for name, text in disk.items():
        (folder / name).write_bytes(text)
    try:
        with Ledger.open(folder / "people.ledger") as ledger:
            if not ledger.verify().ok:
                return len(promised)
            paid = {entry.release_id for entry in ledger.entries()}
            words = [promise.split() for promise in promised]
            return sum(
                name not in paid if what == "paid" else ledger.find_release(name) is None
                for what, name in words
            )
    except InvalidLedger:
        return len(promised)


def cuts(folder: Path, recorder: Recorder, number: int) -> list[int]:
    chance = random.Random(446)
    broken = []
    for index in range(number):
        moment = chance.randrange(len(recorder.steps) + 1)
        disk = recorder.after_power_cut(moment, chance)
        broken.append(lost(folder / f"cut{index}", disk, recorder.marks(moment)))
    return broken


def test_no_promise_is_lost_in_300_power_cuts(tmp_path: Path) -> None:
    recorder = record(tmp_path)
    assert len(recorder.marks(len(recorder.steps))) == 60
    assert cuts(tmp_path, recorder, 300) == [0] * 300


def test_the_same_cuts_catch_a_ledger_that_does_not_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = sqlite.connect

    def lazy(path: Path) -> apsw.Connection:
        db = real(path)
        db.pragma("synchronous", "normal")
        return db

    monkeypatch.setattr(sqlite, "connect", lazy)
    recorder = record(tmp_path)
    assert sum(promises > 0 for promises in cuts(tmp_path, recorder, 100)) > 20

"""Processes that live off a ledger until they are killed, and a witness of all that they told."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from ledger.support import ADD_REMOVE, charge, tell
from sudare.facts.cost import Cost
from sudare.facts.errors import BudgetRefused
from sudare.ledger.charge import Cap, Charge, Reservation, StoredRelease
from sudare.ledger.ledger import Ledger
from sudare.ledger.postgres_link import Link

Place = str | Path


def asked(key: str) -> Charge:
    return charge(cost=Cost(1, 0, 1, ADD_REMOVE), cap=Cap(10**6), idempotency_key=key)


def live(place: Place, pipe: int, keys: list[str]) -> None:
    """Reserve, draw, commit, send, over and over; the log is folded in half way through."""
    for half in (keys[::2], keys[1::2]):
        with Ledger.open(place, create=True, relation=ADD_REMOVE) as ledger:
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

    def __init__(self, place: Place) -> None:
        self.place = place
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
        with Ledger.open(self.place) as ledger:
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


def strike(step: int, after: bool) -> None:
    """Kill this process just before or just after its n-th journey to the server."""
    left = step

    def deadly(journey: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(journey)
        def run(*given: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0 and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            result = journey(*given)
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return run

    for name in ("run", "commit"):
        setattr(Link, name, deadly(getattr(Link, name)))

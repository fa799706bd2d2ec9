"""Small makers and a store in memory, shared by the tests of the ledger."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from sudare.facts.address import parse_address
from sudare.facts.cost import NANO, Cost
from sudare.facts.relation import Relation
from sudare.ledger.charge import Cap, Charge, Reservation
from sudare.ledger.drafts import first_row
from sudare.ledger.ledger import Ledger
from sudare.ledger.marks import marks_of
from sudare.ledger.store import Marks, Row

ADD_REMOVE = Relation.ADD_REMOVE
REPLACE_ONE = Relation.REPLACE_ONE
PLAN = "ab" * 32
OTHER_PLAN = "cd" * 32


def cost(epsilon: float, *, delta: int = 0, relation: Relation = ADD_REMOVE) -> Cost:
    """Pure ε (with its ρ = ε²/2), or with some atto of δ."""
    nano = round(epsilon * NANO)
    return Cost(nano, delta, -(-(nano**2) // 2_000_000), relation)


def charge(epsilon: float = 0.5, *, cap: float | Cap = 3.0, **given: Any) -> Charge:
    """A charge on "people"; anything may be overridden."""
    whole = cap if isinstance(cap, Cap) else Cap(round(cap * NANO), 10**9)
    parts: dict[str, Any] = {"dataset": "people", "unit": "row", "plan_hash": PLAN}
    parts |= {"cost": cost(epsilon), "cap": whole} | given
    return Charge(**parts)


def reserve(ledger: Ledger, given: Charge) -> Reservation:
    got = ledger.reserve(given)
    assert isinstance(got, Reservation)
    return got


def make(place: str | Path) -> None:
    """A closed ledger with two charges and one release."""
    with Ledger.open(place, create=True, relation=ADD_REMOVE) as ledger:
        ledger.commit(reserve(ledger, charge(1.0, idempotency_key="k")), b"answer" * 50)
        reserve(ledger, charge(0.5))


def raw(url: str, *statements: str) -> None:
    """Past the ledger, as the superuser; S stands for the schema of the ledger at the URL."""
    import psycopg

    address = parse_address(url)
    with psycopg.connect(address.url, autocommit=True) as db:
        for statement in statements:
            db.execute(statement.replace("S.", f"sudare_{address.fragment or 'ledger'}."))


class ListStore:
    """The store protocol over a list: what is above the store is tested without a file."""

    def __init__(self, relation: Relation = ADD_REMOVE) -> None:
        self.kept: list[Row] = [first_row(relation)]
        self.releases: dict[int, bytes] = {}

    @contextmanager
    def transaction(self) -> Iterator[None]:
        kept, releases = list(self.kept), dict(self.releases)
        try:
            yield
        except BaseException:
            self.kept, self.releases = kept, releases
            raise

    def append(self, row: Row, release: bytes | None = None) -> None:
        self.kept.append(replace(row, marks=marks_of(row.payload)))
        if release is not None:
            self.releases[row.seq] = release

    def rows(self, since: int | None = None, until: int | None = None) -> Iterator[Row]:
        return (
            row
            for row in list(self.kept)
            if (since is None or row.seq >= since) and (until is None or row.seq <= until)
        )

    def tail(self, count: int) -> list[Row]:
        return self.kept[-count:]

    def keyed(self, key: bytes) -> list[int]:
        return [seq for seq, marks in self._marks() if marks.keyed == key]

    def linked(self, prefix: bytes) -> list[int]:
        return [row.seq for row in self.kept if row.hash.startswith(prefix)]

    def released(self, charge: int) -> int | None:
        found = (seq for seq, marks in self._marks() if marks.charge == charge and seq > charge)
        return next(found, None)

    def charges(self, count: int) -> list[tuple[int, int | None]]:
        made = [seq for seq, marks in self._marks() if marks.charge == seq]
        return [(seq, self.released(seq)) for seq in made[: -count - 1 : -1]]

    def check(self) -> None:
        """A list finds whatever is in it."""

    def _marks(self) -> Iterator[tuple[int, Marks]]:
        return ((row.seq, row.marks) for row in self.kept if row.marks is not None)

    def release(self, seq: int) -> bytes | None:
        return self.releases.get(seq)

    def close(self) -> None:
        """Nothing is held."""


def as_clerk(clerk: str, url: str) -> str:
    """The same place for the user who owns nothing (see conftest.py)."""
    return f"postgresql://{clerk}:pencil@{url.rpartition('@')[2]}"


def fork(work: Callable[[int], None]) -> tuple[int, int]:
    """Run `work(pipe)` in a child; returns its pid and the reading end of the pipe."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    status = 1
    try:
        os.close(reading)
        work(writing)
        status = 0
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(status)


def hear(reading: int, count: int) -> list[list[str]]:
    """The first so many lines that a child tells, as words; fewer, if it ends before."""
    heard = bytearray()
    while heard.count(b"\n") < count and (byte := os.read(reading, 1)):
        heard += byte
    return [line.split(" ") for line in heard.decode().splitlines()]


def drain(reading: int) -> list[list[str]]:
    """All whole lines that a child told, as words."""
    with os.fdopen(reading, "rb") as pipe:
        lines = pipe.read().split(b"\n")
    return [line.decode().split(" ") for line in lines[:-1]]


def tell(pipe: int, *words: str) -> None:
    """One line in one write, so that a kill cannot cut it."""
    os.write(pipe, (" ".join(words) + "\n").encode())

"""Small makers and a store in memory, shared by the tests of the ledger."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sudare.facts.address import parse_address
from sudare.facts.cost import NANO, Cost
from sudare.facts.relation import Relation
from sudare.ledger.charge import Cap, Charge, Reservation
from sudare.ledger.drafts import first_row
from sudare.ledger.ledger import Ledger
from sudare.ledger.store import Row

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
        self.kept.append(row)
        if release is not None:
            self.releases[row.seq] = release

    def rows(self, since: int | None = None) -> Iterator[Row]:
        return (row for row in list(self.kept) if since is None or row.seq >= since)

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


def drain(reading: int) -> list[list[str]]:
    """All whole lines that a child told, as words."""
    with os.fdopen(reading, "rb") as pipe:
        lines = pipe.read().split(b"\n")
    return [line.decode().split(" ") for line in lines[:-1]]


def tell(pipe: int, *words: str) -> None:
    """One line in one write, so that a kill cannot cut it."""
    os.write(pipe, (" ".join(words) + "\n").encode())

"""What does a durable charge cost, in a SQLite file and in PostgreSQL on loopback?

    .venv/bin/python benchmarks/ledger.py [--url postgresql://user@host/empty_database] [--json out]

Times reserve and commit one after the other, turn by turn with the floor that each store stands on:
a plain append with fsync on the same disk, and a bare one-row transaction on the same server; the
ratio is that of reserve and commit together to two of them. Then
the rate of charges when several processes want the same ledger at once, and how long a ledger of
10,000 entries takes to open. Without --url a throw-away server of this machine's PostgreSQL is
used, with fsync on.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

import psycopg
from rich.console import Console
from rich.table import Table

from sudare.facts.cost import Cost
from sudare.facts.relation import Relation
from sudare.ledger.charge import Cap, Charge, Reservation
from sudare.ledger.ledger import Ledger

sys.path.append(str(Path(__file__).parents[1] / "tests"))

TURNS = 300
RELEASE = b"x" * 4096
PROCESSES = (1, 4, 16)
CHARGES = 320
ENTRIES = 10_000
RESULTS = Path(__file__).parent / "results" / "ledger.json"
ONE = Charge("people", "row", Cost(1, 0, 1, Relation.ADD_REMOVE), Cap(10**9), "ab" * 32)
Row = dict[str, object]


def opened(place: str) -> Ledger:
    return Ledger.open(place, create=True, relation=Relation.ADD_REMOVE)


def timed(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return (perf_counter() - start) * 1000


def turns(name: str, place: str, floor: Callable[[], object]) -> Row:
    """Reserve, commit and the floor in turn; medians in milliseconds."""
    floors, reserves, commits = [], [], []
    with opened(place) as ledger:
        for _ in range(TURNS):
            floors.append(timed(floor))
            got: list[Reservation] = []
            reserves.append(timed(lambda got=got: got.append(ledger.reserve(ONE))))
            commits.append(timed(lambda got=got: ledger.commit(got[0], RELEASE)))
    both = [a + b for a, b in zip(reserves, commits, strict=True)]
    return {
        "ledger": name,
        "turns": TURNS,
        "floor_ms": round(median(floors), 2),
        "reserve_ms": round(median(reserves), 2),
        "commit_ms": round(median(commits), 2),
        "both_ms": round(median(both), 2),
        "both_p95_ms": round(sorted(both)[int(0.95 * TURNS)], 2),
        "ratio": round(median(both) / 2 / median(floors), 2),
    }


def crowd(name: str, place: str, processes: int) -> Row:
    """Charges a second that all processes make together, each of which waits for its own."""
    opened(place).close()
    gate = multiprocessing.Barrier(processes + 1)

    def charge() -> None:
        with Ledger.open(place) as ledger:
            gate.wait()
            for _ in range(CHARGES // processes):
                ledger.reserve(ONE)

    children = [multiprocessing.Process(target=charge) for _ in range(processes)]
    for child in children:
        child.start()
    gate.wait()
    start = perf_counter()
    for child in children:
        child.join()
    rate = CHARGES / (perf_counter() - start)
    with Ledger.open(place) as ledger:
        assert ledger.balance("people").spent.epsilon_nano == CHARGES
    return {"ledger": name, "processes": processes, "charges_per_second": round(rate)}


def opening(name: str, place: str) -> Row:
    """The time until the first balance of a long ledger, and until the next charge after it."""
    with opened(place) as ledger:
        while ledger.reserve(ONE).seq < ENTRIES:
            pass
    found: list[float] = []
    start = perf_counter()
    with Ledger.open(place) as ledger:
        ledger.balance("people")
        found.append((perf_counter() - start) * 1000)
        found.append(timed(lambda: ledger.reserve(ONE)))
        found.append(timed(ledger.verify))
    keys = ("open_ms", "next_charge_ms", "verify_ms")
    return {"ledger": name, "entries": ENTRIES} | {
        key: round(value, 1) for key, value in zip(keys, found, strict=True)
    }


@contextmanager
def floor_of_disk(folder: Path) -> Iterator[Callable[[], object]]:
    handle = os.open(folder / "floor", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    try:
        yield lambda: (os.write(handle, RELEASE), os.fsync(handle))
    finally:
        os.close(handle)


@contextmanager
def floor_of_server(url: str) -> Iterator[Callable[[], object]]:
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("CREATE TABLE floor (x bytea)")
        yield lambda: db.execute("INSERT INTO floor VALUES (%s)", (RELEASE,))


@contextmanager
def server(url: str | None) -> Iterator[str]:
    if url is not None:
        yield url
        return
    from support import postgres

    with (
        tempfile.TemporaryDirectory() as folder,
        postgres.private(Path(folder)) as started,
        started.database() as fresh,
    ):
        yield fresh


def measure(url: str) -> dict[str, list[Row]]:
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as name:
        folder = Path(name)
        places = {"SQLite": lambda n: str(folder / n), "PostgreSQL": lambda n: f"{url}#{n}"}
        with floor_of_disk(folder) as disk, floor_of_server(url) as bare:
            floors = {"SQLite": disk, "PostgreSQL": bare}
            single = [turns(kind, at("turns"), floors[kind]) for kind, at in places.items()]
        rates = [
            crowd(kind, at(f"crowd_{number}"), number)
            for kind, at in places.items()
            for number in PROCESSES
        ]
        long = [opening(kind, at("long")) for kind, at in places.items()]
    return {"turns": single, "crowd": rates, "opening": long}


def show(figures: dict[str, list[Row]]) -> None:
    titles = ("One charge after the other", "Many at one ledger", "A long ledger")
    for title, rows in zip(titles, figures.values(), strict=True):
        table = Table(*rows[0], title=title)
        for row in rows:
            table.add_row(*map(str, row.values()))
        Console().print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time charges in SQLite and in PostgreSQL.")
    parser.add_argument("--url", help="an empty PostgreSQL database; one is started otherwise")
    parser.add_argument("--json", type=Path, default=RESULTS, help="where to write the figures")
    given = parser.parse_args()
    multiprocessing.set_start_method("fork")
    with server(given.url) as url:
        figures = measure(url)
    show(figures)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    text = json.dumps({"machine": machine, **figures}, indent=2, ensure_ascii=False)
    given.json.write_text(text + "\n", encoding="utf-8")
    Console(stderr=True).print(f"Wrote {given.json}")


if __name__ == "__main__":
    main()

"""Does a ledger get slower as it grows?

    .venv/bin/python benchmarks/ledger_growth.py [--sizes N ...] [--url URL] [--json out]
    .venv/bin/python benchmarks/ledger_growth.py --open-only 10000

Medians in milliseconds at several numbers of finished releases, in a SQLite file and in PostgreSQL
on loopback: `open` until the first balance, `reserve` and `commit` of a release in an open ledger,
`show` of the last 20 releases and `repeat` of the very first idempotency key, both of which open
the ledger first, as a command does. `replay` is one reading from the first entry, what opening cost
before there were checkpoints. Without --url a throw-away server of this machine's PostgreSQL is
used, with fsync on. --open-only times SQLite alone and prints the milliseconds last.

The entries are made by the ledger's own books and put into the store at once, past `reserve`, which
would sync each of them.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

from rich.console import Console
from rich.table import Table

from sudare.facts.address import parse_address
from sudare.facts.cost import Cost
from sudare.facts.relation import Relation
from sudare.ledger.books import Books
from sudare.ledger.chain import Entry
from sudare.ledger.charge import Cap, Charge, Reservation, StoredRelease
from sudare.ledger.drafts import committed, first_row, reserved, terms
from sudare.ledger.entries import Amount
from sudare.ledger.ledger import Ledger
from sudare.ledger.marks import marks_of
from sudare.ledger.sqlite import SqliteStore
from sudare.ledger.store import Row
from sudare.publish import books as keepers

sys.path.append(str(Path(__file__).parents[1] / "tests"))

SIZES = (1_000, 10_000, 100_000)
TURNS = 32
RELEASE = b"x" * 512
RESULTS = Path(__file__).parent / "results" / "ledger_growth.json"
ONE = Charge("people", "row", Cost(1, 0, 1, Relation.ADD_REMOVE), Cap(10**9), "ab" * 32)
Filled = list[tuple[Row, bytes | None]]
Figures = dict[str, object]


def chain(releases: int) -> Filled:
    """The rows of a ledger with this many releases; its first part is a ledger too."""
    books, rows = Books(), []
    first = first_row(Relation.ADD_REMOVE)
    books.read(first)
    rows.append((first, None))
    rows.append((books.write(terms(ONE))[0], None))
    one = Amount.of(ONE.cost)
    for number in range(releases):
        charge = replace(ONE, idempotency_key=f"k{number}")
        spent = books.accounts["people"].spent + one
        row, entry = books.write(reserved(charge, one, spent))
        rows.append((row, None))
        rows.append((books.write(committed(_reservation(entry), RELEASE))[0], RELEASE))
    return rows


def _reservation(entry: Entry) -> Reservation:
    return Reservation(entry.release_id or "", entry.seq, "people")


def fill_file(place: str, rows: Filled) -> None:
    SqliteStore.create(place, rows[0][0])
    with closing(SqliteStore(place)) as store, store.transaction():
        for row, release in rows[1:]:
            store.append(row, release)


def fill_server(place: str, rows: Filled) -> None:
    # Without the extra, --open-only works all the same.
    import psycopg

    from sudare.ledger.postgres import PostgresStore

    PostgresStore.create(place, rows[0][0])
    address = parse_address(place)
    table = f"sudare_{address.fragment}.entry"
    with psycopg.connect(address.url) as db, db.cursor() as cursor:
        with cursor.copy(f"COPY {table} FROM STDIN") as copy:
            for row, release in rows[1:]:
                marks = marks_of(row.payload)
                kept = (row.seq, row.payload, row.hash, release, marks.keyed, marks.charge)
                copy.write_row((*kept, row.checkpoint))
        # As the server's own housekeeping does after some time.
        cursor.execute(f"ANALYZE {table}")


def timed(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return (perf_counter() - start) * 1000


def opening(place: str, releases: int) -> None:
    with Ledger.open(place) as ledger:
        assert ledger.balance("people").releases >= releases


def repeating(place: str) -> None:
    with Ledger.open(place) as ledger:
        found = ledger.reserve(replace(ONE, idempotency_key="k0"))
        assert isinstance(found, StoredRelease)


def replaying(place: str) -> None:
    with Ledger.open(place) as ledger:
        for _ in ledger.entries():
            pass


def measure(kind: str, place: str, releases: int) -> Figures:
    found: dict[str, list[float]] = {"open": [], "reserve": [], "commit": []}
    with Ledger.open(place) as ledger:
        ledger.datasets()
        for number in range(TURNS):
            # Opened after every release, so that the last checkpoint is now near, now far.
            found["open"].append(timed(lambda: opening(place, releases)))
            charge = replace(ONE, idempotency_key=f"new{number}")
            made: list[Reservation] = []
            found["reserve"].append(timed(lambda to=made, c=charge: to.append(ledger.reserve(c))))
            found["commit"].append(timed(lambda each=made: ledger.commit(each[0], RELEASE)))
    found["show"] = [timed(lambda: keepers.show(place, 20)) for _ in range(TURNS)]
    found["repeat"] = [timed(lambda: repeating(place)) for _ in range(TURNS)]
    figures = {f"{name}_ms": round(median(times), 2) for name, times in found.items()}
    replay = round(timed(lambda: replaying(place)))
    return {"ledger": kind, "releases": releases, **figures, "replay_ms": replay}


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


def grow(sizes: Sequence[int], url: str) -> list[Figures]:
    rows = chain(max(sizes))
    figures = []
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder:
        for size in sizes:
            part = rows[: 2 + 2 * size]
            file, address = f"{folder}/{size}.ledger", f"{url}#size_{size}"
            fill_file(file, part)
            figures.append(measure("SQLite", file, size))
            fill_server(address, part)
            figures.append(measure("PostgreSQL", address, size))
    return sorted(figures, key=lambda each: str(each["ledger"]), reverse=True)


def open_only(releases: int) -> None:
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder:
        place = f"{folder}/people.ledger"
        fill_file(place, chain(releases))
        taken = measure("SQLite", place, releases)["open_ms"]
    print(f"A SQLite ledger of {releases:,} releases opens, in milliseconds: {taken}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time ledgers of several lengths.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of releases")
    parser.add_argument("--open-only", type=int, metavar="N", help="only open one of N releases")
    parser.add_argument("--url", help="an empty PostgreSQL database; one is started otherwise")
    parser.add_argument("--json", type=Path, default=RESULTS, help="where to write the figures")
    given = parser.parse_args()
    if given.open_only is not None:
        open_only(given.open_only)
        return
    with server(given.url) as url:
        figures = grow(given.sizes, url)
    names = [name.removesuffix("_ms") for name in figures[0]]
    table = Table(*names, title="A ledger that grows, in milliseconds")
    for row in figures:
        table.add_row(*map(str, row.values()))
    Console().print(table)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    text = json.dumps({"machine": machine, "growth": figures}, indent=2, ensure_ascii=False)
    given.json.write_text(text + "\n", encoding="utf-8")
    Console(stderr=True).print(f"Wrote {given.json}")


if __name__ == "__main__":
    main()

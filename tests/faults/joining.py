"""A join between organisations of which one meets a fault, and is started again.

Everybody is a process of its own that runs the command. Whoever met the fault is started again with
the same words, and so is who is advised to; then all have ended with the joined file, or there is
none and nothing secret is left.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from faults.books import books_of_file
from faults.ground import Command, Ground, Said
from support.linking import COLLECTOR, left_behind, tables, write_consortium

NAMES = ("hospital", "shop")
# The parties of which one is hit.
HIT = ("shop", COLLECTOR)
PEOPLE = 12
WAIT, LONGEST = 15, 100
OUTPUT = "joined.parquet"
SAYS_GO_ON = "the session goes on where it was"
MOST_STARTS, UNREACHED = 4, 5


class Joining:
    """One session; `who` meets the fault when it is first started."""

    def __init__(self, ground: Ground, identities: Path, who: str, hit: Callable[[], None]) -> None:
        self._ground, self._identities, self._who = ground, identities, who
        self._hit: Callable[[], None] | None = hit
        self._everybody = (*NAMES, COLLECTOR)
        self._running: dict[str, Command] = {}
        self._starts = dict.fromkeys(self._everybody, 0)
        self.first: Said | None = None
        self.said: dict[str, Said] = {}

    def run(self) -> None:
        write_consortium(self._ground.work, tables(PEOPLE, NAMES))
        for who in self._everybody:
            self._start(who)
        until = time.monotonic() + LONGEST
        while len(self.said) < len(self._everybody) and time.monotonic() < until:
            self._look()
            time.sleep(0.01)
        for command in self._running.values():
            command.end()

    def wrong(self) -> list[str]:
        codes = {who: said.code for who, said in self.said.items()}
        if self._running:
            return [f"{sorted(self._running)} never ended; the others with {codes}"]
        is_there = (self._ground.work / OUTPUT).exists()
        found = [*self._books(), *self._left(is_there)]
        # Who has signed and deleted before the others give up has done its part, and says so.
        good = (0,) if is_there else (0, 2, 3, 4, 5)
        if any(code not in good for code in codes.values()) or (codes[COLLECTOR] == 0) != is_there:
            said = {who: each.err[-300:] for who, each in self.said.items()}
            found.append(f"ended with {codes}, joined file {is_there}: {said}")
        return found

    def _left(self, is_there: bool) -> list[str]:
        """Secrets, chunks and files without a name. A ledger that was never made may leave a draft,
        which goes when one is; who does not reach the collector any more keeps what the session
        would need to go on."""
        found, work = [], self._ground.work
        for who in self._everybody:
            role = who if who in NAMES else f"{who}.collector"
            is_waiting = who != COLLECTOR and self.said[who].code == UNREACHED
            left = [] if is_waiting else left_behind(work / f"s1.{role}.link")
            found += [f"{who} left {left}"] if left else []
        drafts = tuple(f".{name}.ledger." for name in NAMES if not is_there)
        left = [
            str(path.relative_to(work))
            for path in work.rglob("*")
            if (path.name.startswith(".") or path.suffix == ".part")
            and not path.name.startswith(drafts)
        ]
        return [*found, f"left behind: {left}"] if left else found

    def _books(self) -> list[str]:
        found = []
        is_there = (self._ground.work / OUTPUT).exists()
        for name in NAMES:
            books = books_of_file(self._ground.work / f"{name}.ledger", name)
            found += [f"{name}: {each}" for each in books.wrong]
            if books.charged > 1:
                found.append(f"{name} was charged {books.charged} times")
            if is_there and len(books.committed) != 1:
                found.append(f"rows of {name} are joined and its ledger has no release")
        return found

    def _look(self) -> None:
        for who, command in list(self._running.items()):
            said = command.ended()
            if said is None:
                continue
            del self._running[who]
            if who == self._who and self.first is None:
                self.first = said
                # With a fault or without one, the same words are the way to go on.
                self._start(who)
            else:
                self.said[who] = said
        self._try_again()

    def _try_again(self) -> None:
        """Whoever was advised to, once the one that was hit is well again."""
        for who, said in list(self.said.items()):
            advised = said.code and SAYS_GO_ON in said.err and self._starts[who] < MOST_STARTS
            if self.first is not None and advised:
                del self.said[who]
                self._start(who)
                self._ask_collector()

    def _ask_collector(self) -> None:
        """Who finds nobody asks the collector to be there, also when the session is over."""
        said = self.said.get(COLLECTOR)
        if said is not None and said.code and self._starts[COLLECTOR] < MOST_STARTS:
            del self.said[COLLECTOR]
            self._start(COLLECTOR)

    def _start(self, who: str) -> None:
        self._starts[who] += 1
        words = ["collect", "link.toml", "-o", OUTPUT]
        if who in NAMES:
            words = ["serve", "link.toml", f"{who}.csv", "--as", who, "--ledger", f"{who}.ledger"]
        words += ["--identity", str(self._identities / who), "--wait", str(WAIT), "--json"]
        before = None
        if who == self._who:
            before, self._hit = self._hit, None
        self._running[who] = Command(self._ground, ["link", *words], before)

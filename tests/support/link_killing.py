"""Sessions in which parties are killed and lines break, and how such a session ends."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition, Thread
from typing import Any

import numpy as np

from sudare.wires.log import verify_log
from support.joint import from_join
from support.linking import COLLECTOR, LONGEST, Drawn, Meeting, file_rows, left_behind
from support.wires import Proxy

# Nobody is restarted later than this, so that nobody may give up by the clock.
WAIT = 40


class Host:
    """Forks parties in a process that has everything imported (link_host.py)."""

    def __init__(self) -> None:
        script = Path(__file__).with_name("link_host.py")
        self._process = subprocess.Popen(
            [sys.executable, str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1"},
        )
        self._told, self._orders = Condition(), 0
        self._pids: dict[int, int] = {}
        self._codes: dict[int, int] = {}
        Thread(target=self._listen, daemon=True).start()

    def start(self, order: dict[str, Any]) -> int:
        """The number of a new process."""
        with self._told:
            self._orders += 1
            number = self._orders
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps({**order, "order": number}).encode() + b"\n")
            self._process.stdin.flush()
            assert self._told.wait_for(lambda: number in self._pids, LONGEST)
            return self._pids[number]

    def code(self, pid: int) -> int | None:
        """How a process ended; negative is the signal that killed it."""
        with self._told:
            return self._codes.get(pid)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        self._process.kill()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            told = json.loads(line)
            with self._told:
                if "pid" in told:
                    # Numbers of processes come again.
                    self._codes.pop(told["pid"], None)
                    self._pids[told["order"]] = told["pid"]
                else:
                    self._codes[told["ended"]] = told["code"]
                self._told.notify_all()


class Line(Proxy):
    """A bad line to a party that may itself be away."""

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                with contextlib.suppress(OSError):
                    far = socket.create_connection(("127.0.0.1", self._target), 5)
                    far.settimeout(None)
                    left = self._cuts.pop(0) if self._cuts else None
                    Thread(target=self._pass, args=(near, far, left), daemon=True).start()
                    Thread(target=self._pass, args=(far, near, None), daemon=True).start()
                    continue
                near.close()


@dataclass
class Faults:
    """What happens to a session: at which steps of its process each party dies, one after the
    other, or before doing what; at what times; and what the lines are like."""

    steps: dict[str, list[int | str]] = field(default_factory=dict)
    times: list[tuple[float, str]] = field(default_factory=list)
    delay: float = 0.0
    cuts: tuple[int, ...] | None = None

    @classmethod
    def anywhere(cls, rng: random.Random, steps: dict[str, int]) -> Faults:
        """One or two deaths anywhere, and in every third session bad lines."""
        found = cls()
        for _ in range(rng.choice([1, 1, 2])):
            who = rng.choice(sorted(steps))
            if rng.random() < 0.8:
                found.steps.setdefault(who, []).append(rng.randint(1, steps[who]))
            else:
                found.times.append((rng.uniform(0, 2.5), who))
        if rng.random() < 1 / 3:
            found.delay = rng.choice([0.0, 0.01, 0.03])
            found.cuts = tuple(rng.randint(50, 9000) for _ in range(rng.randint(1, 3)))
        return found


class Killing:
    """One session with faults; every party that is killed is started again with the same words."""

    def __init__(self, host: Host, meeting: Meeting, faults: Faults, rng: random.Random) -> None:
        self._host, self._meeting, self._faults, self._rng = host, meeting, faults, rng
        self._names = meeting.plan.names
        self._everybody = everybody(meeting)
        self._left = {who: list(faults.steps.get(who, [])) for who in self._everybody}
        self._pids: dict[str, int] = {}
        self._routes: dict[str, str] = {}
        self.drawn = meeting.folder / "drawn"
        self.codes: dict[str, int] = {}
        self.deaths = 0

    def run(self) -> None:
        """Until everybody has ended by itself."""
        self.drawn.mkdir(exist_ok=True)
        with self._lines():
            begun = time.monotonic()
            for who in self._everybody:
                self._start(who)
            try:
                while set(self.codes) != set(self._everybody):
                    assert time.monotonic() - begun < LONGEST, f"still running: {self._running()}"
                    self._kill_late(time.monotonic() - begun)
                    self._look()
                    time.sleep(0.01)
            finally:
                for who in self._running():
                    _kill(self._pids[who])

    def outcome(self) -> str:
        """ "right" or "refused"; anything else fails here."""
        said = {who: (self._meeting.folder / f"{who}.err").read_text() for who in self._everybody}
        about = (self._faults, self.codes, said)
        for who in self._everybody:
            assert left_behind(self._meeting.place(self._role(who))) == [], about
        draws = {name: len(list(self.drawn.glob(f"{name}.*.npz"))) for name in self._names}
        charged = {name: self._meeting.reserved(name) for name in self._names}
        full = {name: self._charges(name) for name in self._names}
        assert set(draws.values()) <= {0, 1}, (draws, about)
        assert all(charged[name] <= full[name] for name in full), (charged, about)
        if set(self.codes.values()) == {0}:
            assert charged == full, about
            assert self._is_right(), about
            self._check_logs()
            return "right"
        assert not list(self._meeting.folder.glob("joined*")), about
        for who in self._everybody:
            # A refusal is one line and a hint; what the organisation lacks is named in one of them.
            assert self.codes[who] in (3, 4), about
            assert "error: " in said[who], about
            assert "sudare failed" not in said[who], about
        return "refused"

    def _charges(self, name: str) -> int:
        """How often an organisation pays: for its rows, and for a release of its own."""
        return 1 if self._meeting.plan.party(name).central is None else 2

    def _role(self, who: str) -> str:
        """As session folders are named."""
        if who in self._names:
            return who
        return f"{who}.collector" if who == COLLECTOR else f"{who}.helper"

    def _check_logs(self) -> None:
        others = [who for who in self._everybody if who != COLLECTOR]
        for who in others:
            assert self._log(who)
        assert sorted(self._log(COLLECTOR)) == sorted(others)

    def _log(self, who: str) -> list[str]:
        """Who signed somebody's log, which must hold."""
        known = {
            each: (self._meeting.identities / each / "certificate.pem").read_bytes()
            for each in self._everybody
        }
        log = verify_log(self._meeting.place(self._role(who)) / "log.jsonl", known)
        return [by for by, _ in log.countersigned]

    def _is_right(self) -> bool:
        """Whether the result is that of a plain join."""
        statistics = self._meeting.folder / "joined.statistics.json"
        if self._meeting.plan.job == "secure":
            found = json.loads(statistics.read_text(encoding="utf-8"))["estimated"]
            ((count,),) = from_join(self._meeting.folder, self._names, "count(*)")
            return bool(found["rows"] == count > 0)
        is_hybrid = any(party.central is not None for party in self._meeting.plan.parties)
        assert statistics.exists() == is_hybrid
        return file_rows(self._meeting.output) == self._wanted() != []

    def _wanted(self) -> list[str]:
        drawn = Drawn()
        for name in self._names:
            with np.load(self.drawn / f"{name}.0.npz") as found:
                drawn.add(name, found["points"], found["reports"])
        return drawn.joined(self._meeting.job, self._names)

    def _start(self, who: str) -> None:
        kill_at = self._left[who].pop(0) if self._left[who] else None
        identity = ["--identity", str(self._meeting.identities / who)]
        end = [*identity, "--wait", str(WAIT), "--json"]
        words = ["link", "collect" if who == COLLECTOR else "assist", "link.toml", *end]
        if who in self._names:
            words = ["link", "serve", "link.toml", f"{who}.csv", "--as", who, *end]
            words += ["--ledger", f"{who}.ledger"]
        self._pids[who] = self._host.start(
            {
                "name": who,
                "cwd": str(self._meeting.folder),
                "words": words,
                "kill_at": kill_at,
                "routes": self._routes,
                "drawn": str(self.drawn),
            }
        )

    def _running(self) -> list[str]:
        return [who for who in self._everybody if who not in self.codes]

    def _kill_late(self, now: float) -> None:
        for at, who in list(self._faults.times):
            if now >= at:
                self._faults.times.remove((at, who))
                if who not in self.codes:
                    _kill(self._pids[who])

    def _look(self) -> None:
        for who in self._running():
            code = self._host.code(self._pids[who])
            if code == -signal.SIGKILL:
                self.deaths += 1
                time.sleep(self._rng.uniform(0, 0.2))
                self._start(who)
            elif code is not None:
                self.codes[who] = code

    @contextlib.contextmanager
    def _lines(self) -> Iterator[None]:
        if self._faults.cuts is None:
            yield
            return
        plan = self._meeting.plan
        addresses = [*(party.address for party in plan.parties), plan.collector_address]
        addresses += [] if plan.helper_address is None else [plan.helper_address]
        lines = {
            str(each): Line(
                int(str(each).rpartition(":")[2]), self._faults.delay, self._faults.cuts
            )
            for each in addresses
        }
        self._routes = {address: line.address for address, line in lines.items()}
        try:
            yield
        finally:
            for line in lines.values():
                line.close()


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def everybody(meeting: Meeting) -> tuple[str, ...]:
    """All whose processes can be killed."""
    plan = meeting.plan
    return (*plan.names, plan.collector, *([] if plan.helper is None else [plan.helper]))


def steps_of(meeting: Meeting) -> dict[str, int]:
    """How many steps everybody took in a session without faults."""
    return {who: int((meeting.folder / f"{who}.steps").read_text()) for who in everybody(meeting)}

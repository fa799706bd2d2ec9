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

from support.linking import COLLECTOR, LONGEST, NAMES, Drawn, Meeting, file_rows, left_behind
from support.wires import Proxy

EVERYBODY = (*NAMES, COLLECTOR)
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
    def drawn(cls, rng: random.Random, steps: dict[str, int]) -> Faults:
        """One or two deaths anywhere, and in every third session bad lines."""
        found = cls()
        for _ in range(rng.choice([1, 1, 2])):
            who = rng.choice(EVERYBODY)
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
        self._left = {who: list(faults.steps.get(who, [])) for who in EVERYBODY}
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
            for who in EVERYBODY:
                self._start(who)
            try:
                while set(self.codes) != set(EVERYBODY):
                    assert time.monotonic() - begun < LONGEST, f"still running: {self._running()}"
                    self._kill_late(time.monotonic() - begun)
                    self._look()
                    time.sleep(0.01)
            finally:
                for who in self._running():
                    _kill(self._pids[who])

    def outcome(self) -> str:
        """ "right" or "refused"; anything else fails here."""
        said = {who: (self._meeting.folder / f"{who}.err").read_text() for who in EVERYBODY}
        about = (self._faults, self.codes, said)
        for who in EVERYBODY:
            place = self._meeting.place(who if who in NAMES else f"{who}.collector")
            assert left_behind(place) == [], about
        draws = {name: len(list(self.drawn.glob(f"{name}.*.npz"))) for name in NAMES}
        charged = {name: self._meeting.reserved(name) for name in NAMES}
        assert set(draws.values()) | set(charged.values()) <= {0, 1}, (draws, charged, about)
        if set(self.codes.values()) == {0}:
            assert set(charged.values()) == {1}, about
            assert file_rows(self._meeting.output) == self._wanted() != [], about
            self._check_logs()
            return "right"
        assert not self._meeting.output.exists(), about
        for who in EVERYBODY:
            # A refusal is one line and a hint; what the organisation lacks is named in one of them.
            assert self.codes[who] in (3, 4), about
            assert "error: " in said[who], about
            assert "sudare failed" not in said[who], about
        return "refused"

    def _check_logs(self) -> None:
        for name in NAMES:
            assert self._meeting.log(name).countersigned
        signed = self._meeting.log(f"{COLLECTOR}.collector").countersigned
        assert sorted(by for by, _ in signed) == sorted(NAMES)

    def _wanted(self) -> list[str]:
        drawn = Drawn()
        for name in NAMES:
            with np.load(self.drawn / f"{name}.0.npz") as found:
                drawn.add(name, found["points"], found["reports"])
        return drawn.joined(self._meeting.job, NAMES)

    def _start(self, who: str) -> None:
        kill_at = self._left[who].pop(0) if self._left[who] else None
        identity = ["--identity", str(self._meeting.identities / who)]
        end = [*identity, "--wait", str(WAIT), "--json"]
        words = ["link", "collect", "link.toml", *end]
        if who in NAMES:
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
        return [who for who in EVERYBODY if who not in self.codes]

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


def steps_of(meeting: Meeting) -> dict[str, int]:
    """How many steps everybody took in a session without faults."""
    return {who: int((meeting.folder / f"{who}.steps").read_text()) for who in EVERYBODY}

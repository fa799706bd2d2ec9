"""Looking after a session from a party's side: is the collector there, are the others, did anyone
give up? What is learned reaches whoever waits for a chunk."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from time import sleep
from typing import Any

from sudare.facts.errors import LinkRefused, SudareError, TurnedAway, Unreachable
from sudare.wires.calling import Caller
from sudare.wires.chunks import read_object
from sudare.wires.refusals import refusal

_PAUSE = 0.25
WAITING, COLLECTED, FINISHED, ABORTED = "waiting", "collected", "finished", "aborted"
# What ends a run and not the session: started again, it goes on.
GOES_ON = (Unreachable, TurnedAway)


class Watch:
    """Asks the collector for the state of the session until it is told to stop. Every question also
    tells the collector that this party is alive. `stop` ends what else waits for other hosts."""

    def __init__(self, collector: Caller, wait: float, stop: Callable[[SudareError], None]) -> None:
        self._collector, self._wait, self._stop = collector, wait, stop
        self._ended = Event()
        self.status: dict[str, Any] = {"state": WAITING}
        self.error: SudareError | None = None
        self._answers = 0
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        # Whoever comes to a session that was given up must know before it pays.
        self.look()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join(5)

    @property
    def is_collected(self) -> bool:
        """Whether the collector has everything, so that nothing is left to send."""
        return self.status["state"] in (COLLECTED, FINISHED)

    def until(self, is_there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until the collector's state is as wanted; raise what ended the session."""
        while True:
            if self.error is not None:
                raise self.error
            if is_there(self.status):
                return self.status
            sleep(_PAUSE / 5)

    def again(self) -> None:
        """Wait for an answer to a question that is not yet asked; raise what ended the session."""
        # One question may be on its way, and its answer older than now.
        wanted = self._answers + 2
        self.until(lambda _: self._answers >= wanted)

    def look(self) -> None:
        """Ask once; raise what ended the session."""
        self.status = asked(self._collector)
        self._answers += 1
        silent = self.status.get("silent", {})
        gone = sorted(name for name, seconds in silent.items() if seconds > self._wait)
        if gone and self.status["state"] == WAITING:
            raise not_heard(gone)

    def _run(self) -> None:
        while not self._ended.wait(_PAUSE):
            try:
                self.look()
            except SudareError as error:
                self.error = error
                self._stop(error)
                return


def asked(collector: Caller) -> dict[str, Any]:
    """The state of the session; raise what ended it. The collector counts whoever asked as told and
    may then leave, so an answer must never be passed over."""
    status = read_object(collector.act("status", b""))
    if "state" not in status:
        raise refusal("request")
    if status["state"] == ABORTED:
        raise given_up(status["by"], status["code"])
    if (mistaken := status.get("turned_away")) is not None:
        raise turned_away(mistaken)
    return status


def not_heard(names: list[str]) -> Unreachable:
    """Nothing was heard of these parties for too long."""
    return Unreachable(
        f"Nothing was heard of {', '.join(names)} for too long.",
        "Check that they run, with the same link.toml and schemas, and what they say of "
        "certificates; started again, the session goes on where it was.",
    )


def turned_away(name: str) -> TurnedAway:
    """A party that nobody may go on without has another plan."""
    return TurnedAway(
        f"{name} came with another plan and was turned away.",
        "link.toml and the schemas of all parties must be the same on every host. Compare them and "
        "start again; nobody pays before all have come with one plan.",
        "plan",
        name,
    )


def given_up(name: str, code: str) -> LinkRefused:
    """The refusal on all other sides when one party has given up."""
    if code in ("plan", "peer", "replay", "size", "request"):
        known = refusal(code)
        return LinkRefused(known.what, known.hint, code, name)
    return LinkRefused(
        f"{name} has given up the session ({code}).",
        "Its own messages say why. What the others paid stays paid; begin a new session when it is "
        "mended.",
        code,
        name,
    )


def altered() -> LinkRefused:
    """What was sent and what arrived are not the same rows."""
    return LinkRefused(
        "What arrived is not what its owner announced.",
        "A relay changed or dropped rows: begin a new session, and find out which.",
        "altered",
    )


def code_of(error: SudareError) -> str:
    """The word that travels for an error: nothing of its text."""
    if isinstance(error, LinkRefused):
        return error.code
    return {2: "usage", 3: "budget", 4: "data", 5: "engine"}.get(error.exit_code, "failed")

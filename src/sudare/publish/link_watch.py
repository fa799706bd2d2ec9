"""Looking after a session from a party's side: is the collector there, are the others, did anyone
give up? What is learned reaches whoever waits for a chunk."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Event, Thread
from time import sleep
from typing import Any

from sudare.facts.errors import LinkRefused, SudareError, Unreachable
from sudare.wires.calling import Caller
from sudare.wires.mailbox import Mailbox
from sudare.wires.refusals import refusal

_PAUSE = 0.25
WAITING, COLLECTED, FINISHED, ABORTED = "waiting", "collected", "finished", "aborted"


class Watch:
    """Asks the collector for the state of the session until it is told to stop. Every question also
    tells the collector that this party is alive."""

    def __init__(self, collector: Caller, mailbox: Mailbox, wait: float) -> None:
        self._collector, self._mailbox, self._wait = collector, mailbox, wait
        self._ended, self._failed = Event(), False
        self.status: dict[str, Any] = {"state": WAITING}
        self._error: SudareError | None = None
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join(5)

    def until(self, is_there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until the collector's state is as wanted; raise what ended the session."""
        while True:
            if self._error is not None:
                raise self._error
            if is_there(self.status):
                return self.status
            sleep(_PAUSE / 5)

    def _run(self) -> None:
        while not self._ended.wait(_PAUSE):
            try:
                self.status = json.loads(self._collector.act("status", b""))
                self._look()
            except SudareError as error:
                self._error = error
            if self._error is not None:
                self._mailbox.abort(self._error)
                return

    def _look(self) -> None:
        if self.status["state"] == ABORTED:
            self._error = given_up(self.status["by"], self.status["code"])
        silent = self.status.get("silent", {})
        gone = sorted(name for name, seconds in silent.items() if seconds > self._wait)
        if gone and self.status["state"] == WAITING:
            self._error = not_heard(gone)


def not_heard(names: list[str]) -> Unreachable:
    """Nothing was heard of these parties for too long."""
    return Unreachable(
        f"Nothing was heard of {', '.join(names)} for too long.",
        "Check that they run, with the same link.toml and schemas; started again, the session goes "
        "on where it was.",
    )


def given_up(name: str, code: str) -> LinkRefused:
    """The refusal on all other sides when one party has given up."""
    if code in ("plan", "peer", "replay", "size", "request", "lost"):
        return refusal(code)
    return LinkRefused(
        f"{name} has given up the session ({code}).",
        "Its own messages say why. What the others paid stays paid; begin a new session when it is "
        "mended.",
        code,
    )


def code_of(error: SudareError) -> str:
    """The word that travels for an error: nothing of its text."""
    if isinstance(error, LinkRefused):
        return error.code
    return {2: "usage", 3: "budget", 4: "data", 5: "engine"}.get(error.exit_code, "failed")

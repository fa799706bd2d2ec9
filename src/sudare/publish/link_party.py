"""An organisation's part in a join: make its rows ready, send them, raise the others' points, have
the logs countersigned, delete.

Claim    whatever is cut off goes on where it was: what was drawn lies on the disk before it is
         sent, relays compute the same bytes again, and the log says what was done. Nobody pays
         before everybody has come with the same plan.
Gaps     Python cannot wipe memory; docs/link.md says what that means.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudare.facts.errors import InvalidPlan, SudareError
from sudare.facts.link_plan import LinkPlan
from sudare.link.ring import legs
from sudare.publish.link_ending import (
    delete,
    last_word,
    say_why,
    sign_both,
)
from sudare.publish.link_entering import LAST_WORD, enter
from sudare.publish.link_moving import Moving
from sudare.publish.link_rows import Progress, Rows
from sudare.publish.link_secrets import exchanged, offered
from sudare.publish.link_watch import COLLECTED, FINISHED, GOES_ON, WAITING, Watch
from sudare.publish.link_work import Work, work_of
from sudare.wires.calling import Caller
from sudare.wires.chunks import read_object
from sudare.wires.folder import Folder
from sudare.wires.identity import Identity
from sudare.wires.log import COUNTERSIGNED
from sudare.wires.serving import Post
from sudare.wires.session_key import read_session_key


def _silent(step: str, done: int, total: int | None) -> None:
    """Nobody is watching."""


@dataclass(frozen=True)
class Part:
    """How an organisation takes part: who it is, where it keeps the session, how long it waits."""

    plan: LinkPlan
    identity: Identity
    folder: Path
    wait: float = 600.0
    listens: bool = True
    progress: Progress = _silent


def take_part(part: Part, rows: Rows) -> dict[str, Any]:
    """Run until everything is sent, countersigned and deleted; what was done."""
    work = work_of(part.plan)
    _check_listening(part)
    return enter(
        part,
        lambda deadline: _collector(part, deadline),
        lambda: work.check(rows, part.identity.name),
        lambda folder, stack: _Party(part, work, folder, stack).run(rows),
    )


def _check_listening(part: Part) -> None:
    name = part.identity.name
    address = part.plan.party(name).address
    if part.listens and address is None:
        raise InvalidPlan(
            f"'{name}' has no address in link.toml, so it cannot listen.",
            'Use `sudare link join`, which fetches, or add address = "host:port".',
        )
    if not part.listens and address is not None:
        raise InvalidPlan(
            f"'{name}' has an address in link.toml, so the others will call it.",
            "Use `sudare link serve`, which listens, or take the address out on every host.",
        )


def _collector(part: Part, deadline: float) -> Caller:
    plan = part.plan
    return Caller(part.identity, plan.collector_address, plan.collector, plan.digest(), deadline)


class _Party:
    """One run of one organisation."""

    def __init__(self, part: Part, work: Work, folder: Folder, stack: ExitStack) -> None:
        self._part, self._work, self._folder, self._stack = part, work, folder, stack
        self._plan, self._name = part.plan, part.identity.name
        self._collector = stack.enter_context(_collector(part, part.wait))
        self._callers: list[Caller] = []
        self._is_stopped = False
        if part.listens:
            stack.enter_context(self._post())

    def run(self, rows: Rows) -> dict[str, Any]:
        try:
            if not self._folder.has_logged(COUNTERSIGNED, by=self._plan.collector):
                self._until_signed(rows)
        except SudareError as error:
            if not isinstance(error, GOES_ON):
                brief = _collector(self._part, min(LAST_WORD, self._part.wait))
                say_why(self._folder, self._stack.enter_context(brief), error)
            raise
        delete(self._folder)
        return last_word(self._folder, self._plan, self._collector)

    def _until_signed(self, rows: Rows) -> None:
        with Watch(self._collector, self._part.wait, self._stop) as watch:
            try:
                watch.until(self._is_everybody_there)
                told, status = self._send(rows, watch)
            except SudareError as error:
                # What ended the session says more than the line that was hung up for it.
                raise watch.error or error from None
        sign_both(self._folder, told, status, self._collector)

    def _is_everybody_there(self, status: dict[str, Any]) -> bool:
        return status["state"] != WAITING or set(status["present"]) >= set(self._plan.members)

    def _send(self, rows: Rows, watch: Watch) -> tuple[dict[str, Any], dict[str, Any]]:
        """Make the rows ready and bring them, with the others', on their way."""
        collector = self._caller_of(None)
        hello = read_object(collector.act("hello", b""))
        key = read_session_key(
            hello, self._part.identity, self._plan.collector, self._plan.digest()
        )
        secrets = exchanged(self._folder, self._plan, self._caller_of)
        told = self._work.prepare(rows, self._folder, secrets, key, self._part.progress, self._call)
        self._folder.log_once(
            "prepared", rows=told["rows"], sha256=told["sha256"], release=told["release"]
        )
        collector.act("announce", json.dumps(told).encode())
        moving = Moving(self._plan, self._folder, self._caller_of, self._part.progress)
        moving.run(secrets.exponent, watch, self._stop)
        self._work.follow(self._folder, watch, collector, self._call)
        status = watch.until(lambda found: found["state"] in (COLLECTED, FINISHED))
        moving.log()
        return told, status

    def _stop(self, error: SudareError) -> None:
        """End whatever waits for a chunk or for another organisation."""
        self._is_stopped = True
        self._folder.mailbox.abort(error)
        for caller in list(self._callers):
            caller.close()

    def _post(self) -> Post:
        """The server: takes the streams for this organisation, gives out those of its successor
        where that one fetches."""
        listening = {party.name for party in self._plan.parties if party.address is not None}
        taken = {leg.stream: leg.sender for leg in legs(self._plan) if leg.receiver == self._name}
        given = {
            leg.stream: leg.receiver
            for leg in legs(self._plan)
            if leg.sender == self._name and leg.receiver and leg.receiver not in listening
        }
        return Post(
            self._part.identity,
            self._plan.party(self._name).address or "",
            self._plan.digest(),
            (*self._plan.names, self._plan.collector),
            self._folder.mailbox,
            {"secret": offered(self._folder, self._plan)},
            taken,
            given,
        )

    def _caller_of(self, name: str | None) -> Caller:
        """A line to another organisation, or to the collector."""
        if name is None:
            return self._call(self._plan.collector, self._plan.collector_address)
        address = self._plan.party(name).address
        if address is None:
            raise InvalidPlan(
                f"'{name}' does not listen, and cannot be asked.",
                "The organisation that comes before one that does not listen must have an address.",
            )
        return self._call(name, address)

    def _call(self, name: str, address: str) -> Caller:
        """A line that `_stop` hangs up."""
        digest = self._plan.digest()
        caller = Caller(self._part.identity, address, name, digest, self._part.wait)
        self._callers.append(caller)
        if self._is_stopped:
            caller.close()
        return self._stack.enter_context(caller)

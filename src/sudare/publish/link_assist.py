"""The helper of a secure computation: takes the other share of everything, computes with the
collector, and deletes. It may be a host of its own or a second process of an organisation.

Claim    it never has a share of the collector's side, and no organisation's rows but as shares;
         whatever is cut off goes on where it was.
Order    organisations ask for its key and announce what they send → the collector sends its shares
         on → both compare the common rows → link_exchange → logs signed → deletion.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudare.facts.errors import SudareError
from sudare.facts.link_plan import LinkPlan
from sudare.facts.reading import read_json
from sudare.link.ring import last_legs
from sudare.link.secure_plan import SecureLink, compile_secure_link
from sudare.publish.link_ending import (
    delete,
    last_word,
    say_why,
    sign,
)
from sudare.publish.link_entering import LAST_WORD, enter
from sudare.publish.link_exchange import (
    CORRECTIONS,
    Exchange,
    aligned,
    keep_secret,
    masked_stream,
    protected_stream,
)
from sudare.publish.link_rows import Progress
from sudare.publish.link_shares import opened_half, stream_to
from sudare.publish.link_watch import COLLECTED, FINISHED, GOES_ON, Watch, altered
from sudare.randomness.keys import new_private_key
from sudare.wires.calling import Caller
from sudare.wires.desk import HELD
from sudare.wires.folder import SESSION_KEY, Folder
from sudare.wires.identity import Identity
from sudare.wires.log import COUNTERSIGNED
from sudare.wires.refusals import refusal
from sudare.wires.serving import Post
from sudare.wires.session_key import offered_key, read_session_key_pem, session_key_pem

_ANNOUNCED = {"header": str, "rows": int, "sha256": str}


@dataclass(frozen=True)
class Assistance:
    """Who helps, where it keeps the session, how long it waits."""

    plan: LinkPlan
    identity: Identity
    folder: Path
    wait: float
    progress: Progress


class _ToCollector(Caller):
    """Asks as the process that helps, which an organisation of the same name is not."""

    def act(self, name: str, body: bytes) -> bytes:
        return super().act(name if name == HELD else f"help-{name}", body)


def assist(asked: Assistance) -> dict[str, Any]:
    """Run until the statistics are computed and all shares deleted; what was done."""
    link = compile_secure_link(asked.plan)
    return enter(
        asked,
        lambda deadline: _collector(asked, deadline),
        lambda: None,
        lambda folder, stack: _Helper(asked, link, folder, stack).run(),
    )


def _collector(asked: Assistance, deadline: float) -> Caller:
    plan = asked.plan
    return _ToCollector(
        asked.identity, plan.collector_address, plan.collector, plan.digest(), deadline
    )


class _Helper:
    """One run of the helper; requests come in other threads."""

    def __init__(
        self, asked: Assistance, link: SecureLink, folder: Folder, stack: ExitStack
    ) -> None:
        self._asked, self._link, self._folder, self._stack = asked, link, folder, stack
        pem = folder.secret(SESSION_KEY)
        self._key = read_session_key_pem(
            pem or folder.keep(SESSION_KEY, session_key_pem(new_private_key()))
        )
        self._collector = stack.enter_context(_collector(asked, asked.wait))
        stack.enter_context(self._post())

    def run(self) -> dict[str, Any]:
        plan = self._asked.plan
        try:
            if not self._folder.has_logged(COUNTERSIGNED, by=plan.collector):
                self._until_signed()
        except SudareError as error:
            if not isinstance(error, GOES_ON):
                brief = _collector(self._asked, min(LAST_WORD, self._asked.wait))
                say_why(self._folder, self._stack.enter_context(brief), error)
            raise
        delete(self._folder)
        return last_word(self._folder, plan, self._collector)

    def _until_signed(self) -> None:
        with Watch(self._collector, self._asked.wait, self._folder.mailbox.abort) as watch:
            if not watch.is_collected:
                self._compute(watch)
            status = watch.until(lambda found: found["state"] in (COLLECTED, FINISHED))
        sign(self._folder, status, self._collector)

    def _compute(self, watch: Watch) -> None:
        """From everybody's shares to the opened cells."""
        folder, progress = self._folder, self._asked.progress

        def until(is_there: Any) -> None:
            watch.until(lambda _: is_there())

        until(self._is_complete)
        halves = opened_half(self._link, folder, self._key, "helper", progress)
        for leg in last_legs(self._asked.plan):
            receipt = halves.receipts[leg.owner]
            folder.log_once("received", stream=stream_to(leg, "helper"), **receipt)
        common = aligned(self._link, halves)
        until(lambda: self._compared(common.digest))
        exchange = Exchange("helper", self._link, folder, self._collector, until, progress)
        cells = exchange.cells(halves, common)
        folder.log_once("computed", cells=len(cells))

    def _compared(self, digest: str) -> bool:
        """Tell the collector the digest of the common rows; whether it has the same."""
        theirs = read_json(self._collector.act("aligned", digest.encode()))
        if theirs not in (None, digest):
            raise altered()
        return theirs is not None

    def _is_complete(self) -> bool:
        return all(
            self._folder.mailbox.is_complete(stream_to(leg, "helper"))
            and self._folder.noted(f"party-{leg.place}") is not None
            for leg in last_legs(self._asked.plan)
        )

    def _post(self) -> Post:
        plan, collector = self._asked.plan, self._link.roles.collector
        senders = {stream_to(leg, "helper"): collector for leg in last_legs(plan)}
        senders |= {masked_stream("collector"): collector, protected_stream("collector"): collector}
        return Post(
            self._asked.identity,
            plan.helper_address or "",
            plan.digest(),
            tuple(dict.fromkeys((*plan.names, plan.collector))),
            self._folder.mailbox,
            {"hello": self._hello, "announce": self._announce, "deal": self._dealt},
            {**senders, CORRECTIONS: self._link.roles.dealer},
            {},
        )

    def _hello(self, peer: str, body: bytes) -> bytes:
        found = offered_key(self._asked.identity, self._key, self._asked.plan.digest())
        return json.dumps(found).encode()

    def _announce(self, peer: str, body: bytes) -> bytes:
        """Keep what an organisation says of its shares."""
        if peer not in self._asked.plan.names:
            raise refusal("request")
        try:
            told = read_json(body)
        except ValueError:
            told = None
        if not isinstance(told, dict) or any(
            not isinstance(told.get(name), kind) for name, kind in _ANNOUNCED.items()
        ):
            raise refusal("request")
        self._folder.note(f"party-{self._asked.plan.place(peer)}", told)
        return b""

    def _dealt(self, peer: str, body: bytes) -> bytes:
        if peer != self._link.roles.dealer or not keep_secret(self._folder, body):
            raise refusal("request")
        return b""

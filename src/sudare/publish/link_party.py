"""An organisation's part in a join: make its rows ready, send them, raise the others' points, have
the logs countersigned, delete.

Claim    whatever is cut off goes on where it was: what was drawn lies on the disk before it is
         sent, relays compute the same bytes again, and the log says what was done.
Order    of deletion, after both sides have signed each other's log: sealed rows and relayed chunks,
         then the secret exponent or salt; the permutation and the generator's state are in memory
         alone and end with the process.
Gaps     Python cannot wipe memory; docs/link.md says what that means.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudare.facts.errors import InvalidPlan, SudareError, Unreachable
from sudare.facts.link_plan import LinkPlan
from sudare.link.compile import LinkJob, compile_link
from sudare.link.packets import Sum, packed, unpacked
from sudare.link.pseudonyms import raised
from sudare.link.ring import Leg, legs, own_leg, relayed
from sudare.publish.link_rows import Progress, Rows, prepare
from sudare.publish.link_secrets import exchanged, offered
from sudare.publish.link_watch import COLLECTED, FINISHED, Watch, code_of
from sudare.wires.calling import Caller
from sudare.wires.chunks import Chunk
from sudare.wires.folder import Folder
from sudare.wires.identity import Identity
from sudare.wires.log import countersign
from sudare.wires.serving import Post
from sudare.wires.session_key import read_session_key

_LAST_WORD = 10.0


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
    job = compile_link(part.plan)
    folder = Folder(part.folder, part.identity, part.plan.digest())
    if folder.has_logged("deleted"):
        return _last_word(part, folder)
    with ExitStack() as open_things:
        party = _Party(part, job, folder, open_things)
        try:
            return party.run(rows)
        except SudareError as error:
            party.give_up(error)
            raise


class _Party:
    """One run of one organisation."""

    def __init__(self, part: Part, job: LinkJob, folder: Folder, stack: ExitStack) -> None:
        self._part, self._job, self._folder, self._stack = part, job, folder, stack
        self._plan, self._name = part.plan, part.identity.name
        self._mail = folder.mailbox
        if part.listens:
            stack.enter_context(self._post())
        self._collector = self._caller(part.plan.collector, part.plan.collector_address)

    def run(self, rows: Rows) -> dict[str, Any]:
        hello = json.loads(self._collector.act("hello", b""))
        key = read_session_key(
            hello, self._part.identity, self._plan.collector, self._plan.digest()
        )
        with Watch(self._collector, self._mail, self._part.wait) as watch:
            secrets = exchanged(self._folder, self._plan, self._peer)
            told = prepare(rows, self._job, self._folder, secrets, key, self._part.progress)
            self._folder.log_once(
                "prepared", rows=told["rows"], sha256=told["sha256"], release=told["release"]
            )
            self._collector.act("announce", json.dumps(told).encode())
            self._move_all(secrets.exponent)
            status = watch.until(lambda told: told["state"] in (COLLECTED, FINISHED))
        return self._end(told, status)

    def give_up(self, error: SudareError) -> None:
        """Tell the others why, in one word; not where they may yet be waited for."""
        if isinstance(error, Unreachable):
            return
        with suppress(SudareError):
            brief = self._caller(
                self._plan.collector, self._plan.collector_address, min(5.0, self._part.wait)
            )
            brief.act("abort", code_of(error).encode())

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
        address = self._plan.party(self._name).address
        if address is None:
            raise InvalidPlan(
                f"'{self._name}' has no address in link.toml, so it cannot listen.",
                'Use `sudare link join`, which fetches, or add address = "host:port".',
            )
        return Post(
            self._part.identity,
            address,
            self._plan.digest(),
            (*self._plan.names, self._plan.collector),
            self._mail,
            {"secret": offered(self._folder, self._plan)},
            taken,
            given,
        )

    def _caller(self, name: str, address: str, deadline: float | None = None) -> Caller:
        return self._stack.enter_context(
            Caller(
                self._part.identity,
                address,
                name,
                self._plan.digest(),
                self._part.wait if deadline is None else deadline,
            )
        )

    def _peer(self, name: str) -> Caller:
        address = self._plan.party(name).address
        if address is None:
            raise InvalidPlan(
                f"'{name}' does not listen, and cannot be asked.",
                "The organisation that comes before one that does not listen must have an address.",
            )
        return self._caller(name, address)

    def _move_all(self, exponent: bytes) -> None:
        """Send the own rows and relay the others', all at once."""
        jobs: list[Callable[[], None]] = [lambda: self._send_own()]
        for taken, out in relayed(self._plan, self._name):
            jobs.append(lambda taken=taken, out=out: self._relay(taken, out, exponent))  # type: ignore[misc]
            if not self._part.listens:
                jobs.append(lambda taken=taken: self._fetch(taken))  # type: ignore[misc]
        with ThreadPoolExecutor(len(jobs)) as threads:
            running = [threads.submit(job) for job in jobs]
            done = wait(running, return_when=FIRST_EXCEPTION).done
            failed = _first_error(done)
            if failed is not None:
                self._mail.abort(failed)
        if failed is not None:
            raise failed

    def _send_own(self) -> None:
        leg, total = own_leg(self._plan, self._name), Sum()
        self._deliver(leg, lambda start: self._own_chunks(leg, start))
        for chunk in self._mail.chunks(leg.stream):
            total.add(unpacked(chunk.data)[1])
        self._folder.log_once(
            "sent", stream=leg.stream, to=self._to(leg), rows=total.rows, sha256=total.hexdigest()
        )

    def _own_chunks(self, leg: Leg, start: int) -> Iterator[Chunk]:
        rows = 0
        for chunk in self._mail.chunks(leg.stream, start):
            yield chunk
            rows += len(unpacked(chunk.data)[0])
            self._part.progress("sending", rows, None)

    def _relay(self, taken: Leg, out: Leg, exponent: bytes) -> None:
        total = Sum()

        def chunks(start: int) -> Iterator[Chunk]:
            for chunk in self._mail.chunks(taken.stream):
                points, sealed = unpacked(chunk.data)
                total.add(sealed)
                if chunk.number >= start:
                    data = packed(raised(points, exponent), sealed)
                    yield Chunk(chunk.number, data, chunk.last)
                self._part.progress("raising", total.rows, None)

        self._deliver(out, chunks)
        facts = {"rows": total.rows, "sha256": total.hexdigest()}
        self._folder.log_once("received", stream=taken.stream, of=taken.sender, **facts)
        self._folder.log_once("forwarded", stream=out.stream, to=self._to(out), **facts)

    def _deliver(self, leg: Leg, chunks: Callable[[int], Iterator[Chunk]]) -> None:
        """Send to whoever listens, else lay it out to be fetched."""
        receiver = leg.receiver
        if receiver is not None and self._plan.party(receiver).address is None:
            if leg.stream != own_leg(self._plan, self._name).stream:
                for chunk in chunks(self._mail.held(leg.stream)):
                    self._mail.put(leg.stream, chunk.number, chunk.data, chunk.last)
            return
        caller = self._collector if receiver is None else self._peer(receiver)
        caller.send(leg.stream, chunks(caller.held(leg.stream)))

    def _fetch(self, taken: Leg) -> None:
        """Bring a stream that the predecessor laid out."""
        if self._mail.is_complete(taken.stream):
            return
        for chunk in self._peer(taken.sender).fetch(taken.stream, self._mail.held(taken.stream)):
            self._mail.put(taken.stream, chunk.number, chunk.data, chunk.last)

    def _to(self, leg: Leg) -> str:
        return self._plan.collector if leg.receiver is None else leg.receiver

    def _end(self, told: dict[str, Any], status: dict[str, Any]) -> dict[str, Any]:
        """Compare receipts, sign each other's log, delete, and say so."""
        receipt = status["receipts"][self._name]
        folder, log = self._folder, self._folder.log
        folder.log_once("receipt", rows=receipt["rows"], sha256=receipt["sha256"])
        head = log.head
        answer = self._collector.act(
            "countersign",
            json.dumps(
                {
                    "head": head,
                    "collector_head": status["head"],
                    "signature": countersign(self._part.identity, status["head"]),
                    "certificate": self._part.identity.certificate_pem.decode(),
                }
            ).encode(),
        )
        _keep_signature(folder, head, json.loads(answer))
        self._delete()
        return _last_word(self._part, folder, self._collector)

    def _delete(self) -> None:
        folder = self._folder
        folder.mailbox.forget()
        folder.forget_secrets()
        folder.log.append(
            "deleted", {"rows": True, "permutation": True, "exponent": True, "generator": True}
        )


def _keep_signature(folder: Folder, head: str, answer: dict[str, Any]) -> None:
    folder.log.add_countersignature(
        folder.identity, answer["certificate"].encode(), head, answer["signature"]
    )


def _last_word(part: Part, folder: Folder, collector: Caller | None = None) -> dict[str, Any]:
    """State the deletion to the collector, signed; it may have ended already."""
    plan, log = part.plan, folder.log
    told = dict(folder.noted("prepared") or {})
    result = {"session": plan.session, "party": part.identity.name, "rows": told.get("rows")}
    result |= {"spent": told.get("spent"), "log": str(folder.log_path), "confirmed": True}
    if folder.has_logged("stated"):
        return result
    caller = collector or Caller(
        part.identity, plan.collector_address, plan.collector, plan.digest(), _LAST_WORD
    )
    head = log.head
    statement = {
        "head": head,
        "signature": countersign(part.identity, head),
        "certificate": part.identity.certificate_pem.decode(),
    }
    try:
        answer = caller.act("deleted", json.dumps(statement).encode())
    except Unreachable:
        return result | {"confirmed": False}
    finally:
        if collector is None:
            caller.close()
    _keep_signature(folder, head, json.loads(answer))
    folder.log_once("stated")
    return result


def _first_error(done: set[Future[None]]) -> SudareError | None:
    """The error of what failed; one that is not ours is raised as it is."""
    for each in done:
        error = each.exception()
        if isinstance(error, SudareError):
            return error
        if error is not None:
            raise error
    return None

"""The collector's part in a join: take everybody's sealed rows, join them by pseudonym, permute
them, write the file; sign and be signed; delete; account for what is seen.

Order    all streams complete → open, join, permute, write without a name → "collected" → every
         party has signed and deleted → delete rows, pseudonyms and the session's key → the file
         gets its name, with its certificate.
Needs    parties that are alive say so by asking for the state of the session.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any

from sudare.facts.errors import SudareError, Unreachable, UsageError
from sudare.facts.link_plan import LinkPlan
from sudare.link.compile import LinkJob, compile_link
from sudare.link.ring import last_legs
from sudare.publish.link_certificate import certified
from sudare.publish.link_joined import opened, written
from sudare.publish.link_rows import Progress
from sudare.publish.link_watch import (
    ABORTED,
    COLLECTED,
    FINISHED,
    WAITING,
    code_of,
    given_up,
    not_heard,
)
from sudare.randomness.keys import new_private_key
from sudare.wires.folder import Folder
from sudare.wires.identity import Identity
from sudare.wires.log import check_countersignature, countersign
from sudare.wires.refusals import refusal
from sudare.wires.serving import Post
from sudare.wires.session_key import offered_key, read_session_key_pem, session_key_pem

_PAUSE = 0.05
# How long a finished collector still answers those whose last answer was lost.
_LINGER = 2.0


def _silent(step: str, done: int, total: int | None) -> None:
    """Nobody is watching."""


@dataclass(frozen=True)
class Collection:
    """How a session is collected: by whom, where it is kept, where the file goes."""

    plan: LinkPlan
    identity: Identity
    folder: Path
    output: Path
    wait: float = 600.0
    progress: Progress = _silent


def collect(collection: Collection) -> dict[str, Any]:
    """Run until the joined file is there and everybody has deleted; its certificate."""
    job = compile_link(collection.plan)
    folder = Folder(collection.folder, collection.identity, collection.plan.digest())
    done = folder.noted("finished")
    if done is not None and collection.output.exists():
        return done
    if collection.output.exists():
        raise UsageError(
            f"{collection.output} is there already.", "Name another file with --output."
        )
    collector = _Collector(collection, job, folder)
    with collector.post():
        try:
            return collector.run()
        except SudareError as error:
            if not isinstance(error, Unreachable):
                collector.abort(collection.identity.name, code_of(error))
                # The others ask within a moment, and then know.
                sleep(_LINGER)
            raise


class _Collector:
    """One run of the collector; requests come in other threads."""

    def __init__(self, collection: Collection, job: LinkJob, folder: Folder) -> None:
        self._asked, self._job, self._folder = collection, job, folder
        self._plan, self._identity = collection.plan, collection.identity
        self._lock, self._state = Lock(), WAITING
        self._heard = dict.fromkeys(self._plan.names, monotonic())
        pem = folder.secret("session-key")
        if pem is None and folder.noted("collected") is None:
            pem = folder.keep("session-key", session_key_pem(new_private_key()))
        self._key = None if pem is None else read_session_key_pem(pem)
        if folder.noted("aborted") is not None:
            self._state = ABORTED
        elif folder.noted("collected") is not None:
            self._state = COLLECTED

    def post(self) -> Post:
        legs = last_legs(self._plan)
        actions: dict[str, Callable[[str, bytes], bytes]] = {
            "hello": self._hello,
            "status": self._status,
            "announce": self._announce,
            "countersign": self._countersign,
            "deleted": self._deleted,
            "abort": self._aborted,
        }
        return Post(
            self._identity,
            self._plan.collector_address,
            self._plan.digest(),
            self._plan.names,
            self._folder.mailbox,
            {name: self._known(action) for name, action in actions.items()},
            {leg.stream: leg.sender for leg in legs},
            {},
        )

    def run(self) -> dict[str, Any]:
        part = self._asked.output.with_name(f".{self._asked.output.name}.part")
        if self._state == WAITING:
            self._until(self._is_complete, "receiving", self._received)
            self._gather(part)
        if self._folder.noted("result") is None:
            self._until(self._is_deleted, "deleting", self._deletions)
        told = self._finish(part)
        self._state = FINISHED
        sleep(_LINGER)
        return told

    def abort(self, by: str, code: str) -> None:
        """The session is over for everybody."""
        with self._lock:
            if self._state not in (ABORTED, FINISHED) and self._folder.noted("aborted") is None:
                self._folder.note("aborted", {"by": by, "code": code})
                self._folder.log.append("aborted", {"by": by, "code": code})
                self._state = ABORTED

    def _gather(self, part: Path) -> None:
        """From sealed rows to a file without a name."""
        assert self._key is not None
        rows = opened(self._job, self._folder, self._key, self._asked.progress)
        sizes = written(self._job, rows, part, self._asked.output)
        for leg in last_legs(self._plan):
            receipt = rows.receipts[leg.owner]
            self._folder.log_once("received", stream=leg.stream, of=leg.sender, **receipt)
        self._folder.log_once("joined", **sizes.logged())
        self._folder.note(
            "collected",
            {"receipts": rows.receipts, "sizes": sizes.told(), "head": self._folder.log.head},
        )
        self._state = COLLECTED

    def _finish(self, part: Path) -> dict[str, Any]:
        """Delete, certify, and give the file its name."""
        folder, collected = self._folder, self._folder.noted("collected") or {}
        folder.mailbox.forget()
        folder.forget_secrets()
        folder.log_once("deleted", rows=True, pseudonyms=True, key=True)
        parties = {
            name: folder.noted(f"party-{self._plan.place(name)}") for name in self._plan.names
        }
        statements = {
            name: folder.noted(f"statement-{self._plan.place(name)}") for name in self._plan.names
        }
        told = certified(self._job, collected["sizes"], parties, statements, folder, part)
        folder.note("result", told)
        for made in sorted(part.parent.glob(f"{part.name}*")):
            os.replace(made, _named(made, part, self._asked.output))
        folder.note("finished", told)
        return told

    def _known(self, action: Callable[[str, bytes], bytes]) -> Callable[[str, bytes], bytes]:
        def answer(peer: str, body: bytes) -> bytes:
            self._heard[peer] = monotonic()
            return action(peer, body)

        return answer

    def _hello(self, peer: str, body: bytes) -> bytes:
        if self._key is None:
            raise refusal("closed")
        return json.dumps(offered_key(self._identity, self._key, self._plan.digest())).encode()

    def _status(self, peer: str, body: bytes) -> bytes:
        told: dict[str, Any] = {"state": self._state}
        if self._state == ABORTED:
            told |= self._folder.noted("aborted") or {}
        elif self._state in (COLLECTED, FINISHED):
            collected = self._folder.noted("collected") or {}
            told |= {"receipts": collected["receipts"], "head": collected["head"]}
        else:
            now = monotonic()
            told["silent"] = {name: now - heard for name, heard in self._heard.items()}
        return json.dumps(told).encode()

    def _announce(self, peer: str, body: bytes) -> bytes:
        self._folder.note(f"party-{self._plan.place(peer)}", _object(body))
        return b""

    def _countersign(self, peer: str, body: bytes) -> bytes:
        """Keep the party's signature over this log, and sign the party's."""
        told, collected = _object(body), self._folder.noted("collected")
        if collected is None or told.get("collector_head") != collected["head"]:
            raise refusal("request")
        certificate = self._certificate_of(peer, told)
        with self._lock:
            if not self._folder.has_logged("countersigned", by=peer):
                self._folder.log.add_countersignature(
                    self._identity, certificate, collected["head"], str(told["signature"])
                )
        return self._signed(str(told["head"]))

    def _deleted(self, peer: str, body: bytes) -> bytes:
        """Keep the party's signed word that it has deleted."""
        told = _object(body)
        certificate = self._certificate_of(peer, told)
        head, signature = str(told["head"]), str(told["signature"])
        check_countersignature(certificate, head, signature)
        place = f"statement-{self._plan.place(peer)}"
        with self._lock:
            if self._folder.noted(place) is None:
                self._folder.log_once("statement", by=peer, head=head)
                self._folder.note(
                    place,
                    {"head": head, "signature": signature, "certificate": certificate.decode()},
                )
        return self._signed(head)

    def _aborted(self, peer: str, body: bytes) -> bytes:
        code = body.decode("ascii", "replace")
        self.abort(peer, refusal(code).code)
        return b""

    def _signed(self, head: str) -> bytes:
        answer = {
            "signature": countersign(self._identity, head),
            "certificate": self._identity.certificate_pem.decode(),
        }
        return json.dumps(answer).encode()

    def _certificate_of(self, peer: str, told: dict[str, Any]) -> bytes:
        certificate = str(told.get("certificate", "")).encode()
        if self._identity.vouched(certificate) != peer:
            raise refusal("name")
        return certificate

    def _until(
        self,
        is_there: Callable[[], bool],
        step: str,
        progress: Callable[[], tuple[int, int | None]],
    ) -> None:
        """Wait; raise what ended the session, or the names of those who were not heard of."""
        while not is_there():
            self._asked.progress(step, *progress())
            if self._state == ABORTED:
                ended = self._folder.noted("aborted") or {"by": "?", "code": "unknown"}
                raise given_up(ended["by"], ended["code"])
            now = monotonic()
            late = [n for n, heard in self._heard.items() if now - heard > self._asked.wait]
            silent = [name for name in late if not self._has_left(name)]
            if silent:
                raise not_heard(silent)
            sleep(_PAUSE)

    def _has_left(self, name: str) -> bool:
        return self._folder.noted(f"statement-{self._plan.place(name)}") is not None

    def _is_complete(self) -> bool:
        return all(
            self._folder.mailbox.is_complete(leg.stream) for leg in last_legs(self._plan)
        ) and all(
            self._folder.noted(f"party-{place}") is not None
            for place in range(len(self._plan.names))
        )

    def _received(self) -> tuple[int, int | None]:
        held = sum(self._folder.mailbox.held(leg.stream) for leg in last_legs(self._plan))
        return held, None

    def _is_deleted(self) -> bool:
        return all(self._has_left(name) for name in self._plan.names)

    def _deletions(self) -> tuple[int, int | None]:
        return sum(map(self._has_left, self._plan.names)), len(self._plan.names)


def _named(made: Path, part: Path, output: Path) -> Path:
    """joined.parquet, and for other classes joined.<class>.parquet."""
    extra = made.name.removeprefix(part.name)
    return output.with_name(f"{output.stem}{extra}{output.suffix}")


def _object(body: bytes) -> dict[str, Any]:
    with suppress(ValueError):
        found = json.loads(body)
        if isinstance(found, dict):
            return found
    raise refusal("request")

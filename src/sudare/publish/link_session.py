"""What the collector knows of a session and answers to those who ask. Requests come in threads of
the server, and come again where an answer was lost; what was answered once is on the disk.

States   waiting → collected → finished; or, from waiting or collected, aborted, which stays.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any

from sudare.facts.link_plan import HELPING, LinkPlan
from sudare.publish.link_gather import Gathering
from sudare.publish.link_watch import (
    ABORTED,
    COLLECTED,
    FINISHED,
    WAITING,
    given_up,
    turned_away,
)
from sudare.randomness.keys import new_private_key
from sudare.wires.chunks import read_object
from sudare.wires.folder import SESSION_KEY, Folder
from sudare.wires.log import check_countersignature, countersign
from sudare.wires.refusals import refusal
from sudare.wires.session_key import offered_key, read_session_key_pem, session_key_pem

Answer = Callable[[str, bytes], bytes]
_HELP = "help-"
_ANNOUNCED = {"header": str, "rows": int, "sha256": str, "release": str, "spent": dict}


class Session:
    """The collector's side of the conversation with every organisation."""

    def __init__(self, plan: LinkPlan, folder: Folder, gathering: Gathering) -> None:
        self._plan, self._folder, self._identity = plan, folder, folder.identity
        self._gathering = gathering
        self._lock, self.state = Lock(), WAITING
        self._heard = dict.fromkeys(plan.members, monotonic())
        self._present: set[str] = set()
        self._told: set[str] = set()
        self._mistaken: str | None = None
        if folder.noted("aborted") is not None:
            self.state = ABORTED
        elif folder.noted("collected") is not None:
            self.state = COLLECTED
        pem = folder.secret(SESSION_KEY)
        if pem is None and self.state == WAITING:
            pem = folder.keep(SESSION_KEY, session_key_pem(new_private_key()))
        self.key = None if pem is None else read_session_key_pem(pem)

    def actions(self) -> dict[str, Answer]:
        """What organisations may ask."""
        found: dict[str, Answer] = {
            "hello": self._hello,
            "status": self._status,
            "announce": self._announce,
            "countersign": self._countersign,
            "deleted": self._deleted,
            "abort": self._aborted,
            **self._gathering.actions,
        }
        asked = {name: self._heard_of(action) for name, action in found.items()}
        helped = {_HELP + name: self._helped(action) for name, action in asked.items()}
        return asked if self._plan.helper is None else asked | helped

    def abort(self, by: str, code: str) -> None:
        """The session is over for everybody."""
        with self._lock:
            if self.state not in (ABORTED, FINISHED):
                self._folder.note("aborted", {"by": by, "code": code})
                self._folder.log_once("aborted", by=by, code=code)
                self.state = ABORTED

    def collected(self, facts: dict[str, Any]) -> None:
        """Everything has arrived and is joined; refused if somebody gave up meanwhile."""
        with self._lock:
            self.check()
            self._folder.note("collected", facts)
            self.state = COLLECTED

    def finished(self) -> None:
        """The file is there."""
        with self._lock:
            self.state = FINISHED

    def check(self) -> None:
        """Raise what ended the session, if something did."""
        if self.state == ABORTED:
            ended = self._folder.noted("aborted") or {"by": "?", "code": "unknown"}
            raise given_up(ended["by"], ended["code"])
        if self._mistaken is not None and self.state == WAITING:
            raise turned_away(self._mistaken)

    def turned_away(self, peer: str, request: str) -> None:
        """A party came with another plan. While it has not come with this one nobody can have paid,
        and all are told at once; later it is a slip that costs the others nothing."""
        name = peer + HELPING if request.startswith(_HELP) else peer
        if self.state == WAITING and name in self._heard and name not in self._present:
            self._mistaken = name

    def silent(self, wait: float) -> list[str]:
        """Those who were not heard of for too long and have not left."""
        now = monotonic()
        late = [name for name, heard in self._heard.items() if now - heard > wait]
        return [name for name in late if not self.has_left(name)]

    def has_left(self, name: str) -> bool:
        """Whether the organisation has stated that it deleted everything."""
        return self.statement(name) is not None

    def statement(self, name: str) -> dict[str, Any] | None:
        """The signed word for it."""
        return self._folder.noted(f"statement-{self._plan.members.index(name)}")

    def everybody_knows(self) -> bool:
        """Whether all who came have heard that the session was given up."""
        return self._told >= self._present

    def others_know(self) -> bool:
        """Whether all but the one with another plan have heard of it."""
        return self._told >= set(self._heard) - {self._mistaken}

    def _heard_of(self, action: Answer) -> Answer:
        def answer(peer: str, body: bytes) -> bytes:
            if peer in self._heard:
                self._heard[peer] = monotonic()
                self._present.add(peer)
            return action(peer, body)

        return answer

    def _helped(self, action: Answer) -> Answer:
        """The same, asked by the process that helps."""

        def answer(peer: str, body: bytes) -> bytes:
            if peer != self._plan.helper:
                raise refusal("request")
            return action(peer + HELPING, body)

        return answer

    def _hello(self, peer: str, body: bytes) -> bytes:
        if self.key is None:
            raise refusal("closed")
        return json.dumps(offered_key(self._identity, self.key, self._plan.digest())).encode()

    def _status(self, peer: str, body: bytes) -> bytes:
        told: dict[str, Any] = {"state": self.state}
        if told["state"] == ABORTED:
            told |= self._folder.noted("aborted") or {}
            self._told.add(peer)
        elif told["state"] in (COLLECTED, FINISHED):
            collected = self._folder.noted("collected") or {}
            told |= {"receipts": collected["receipts"], "head": collected["head"]}
        else:
            now = monotonic()
            told["silent"] = {name: now - heard for name, heard in self._heard.items()}
            told["present"] = sorted(self._present)
            told |= self._gathering.told(peer)
            if self._mistaken is not None:
                told["turned_away"] = self._mistaken
                self._told.add(peer)
        return json.dumps(told).encode()

    def _announce(self, peer: str, body: bytes) -> bytes:
        told = read_object(body)
        if any(not isinstance(told.get(name), kind) for name, kind in _ANNOUNCED.items()):
            raise refusal("request")
        self._folder.note(f"party-{self._plan.place(peer)}", told)
        return b""

    def _countersign(self, peer: str, body: bytes) -> bytes:
        """Keep the party's signature over this log, and sign the party's."""
        told, collected = read_object(body), self._folder.noted("collected")
        if collected is None or told.get("collector_head") != collected["head"]:
            raise refusal("request")
        certificate = self._certificate_of(peer, told)
        self._folder.sign_once(certificate, collected["head"], str(told.get("signature")))
        return self._signed(str(told.get("head")))

    def _deleted(self, peer: str, body: bytes) -> bytes:
        """Keep the party's signed word that it has deleted."""
        told = read_object(body)
        certificate = self._certificate_of(peer, told)
        head, signature = str(told.get("head")), str(told.get("signature"))
        check_countersignature(certificate, head, signature)
        place = f"statement-{self._plan.members.index(peer)}"
        with self._lock:
            if self._folder.noted(place) is None:
                self._folder.log_once("statement", by=peer, head=head)
                self._folder.note(
                    place,
                    {"head": head, "signature": signature, "certificate": certificate.decode()},
                )
        return self._signed(head)

    def _aborted(self, peer: str, body: bytes) -> bytes:
        self.abort(peer, refusal(body.decode("ascii", "replace")).code)
        self._told.add(peer)
        return b""

    def _signed(self, head: str) -> bytes:
        answer = {
            "signature": countersign(self._identity, head),
            "certificate": self._identity.certificate_pem.decode(),
        }
        return json.dumps(answer).encode()

    def _certificate_of(self, peer: str, told: dict[str, Any]) -> bytes:
        certificate = str(told.get("certificate", "")).encode()
        if self._identity.vouched(certificate) != peer.removesuffix(HELPING):
            raise refusal("name")
        return certificate

"""The server of a party: takes chunks, gives chunks out, answers requests.

Claim    A handler runs only for a caller whose certificate is from the pinned authority and names
         a party of the plan, and who sent the same plan's digest. A chunk is acknowledged when it
         is on the disk. Callers put and fetch only the streams that are theirs.
Source   Arrow Flight RPC with mutual TLS; RFC 8446.
Needs    `context.peer_identity()`, which without an authentication handler is the first
         alternative name of the certificate that TLS verified.
Gaps     A chunk of up to MAX_BYTES is in memory before its size is checked. A party of the plan
         can keep calls open; they end when the server stops (see `hangup`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Thread
from typing import Any

from pyarrow import flight

from sudare.facts.errors import EngineUnavailable
from sudare.wires.border import PLAN_HEADER, answered, answered_each, spoken
from sudare.wires.chunks import UNDER_WAY, WIRE, WRITING, from_batch, read_list, read_place
from sudare.wires.desk import Action, Desk, TurnedAway
from sudare.wires.hangup import hang_up
from sudare.wires.identity import Identity
from sudare.wires.mailbox import Mailbox
from sudare.wires.refusals import refusal

# How long calls that are under way may take to end once the server stops.
_GRACE = 2.0
_PLAN = "plan"


def _told_to_nobody(name: str, request: str) -> None:
    """Who came with another plan is refused, and that is all."""


class Post:
    """The server of one party in one session.

    `senders` names for each stream the one party that may put it, `readers` the one that may
    fetch it. `actions` answer requests: the caller's name and a body in, an answer out; since a
    caller who lost the answer asks again, they must bear the same request twice. `turned_away` is
    told of parties that make a request with another plan. `port` is the one it listens on, also
    where the address said 0.
    """

    def __init__(
        self,
        identity: Identity,
        address: str,
        plan_digest: str,
        names: tuple[str, ...],
        mailbox: Mailbox,
        actions: Mapping[str, Action],
        senders: Mapping[str, str],
        readers: Mapping[str, str],
        turned_away: TurnedAway = _told_to_nobody,
    ) -> None:
        self._identity, self._address, self._plan = identity, address, plan_digest
        self._desk = Desk(names, mailbox, actions, senders, readers, turned_away)
        self._server: Any = None
        self.port = 0

    def start(self) -> Post:
        """Listen."""
        try:
            self._server = _Server(
                self._desk,
                f"grpc+tls://{self._address}",
                tls_certificates=[(self._identity.certificate_pem, self._identity.key_pem)],
                verify_client=True,
                root_certificates=self._identity.ca_pem,
                middleware={_PLAN: _PlanCheck(self._plan)},
            )
            self.port = int(self._server.port)
            return self
        except Exception:
            pass
        raise EngineUnavailable(
            f"Nobody can listen on {self._address}.",
            "Another program may hold the port, or the address is not of this host.",
            place=self._address,
        )

    def stop(self) -> None:
        """End all calls and stop listening; a second time does nothing."""
        server, self._server = self._server, None
        if server is None:
            return
        self._desk.is_stopping.set()
        ending = Thread(target=server.shutdown, daemon=True)
        ending.start()
        ending.join(_GRACE)
        while ending.is_alive():
            hang_up(self.port)
            ending.join(_GRACE)

    def __enter__(self) -> Post:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Server(flight.FlightServerBase):  # type: ignore[misc]
    """Flight's calls, each admitted first and each inside the border."""

    def __init__(self, desk: Desk, location: str, **options: Any) -> None:
        self._desk = desk
        super().__init__(location, **options)

    def do_put(self, context: Any, descriptor: Any, reader: Any, writer: Any) -> None:
        answered(
            lambda: self._take_all(self._desk.admitted(context.peer_identity()), reader, writer)
        )

    def _take_all(self, peer: str, reader: Any, writer: Any) -> None:
        """Read what comes while others write it to the disk, and acknowledge what is written."""
        # Each message is kept until it is acknowledged, so that its memory is given back by the
        # thread that took it, which can then use it again at once.
        taken: deque[tuple[Future[None], Any]] = deque()

        def acknowledge(writing: Future[None]) -> None:
            writing.result()
            writer.write(b"held")

        with ThreadPoolExecutor(WRITING) as writers, ThreadPoolExecutor(1) as answering:
            for message in reader:
                writing = writers.submit(self._take, peer, message)
                taken.append((answering.submit(acknowledge, writing), message))
                while taken and (len(taken) == UNDER_WAY or taken[0][0].done()):
                    taken.popleft()[0].result()
            while taken:
                taken.popleft()[0].result()

    def _take(self, peer: str, message: Any) -> None:
        if message.app_metadata is None:
            raise refusal("request")
        place = read_place(message.app_metadata.to_pybytes())
        self._desk.take(peer, place, from_batch(message.data))

    def do_get(self, context: Any, ticket: Any) -> Any:
        def handle() -> Iterator[tuple[Any, bytes]]:
            peer = self._desk.admitted(context.peer_identity())
            stream, start = read_list(ticket.ticket, 2)
            return self._desk.give(peer, stream, start, context.is_cancelled)

        return flight.GeneratorStream(WIRE, answered_each(answered(handle)))

    def do_action(self, context: Any, action: Any) -> list[bytes]:
        def handle() -> list[bytes]:
            if context.get_middleware(_PLAN) is not None:
                self._desk.turn_away(context.peer_identity(), action.type)
            peer = self._desk.admitted(context.peer_identity())
            return [self._desk.answer(peer, action.type, action.body.to_pybytes())]

        return answered(handle)


class _PlanCheck(flight.ServerMiddlewareFactory):  # type: ignore[misc]
    """Refuses every call, of whatever kind, that does not carry the plan's digest. Who calls is not
    known here, so that a request is only marked, and refused where it is known."""

    def __init__(self, plan_digest: str) -> None:
        super().__init__()
        self._plan = plan_digest

    def start_call(self, info: Any, headers: Mapping[str, list[str]]) -> _OtherPlan | None:
        if list(headers.get(PLAN_HEADER, [])) == [self._plan]:
            return None
        if info.method == flight.FlightMethod.DO_ACTION:
            return _OtherPlan()
        raise spoken("plan")


class _OtherPlan(flight.ServerMiddleware):  # type: ignore[misc]
    """The mark of a request that came with another plan."""

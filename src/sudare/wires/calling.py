"""The client of a party: puts chunks, fetches chunks, asks.

Claim    Bytes go only to the holder of a certificate of the pinned authority for the party that
         is called. When `put` or `send` returns, the chunks are on that party's disk.
Source   Arrow Flight RPC with mutual TLS; RFC 8446.
Rule     What is lost on the way is sent again, with growing pauses, until `deadline` seconds have
         passed since the first failure; what is refused is not.
Needs    requests that bear to be asked twice.
Gaps     The address is not checked, the party is (see `names`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from threading import Event
from typing import TypeVar

import pyarrow as pa
from pyarrow import flight

from sudare.facts.errors import Unreachable
from sudare.wires.border import PLAN_HEADER, Lost, heard
from sudare.wires.chunks import Chunk, Content, from_batch, packed, read_list, read_place
from sudare.wires.desk import HELD
from sudare.wires.identity import Identity
from sudare.wires.names import party_host
from sudare.wires.probing import HUNG_UP, certificate_trouble
from sudare.wires.refusals import refusal
from sudare.wires.sending import Sending

Result = TypeVar("Result")
_CALL_SECONDS = 600.0
# So many times in a row is no accident: the other side refuses our certificate.
_HANG_UPS = 4
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0
# A host that vanished without a word is noticed by unanswered pings. Every caller has its own
# connections, so that no other caller's certificate is ever used for it.
_CHANNEL = [
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.ping_timeout_ms", 20_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.use_local_subchannel_pool", 1),
]


class Caller:
    """Calls one other party of a session. Threads may share it."""

    def __init__(
        self,
        identity: Identity,
        address: str,
        peer_name: str,
        plan_digest: str,
        deadline: float = 300.0,
    ) -> None:
        self._identity, self._address, self._peer = identity, address, peer_name
        self._deadline, self._hung_up = deadline, Event()
        self._options = flight.FlightCallOptions(
            timeout=_CALL_SECONDS, headers=[(PLAN_HEADER.encode(), plan_digest.encode())]
        )
        self._client = flight.FlightClient(
            f"grpc+tls://{address}",
            tls_root_certs=identity.ca_pem,
            cert_chain=identity.certificate_pem,
            private_key=identity.key_pem,
            override_hostname=party_host(peer_name),
            generic_options=_CHANNEL,
        )

    def put(self, stream: str, number: int, data: Content | pa.RecordBatch, last: bool) -> None:
        """Send one chunk; it is on the other side's disk when this returns."""
        content = packed(data) if isinstance(data, pa.RecordBatch) else data
        self.send(stream, [Chunk(number, content, last)])

    def send(self, stream: str, chunks: Iterable[Chunk]) -> int:
        """Send chunks as they come; when this returns all are on the other side's disk. Their
        number. A sender that starts anew asks `held` first and sends from there."""
        sending = Sending(stream, chunks)
        while not sending.is_done:
            self._persist(lambda: sending.send_some(self._client, self._options))
        return sending.acknowledged

    def held(self, stream: str) -> int:
        """The first chunk of a stream of ours that the other side does not hold yet."""
        found = read_list(self.act(HELD, f'["{stream}"]'.encode()), 1)[0]
        if type(found) is not int:
            raise refusal("request")
        return found

    def act(self, name: str, body: bytes) -> bytes:
        """The answer to a request."""
        return self._persist(lambda: self._act_once(name, body))

    def fetch(self, stream: str, from_number: int = 0) -> Iterator[Chunk]:
        """Chunk after chunk of a stream in the other side's mailbox, as they come, to the last."""
        number = from_number
        arriving: Iterator[Chunk] = iter(())

        def following() -> Chunk:
            nonlocal arriving
            found = next(arriving, None)
            if found is None:
                # There is no call yet, or it broke: the next one starts where this one got to.
                arriving = self._fetch_once(stream, number)
                found = next(arriving)
            return found

        while True:
            chunk = self._persist(following)
            if chunk.number != number:
                raise refusal("request")
            yield chunk
            if chunk.last:
                return
            number += 1

    def close(self) -> None:
        """Hang up; calls of other threads are not tried again."""
        self._hung_up.set()
        with suppress(pa.ArrowException):
            self._client.close()

    def __enter__(self) -> Caller:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _act_once(self, name: str, body: bytes) -> bytes:
        answers = list(self._client.do_action(flight.Action(name, body), self._options))
        if len(answers) != 1:
            raise Lost
        return bytes(answers[0].body.to_pybytes())

    def _fetch_once(self, stream: str, number: int) -> Iterator[Chunk]:
        ticket = flight.Ticket(f'["{stream}",{number}]'.encode())
        reader = self._client.do_get(ticket, self._options)
        try:
            for message in reader:
                place = read_place(message.app_metadata.to_pybytes())
                yield Chunk(place.number, from_batch(message.data), place.last)
        finally:
            reader.cancel()

    def _persist(self, call: Callable[[], Result]) -> Result:
        """The result of a call, tried again as long as it is worth it."""
        ends, pause, hung_up = math.inf, _FIRST_PAUSE, 0
        while True:
            with suppress(Lost):
                return heard(call)
            # The clock starts at the first failure, however long that call had taken.
            ends = min(ends, time.monotonic() + self._deadline)
            trouble = certificate_trouble(self._identity, self._address, self._peer)
            hung_up = hung_up + 1 if trouble == HUNG_UP else 0
            if hung_up == _HANG_UPS:
                raise refusal("certificate")
            if trouble is not None and not hung_up:
                raise refusal(trouble)
            if time.monotonic() + pause > ends or self._hung_up.wait(pause):
                raise Unreachable(
                    f"{self._peer} does not answer at {self._address}.",
                    "Check the address in link.toml, the network, and that the other side runs; "
                    "started again, the session goes on where it was.",
                    place=self._address,
                )
            pause = min(2 * pause, _LONGEST_PAUSE)

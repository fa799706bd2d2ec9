"""What a server does for a caller; Flight's classes and TLS are in `serving`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from threading import Event
from typing import Any, NoReturn

from sudare.wires.chunks import Place, check_stream, read_list, to_batch
from sudare.wires.mailbox import Mailbox
from sudare.wires.names import party_host
from sudare.wires.refusals import refusal

HELD = "held"
Action = Callable[[str, bytes], bytes]
# Who was turned away for its plan, and which request it came with.
TurnedAway = Callable[[str, str], None]


class Desk:
    """Admits callers, and keeps each to the streams that are theirs."""

    def __init__(
        self,
        names: tuple[str, ...],
        mailbox: Mailbox,
        actions: Mapping[str, Action],
        senders: Mapping[str, str],
        readers: Mapping[str, str],
        turned_away: TurnedAway,
    ) -> None:
        self._names = {party_host(name): name for name in names}
        self._mailbox, self._actions = mailbox, actions
        self._senders, self._readers = senders, readers
        self._turned_away = turned_away
        self.is_stopping = Event()

    def admitted(self, peer_identity: bytes) -> str:
        """The party that calls."""
        name = self._names.get(peer_identity.decode("utf-8", "replace"))
        if name is None:
            raise refusal("peer")
        return name

    def turn_away(self, peer_identity: bytes, request: str) -> NoReturn:
        """Refuse a caller with another plan. If it is a party of this one, that is told."""
        name = self._names.get(peer_identity.decode("utf-8", "replace"))
        if name is not None:
            self._turned_away(name, request)
        raise refusal("plan")

    def take(self, peer: str, place: Place, data: memoryview) -> None:
        """Keep a chunk."""
        if self._senders.get(place.stream) != peer:
            raise refusal("stream")
        self._mailbox.put(place.stream, place.number, data, place.last)

    def give(
        self, peer: str, stream: object, start: Any, is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[Any, bytes]]:
        """Chunks of a stream for the party that fetches it."""
        name = check_stream(stream)
        if self._readers.get(name) != peer:
            raise refusal("stream")
        first = Place(name, start, last=False).number

        def is_wanted() -> bool:
            return not self.is_stopping.is_set() and not is_cancelled()

        for chunk in self._mailbox.chunks(name, first, is_wanted):
            yield to_batch(chunk.data), Place(name, chunk.number, chunk.last).to_bytes()

    def answer(self, peer: str, request: str, body: bytes) -> bytes:
        """The answer to a request."""
        if request == HELD:
            stream = check_stream(read_list(body, 1)[0])
            if self._senders.get(stream) != peer:
                raise refusal("stream")
            return json.dumps([self._mailbox.held(stream)]).encode()
        if request not in self._actions:
            raise refusal("request")
        return self._actions[request](peer, body)

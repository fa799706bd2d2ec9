"""A stream on its way to another party: what is not acknowledged is kept, and sent again.

Claim    Every chunk of the source is acknowledged, or sending ends with an error. At most
         UNDER_WAY chunks are in memory.
Rule     One call carries chunks for LASTING seconds. Acknowledgements come in order; after a
         broken call the next one starts with the first chunk that lacks its own. A receiver takes
         the same chunk twice, so that nothing is lost if only the acknowledgement was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from time import monotonic
from typing import Any

from pyarrow import flight

from sudare.wires.border import Lost
from sudare.wires.chunks import UNDER_WAY, WIRE, Chunk, Place, to_batch

# At the end of a call everything waits for the last acknowledgement, so that calls had better be
# few; but what is under way after so long must still arrive before the call runs out of time.
LASTING = 120.0


class Sending:
    """The state of one stream between calls."""

    def __init__(self, stream: str, chunks: Iterable[Chunk]) -> None:
        self._stream, self._source = stream, iter(chunks)
        self._unacknowledged: deque[Chunk] = deque()
        self._is_exhausted = False
        self._failure: Exception | None = None
        self.acknowledged = 0

    @property
    def is_done(self) -> bool:
        """Whether the source has ended and all of it is held; raises what the source raised."""
        if self._failure is not None:
            raise self._failure
        return self._is_exhausted and not self._unacknowledged

    def send_some(self, client: flight.FlightClient, options: flight.FlightCallOptions) -> None:
        """One call: what lacks its acknowledgement, then more of the source."""
        again = list(self._unacknowledged)
        if not again and (first := self._pulled()) is not None:
            again = [first]
        if not again:
            return
        descriptor = flight.FlightDescriptor.for_command(self._stream.encode())
        writer, answers = client.do_put(descriptor, WIRE, options)
        try:
            self._write(again, writer, answers)
        finally:
            # Closing brings out a refusal, which says more than the broken write before it.
            writer.close()

    def _write(self, again: list[Chunk], writer: Any, answers: Any) -> None:
        for chunk in again:
            self._write_one(chunk, writer)
        ends = monotonic() + LASTING
        while monotonic() < ends:
            if len(self._unacknowledged) == UNDER_WAY:
                self._read_acknowledgement(answers)
            chunk_or_end = self._pulled()
            if chunk_or_end is None:
                break
            self._write_one(chunk_or_end, writer)
        writer.done_writing()
        while self._unacknowledged:
            self._read_acknowledgement(answers)

    def _pulled(self) -> Chunk | None:
        """The next chunk of the source, which from then on is kept until it is acknowledged."""
        if self._is_exhausted:
            return None
        try:
            chunk = next(self._source, None)
        except Exception as error:
            # A failing source must not look like a broken connection, which is tried again.
            chunk, self._failure = None, error
        if chunk is None:
            self._is_exhausted = True
        else:
            self._unacknowledged.append(chunk)
        return chunk

    def _write_one(self, chunk: Chunk, writer: Any) -> None:
        place = Place(self._stream, chunk.number, chunk.last)
        writer.write_with_metadata(to_batch(chunk.data), place.to_bytes())

    def _read_acknowledgement(self, answers: Any) -> None:
        if answers.read() is None:
            raise Lost
        self._unacknowledged.popleft()
        self.acknowledged += 1

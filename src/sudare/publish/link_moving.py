"""How rows get from an organisation to the collector: its own are sent, the others' raised and sent
on; where the next one cannot be called they are laid out, and it fetches them.

Claim    a chunk that is sent again is the same bytes: own rows lie on the disk, and a relay's are a
         function of what lies there and of its exponent.
Rule     once the collector has everything, nothing more is sent: the others may have deleted, and
         gone, while this organisation was cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from sudare.facts.errors import SudareError
from sudare.facts.link_plan import LinkPlan
from sudare.link.packets import Sum, packed, unpacked
from sudare.link.pseudonyms import raised
from sudare.link.ring import Leg, laid_stream, own_leg, relayed
from sudare.publish.link_rows import Progress
from sudare.publish.link_threads import AtOnce
from sudare.publish.link_watch import Watch
from sudare.wires.calling import Caller
from sudare.wires.chunks import Chunk
from sudare.wires.folder import Folder

# How long threads that were told to stop may take.
_STOPPING = 5.0


class Moving:
    """The streams that one organisation sends, takes and sends on. `caller_of` gives a line to a
    party, None being the collector."""

    def __init__(
        self,
        plan: LinkPlan,
        folder: Folder,
        caller_of: Callable[[str | None], Caller],
        progress: Progress,
    ) -> None:
        self._plan, self._folder, self._name = plan, folder, folder.identity.name
        self._mail, self._caller_of, self._progress = folder.mailbox, caller_of, progress

    def run(self, exponent: bytes, watch: Watch, stop: Callable[[SudareError], None]) -> None:
        """Move everything at once, until all is moved or the collector has it."""
        if watch.is_collected:
            return
        jobs: list[Callable[[], None]] = [self._send_own]
        listens = self._plan.party(self._name).address is not None
        for taken, out in relayed(self._plan, self._name):
            jobs.append(partial(self._relay, taken, out, exponent))
            if not listens:
                jobs.append(partial(self._fetch, taken))
        moving = AtOnce(jobs)
        failed = moving.run(lambda: watch.is_collected or watch.error is not None)
        if failed is None:
            return
        # A neighbour that has deleted refuses what it had before: then the collector has it too.
        watch.again()
        if not watch.is_collected:
            stop(failed)
            moving.join(_STOPPING)
            raise failed

    def log(self) -> None:
        """Write down what moved, as far as a run that was cut off has not."""
        own = own_leg(self._plan, self._name)
        self._log_sent("sent", own, laid_stream(self._plan, self._name))
        for taken, out in relayed(self._plan, self._name):
            if not self._folder.has_logged("received", stream=taken.stream):
                total = self._total(taken.stream)
                self._folder.log_once(
                    "received", stream=taken.stream, of=taken.sender, **_facts(total)
                )
            self._log_sent("forwarded", out, taken.stream)

    def _log_sent(self, kind: str, leg: Leg, stream: str) -> None:
        if not self._folder.has_logged(kind, stream=leg.stream):
            to = self._plan.collector if leg.receiver is None else leg.receiver
            total = self._total(stream)
            self._folder.log_once(kind, stream=leg.stream, to=to, **_facts(total))

    def _total(self, stream: str) -> Sum:
        total = Sum()
        for chunk in self._mail.chunks(stream):
            total.add(unpacked(chunk.data)[1])
        return total

    def _send_own(self) -> None:
        laid = laid_stream(self._plan, self._name)

        def chunks(start: int) -> Iterator[Chunk]:
            rows = 0
            for chunk in self._mail.chunks(laid, start):
                yield chunk
                rows += len(unpacked(chunk.data)[0])
                self._progress("sending", rows, None)

        leg = own_leg(self._plan, self._name)
        self._deliver(leg, chunks)
        self._log_sent("sent", leg, laid)

    def _relay(self, taken: Leg, out: Leg, exponent: bytes) -> None:
        total = Sum()

        def chunks(start: int) -> Iterator[Chunk]:
            for chunk in self._mail.chunks(taken.stream):
                points, sealed = unpacked(chunk.data)
                total.add(sealed)
                if chunk.number >= start:
                    data = packed(raised(points, exponent), sealed)
                    yield Chunk(chunk.number, data, chunk.last)
                self._progress("raising", total.rows, None)

        self._deliver(out, chunks)
        to = self._plan.collector if out.receiver is None else out.receiver
        self._folder.log_once("received", stream=taken.stream, of=taken.sender, **_facts(total))
        self._folder.log_once("forwarded", stream=out.stream, to=to, **_facts(total))

    def _deliver(self, leg: Leg, chunks: Callable[[int], Iterator[Chunk]]) -> None:
        """Send to whoever listens, else lay it out to be fetched."""
        receiver = leg.receiver
        if receiver is not None and self._plan.party(receiver).address is None:
            for chunk in chunks(self._mail.held(leg.stream)):
                self._mail.put(leg.stream, chunk.number, chunk.data, chunk.last)
            return
        caller = self._caller_of(receiver)
        caller.send(leg.stream, chunks(caller.held(leg.stream)))

    def _fetch(self, taken: Leg) -> None:
        """Bring a stream that the predecessor laid out."""
        if self._mail.is_complete(taken.stream):
            return
        held = self._mail.held(taken.stream)
        for chunk in self._caller_of(taken.sender).fetch(taken.stream, held):
            self._mail.put(taken.stream, chunk.number, chunk.data, chunk.last)


def _facts(total: Sum) -> dict[str, int | str]:
    return {"rows": total.rows, "sha256": total.hexdigest()}

"""What collector and helper say to each other: masked rows, then cells with noise.

Claim    every message is on the sender's disk, or made of what is, before it is sent, and is the
         same bytes when it is sent again; noise is drawn once.
Needs    both sides have compared the digests of their common rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Thread

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile
from sudare.link.aligning import Alignment, align
from sudare.link.secure import Computing, Side, opened
from sudare.link.secure_plan import SecureLink
from sudare.link.triples import Masks
from sudare.publish.link_files import session_bytes
from sudare.publish.link_rows import Progress
from sudare.publish.link_shares import Halves
from sudare.randomness.bits import SystemBits
from sudare.wires.calling import Caller
from sudare.wires.chunks import Chunk
from sudare.wires.folder import Folder

CORRECTIONS, SECRET_BYTES = "corrections", 32
_OTHER: dict[Side, Side] = {"collector": "helper", "helper": "collector"}
_SECRET, _PROTECTED = "masks", "protected"
# Waits until something is there; raises what ended the session.
Until = Callable[[Callable[[], bool]], None]


def aligned(link: SecureLink, halves: Halves) -> Alignment:
    """The common rows, unless they are more than the sums were planned for."""
    found = align(halves.points)
    if found.count > link.job.rows:
        raise InvalidFile(
            "More people are common to all organisations than the plan allows.",
            "Raise max_rows in link.toml, and begin a new session.",
        )
    return found


def masked_stream(side: Side) -> str:
    return f"masked-{side}"


def protected_stream(side: Side) -> str:
    return f"protected-{side}"


def keep_secret(folder: Folder, secret: bytes) -> bool:
    """Keep what the dealer gave; False for anything but 32 bytes, or for others than before."""
    return len(secret) == SECRET_BYTES and folder.keep(_SECRET, secret) == secret


def has_secret(folder: Folder) -> bool:
    return folder.secret(_SECRET) is not None


def patiently(action: Callable[[], None], until: Until) -> None:
    """Do what may wait for another host, and leave it where the session ends meanwhile."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            action()
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    until(lambda: not thread.is_alive())
    if failed:
        raise failed[0]


@dataclass(frozen=True)
class Exchange:
    """One of the two sides, and its line to the other."""

    side: Side
    link: SecureLink
    folder: Folder
    other: Caller
    until: Until
    progress: Progress

    def cells(self, halves: Halves, common: Alignment) -> NDArray[np.int64]:
        """The opened cells; every step may have been done before."""
        self.until(lambda: has_secret(self.folder))
        secret = self.folder.secret(_SECRET) or b""
        masks = Masks(self.link.job, secret, session_bytes(self.link.plan))
        computing = Computing(self.side, masks, common.together(halves.words))
        self._send(masked_stream(self.side), lambda start: _masked(computing, start))
        self._add_all(computing)
        own = self.folder.secret(_PROTECTED) or self.folder.keep(
            _PROTECTED, computing.protected(SystemBits())
        )
        self._send(protected_stream(self.side), lambda start: iter([Chunk(0, own, True)][start:]))
        other = self._received(protected_stream(_OTHER[self.side]))
        return opened(self.link.job, own, next(other))

    def _add_all(self, computing: Computing) -> None:
        shown = self._received(masked_stream(_OTHER[self.side]))
        dealt: Iterator[bytes | None] = iter([None] * computing.chunks)
        if self.side == "helper":
            dealt = self._received(CORRECTIONS)
        for chunk, (message, correction) in enumerate(zip(shown, dealt, strict=True)):
            computing.add(chunk, message, correction)
            self.progress("computing", chunk + 1, computing.chunks)

    def _send(self, stream: str, chunks: Callable[[int], Iterator[Chunk]]) -> None:
        def send() -> None:
            self.other.send(stream, chunks(self.other.held(stream)))

        patiently(send, self.until)

    def _received(self, stream: str) -> Iterator[bytes]:
        """The chunks of a stream, once all are there."""
        self.until(lambda: self.folder.mailbox.is_complete(stream))
        for chunk in self.folder.mailbox.chunks(stream):
            yield bytes(chunk.data)


def _masked(computing: Computing, start: int) -> Iterator[Chunk]:
    for number in range(start, computing.chunks):
        yield Chunk(number, computing.masked(number), number == computing.chunks - 1)

"""Where chunks wait: on the disk, each whole or not there.

Claim    When `put` returns, the chunk survives any crash; the same chunk again changes nothing;
         another content in its place is refused. A reader sees every chunk once and in order.
Rule     A chunk is the file stream/000012.chunk, or .last for the last one of its stream.
Needs    one process at a time for a folder; durable files as in `files`.
Gaps     A chunk's content is not checked again when it is read: the disk is trusted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Condition

from sudare.facts.errors import SudareError
from sudare.wires.chunks import MAX_BYTES, Chunk, Content, Place, check_stream
from sudare.wires.direct import read_content, write_content
from sudare.wires.files import private_folder, put_durably
from sudare.wires.refusals import refusal
from sudare.wires.streams import Stream, delete, scanned

# How long a reader sleeps before it looks again whether it should still wait.
_GLANCE = 0.2
_MODE = 0o600


class Mailbox:
    """The streams of one session in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = private_folder(folder)
        self._changed = Condition()
        self._abort: SudareError | None = None
        self._streams = {
            each.name: scanned(each) for each in sorted(folder.iterdir()) if each.is_dir()
        }

    def put(self, stream: str, number: int, data: Content, last: bool) -> None:
        """Keep a chunk durably; refuse one that contradicts what is held."""
        place = Place(stream, number, last)
        view = memoryview(data).cast("B")
        if view.nbytes > MAX_BYTES:
            raise refusal("size")
        if not self._claim(place):
            self._check_same(place, view)
            return
        try:
            put_durably(self._path(place), lambda part: write_content(part, view, _MODE))
        except BaseException:
            self._settle(place, is_held=False)
            raise
        self._settle(place, is_held=True)

    def chunks(
        self, stream: str, start: int = 0, is_wanted: Callable[[], bool] = lambda: True
    ) -> Iterator[Chunk]:
        """Chunk after chunk from `start`, waiting for those not there yet; ends after the last
        one, or when nobody wants more."""
        number = start
        while self._awaited(stream, number, is_wanted):
            chunk = self._read(stream, number)
            yield chunk
            if chunk.last:
                return
            number += 1

    def held(self, stream: str) -> int:
        """The number of the first chunk that is missing."""
        with self._changed:
            return self._stream(stream).first_missing

    def is_complete(self, stream: str) -> bool:
        """Whether every chunk up to the last one is held."""
        with self._changed:
            return self._stream(stream).is_complete

    def digest(self, stream: str) -> str:
        """SHA-256 over the lengths and contents of the chunks held from the first, in order."""
        found = hashlib.sha256()
        for number in range(self.held(stream)):
            data = self._read(stream, number).data
            found.update(len(data).to_bytes(8, "big"))
            found.update(data)
        return found.hexdigest()

    def abort(self, error: SudareError) -> None:
        """Have everybody who waits for a chunk, now or later, get this error."""
        with self._changed:
            self._abort = error
            self._changed.notify_all()

    def forget(self, stream: str | None = None) -> None:
        """Delete the chunks of a stream, or of all; it never takes chunks again."""
        with self._changed:
            names = [check_stream(stream)] if stream is not None else list(self._streams)
            for name in names:
                self._forget(name)

    def _stream(self, stream: str) -> Stream:
        return self._streams.setdefault(check_stream(stream), Stream())

    def _forget(self, name: str) -> None:
        known = self._stream(name)
        known.forgotten = True
        # A chunk that is just being written must not appear after the deletion.
        while known.claimed - known.held:
            self._changed.wait(_GLANCE)
        delete(private_folder(self._folder / name))
        known.held.clear()
        known.claimed.clear()
        self._changed.notify_all()

    def _claim(self, place: Place) -> bool:
        """Whether the caller shall write the chunk; False if it is held already."""
        with self._changed:
            known = self._stream(place.stream)
            while place.number in known.claimed - known.held:
                self._changed.wait(_GLANCE)
            if known.forgotten:
                raise refusal("closed")
            if place.number in known.held:
                return False
            if not known.takes(place):
                raise refusal("closed")
            known.claimed.add(place.number)
            known.last = place.number if place.last else known.last
            private_folder(self._folder / place.stream)
            return True

    def _settle(self, place: Place, is_held: bool) -> None:
        with self._changed:
            known = self._stream(place.stream)
            if is_held:
                known.held.add(place.number)
            else:
                known.claimed.discard(place.number)
                known.last = None if place.last else known.last
            self._changed.notify_all()

    def _check_same(self, place: Place, view: memoryview) -> None:
        held = self._read(place.stream, place.number)
        if held.last != place.last or held.data != view:
            raise refusal("replay")

    def _awaited(self, stream: str, number: int, is_wanted: Callable[[], bool]) -> bool:
        with self._changed:
            known = self._stream(stream)
            while number not in known.held and is_wanted():
                if self._abort is not None:
                    raise self._abort
                if not known.forgotten and known.last is not None and number == known.last + 1:
                    # Whoever goes on after the last chunk has had everything.
                    return False
                if known.forgotten or (known.last is not None and number > known.last):
                    raise refusal("closed")
                self._changed.wait(_GLANCE)
            return number in known.held

    def _read(self, stream: str, number: int) -> Chunk:
        for last in (False, True):
            path = self._path(Place(stream, number, last))
            try:
                return Chunk(number, read_content(path), last)
            except OSError:
                continue
        raise refusal("closed")

    def _path(self, place: Place) -> Path:
        kind = "last" if place.last else "chunk"
        return self._folder / place.stream / f"{place.number:06d}.{kind}"

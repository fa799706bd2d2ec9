"""What a mailbox knows of one stream, and how it finds that on the disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sudare.wires.chunks import Place
from sudare.wires.files import PART, sync_folder, write_durably

_FORGOTTEN = "forgotten"


@dataclass
class Stream:
    """What is known of a stream: chunks being written or held, those held, the last number."""

    claimed: set[int] = field(default_factory=set)
    held: set[int] = field(default_factory=set)
    last: int | None = None
    forgotten: bool = False

    @property
    def is_complete(self) -> bool:
        return self.last is not None and len(self.held) == self.last + 1

    @property
    def first_missing(self) -> int:
        return next(number for number in range(len(self.held) + 1) if number not in self.held)

    def takes(self, place: Place) -> bool:
        """Whether a new chunk may lie there, seen from the end of the stream."""
        if self.last is not None:
            return place.number < self.last and not place.last
        return not place.last or all(number < place.number for number in self.claimed)


def scanned(folder: Path) -> Stream:
    """A stream as the last process left it; what that one had not finished is dropped."""
    for part in folder.glob("*" + PART):
        part.unlink()
    found = Stream(forgotten=(folder / _FORGOTTEN).exists())
    if found.forgotten:
        # The process may have ended between the mark and the last deletion.
        delete(folder)
        return found
    numbers = {int(each.stem): each.suffix == ".last" for each in folder.glob("*.[cl]*")}
    found.held, found.claimed = set(numbers), set(numbers)
    found.last = next((number for number, last in numbers.items() if last), None)
    return found


def delete(folder: Path) -> None:
    """Delete the chunks of a stream for good."""
    # The mark comes first, so that a crash in between cannot make the stream look fresh.
    write_durably(folder / _FORGOTTEN, b"")
    for path in folder.iterdir():
        if path.name != _FORGOTTEN:
            path.unlink()
    sync_folder(folder)

"""The one way files leave the house: as a set, whole or not at all, and never over an input.

    with OutputSet((table, stated, page), inputs, force=force) as files:
        release = …                        # everything that is refused was refused by now
        files.charged(release.id, ledger)
        write(files.place(table))          # an engine's writer takes a path
        files.write(page, text)
        files.write(stated, certificate(files.digests()))
        files.finish()

Claim    before the block begins, an output that is an input, exists without `force`, cannot be
         written or belongs to another run is refused; after it, all files stand under their names
         or none does, whatever happens to the process, and what was there before is there until
         then (output_staging.py). A block that ends without `finish` leaves nothing behind.
Rule     companions get their names first, the first name of the set, its main file, last.
Gaps     a program that makes a file of the same name in the instant between the last look and the
         rename, with `force`, loses it.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from sudare.facts.address import shown
from sudare.facts.errors import NotWritten, UsageError
from sudare.publish.output_guard import (
    Input,
    check_inputs,
    check_kind,
    check_names,
    data_of,
    ledger_of,
)
from sudare.publish.output_staging import HELD, PART, Blocked, Listed, Staging, others, sweep
from sudare.publish.released_files import release_beside
from sudare.wires.files import sync_folder

__all__ = ["Beside", "Input", "OutputSet", "data_of", "ledger_of"]

_T = TypeVar("_T")
# Enough to notice that a disk is full or may only be read.
_PROBE = bytes(2**16)
_PROBED = ".sudare-probe"


def _never() -> bool:
    return False


@dataclass(frozen=True)
class Charged:
    """What was paid before the files are written, and whether the ledger can give it again."""

    release: str
    ledger: str | Path | None
    is_stored: bool = True


class OutputSet:
    """Files of one folder; none at all is allowed. `is_again` says whether the run only repeats
    what was released before: then what is there may stay, if it is the same."""

    def __init__(
        self,
        names: Iterable[str | Path],
        inputs: Iterable[Input] = (),
        *,
        force: bool = False,
        is_again: Callable[[], bool] = _never,
    ) -> None:
        self.names = tuple(Path(name) for name in names)
        self._inputs, self._force, self._is_again = tuple(inputs), force, is_again
        self._staging: Staging | None = None
        self._made: list[Path] = []
        self._charged: Charged | None = None
        # The release whose files stood under these names, where `force` replaces them.
        self.replaces: str | None = None

    def __enter__(self) -> Self:
        if self.names:
            self._check()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._undo()
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError) and self.names:
            raise self._not_written(error) from None

    def charged(
        self, release: str, ledger: str | Path | None = None, *, is_stored: bool = True
    ) -> None:
        """From now on an error says that this was paid and how it is had again."""
        self._charged = Charged(release, ledger, is_stored)

    def place(self, name: Path) -> Path:
        """Where a file of the set is written meanwhile; it ends as its name does."""
        return self._begun.path / self._known(name).name

    def write(self, name: Path, text: str | bytes | Iterable[str]) -> None:
        """Stage a file with this content."""
        if isinstance(text, bytes):
            self.place(name).write_bytes(text)
            return
        with self.place(name).open("w", encoding="utf-8", newline="") as file:
            file.writelines((text,) if isinstance(text, str) else text)

    def adopt(self, name: Path, made: Path) -> None:
        """Stage a file that was made elsewhere in the folder, and leave it there."""
        place = self.place(name)
        try:
            os.link(made, place)
        except OSError:
            shutil.copyfile(made, place)

    def digests(self) -> dict[str, str]:
        """The SHA-256 of every file staged so far, by its name."""
        staged = [name for name in self.names if self.place(name).exists()]
        return {name.name: digest_of(self.place(name)) for name in staged}

    def hold(self, release: str, ledger: str) -> None:
        """Have what is staged on the disk, complete and not to be seen, until the ledger has
        committed the release; `ledger` is the first hash of its chain."""
        self._begun.hold(self._file_names(), release, ledger)

    def withdraw(self) -> None:
        """What is held was not committed."""
        self._begun.discard()

    def finish(self) -> list[Path]:
        """Give the staged files their names; what they are."""
        if not self.names:
            return []
        written = [name for name in self.names if self.place(name).exists()]
        for folder in self._made:
            sync_folder(folder.parent)
        try:
            self._begun.publish(self._file_names())
        except Blocked as blocked:
            raise self._in_the_way(blocked.path) from None
        self._made = []
        return written

    @property
    def _begun(self) -> Staging:
        assert self._staging is not None, "the set was not entered"
        return self._staging

    @property
    def _folder(self) -> Path:
        return self.names[0].parent

    def _file_names(self) -> Sequence[str]:
        return [name.name for name in self.names]

    def _known(self, name: Path) -> Path:
        assert name in self.names, f"{name} is not of this set"
        return name

    def _check(self) -> None:
        assert len({name.parent for name in self.names}) == 1, "a set has one folder"
        check_names(self.names)
        check_inputs(self.names, self._inputs)
        try:
            self._begin()
            self._check_others()
            self._check_there()
        except BaseException:
            self._undo()
            raise

    def _begin(self) -> None:
        try:
            self._made = _make_folders(self._folder)
            sweep(self._folder)
            listed = Listed(tuple(self._file_names()), self._force)
            self._staging = Staging.begin(self._folder, listed)
            _probe(self._staging.path / _PROBED)
        except OSError:
            raise UsageError(
                f"Nothing can be written to {self._folder}.",
                "Name another place with --output.",
                place=self._folder,
            ) from None

    def _check_others(self) -> None:
        """Two runs that write one file would mix their sets."""
        for path, listed in others(self._folder, self._begun.path):
            shared = set(listed.names) & set(self._file_names())
            if not shared:
                continue
            name = self._folder / min(shared)
            if path.suffix == HELD:
                raise UsageError(
                    f"{name} waits for release {listed.release} of another ledger.",
                    f"Finish it: `sudare ledger release {listed.release} --ledger … -o {name}`.",
                    place=name,
                )
            raise UsageError(
                f"{name} is being written by another run.",
                f"Wait for it to end. If none is left, {path} has what it had complete.",
                place=(name, path),
            )

    def _check_there(self) -> None:
        for name in self.names:
            check_kind(name)
        there = [name for name in self.names if os.path.lexists(name)]
        if not there:
            return
        release = release_beside(self.names)
        if self._force:
            self.replaces = release
            return
        if self._is_again():
            return
        again = ""
        if release is not None:
            again = f" It belongs to release {release}, which `sudare ledger release` shows again."
        raise UsageError(
            f"{there[0]} is there already.",
            f"Name another file with --output, or add --force to replace it.{again}",
            place=there[0],
        )

    def _in_the_way(self, path: Path) -> UsageError:
        """Somebody made a file of this name meanwhile, or the repeated run would differ."""
        self._keep()
        return UsageError(
            f"{path} is there already, with something else in it.",
            f"Name another file with --output, or add --force to replace it.{self._paid()}",
            place=path,
        )

    def _keep(self) -> None:
        """What is held or ready is the only copy, and waits."""
        if self._staging is not None and self._staging.state != PART:
            self._staging.leave()
            self._staging, self._made = None, []

    def _undo(self) -> None:
        self._keep()
        if self._staging is not None:
            self._staging.discard()
            self._staging = None
        for folder in reversed(self._made):
            with suppress(OSError):
                folder.rmdir()
        self._made = []

    def _not_written(self, error: OSError) -> NotWritten:
        why = os.strerror(error.errno) if error.errno else type(error).__name__
        if self._charged is None:
            return NotWritten(
                f"The files could not be written ({why}).",
                "Nothing was charged. Free space or name another place with --output, then run it "
                "again.",
            )
        return NotWritten(
            f"The files of release {self._charged.release} could not be written ({why}).",
            f"{self._paid().strip()}",
            place=str(self.names[0]),
        )

    def _paid(self) -> str:
        if self._charged is None:
            return ""
        if not self._charged.is_stored:
            return (
                " What was charged stays charged, and nothing was released. Run it again under "
                "another key, which is charged anew."
            )
        return f" What was charged stays charged; once it can be written: `{self._fetch()}`."

    def _fetch(self) -> str:
        """The command that writes the release once more, unpaid."""
        assert self._charged is not None
        words = ["sudare", "ledger", "release", self._charged.release]
        if self._charged.ledger is not None:
            words += ["--ledger", shown(self._charged.ledger)]
        return shlex.join([*words, "-o", str(self.names[0])])


@dataclass(frozen=True)
class Beside(Generic[_T]):
    """What is written beside a job's own file: the names, and who stages them once the result is
    known."""

    names: tuple[Path, ...] = ()
    stage: Callable[[_T, OutputSet], None] = lambda result, files: None


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder and what leads to it; which of them were not there."""
    made: list[Path] = []
    missing = [each for each in (folder, *folder.parents) if not each.is_dir()]
    try:
        for each in reversed(missing):
            each.mkdir()
            made.append(each)
    except OSError:
        for each in reversed(made):
            with suppress(OSError):
                each.rmdir()
        raise
    return made


def _probe(path: Path) -> None:
    with path.open("wb") as file:
        file.write(_PROBE)
        file.flush()
        os.fsync(file.fileno())
    path.unlink()

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

from sudare.facts.address import is_address, shown
from sudare.facts.errors import NotWritten, UsageError
from sudare.publish.output_guard import (
    Input,
    check_inputs,
    check_kind,
    check_names,
    inputs_of,
)
from sudare.publish.output_staging import (
    HELD,
    PART,
    Blocked,
    Listed,
    Staging,
    is_same,
    others,
    sweep,
)
from sudare.publish.released_files import release_beside
from sudare.wires.files import sync_folder

__all__ = ["Beside", "Input", "OutputSet", "digest_of", "inputs_of"]

_T = TypeVar("_T")
# Enough to notice that a disk is full or may only be read.
_PROBE = bytes(2**16)
_PROBED = ".sudare-probe"


def _never() -> bool:
    return False


@dataclass(frozen=True)
class Charged:
    """What was paid before the files are written: the command that has the ledger give it again,
    if it can, and the one that goes on from there."""

    release: str
    fetch: str | None
    then: str = ""


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
        self,
        release: str,
        ledger: str | Path | None = None,
        output: Path | None = None,
        *,
        then: str = "",
    ) -> None:
        """From now on an error says that this was paid, and how `output` is had again; without one
        it is not."""
        fetch = None if output is None else _fetching(release, ledger, output)
        self._charged = Charged(release, fetch, then)

    def add(self, name: Path) -> None:
        """One more file, known only now; it goes before the main one like all companions."""
        if name in self.names:
            return
        assert name.parent == self._folder, "a set has one folder"
        check_names((*self.names, name))
        check_inputs((name,), self._inputs)
        self._check_there((name,))
        self.names = (*self.names, name)

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

    def finish(self) -> list[Path]:
        """Give the staged files their names; those that were not there."""
        if not self.names:
            return []
        self._keep_there()
        staged = [name for name in self.names if self.place(name).exists()]
        written = [name for name in staged if self._force or not os.path.lexists(name)]
        for folder in self._made:
            sync_folder(folder.parent)
        try:
            self._begun.publish(self._file_names())
        except Blocked as blocked:
            raise self._in_the_way(blocked.path) from None
        self._made = []
        return written

    @property
    def is_of_reports(self) -> bool:
        """Whether what is paid for is a file of reports, which exists once."""
        return self.names[0].suffix.lower() in (".parquet", ".pq")

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
            self._check_there(self.names)
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

    def _check_there(self, names: Sequence[Path]) -> None:
        for name in names:
            check_kind(name)
        there = [name for name in names if os.path.lexists(name)]
        if not there:
            return
        release = release_beside(names)
        if self._force:
            self.replaces = release
            return
        if self._is_again():
            return
        again = ""
        if release is not None and self.is_of_reports:
            again = f" It belongs to release {release}, whose reports no ledger holds."
        elif release is not None:
            again = f" It belongs to release {release}, which `sudare ledger release` shows again."
        raise UsageError(
            f"{there[0]} is there already.",
            f"Name another file with --output, or add --force to replace it.{again}",
            place=there[0],
        )

    def _keep_there(self) -> None:
        """Where the main file is there already, byte for byte, what stands beside it stays."""
        main, *companions = self.names
        if self._force or not self.place(main).exists() or not is_same(self.place(main), main):
            return
        for name in companions:
            if os.path.lexists(name):
                self.place(name).unlink(missing_ok=True)

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
            self._paid().strip(),
        )

    def _paid(self) -> str:
        if self._charged is None:
            return ""
        if self._charged.fetch is None:
            return (
                " What was charged stays charged, and nothing was released. Run it again under "
                "another key, which is charged anew."
            )
        then = f", then `{self._charged.then}`" if self._charged.then else ""
        return f" What was charged stays charged; fetch it again: `{self._charged.fetch}`{then}."


@dataclass(frozen=True)
class Beside(Generic[_T]):
    """What is written beside a job's own file: the names, who stages them once the result is known,
    and who hears when the set is begun and which files it wrote."""

    names: tuple[Path, ...] = ()
    stage: Callable[[_T, OutputSet], None] = lambda result, files: None
    begun: Callable[[OutputSet], None] = lambda files: None
    wrote: Callable[[list[Path]], None] = lambda paths: None


def _fetching(release: str, ledger: str | Path | None, output: Path) -> str:
    """The command that writes a release once more, unpaid."""
    words = ["sudare", "ledger", "release", release]
    if ledger is not None and not _is_found(ledger):
        words += ["--ledger", shown(ledger)]
    return shlex.join([*words, "-o", str(output)])


def _is_found(ledger: str | Path) -> bool:
    """Whether commands find this ledger without its name: it is the only one here."""
    if is_address(ledger):
        return False
    here = [each.resolve() for each in Path().glob("*.ledger")]
    return here == [Path(ledger).resolve()]


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

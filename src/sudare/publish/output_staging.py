"""Folders beside the final names, in which the files of a set are made.

Claim    whatever cuts a run off, the files of its set are all under their names, or they are once
         the next run has begun to write into that folder, or none of them is there.
Rule     `….sudare-part` is in work. All files and the folder are synced, then it is renamed to
         `….sudare-ready`: from then on the set counts as written, and whoever comes next moves its
         files to their names. `….sudare-held` is as complete, and waits for the ledger: only who
         knows whether its release was committed may make it ready, or take it away.
         Whose process is alive holds a lock in the folder; the others were cut off.
Needs    a file system whose renames are atomic and that honours fsync. Where it has no locks, what
         was cut off is left alone.
Gaps     none known.
"""

from __future__ import annotations

import errno
import fcntl
import filecmp
import json
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sudare.facts.reading import read_json
from sudare.wires.files import sync_folder

PART, HELD, READY = ".sudare-part", ".sudare-held", ".sudare-ready"
_LOCK, _LIST = ".sudare-lock", ".sudare-list.json"
RESERVED = frozenset({_LOCK, _LIST})
# Of a name of at most 255 bytes the folder's own signs take the rest.
_MOST_BYTES = 120


@dataclass(frozen=True)
class Listed:
    """What a folder says of its set: the names, the main file first; whether they may replace what
    is there; names that the set could have had and has not; the release it waits for, and the
    first hash of the ledger that has it."""

    names: tuple[str, ...]
    force: bool = False
    dropped: tuple[str, ...] = ()
    release: str | None = None
    ledger: str | None = None

    def to_json(self) -> str:
        return json.dumps({name: getattr(self, name) for name in self.__dataclass_fields__})

    @classmethod
    def of(cls, folder: Path) -> Listed | None:
        """None where the folder says nothing, or names what is not its own to name."""
        try:
            values: dict[str, Any] = read_json((folder / _LIST).read_bytes())
            names, dropped = tuple(values["names"]), tuple(values["dropped"])
            found = cls(names, values["force"] is True, dropped, values["release"],
                        values["ledger"])  # fmt: skip
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if all(_is_plain(name) for name in (*names, *dropped)) else None


class Blocked(Exception):
    """Another file stands under a name of a set that may replace nothing."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.name)
        self.path = path


class Staging:
    """One such folder, held by this process."""

    def __init__(self, path: Path, lock: int, listed: Listed) -> None:
        self.path, self._lock, self._listed = path, lock, listed

    @classmethod
    def begin(cls, folder: Path, listed: Listed) -> Staging:
        """An empty one in the folder where the files will be."""
        short = os.fsdecode(os.fsencode(listed.names[0])[:_MOST_BYTES])
        while True:
            path = folder / f".{short}.{os.getpid()}.{time.monotonic_ns()}{PART}"
            path.mkdir(mode=0o700)
            lock = _locked(path, is_own=True)
            if lock is not None:
                break
        found = cls(path, lock, listed)
        try:
            found._list()
        except BaseException:
            found.discard()
            raise
        return found

    @property
    def state(self) -> str:
        return self.path.suffix

    def hold(self, names: Sequence[str], release: str, ledger: str) -> None:
        """Complete, and on the disk before this returns; not yet to be seen."""
        self._seal(replace(self._sealed(names), release=release, ledger=ledger))
        self._become(HELD)

    def publish(self, names: Sequence[str]) -> None:
        """All files get their names, the main file last."""
        if self.state == PART:
            self._seal(self._sealed(names))
        for name in self._listed.names:
            _check_free(self.path / name, self.path.parent / name, self._listed.force)
        if self.state != READY:
            self._become(READY)
        move_out(self.path, self._listed)
        # All is where it belongs; what cannot be taken away goes with the next run.
        with suppress(OSError):
            self.path = _as_garbage(self.path)
            self.discard()

    def discard(self) -> None:
        """Nothing of it stays."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.leave()

    def leave(self) -> None:
        """It stays for whoever comes next."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _sealed(self, names: Sequence[str]) -> Listed:
        there = tuple(name for name in names if (self.path / name).exists())
        return replace(self._listed, names=there, dropped=tuple(set(names) - set(there)))

    def _seal(self, listed: Listed) -> None:
        self._listed = listed
        for name in listed.names:
            _sync(self.path / name)
        self._list()
        _sync(self.path / _LIST)
        sync_folder(self.path)

    def _list(self) -> None:
        (self.path / _LIST).write_text(self._listed.to_json(), encoding="utf-8")

    def _become(self, state: str) -> None:
        self.path = self.path.rename(self.path.with_suffix(state))
        sync_folder(self.path.parent)


def sweep(folder: Path) -> None:
    """Finish what runs that were cut off had complete, and take away what they had not."""
    for path in _folders(folder, PART, READY):
        lock = _locked(path)
        if lock is None:
            continue
        try:
            # What cannot be finished waits for the next run; it never stands in this one's way.
            with suppress(OSError, Blocked):
                _settle(path)
        finally:
            os.close(lock)


def settle_held(folder: Path, is_committed: Callable[[Listed], bool | None]) -> None:
    """Decide of complete sets that were cut off before or after their release was committed; where
    it is not known, they stay."""
    for path in _folders(folder, HELD):
        lock = _locked(path)
        if lock is None:
            continue
        try:
            listed = Listed.of(path)
            verdict = None if listed is None else is_committed(listed)
            if verdict is not None:
                _settle(path.rename(path.with_suffix(READY if verdict else PART)))
        except Blocked:
            # Ready all the same: it is moved once nothing is in its way.
            pass
        finally:
            os.close(lock)


def others(folder: Path, own: Path | None) -> Iterator[tuple[Path, Listed]]:
    """What lies in the folder and is not to be swept: of runs that are alive, that wait for their
    ledger, or that another file is in the way of."""
    for path in _folders(folder, PART, HELD, READY):
        listed = Listed.of(path) if path != own else None
        if listed is not None:
            yield path, listed


def move_out(path: Path, listed: Listed) -> None:
    """The files of a set that is ready to their names; what has moved already is not missed."""
    folder = path.parent
    for name in listed.names:
        _check_free(path / name, folder / name, listed.force)
    if listed.force:
        for name in listed.dropped:
            (folder / name).unlink(missing_ok=True)
    for name in reversed(listed.names):
        if (path / name).exists():
            _put(path / name, folder / name, listed.force)
    sync_folder(folder)


def _settle(path: Path) -> None:
    listed = Listed.of(path)
    if path.suffix == READY and listed is not None:
        move_out(path, listed)
        path = _as_garbage(path)
    if path.suffix == PART:
        shutil.rmtree(path, ignore_errors=True)


def _as_garbage(path: Path) -> Path:
    """A folder that is half taken away must not pass for a complete one."""
    return path.rename(path.with_suffix(PART))


def _check_free(staged: Path, final: Path, force: bool) -> None:
    if force or not os.path.lexists(final) or not staged.exists():
        return
    if not is_same(staged, final):
        raise Blocked(final)


def _put(staged: Path, final: Path, force: bool) -> None:
    if force:
        with suppress(FileNotFoundError):
            staged.chmod(stat.S_IMODE(final.stat().st_mode))
        os.replace(staged, final)
        return
    try:
        # Unlike a rename, a link never takes the place of a file made meanwhile.
        os.link(staged, final)
    except FileExistsError:
        _check_free(staged, final, force)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS):
            raise
        # A file system without links.
        _check_free(staged, final, force)
        os.rename(staged, final)


def is_same(one: Path, other: Path) -> bool:
    """Whether two files have the same bytes."""
    return other.is_file() and filecmp.cmp(one, other, shallow=False)


def _folders(folder: Path, *states: str) -> list[Path]:
    """Ours alone: in a folder of many users nobody makes this process move files for another."""
    found = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not (entry.name.startswith(".") and entry.name.endswith(states)):
                continue
            with suppress(OSError):
                facts = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid():
                    found.append(folder / entry.name)
    return found


def _locked(path: Path, is_own: bool = False) -> int | None:
    """The lock of a folder that nobody else holds and that is still there. Where the file system
    has no locks, only the folder's own maker gets one."""
    try:
        lock = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        if is_own and path.exists():
            raise
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_mine = True
    except OSError as error:
        is_mine = is_own and not isinstance(error, BlockingIOError)
    if is_mine and _is_at(lock, path / _LOCK):
        return lock
    os.close(lock)
    return None


def _is_at(lock: int, path: Path) -> bool:
    """Whether the lock is that of the folder still, and not of one taken away meanwhile."""
    try:
        return os.path.samestat(os.fstat(lock), path.stat())
    except OSError:
        return False


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _is_plain(name: object) -> bool:
    return isinstance(name, str) and name not in ("", ".", "..", *RESERVED) and "/" not in name

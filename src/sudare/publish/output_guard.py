"""What a command may not write over: what it reads, by name and by what lies on the disk.

A link to an input, or another name of the same file, is the input. `--force` changes nothing of
this: an input is never replaced.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from sudare.facts.address import is_address
from sudare.facts.errors import UsageError
from sudare.publish.output_staging import RESERVED

_SIGNS = "*?["
# What SQLite keeps beside a ledger.
_LOGS = ("-wal", "-shm", "-journal")


@dataclass(frozen=True)
class Input:
    """Something a job reads, and how it is called: "the data". What is no file of this machine
    (a dataframe, the address of a table) has nothing to be guarded."""

    what: str
    place: object

    def holds(self, path: Path) -> bool:
        """Whether this output would replace it, or a file in it where it is a folder, or would be
        read as a part of it the next time."""
        if not isinstance(self.place, str | os.PathLike) or is_address(self.place):
            return False
        named = os.fsdecode(os.fspath(self.place))
        if "://" in named:
            return False
        return any(_is(path, Path(each)) for each in (named, *_matching(named))) or _matches(
            path, named
        )


def inputs_of(
    data: object, schema: object = None, ledger: object = None, *plans: object
) -> tuple[Input, ...]:
    """What most jobs read; what is not there is left out."""
    found = (Input("the data", data), Input("the schema", schema), *_ledger_of(ledger))
    return (*found, *(Input("the plan", plan) for plan in plans))


def _ledger_of(ledger: object) -> tuple[Input, ...]:
    """A ledger with the logs beside it."""
    found = [Input("the ledger", ledger)]
    if isinstance(ledger, str | os.PathLike) and not is_address(ledger):
        place = os.path.realpath(os.fspath(ledger))
        found += [Input("the ledger's log", f"{os.fsdecode(place)}{end}") for end in _LOGS]
    return tuple(found)


def check_names(names: Iterable[Path]) -> None:
    """Each file of a set has a place of its own, and an ordinary one."""
    seen: set[str] = set()
    for path in names:
        place = os.path.join(os.path.realpath(path.parent), path.name)
        if place in seen:
            raise UsageError(
                f"Two files would be written to {path}.",
                "Name another file with --output.",
                place=path,
            )
        seen.add(place)
        if path.name in (*RESERVED, "", ".."):
            raise UsageError(
                f"{path} cannot be the name of a file.",
                "Name another file with --output.",
                place=path,
            )


def check_inputs(names: Iterable[Path], inputs: Iterable[Input]) -> None:
    """No output is an input."""
    known = tuple(inputs)
    for path in names:
        for each in known:
            if each.holds(path):
                raise UsageError(
                    f"The output {path} would replace {each.what}.",
                    "Name another file with --output.",
                    place=path,
                )


def check_kind(path: Path) -> None:
    """What stands under a name must be a file, also where it may be replaced; and no ledger, of
    whatever table: what it holds is had nowhere else."""
    if _is_ledger(path):
        raise UsageError(
            f"{path} belongs to a ledger, which is never written over.",
            "Name another file with --output.",
            place=path,
        )
    if os.path.lexists(path) and not (path.is_file() or path.is_symlink()):
        what = "a folder" if path.is_dir() else "no ordinary file"
        raise UsageError(
            f"{path} is {what} and cannot be written over.",
            "Name another file with --output, or move it away.",
            place=path,
        )


def _is_ledger(path: Path) -> bool:
    """Whether a file is a ledger of ours by its first bytes, or one of the logs beside one. The
    job's own is refused by name before: to open and close it would let go of SQLite's locks."""
    bare = str(path)
    for end in _LOGS:
        bare = bare.removesuffix(end)
    if not os.path.isfile(bare):
        # To open a pipe would wait for whoever writes into it.
        return False
    try:
        with open(bare, "rb") as file:
            head = file.read(72)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and head[68:72] == b"SuDa"


def _is(path: Path, known: Path) -> bool:
    real, theirs = os.path.realpath(path), os.path.realpath(known)
    if real == theirs:
        return True
    if real.startswith(theirs + os.sep):
        # Of a folder new files are no harm; a folder in the place of a file would be in its way.
        return not os.path.isdir(theirs) or os.path.lexists(path)
    try:
        return os.path.samefile(path, known)
    except OSError:
        return False


def _matching(named: str) -> Iterator[str]:
    if any(sign in named for sign in _SIGNS):
        yield from glob.glob(named, recursive=True)


def _matches(path: Path, pattern: str) -> bool:
    """Whether a new file would be one of those that a pattern names."""
    if not any(sign in pattern for sign in _SIGNS):
        return False
    real = os.path.realpath(path)
    folder, name = os.path.split(pattern)
    if "**" in folder or any(sign in folder for sign in _SIGNS):
        return fnmatch(real, os.path.abspath(pattern))
    return os.path.realpath(folder) == os.path.dirname(real) and fnmatch(path.name, name)

"""Which installed Python packages a program may import, found without running it.

Every package whose name stands in the program as a word, and what these require, as their
metadata says. A package that is named nowhere, such as one imported by a name that is put together,
is not there: an import of it fails as if it were not installed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from email.parser import HeaderParser

_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def words(text: bytes) -> set[str]:
    """All that could be a name in a program's bytes."""
    return {each.decode() for each in _WORD.findall(text)}


def installed(names: set[str], folders: Iterable[str]) -> set[str]:
    """The files and folders of the packages with these names, and of what they require."""
    known = [_Folder(each) for each in folders if os.path.isdir(each)]
    found: set[str] = set()
    rest, seen = [*names], set(names)
    while rest:
        name = rest.pop()
        for folder in known:
            paths, required = folder.package(name)
            found |= paths
            fresh = required - seen
            seen |= fresh
            rest += fresh
    return found


class _Folder:
    """One folder of packages. A name may be that of a module or that of a distribution."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._entries: dict[str, set[str]] = {}
        # What lies beside a module in the same distribution, and what that requires.
        self._owner: dict[str, str] = {}
        self._tops: dict[str, set[str]] = {}
        self._names = set(os.listdir(path))
        for entry in self._names:
            if entry.endswith((".dist-info", ".egg-info")):
                self._note(entry)
            elif not entry.endswith(".pth"):
                self._entries.setdefault(_module(entry), set()).add(entry)

    def _note(self, entry: str) -> None:
        name = _plain(entry.rpartition(".")[0].split("-")[0])
        tops = {entry, *self._recorded(entry)}
        self._tops[name] = tops
        for top in tops - {entry}:
            self._owner.setdefault(_module(top), name)

    def _recorded(self, entry: str) -> Iterator[str]:
        """The first part of every path that the distribution has put into this folder."""
        for file in ("RECORD", "top_level.txt"):
            for line in self._read(entry, file).splitlines():
                top = line.split(",")[0].split("/")[0].strip('"')
                if top and top not in ("..", "__pycache__", entry) and top in self._names:
                    yield top

    def _read(self, *parts: str) -> str:
        try:
            with open(os.path.join(self._path, *parts), encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError:
            return ""

    def package(self, name: str) -> tuple[set[str], set[str]]:
        """Paths of a module or a distribution, and the names of the distributions it needs."""
        owner = self._owner.get(name) or (_plain(name) if _plain(name) in self._tops else None)
        tops = set(self._entries.get(name, ()))
        if owner is not None:
            tops |= self._tops[owner]
        return {os.path.join(self._path, each) for each in tops}, self._required(owner)

    def _required(self, owner: str | None) -> set[str]:
        if owner is None:
            return set()
        entry = next(e for e in self._tops[owner] if e.endswith((".dist-info", ".egg-info")))
        text = self._read(entry, "METADATA") or self._read(entry, "PKG-INFO")
        lines = HeaderParser().parsestr(text).get_all("Requires-Dist") or []
        kept = [line for line in lines if "extra ==" not in line.partition(";")[2]]
        return {_plain(found.group()) for line in kept if (found := _NAME.match(line))}


def _module(entry: str) -> str:
    """The name by which a file or a folder would be imported."""
    return entry.split(".")[0]


def _plain(name: str) -> str:
    """A distribution's name in its one spelling."""
    return re.sub(r"[-_.]+", "_", name).lower()

"""What a block's process may see, as a list of files: programs and libraries that it may need.

Claim    the list depends on the program and on what is installed, not on a row; the table, its
         ledger and whatever else is `hidden` are not in it, under no name that they have.
How      a Python function gets this interpreter, its standard library, and the packages that
         packages.py finds. A command gets its program, the files that it names, the packages that
         its text imports, the programs that stand where its text has commands (naming.py), and what
         each of these needs.
Needs    that a program says what it uses. What is not in the list is as if it were not installed.
"""

from __future__ import annotations

import glob
import os
import stat
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from sudare.engines.sandbox.linking import libraries
from sudare.engines.sandbox.naming import kind_of_program, named_by_command, named_by_text
from sudare.engines.sandbox.packages import installed, words
from sudare.engines.sandbox.visible import is_visible

_OURS = Path(__file__).parents[2]
_ALWAYS = ("/etc/ld.so.cache", "/etc/localtime", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf")
_LOCALES = ("/usr/lib/locale/C.utf8", "/usr/lib/locale/C.UTF-8")
_MADE_UP = ("/proc/", "/sys/", "/dev/")
_ZONES = "/usr/share/zoneinfo"
# Parts of the standard library that no function of rows needs.
_LEFT_OUT = (
    "site-packages",
    "dist-packages",
    "test",
    "idlelib",
    "ensurepip",
    "turtledemo",
    "tkinter",
    "lib2to3",
)
_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
_PLACES = ("lib", "lib64", "libexec", "share", "lib/*-linux-gnu*")
# Programs whose files lie under another name.
_ALSO = {"Rscript": "R"}
_BESIDE_BIN = ("bin", "lib", "lib64", "libexec", "share")
_LONGEST_SCRIPT, _MOST_LINKS = 2**20, 40
# Scripts of the machine are read, and the scripts that those name are not.
_DEEPEST = 1


class Contents(NamedTuple):
    """Files and links by their own paths, in no folder that is a link; and how much that is."""

    files: tuple[str, ...]
    links: tuple[str, ...]
    size: int


def of_function(pickled: bytes, hidden: Iterable[str] = ()) -> Contents:
    """This Python and the packages that the function names."""
    found = _Found(hidden)
    found.add(sys.executable)
    found.add(os.path.join(sys.prefix, "pyvenv.cfg"))
    found.add(str(_OURS))
    _add_library({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}, found)
    for each in installed({"numpy", "cloudpickle", *words(pickled)}, _folders_of(sys.path)):
        found.add(each)
    return found.contents()


def of_command(argv: tuple[str, ...], files: Iterable[str], hidden: Iterable[str] = ()) -> Contents:
    """A program, what its command line names, and what these name."""
    found = _Found(hidden)
    found.add(_ZONES)
    first = named_by_command((os.path.basename(argv[0]), *argv[1:]))
    modules, programs = first.modules, first.programs
    kind = kind_of_program(argv[0])
    for each in files:
        found.add(each)
        named = named_by_text(_text(each), each, kind)
        modules, programs, kind = modules | named.modules, programs | named.programs, None
    rest = [(argv[0], 0), *((each, 0) for each in _programs(programs))]
    seen: set[str] = set()
    while rest:
        program, depth = rest.pop(0)
        if program in seen:
            continue
        seen.add(program)
        for place in {program, os.path.realpath(program)}:
            found.add(place)
            if kind_of_program(place) == "python":
                _add_python(place, modules, found)
            else:
                _add_beside(place, found)
        text = _text(program) if depth < _DEEPEST else b""
        if text.startswith(b"#!"):
            # A script starts what it names; what is installed names much that it may never start.
            named = named_by_text(text, program)
            rest += [(each, depth + 1) for each in _programs(named.programs | _readers(text))]
    return found.contents()


def _readers(text: bytes) -> set[str]:
    """The programs that a script's first line names."""
    first = text.partition(b"\n")[0][2:].decode("utf-8", "replace")
    return {os.path.basename(each) for each in first.split()[:2]}


class _Found:
    """Files as they are found; a link on the way to one is kept as a link."""

    def __init__(self, hidden: Iterable[str]) -> None:
        self._files: dict[str, int] = {}
        self._links: dict[str, None] = {}
        self._folders: set[str] = set()
        self._hidden, self._same = set(hidden), set()
        for each in self._hidden:
            if os.path.isfile(each):
                self._same.add(_identity(os.stat(each)))
        for each in (*_ALWAYS, *_LOCALES):
            self.add(each)

    def add(self, path: str, left_out: tuple[str, ...] = ()) -> None:
        """A file, a folder with all below it, or nothing where there is nothing."""
        path = _plain(os.path.abspath(path))
        # What the kernel makes up as it is read is no file to copy; a block has its own.
        if path.startswith(_MADE_UP):
            return
        real = self._reach(path)
        if real is None or real in self._hidden or real.startswith(_MADE_UP):
            return
        if os.path.isdir(real):
            self._add_folder(real, left_out)
        else:
            self._add_file(real)

    def contents(self) -> Contents:
        for each in libraries([path for path in self._files if _is_binary(path)]):
            self.add(each)
        return Contents(tuple(self._files), tuple(self._links), sum(self._files.values()))

    def _reach(self, path: str) -> str | None:
        """Where a path leads, with the links on its way noted."""
        for _ in range(_MOST_LINKS):
            link = next((each for each in _prefixes(path) if os.path.islink(each)), None)
            if link is None:
                return path if os.path.exists(path) else None
            self._links[link] = None
            target = os.path.join(os.path.dirname(link), os.readlink(link))
            path = _plain(os.path.normpath(target + path[len(link) :]))
        return None

    def _add_folder(self, folder: str, left_out: tuple[str, ...]) -> None:
        if folder in self._folders or folder == "/":
            return
        self._folders.add(folder)
        try:
            entries = list(os.scandir(folder))
        except OSError:
            return
        for entry in entries:
            if entry.name in left_out or entry.path in self._hidden:
                continue
            if entry.is_symlink():
                # Programs and libraries link to each other; a link to somewhere else stays open.
                if is_visible(os.path.realpath(entry.path)):
                    self.add(entry.path)
            elif entry.is_dir():
                self._add_folder(entry.path, ())
            else:
                self._add_file(entry.path)

    def _add_file(self, path: str) -> None:
        if path in self._files:
            return
        try:
            facts = os.stat(path)
        except OSError:
            return
        usable = stat.S_ISREG(facts.st_mode) and os.access(path, os.R_OK)
        if usable and _identity(facts) not in self._same:
            self._files[path] = facts.st_size


def _plain(path: str) -> str:
    """A path has one spelling: a second slash at its beginning would stay, and be a link twice."""
    return "/" + path.lstrip("/")


def _identity(facts: os.stat_result) -> tuple[int, int]:
    return facts.st_dev, facts.st_ino


def _is_binary(path: str) -> bool:
    """Whether a file may be a program or a library, by its name: most are texts or bytecode."""
    end = os.path.splitext(path)[1]
    return ".so" in os.path.basename(path) or end not in (".py", ".pyc", ".pyi", ".txt", ".json")


def _prefixes(path: str) -> Iterator[str]:
    parts = path.split("/")[1:]
    for count in range(1, len(parts) + 1):
        yield "/" + "/".join(parts[:count])


def _folders_of(paths: Iterable[str]) -> list[str]:
    return [each for each in paths if os.path.basename(each) in ("site-packages", "dist-packages")]


def _add_library(folders: Iterable[str], found: _Found) -> None:
    for folder in folders:
        static = [os.path.basename(each) for each in glob.glob(f"{folder}/config-*")]
        found.add(folder, (*_LEFT_OUT, *static))


def _add_python(program: str, texts: set[str], found: _Found) -> None:
    """An interpreter's library and packages, found by where it lies and not by running it."""
    prefix = os.path.dirname(os.path.dirname(program))
    base = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    found.add(os.path.join(prefix, "pyvenv.cfg"))
    _add_library(glob.glob(f"{base}/lib*/py[tp]*3*"), found)
    folders = [
        each
        for place in {prefix, base, f"{base}/local"}
        for each in glob.glob(f"{place}/lib*/py[tp]*3*/*-packages")
    ]
    for each in installed(texts, _folders_of(folders)):
        found.add(each)


def _add_beside(program: str, found: _Found) -> None:
    """What is installed with a program: beside it where it has a place of its own, and by its name
    in the system's folders, where everything lies together."""
    folder, name = os.path.split(program)
    place = os.path.dirname(folder)
    if os.path.basename(folder) == "bin" and place not in ("/", "/usr", "/usr/local"):
        for each in _BESIDE_BIN:
            found.add(os.path.join(place, each))
        return
    plain = _ALSO.get(name, name.rstrip("0123456789.-") or name)
    for pattern in (plain, f"{plain}[-0-9.]*"):
        for root in (
            *(f"{top}/{each}" for top in ("/usr", "/usr/local") for each in _PLACES),
            "/etc",
        ):
            for each in glob.glob(f"{root}/{pattern}"):
                found.add(each)


def _programs(names: Iterable[str]) -> list[str]:
    """The programs of the machine with these names."""
    places = [os.path.join(folder, name) for name in names for folder in _PATH]
    return [each for each in places if os.path.isfile(each) and os.access(each, os.X_OK)]


def _text(path: str) -> bytes:
    """A script's own text; nothing of a table that is too long to be one, or of a program."""
    try:
        if os.path.getsize(path) > _LONGEST_SCRIPT:
            return b""
        content = Path(path).read_bytes()
    except OSError:
        return b""
    return b"" if content.startswith(b"\x7fELF") else content

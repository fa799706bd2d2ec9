"""What is run on every block: a command, or a Python function as bytes.

A program is public, like the rest of a plan: it must not hold rows. A function is sent by
cloudpickle, so that what was written in a notebook or a script arrives; a function of an installed
module is sent by its name. The digest covers what is run: the bytes of a function, or a command
with the content of every file that it names.

A block's process sees no folder of the user's (rooting.py). So a function that was written in a
file of one's own travels with that file's code, and of a command the files that it names are shown.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudare.engines.sandbox.visible import is_importable
from sudare.facts.errors import UsageError

_INTERPRETERS = ("python", "pypy", "Rscript", "julia", "perl", "ruby", "node", "bash", "sh")


@dataclass(frozen=True)
class Program:
    """Either `argv` or `pickled`; `shown` is how a release names it."""

    shown: str
    digest: str
    argv: tuple[str, ...] | None = None
    # What of a command has to be seen where it runs.
    files: tuple[str, ...] = ()
    pickled: bytes = b""


def of_command(text: str) -> Program:
    """A command line without a shell. A block's process has no search path and an empty folder, so
    the program and the files that it names are found now."""
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    found = shutil.which(words[0]) if words else None
    if found is None:
        raise UsageError(
            "The command is not there.", 'Name a program that can be run: --command "python f.py".'
        )
    if _lacks_script(words):
        raise UsageError(
            "The command names a script that is not there.",
            "Name a file that is: every block would fail, and its default be paid for.",
        )
    if _is_shim(found):
        raise UsageError(
            "The command begins with a script that looks for an interpreter, which a block cannot.",
            f"Name the interpreter itself, such as {sys.executable}.",
            place=sys.executable,
        )
    argv = [os.path.abspath(found), *(_absolute(word) for word in words[1:])]
    digest = hashlib.sha256()
    for word in (*words, *map(_content, argv[1:])):
        digest.update(f"{len(word)}:{word},".encode())
    named = [word for word in argv[1:] if os.path.isfile(word)]
    files = tuple(dict.fromkeys([argv[0], *named]))
    return Program(text, digest.hexdigest(), argv=tuple(argv), files=files)


def of_function(function: Callable[[dict[str, Any]], Any]) -> Program:
    """A Python function of a dictionary of NumPy arrays."""
    import cloudpickle

    pickled = None
    # What it says may quote what the function holds.
    with contextlib.suppress(Exception), _by_value(function):
        pickled = cloudpickle.dumps(function)
    if pickled is None or not callable(function):
        raise UsageError(
            "The function cannot be sent to another process.",
            "It must not hold files, locks, connections or generators.",
        )
    name = getattr(function, "__qualname__", type(function).__name__)
    return Program(name, hashlib.sha256(pickled).hexdigest(), pickled=pickled)


@contextlib.contextmanager
def _by_value(function: object) -> Iterator[None]:
    """Send the code of a module that a block's process could not import."""
    import cloudpickle

    module = sys.modules.get(getattr(function, "__module__", None) or "")
    file = getattr(module, "__file__", None)
    known = cloudpickle.list_registry_pickle_by_value()
    if module is None or file is None or module.__name__ in known or is_importable(file):
        yield
        return
    cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        cloudpickle.unregister_pickle_by_value(module)


def _is_interpreter(program: str) -> bool:
    return os.path.basename(program).rstrip("0123456789.") in _INTERPRETERS


def _is_shim(program: str) -> bool:
    """Whether a version manager's script stands where an interpreter is expected. It would find
    neither its settings nor the interpreter in a block, and every default would be paid for."""
    with open(program, "rb") as file:
        return _is_interpreter(program) and file.read(2) == b"#!"


def _lacks_script(words: list[str]) -> bool:
    """Whether an interpreter is to run a file that is missing. Of other programs nobody knows
    which of their words are files."""
    script = words[1] if len(words) > 1 else "-"
    return _is_interpreter(words[0]) and not script.startswith("-") and not os.path.exists(script)


def _absolute(word: str) -> str:
    return os.path.abspath(word) if os.path.exists(word) else word


def _content(word: str) -> str:
    """The digest of a file that a command names."""
    try:
        return hashlib.sha256(Path(word).read_bytes()).hexdigest() if Path(word).is_file() else "-"
    except OSError:
        return "-"

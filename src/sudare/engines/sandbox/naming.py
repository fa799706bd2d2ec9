"""Which packages and programs a program names: modules that it imports, and words that stand where
a command begins, in a shell's text or in what is handed to a call that starts a process.

Claim    comments, documentation, and words of other texts name nothing.
Needs    that a Python program hands its commands to the call itself, or under a name to which they
         were assigned. A program whose name is put together while it runs is not found.
"""

from __future__ import annotations

import ast
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sudare.engines.sandbox.packages import words

_PYTHONS = ("python", "pypy")
_SHELLS = ("sh", "bash", "dash", "ash", "ksh", "zsh")
_KINDS = {".py": "python", ".pyw": "python", ".sh": "shell", ".bash": "shell"}
# Programs that start what follows them.
_STARTERS = frozenset(
    ("env", "exec", "command", "nice", "nohup", "time", "timeout", "stdbuf", "setsid", "xargs")
)
_GO_ON = frozenset(("if", "then", "elif", "else", "while", "until", "do", "!", "{", "eval"))
# Calls of Python that start processes, by the last part of their names.
_CALLS = re.compile(
    r"Popen|popen\d?|system|run|call|check_call|check_output|getoutput|getstatusoutput|which|spawn"
    r"|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|create_subprocess_(exec|shell)"
)
_IMPORT = re.compile(rb"^\s*(?:import|from)\s+([\w.]+(?:\s*,\s*[\w.]+)*)", re.MULTILINE)
_PLAIN = re.compile(r"[A-Za-z_][\w.-]*")
_TOKEN = re.compile(
    r"(?P<comment>(?<![^\s;&|()])#[^\n]*)"
    r"|(?P<single>'[^']*')"
    r'|(?P<double>"(?:\\.|[^"\\])*")'
    r"|(?P<begin>\$\(|[\n;&|(){}`])"
    r"|(?P<word>(?:\\.|[^\s;&|()`'\"\\$])+|\$|\\)",
    re.DOTALL,
)
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
# What other languages than shells and Python start processes with.
_STARTS = re.compile(r"\b(system2?|exec\w*|popen\w*|pipe|spawn\w*|shell|run|qx|getline)\b|`|\|")
_COMMENT = re.compile(r"(?m)(?<!\S)#.*$")
_QUOTED = re.compile(r"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'|`([^`\n]*)`")


@dataclass
class Named:
    """Names of Python's modules and distributions, and of programs."""

    modules: set[str] = field(default_factory=set)
    programs: set[str] = field(default_factory=set)


def named_by_command(argv: Iterable[str]) -> Named:
    """What a command line names: what it starts, and what stands in it as a program's text."""
    found = Named()
    _read_command([(word, True) for word in argv], found)
    return found


def named_by_text(text: bytes, path: str, kind: str | None = None) -> Named:
    """What a file's text names; `kind` is that of the program that reads it."""
    found = Named()
    shown = kind_of_text(text, path) or kind
    if shown == "python":
        _read_python(text, found)
    elif shown == "shell":
        _read_shell(text.decode("utf-8", "replace"), found)
    else:
        _read_other(text.decode("utf-8", "replace"), found)
    return found


def kind_of_program(path: str) -> str | None:
    """Which texts a program reads."""
    name = os.path.basename(path).rstrip("0123456789.")
    if name in _PYTHONS:
        return "python"
    return "shell" if name in _SHELLS else None


def kind_of_text(text: bytes, path: str) -> str | None:
    """By its first line, which says what reads it, or by its name."""
    if text.startswith(b"#!"):
        first = text.partition(b"\n")[0][2:].decode("utf-8", "replace").split()
        kinds = [kind for each in first if (kind := kind_of_program(each))]
        return kinds[0] if kinds else "other"
    return _KINDS.get(os.path.splitext(path)[1])


def _read_command(given: list[tuple[str, bool]], found: Named) -> None:
    """One command: its words, and which of them may be texts because they were quoted."""
    begins, reader, before = True, "", ""
    for word, is_quoted in given:
        option, before = before, word
        if begins:
            if word.startswith(("-", "+")) or word[:1].isdigit() or _ASSIGNED.fullmatch(word):
                continue
            reader = os.path.basename(word)
            if _PLAIN.fullmatch(reader) or reader == "[":
                found.programs.add(reader)
            begins = reader in _STARTERS
        elif is_quoted and not os.path.isabs(word):
            _read_quoted(word, reader, option, found)


def _read_quoted(text: str, reader: str, option: str, found: Named) -> None:
    """A text behind a program's `-c`, or wherever it is for programs that are not known."""
    kind = kind_of_program(reader)
    if kind is None:
        _read_other(text, found)
    elif option.startswith("-") and option.endswith("c"):
        if kind == "shell":
            _read_shell(text, found)
        else:
            _read_python(text.encode(), found)


def _read_shell(text: str, found: Named) -> None:
    command: list[tuple[str, bool]] = []
    joined = False
    end = 0
    for token in _TOKEN.finditer(text.replace("\\\n", " ")):
        kind, shown = token.lastgroup, token.group()
        joined = bool(command) and token.start() == end and kind not in ("begin", "comment")
        end = token.end()
        if kind == "comment":
            continue
        if kind == "begin":
            _read_command(command, found)
            command = []
            continue
        word = shown[1:-1] if kind in ("single", "double") else shown
        if kind == "double" and ("$(" in word or "`" in word):
            _read_shell(_substituted(word), found)
        if joined:
            before, was_quoted = command[-1]
            command[-1] = before + word, was_quoted or kind != "word"
        elif command or word not in _GO_ON:
            command.append((word, kind != "word"))
    _read_command(command, found)


def _substituted(text: str) -> str:
    """What a shell runs inside a quoted text."""
    return "\n".join(each[0] or each[1] for each in re.findall(r"\$\(([^()]*)\)|`([^`]*)`", text))


def _read_other(text: str, found: Named) -> None:
    """Of a language that is not known, the texts in quotes, if it starts processes at all."""
    plain = _COMMENT.sub("", text)
    if not _STARTS.search(plain):
        return
    for quoted in _QUOTED.findall(plain):
        _read_shell(next(filter(None, quoted), ""), found)


def _read_python(text: bytes, found: Named) -> None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Another Python may read it; its imports are lines of their own.
        for each in _IMPORT.findall(text):
            found.modules |= words(each)
        return
    read = _Read(tree)
    found.modules |= read.modules()
    for command in read.commands():
        _read_shell(command, found)
    for line in read.lists():
        _read_command([(word, True) for word in line], found)


class _Read:
    """One Python program as a tree."""

    def __init__(self, tree: ast.AST) -> None:
        self._nodes = list(ast.walk(tree))
        self._assigned: dict[str, list[ast.expr]] = defaultdict(list)
        for node in self._nodes:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._note(target, node.value)
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr | ast.AugAssign) and node.value:
                self._note(node.target, node.value)

    def _note(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._assigned[target.id].append(value)

    def modules(self) -> set[str]:
        """What is imported, and texts that are nothing but a name: an engine may be named so."""
        found: set[str] = set()
        for node in self._nodes:
            if isinstance(node, ast.Import):
                found |= {each.name.partition(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Constant) and _PLAIN.fullmatch(str(node.value)):
                found.add(str(node.value).partition(".")[0])
        return found

    def commands(self) -> Iterator[str]:
        """Texts that calls hand to a shell, or split themselves."""
        for value in self._handed():
            if isinstance(value, ast.Constant | ast.JoinedStr | ast.BinOp):
                yield " ".join(_texts(value))
            elif isinstance(value, ast.Call):
                yield from _texts(value)

    def lists(self) -> Iterator[list[str]]:
        """Commands whose words are handed one by one."""
        for value in self._handed():
            if isinstance(value, ast.List | ast.Tuple):
                yield list(_texts(value))

    def _handed(self) -> Iterator[ast.expr]:
        """The arguments of calls that start processes; behind a name, what was assigned to it."""
        for node in self._nodes:
            if isinstance(node, ast.Call) and _CALLS.fullmatch(_last_name(node.func)):
                rest, seen = [*node.args, *(each.value for each in node.keywords)], set[str]()
                while rest:
                    value = rest.pop()
                    if isinstance(value, ast.Name) and value.id not in seen:
                        seen.add(value.id)
                        rest += self._assigned.get(value.id, [])
                    elif isinstance(value, ast.Starred):
                        rest.append(value.value)
                    else:
                        yield value


def _last_name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _texts(value: ast.AST) -> Iterator[str]:
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value

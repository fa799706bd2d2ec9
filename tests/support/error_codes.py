"""Every message that the source raises, and the table of codes as it should stand.

`python -m support.error_codes` in the folder tests writes the table anew: messages that are there
keep their codes, new ones get a code of their first words, and those that are gone go.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import sudare
from sudare.facts import errors
from sudare.facts.error_codes import GAP, kebab
from sudare.facts.error_codes.catalogue import CATALOGUE

SOURCE = Path(sudare.__file__).parent
TABLES = SOURCE / "facts" / "error_codes"
# Which table holds the messages of which classes.
FILES = {
    "usage": ("UsageError",),
    "plans": ("InvalidPlan",),
    "inputs": ("InvalidSchema", "InvalidFile", "InvalidTables", "InvalidStatistics"),
    "running": (
        "BudgetRefused", "RunUnfinished", "InvalidLedger", "VerificationFailed",
        "EngineUnavailable", "NotWritten", "Unreachable",
    ),
}  # fmt: skip
# Where validators of files raise plain errors, whose sentences another error says with the place in
# front: that of the class, and how.
VALIDATORS = {
    "facts/schema.py": ("InvalidSchema", f"{GAP}: at {GAP}: {{}}."),
    "facts/levels.py": ("InvalidSchema", f"{GAP}: at {GAP}: {{}}."),
    "facts/rules.py": ("InvalidSchema", f"{GAP}: at {GAP}: {{}}."),
    "facts/panel.py": ("InvalidSchema", f"{GAP}: at {GAP}: {{}}."),
    "facts/link_file.py": ("InvalidPlan", f"link.toml: at {GAP}: {{}}."),
}
CLASSES = tuple(name for names in FILES.values() for name in names)
# Words that tell no message from another; "no" and "not" do.
_SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "be",
        "by",
        "for",
        "from",
        "has",
        "have",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "that",
        "the",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "was",
        "were",
        "what",
        "which",
        "with",
    ]
)
_WIDTH = 84


class Raised(NamedTuple):
    """One place where an error is made."""

    where: str
    name: str
    call: ast.Call


def raised() -> Iterator[Raised]:
    """Every call of an error's class; `error` is the parameter that names one in `files.py`."""
    known = {name for name, each in vars(errors).items() if _is_error(each)} | {"error"}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in known:
                name = ast.unparse(node.func).split(".")[-1]
                where = f"{path.relative_to(SOURCE)}:{node.lineno}"
                yield Raised(where, name, node)


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, errors.SudareError)


def message(call: ast.Call) -> str | None:
    """What is said, with … for what is filled in; None where the words come from elsewhere."""
    said = call.args[0] if call.args else None
    if isinstance(said, ast.Constant) and isinstance(said.value, str):
        return said.value
    if not isinstance(said, ast.JoinedStr):
        return None
    parts = (part.value if isinstance(part, ast.Constant) else GAP for part in said.values)
    return re.sub(f"{GAP}+", GAP, "".join(map(str, parts)))


def messages() -> dict[str, list[str]]:
    """The messages of every class that the tables hold, each once."""
    found: dict[str, list[str]] = {name: [] for name in CLASSES}
    for each in raised():
        said = message(each.call)
        names = ("InvalidSchema", "InvalidPlan") if each.name == "error" else (each.name,)
        for name in names:
            if said is not None and name in found and said not in found[name]:
                found[name].append(said)
    for place, (name, frame) in VALIDATORS.items():
        for said in _validated(SOURCE / place):
            whole = frame.format(said)
            if whole not in found[name]:
                found[name].append(whole)
    return found


def _validated(path: Path) -> Iterator[str]:
    """What validators say in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "ValueError":
            said = message(node)
            if said is not None:
                yield said


def coded() -> dict[str, dict[str, str]]:
    """The table as it should stand: class → code → message."""
    taken = {code for codes in CATALOGUE.values() for code in codes}
    result: dict[str, dict[str, str]] = {}
    for name, said in messages().items():
        old = {text: code for code, text in CATALOGUE.get(name, {}).items()}
        codes = {text: old[text] if text in old else _new(name, text, taken) for text in said}
        result[name] = {code: text for text, code in sorted(codes.items(), key=lambda e: e[1])}
    return result


def _new(name: str, said: str, taken: set[str]) -> str:
    """A code of the first words that say something; if it is taken more of them, then with the
    class in front."""
    words = re.findall(r"[a-z0-9]+", said.lower().replace("'", "").replace("ε", "epsilon"))
    own = [word for word in words if word not in _SMALL] or words or ["message"]
    tries = ["-".join(own[:count]) for count in range(min(5, len(own)), len(own) + 1)]
    tries += [f"{kebab(name)}-{each}" for each in tries]
    tries += [f"{tries[0]}-{number}" for number in range(2, 99)]
    code = next(each for each in tries if each not in taken)
    taken.add(code)
    return code


def table(names: tuple[str, ...], codes: dict[str, dict[str, str]], about: str) -> str:
    """The text of one table."""
    lines = [
        f'"""Codes of messages of {about}; see tests/support/error_codes.py."""',
        "",
        "from __future__ import annotations",
        "",
    ]
    lines += ["CODES: dict[str, dict[str, str]] = {"]
    for name in names:
        lines.append(f'    "{name}": {{')
        for code, said in codes[name].items():
            lines += _entry(code, said)
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


def _entry(code: str, said: str) -> list[str]:
    whole = f'        "{code}": {_quoted(said)},'
    if len(whole) <= 100:
        return [whole]
    alone = f"            {_quoted(said)}"
    if len(alone) <= 100:
        return [f'        "{code}": (', alone, "        ),"]
    pieces, line = [], ""
    for word in re.findall(r"\S+\s*|\s+", said):
        if len(line) + len(word) > _WIDTH and line:
            pieces.append(line)
            line = ""
        line += word
    parts = [f"            {_quoted(piece)}" for piece in [*pieces, line]]
    return [f'        "{code}": (', *parts, "        ),"]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n")
    if '"' in escaped and "'" not in escaped:
        return f"'{escaped}'"
    return '"' + escaped.replace('"', '\\"') + '"'


def main() -> None:
    codes = coded()
    for stem, names in FILES.items():
        (TABLES / f"{stem}.py").write_text(
            table(names, codes, f"{names[0]} and others" if names[1:] else names[0]),
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()

"""Help, written for the width of the terminal: no sentence is cut, no word is broken.

Examples can be copied: where one needs several lines, each but the last ends with a backslash.
"""

from __future__ import annotations

import inspect
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from sudare.report.columns import text_width, wrapped

if TYPE_CHECKING:
    from sudare.cli.options import Code

# Longer lines are hard to read; narrower terminals than 40 places show long words only.
_MOST, _LEAST = 120, 40
_INDENT = "  "
_EXAMPLE = "Example: "
_WORD = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s"'])+""")
# What Typer adds: [required], [default: 3; x>=1], [env var: NAME].
_MARKS = re.compile(r"\s*\[((?:required|default|env var|x[<>]|[\d.]+<)[^\]]*)\]$")
Rows = list[tuple[str, str]]
Translated = Callable[[str], str]


def help_width() -> int:
    """Places of a line of help: COLUMNS, or the terminal's, or 80."""
    return max(_LEAST, min(_MOST, shutil.get_terminal_size((80, 24)).columns))


def translator(language: Code) -> Translated:
    """Words of help in a language; what has no translation stays English."""
    if language == "en":
        return lambda words: words
    from sudare.cli.japanese import JAPANESE, MARKS

    def japanese(words: str) -> str:
        found = _MARKS.search(words)
        if found is None:
            return JAPANESE.get(words, words)
        marks = found[1]
        for english, name in MARKS.items():
            marks = marks.replace(f"{english}:", f"{name}:").replace(english, name)
        start = words[: found.start()]
        return f"{JAPANESE.get(start, start)} [{marks}]"

    return japanese


def written(
    usage: str,
    text: str,
    sections: Iterable[tuple[str, Rows]],
    epilog: str,
    width: int,
    language: Code = "en",
) -> str:
    """A whole page of help."""
    translate = translator(language)
    start = f"{translate('Usage')}: "
    lines = wrapped(f"{start}{usage}", width, " " * text_width(start))
    lines += ["", *_text(text, width, translate)]
    for heading, rows in sections:
        told = [(name, translate(" ".join(words.split()))) for name, words in rows]
        lines += ["", f"{translate(heading)}:", *_listed(told, width)]
    if epilog:
        lines += ["", *_text(epilog, width, translate)]
    return "\n".join(lines)


def _text(text: str, width: int, translate: Translated) -> Iterator[str]:
    for number, paragraph in enumerate(inspect.cleandoc(text).split("\n\n")):
        if number:
            yield ""
        words = " ".join(paragraph.split())
        if words.startswith(_EXAMPLE):
            yield f"{_INDENT}{translate('Example')}:"
            yield from _command(words.removeprefix(_EXAMPLE), width)
        else:
            yield from wrapped(_INDENT + translate(words), width)


def _command(words: str, width: int) -> Iterator[str]:
    """A command for the shell; what stands in quotes is one word."""
    line = _INDENT * 2
    for number, word in enumerate(_WORD.findall(words)):
        if number and text_width(line) + text_width(word) + len(" \\") > width:
            yield f"{line}\\"
            line = _INDENT * 3
        line += f"{word} "
    yield line.rstrip()


def _listed(rows: Rows, width: int) -> Iterator[str]:
    """Names with what they are beside them, or below them where that would be too narrow."""
    widest = max(text_width(name) for name, _ in rows)
    column = min(widest, max(22, width // 3)) + 2 * len(_INDENT)
    blanks = " " * column
    for name, words in rows:
        first = _INDENT + name
        if text_width(first) + len(_INDENT) > column:
            # A long list of choices may break after each.
            choices = first.replace("|", "| ") if text_width(first) > width else first
            for line in wrapped(choices, width, _INDENT * 3):
                yield line.replace("| ", "|")
            first = ""
        # Broken as the words alone: the first line has the name in place of the blanks.
        lines = wrapped(blanks + words, width, blanks)
        yield (first + " " * (column - text_width(first)) + lines[0].removeprefix(blanks)).rstrip()
        yield from lines[1:]

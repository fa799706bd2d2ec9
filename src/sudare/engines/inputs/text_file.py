"""A delimited text file as text: how its bytes are coded, and where they are not.

Detection: a byte order mark decides; else the whole file must be UTF-8; else the whole file must
be cp932 (what Excel writes in Japan). `encoding` under [table] of the schema overrides it. No
file may hold a NUL: one tool cuts the text there, another hides it.
"""

from __future__ import annotations

import codecs
import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sudare.engines.border import guarded
from sudare.facts.errors import InvalidFile, InvalidSchema

_PIECE = 1 << 22
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Python decodes these bytes although cp932 assigns them to nothing; a text that needs them is
# in another encoding.
_NOT_CP932 = re.compile("[\x80\xa0\uf8f0-\uf8f3]")


@dataclass(frozen=True)
class TextFile:
    """A text file whose bytes decode."""

    path: Path
    encoding: str

    def pieces(self) -> Iterator[str]:
        """The text, a few megabytes at a time, without a byte order mark."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        for number, piece in enumerate(_pieces_of(self.path)):
            text = decoder.decode(piece)
            yield text if number else text.removeprefix("\ufeff")
        yield decoder.decode(b"", final=True)


def open_text(path: Path, encoding: str | None) -> TextFile:
    """The file with its encoding found and verified, or the refusal that names a line."""
    broken = InvalidFile(
        f"The file {path.name} cannot be read.", "Check that it is whole and that you may read it."
    )
    return guarded(lambda: _checked(path, encoding), broken)


def _pieces_of(path: Path) -> Iterator[bytes]:
    packed = path.suffix.lower() == ".gz"
    with gzip.open(path) if packed else path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _checked(path: Path, declared: str | None) -> TextFile:
    head = next(_pieces_of(path), b"")
    if not head:
        raise InvalidFile(f"The file {path.name} is empty.", "Check that it is the right one.")
    candidates = _candidates(head, declared)
    lines = []
    for encoding in candidates:
        file = TextFile(path, encoding)
        line = _undecodable_line(file)
        if line is None:
            return file
        lines.append(line)
    tried = " or ".join(candidates)
    raise InvalidFile(
        f"The file {path.name} is not {tried} text: line {lines[0]} does not decode.",
        "Save it as UTF-8, or name its encoding: under [table] in the schema, or for baskets with "
        "--encoding.",
    )


def _candidates(head: bytes, declared: str | None) -> list[str]:
    if declared is None:
        marked = [encoding for mark, encoding in _MARKS if head.startswith(mark)]
        return marked or ["utf-8", "cp932"]
    try:
        return [codecs.lookup(declared).name]
    except LookupError:
        pass
    raise InvalidSchema(
        "encoding under [table] names no known encoding.",
        'Write encoding = "utf-8" or encoding = "cp932".',
    )


def _undecodable_line(file: TextFile) -> int | None:
    """The first line that does not decode, or None; a NUL is refused on the way."""
    line = 1
    try:
        for text in file.pieces():
            if "\0" in text:
                _refuse_nul(file.path, line + text[: text.index("\0")].count("\n"))
            odd = _NOT_CP932.search(text) if file.encoding == "cp932" else None
            if odd:
                return line + text[: odd.start()].count("\n")
            line += text.count("\n")
    except UnicodeDecodeError as error:
        return line + error.object[: error.start].count(b"\n")
    return None


def _refuse_nul(path: Path, line: int) -> None:
    raise InvalidFile(
        f"The file {path.name} has a NUL byte in line {line}.",
        'Remove it; if the file is UTF-16, say so: encoding = "utf-16" under [table] in the '
        "schema, or for baskets --encoding utf-16.",
    )

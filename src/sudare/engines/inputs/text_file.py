"""A delimited text file as bytes of UTF-8, whatever it is coded in.

Claim    which encoding a file is read in is a function of what is declared and of its first bytes:
         a byte order mark, or the header line (csv_input.py). No byte of a row has a part in it, so
         nobody's row can change how another one is read.
         Bytes that do not decode become a NUL, and a cell with a NUL in it is missing (texts.py).
         They never take a separator, a quote or a line end along: of every encoding allowed here
         the decoder stops before the first byte that does not continue the character (tested over
         all of them in tests/engines/test_encodings.py).
"""

from __future__ import annotations

import codecs
import gzip
import re
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sudare.engines.border import guarded
from sudare.facts.errors import InvalidFile, InvalidSchema

UTF8 = "utf-8"
MARK = "\0"
_PIECE = 1 << 22
_MARKED = "sudare-marked"
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Python decodes these bytes although cp932 assigns them to nothing.
_NOT_CP932 = re.compile("[\x80\xa0\uf8f0-\uf8f3]")
# Encodings of several bytes a character that keep no state from one character to the next. Others
# (iso2022_jp, hz, utf-7) are refused: a shift in one person's row would change how all that
# follow are read, and their characters may hold the bytes of commas and quotes.
_STATELESS = frozenset(
    {"utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"}
    | {"cp932", "shift_jis", "shift_jis_2004", "shift_jisx0213"}
    | {"euc_jp", "euc_jis_2004", "euc_jisx0213", "cp949", "euc_kr", "johab"}
    | {"gb2312", "gbk", "gb18030", "big5", "cp950", "big5hkscs"}
)
_BYTES = bytes(range(256))
_PAIRS = bytes(byte for first in _BYTES for second in _BYTES for byte in (first, second))


def _marked(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return MARK, error.end


codecs.register_error(_MARKED, _marked)


@dataclass(frozen=True)
class TextFile:
    """A text file and the encoding in which it is read."""

    path: Path
    encoding: str

    def pieces(self) -> Iterator[str]:
        """The text, a few megabytes at a time, without a byte order mark; NUL for bytes that do not
        decode."""
        decoder = codecs.getincrementaldecoder(self.encoding)(errors=_MARKED)
        is_cp932, is_first, size = self.encoding == "cp932", True, 0
        for piece in self._bytes():
            size += len(piece)
            text = decoder.decode(piece)
            text = _NOT_CP932.sub(MARK, text) if is_cp932 else text
            yield text.removeprefix("\ufeff") if is_first else text
            is_first = is_first and not text
        if size % _unit(self.encoding):
            raise InvalidFile(
                f"The file {self.path.name} ends within a character.",
                "It is cut off, or in another encoding: write or copy it anew.",
                place=self.path.name,
            )
        yield decoder.decode(b"", final=True)

    def utf8(self) -> Iterator[bytes]:
        """The text as valid UTF-8, NUL for bytes that do not decode."""
        return (piece.encode() for piece in self.pieces())

    def plain(self) -> Iterator[bytes]:
        """The same, but a file in UTF-8 comes as it is stored, without a look at its bytes."""
        if self.encoding not in (UTF8, "utf-8-sig"):
            yield from self.utf8()
            return
        # Whoever declares the mark may have it twice: Python's decoder takes one away as well.
        marks = 1 if self.encoding == UTF8 else 2
        for number, piece in enumerate(self._bytes()):
            for _ in range(0 if number else marks):
                piece = piece.removeprefix(codecs.BOM_UTF8)
            yield piece

    def _bytes(self) -> Iterator[bytes]:
        """The bytes of the file, unpacked; only the first error of the disk or the archive ends
        them, and never what they hold."""
        try:
            yield from _pieces_of(self.path)
            return
        except (OSError, EOFError, zlib.error):
            pass
        raise _unreadable(self.path)


def open_text(path: Path, declared: str | None) -> TextFile:
    """A file without a header: UTF-8 unless an encoding is declared or marked."""
    return TextFile(path, candidates(path, declared)[0])


def candidates(path: Path, declared: str | None) -> tuple[str, ...]:
    """The encodings that a file may be in; of more than one its header decides."""
    head = guarded(lambda: next(_pieces_of(path), b""), _unreadable(path))
    if not head:
        raise InvalidFile(
            f"The file {path.name} is empty.", "Check that it is the right one.", place=path.name
        )
    if declared is not None:
        name = _checked(declared)
        # Its three bytes begin no text in another encoding.
        is_marked = head.startswith(codecs.BOM_UTF8) and name != "utf-8-sig"
        return (UTF8,) if is_marked else (name,)
    marked = [encoding for mark, encoding in _BYTE_ORDER_MARKS if head.startswith(mark)]
    return tuple(marked) or (UTF8, "cp932")


def _pieces_of(path: Path) -> Iterator[bytes]:
    packed = path.suffix.lower() == ".gz"
    with gzip.open(path) if packed else path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _unreadable(path: Path) -> InvalidFile:
    return InvalidFile(
        f"The file {path.name} cannot be read.",
        "Check that it is whole and that you may read it.",
        place=path.name,
    )


def _checked(declared: str) -> str:
    name = allowed(declared)
    if name is None:
        raise InvalidSchema(
            "encoding under [table] names no encoding that sudare reads.",
            'Write encoding = "utf-8" or encoding = "cp932". Encodings with shifts, such as '
            "iso2022_jp, are not read: save the file as UTF-8.",
        )
    return name


def allowed(declared: str) -> str | None:
    """Python's name of an encoding; None for one that it does not know or that keeps a state."""
    try:
        name = codecs.lookup(declared).name
    except (LookupError, ValueError):
        return None
    return name if name in _STATELESS or _is_single_byte(name) else None


def _is_single_byte(name: str) -> bool:
    """Whether every byte is a character of its own, whatever stands around it."""
    try:
        return _reads_bytes_alone(name)
    except (LookupError, ValueError, AssertionError, TypeError):
        return False


def _reads_bytes_alone(name: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        each = [bytes([byte]).decode(name, "replace") for byte in _BYTES]
        # A shift or an escape among all pairs of bytes would change what follows.
        return _PAIRS.decode(name, "replace") == "".join(each[byte] for byte in _PAIRS)


def _unit(encoding: str) -> int:
    return {"utf-16": 2, "utf-32": 4}.get(encoding[:6], 1)

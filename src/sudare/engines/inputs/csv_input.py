"""Delimited text: the header is checked, the fields of every row are counted, cells stay bytes.

Reading is by pyarrow, in memory; the schema gives text its type inside the query. Rows are cut at
bytes that are ASCII, before anything is decoded, so what stands in one cell never moves another;
then every cell of the columns that are wanted is decoded by itself (texts.py).

Claim    a cell that does not decode, and a cell that a row is too short to have, is missing, in
         columns that are read; other columns are never looked at. What refuses a file is its
         structure alone: a row with too many fields, a row that is too short and holds a line end
         (a stray quote has swallowed another row), or a quote that is never closed. No refusal
         tells where; `Reading` does, to the steward (docs/security.md).

A field that opens a quote and never closes it would swallow the rest of the file without
complaint, so a last row of known content is sent after the file: if it does not come back as the
last row, a quote was left open.
"""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv

from sudare.engines.border import guarded
from sudare.engines.inputs.names import checked_names
from sudare.engines.inputs.text_file import MARK, TextFile, candidates
from sudare.engines.inputs.texts import Rows, text_of
from sudare.facts.errors import InvalidFile

_LAST = "sudare: end of file"
# A row longer than this is taken for a quote left open.
_BLOCK = 1 << 24
# Arrow's threads let go of what they were lent a moment after the table is there. Were theirs the
# last hold on it, they would need the interpreter to free it, and if the program ends just then
# (a refusal does that) the process is aborted. So the last ones are held on to here.
_LENT: deque[tuple[pa.PythonFile, arrow_csv.ParseOptions]] = deque(maxlen=32)


class MisshapenRows(InvalidFile):
    """Rows that cannot be cut into fields; their numbers are for the steward, not for messages."""

    def __init__(
        self, path: str, rows: Sequence[int], few: bool, short: Sequence[int] = ()
    ) -> None:
        fault = "too few fields and a line end in one of them" if few else "too many fields"
        super().__init__(
            f"A row of {path} has {fault}.",
            "Every row needs one field a column; look for a missing, stray or unclosed quote, "
            "or set delimiter under [table], where a schema describes the table. "
            "`sudare validate` tells the row.",
        )
        self.rows = tuple(rows)
        self.short = tuple(short)


@dataclass(frozen=True)
class Reading:
    """Columns as text, and for the steward alone: the rows, from 1, whose cells do not decode, by
    the place of the column, and the rows that are too short."""

    table: pa.Table
    broken: Mapping[int, Rows]
    short: tuple[int, ...]


@dataclass
class _Odd:
    """Rows with another number of fields than the header, by the number of the data row."""

    many: list[int] = field(default_factory=list)
    swallowing: list[int] = field(default_factory=list)
    short: dict[int, bytes] = field(default_factory=dict)
    delimiter: str = ","

    def note(self, row: arrow_csv.InvalidRow) -> str:
        text = row.text.rstrip("\r\n")
        if row.actual_columns > row.expected_columns:
            self.many.append(row.number)
        elif "\n" in text or "\r" in text:
            self.swallowing.append(row.number)
        else:
            absent = row.expected_columns - row.actual_columns
            self.short[row.number] = (text + f"{self.delimiter}{MARK}" * absent).encode()
        return "skip"


@dataclass(frozen=True)
class CsvInput:
    """A text file with a checked header, which takes so many bytes of its UTF-8."""

    file: TextFile
    delimiter: str
    names: tuple[str, ...]
    header: int

    def table(self, places: Sequence[int]) -> pa.Table:
        """The columns at these places as text, null where a cell is missing."""
        return self.read(places).table

    def read(self, places: Sequence[int]) -> Reading:
        """The columns at these places, and what is wrong with them."""
        broken = InvalidFile(
            f"The file {self.file.path.name} cannot be read as a table.",
            "Look for an unclosed quote.",
            place=self.file.path.name,
        )
        wanted = [f"c{place}" for place in places]
        cells, short = guarded(lambda: self._cells(wanted), broken)
        found = guarded(lambda: [text_of(column) for column in cells.columns], broken)
        table = pa.table([text for text, _ in found], [self.names[place] for place in places])
        # A short row is named as such, and not by the cells that it lacks.
        rows = [np.setdiff1d(bad + 1, short) for _, bad in found]
        return Reading(table, dict(zip(places, rows, strict=True)), short)

    def _cells(self, wanted: list[str]) -> tuple[pa.Table, tuple[int, ...]]:
        try:
            return self._ended(self._parse(self._stream(self.file.plain()), wanted)), ()
        except pa.ArrowInvalid:
            pass
        # The second reading is slower, but knows which rows are off.
        odd = _Odd(delimiter=self.delimiter)
        table = self._ended(self._parse(self._stream(self.file.utf8()), wanted, odd.note))
        for rows, few in ((odd.many, False), (odd.swallowing, True)):
            if rows:
                raise MisshapenRows(self.file.path.name, rows, few, list(odd.short))
        lines = iter([line + b"\n" for line in odd.short.values()])
        return _merged(table, self._parse(lines, wanted), list(odd.short)), tuple(odd.short)

    def _ended(self, table: pa.Table) -> pa.Table:
        """The table without the row that was sent last."""
        rows = table.num_rows - 1
        if rows < 0 or any(column[rows].as_py() != _LAST.encode() for column in table.columns):
            raise InvalidFile(
                f"A quote in {self.file.path.name} is opened and never closed.",
                'Close it, or write a quote inside a quoted field twice ("").',
                place=self.file.path.name,
            )
        return table.slice(0, rows)

    def _parse(
        self,
        pieces: Iterator[bytes],
        wanted: list[str],
        note: Callable[[arrow_csv.InvalidRow], str] | None = None,
    ) -> pa.Table:
        source = _Bytes(pieces)
        file = pa.PythonFile(source, mode="r")
        parsing = arrow_csv.ParseOptions(
            delimiter=self.delimiter, newlines_in_values=True, invalid_row_handler=note
        )
        _LENT.append((file, parsing))
        names = [f"c{place}" for place in range(len(self.names))]
        reading = arrow_csv.ReadOptions(
            use_threads=note is None, block_size=_BLOCK, column_names=names
        )
        converting = arrow_csv.ConvertOptions(
            include_columns=wanted,
            column_types=dict.fromkeys(wanted, pa.binary()),
            strings_can_be_null=False,
        )
        try:
            return arrow_csv.read_csv(file, reading, parsing, converting)
        finally:
            source.end()

    def _stream(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """What stands below the header, and the row by which the end is known."""
        left = self.header
        for piece in pieces:
            yield piece[left:]
            left = max(0, left - len(piece))
        yield f"\n{self.delimiter.join([_LAST] * len(self.names))}\n".encode()


def _merged(whole: pa.Table, short: pa.Table, rows: list[int]) -> pa.Table:
    """The rows in the order of the file; `short` ones have these numbers, from 1."""
    places = np.empty(whole.num_rows + len(rows), np.int64)
    is_short = np.zeros(len(places), np.bool_)
    is_short[np.array(rows, np.int64) - 1] = True
    places[~is_short] = np.arange(whole.num_rows)
    places[is_short] = whole.num_rows + np.arange(len(rows))
    # Places of 32 bits cannot tell apart more than two gigabytes of bytes.
    wide = pa.schema([(name, pa.large_binary()) for name in whole.schema.names])
    return pa.concat_tables([whole.cast(wide), short.cast(wide)]).take(pa.array(places))


def open_csv(path: Path, declared: str | None, delimiter: str) -> CsvInput:
    """The encoding of a text file, found from its header line, and the names in it."""
    tried = candidates(path, declared)
    for encoding in tried:
        file = TextFile(path, encoding)
        names, text = _header(file, delimiter)
        if MARK not in text:
            return CsvInput(file, delimiter, checked_names(names), len(text.encode()))
    if len(tried) > 1 and MARK in _header(TextFile(path, "latin-1"), delimiter)[1]:
        raise InvalidFile(
            f"The header line of {path.name} has a NUL byte in it.",
            'Remove it; if the file is UTF-16, say so: encoding = "utf-16" under [table] in the '
            "schema, or for baskets --encoding utf-16.",
            place=path.name,
        )
    raise InvalidFile(
        f"The header line of {path.name} is not {' or '.join(tried)} text.",
        "Save the file as UTF-8, or name its encoding: under [table] in the schema, or for baskets "
        "with --encoding.",
        place=path.name,
    )


def _header(file: TextFile, delimiter: str) -> tuple[list[str], str]:
    """The first row with anything in it, and the text up to its end."""
    broken = InvalidFile(
        f"The header of {file.path.name} cannot be read.",
        "Look for an unclosed quote in it.",
        place=file.path.name,
    )
    names, text = guarded(partial(_first_row, file, delimiter), broken)
    if not names:
        raise InvalidFile(
            f"The file {file.path.name} has no header line.",
            "Name the columns in its first line.",
            place=file.path.name,
        )
    return names, text


def _first_row(file: TextFile, delimiter: str) -> tuple[list[str], str]:
    lines: list[str] = []
    reader = csv.reader(_kept(_lines(file.pieces()), lines), delimiter=delimiter, strict=True)
    names = next((row for row in reader if row), [])
    return names, "".join(lines)


def _kept(lines: Iterator[str], kept: list[str]) -> Iterator[str]:
    for line in lines:
        kept.append(line)
        yield line


def _lines(pieces: Iterator[str]) -> Iterator[str]:
    """Lines with their ends, as far as they are asked for."""
    rest = ""
    for piece in pieces:
        rest += piece
        lines = io.StringIO(rest, newline="").readlines()
        rest = lines.pop() if lines else ""
        yield from lines
    yield rest


class _Bytes(io.RawIOBase):
    """An iterator of bytes as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        return True

    def end(self) -> None:
        """Let go of the file and of what was not read."""
        self._pieces, self._rest = iter(()), b""

    def read(self, size: int = -1) -> bytes:
        """As many bytes as are wanted, fewer only at the end."""
        parts, length = [self._rest], len(self._rest)
        while length < size and (piece := next(self._pieces, None)) is not None:
            parts.append(piece)
            length += len(piece)
        whole = b"".join(parts)
        self._rest = whole[size:]
        return whole[:size]

"""Delimited text: header and field counts are checked over the whole file, values stay text.

Reading is by pyarrow, all columns as text, in memory; the schema gives text its type inside the
query. A field that opens a quote and never closes it would swallow the rest of the file without
complaint, so a last row of known content is sent after the file: if it does not come back as the
last row, a quote was left open.
"""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyarrow import csv as arrow_csv

from sudare.engines.border import guarded
from sudare.engines.inputs.names import checked_names
from sudare.engines.inputs.text_file import TextFile
from sudare.facts.errors import InvalidFile

_LAST = "sudare: end of file"
# A row longer than this is taken for a quote left open.
_BLOCK = 1 << 24
# Arrow's threads let go of what they were lent a moment after the table is there. Were theirs the
# last hold on it, they would need the interpreter to free it, and if the program ends just then
# (a refusal does that) the process is aborted. So the last ones are held on to here.
_LENT: deque[tuple[pa.PythonFile, arrow_csv.ParseOptions]] = deque(maxlen=32)


class MisshapenRows(InvalidFile):
    """Rows with too many or too few fields, by the number of the data row."""

    def __init__(self, path: str, rows: Sequence[int], few: bool) -> None:
        super().__init__(
            f"Row {rows[0]} of {path} has too {'few' if few else 'many'} fields.",
            "Every row needs one field a column; look for a missing, stray or unclosed quote, "
            "or set delimiter under [table], where a schema describes the table.",
        )
        self.rows = tuple(rows)


@dataclass(frozen=True)
class CsvInput:
    """A text file with a checked header."""

    file: TextFile
    delimiter: str
    names: tuple[str, ...]

    def table(self, places: Sequence[int]) -> pa.Table:
        """The columns at these places as text, once every row has the right number of fields."""
        wanted = [self.names[place] for place in places]
        broken = InvalidFile(
            f"The file {self.file.path.name} cannot be read as a table.",
            "Look for an unclosed quote.",
        )
        table = guarded(lambda: self._read(wanted), broken)
        rows = table.num_rows - 1
        if rows < 0 or any(table.column(name)[rows].as_py() != _LAST for name in wanted):
            raise InvalidFile(
                f"A quote in {self.file.path.name} is opened and never closed.",
                'Close it, or write a quote inside a quoted field twice ("").',
            )
        return table.slice(0, rows)

    def _read(self, wanted: list[str]) -> pa.Table:
        try:
            return self._parse(wanted, None)
        except pa.ArrowInvalid:
            pass
        # The second reading is slower, but knows the numbers of the rows that are off.
        misshapen: list[tuple[int, bool]] = []

        def note(row: arrow_csv.InvalidRow) -> str:
            misshapen.append((row.number - 1, row.actual_columns < row.expected_columns))
            return "skip"

        table = self._parse(wanted, note)
        if misshapen:
            rows = [row for row, _ in misshapen]
            raise MisshapenRows(self.file.path.name, rows, misshapen[0][1])
        return table

    def _parse(self, wanted: list[str], note: object) -> pa.Table:
        source = _Bytes(self._stream())
        file = pa.PythonFile(source, mode="r")
        parsing = arrow_csv.ParseOptions(
            delimiter=self.delimiter, newlines_in_values=True, invalid_row_handler=note
        )
        _LENT.append((file, parsing))
        reading = arrow_csv.ReadOptions(use_threads=note is None, block_size=_BLOCK)
        converting = arrow_csv.ConvertOptions(
            include_columns=wanted,
            column_types={name: pa.string() for name in wanted},
            strings_can_be_null=False,
        )
        try:
            return arrow_csv.read_csv(file, reading, parsing, converting)
        finally:
            source.end()

    def _stream(self) -> Iterator[bytes]:
        for piece in self.file.pieces():
            yield piece.encode()
        yield f"\n{self.delimiter.join([_LAST] * len(self.names))}\n".encode()


def open_csv(file: TextFile, delimiter: str) -> CsvInput:
    """Check the header of a text file."""
    broken = InvalidFile(
        f"The header of {file.path.name} cannot be read.", "Look for an unclosed quote in it."
    )
    names = guarded(lambda: _header(file, delimiter), broken)
    if not names:
        raise InvalidFile(
            f"The file {file.path.name} has no header line.", "Name the columns in its first line."
        )
    return CsvInput(file, delimiter, checked_names(names))


def _header(file: TextFile, delimiter: str) -> list[str]:
    lines = _lines(file.pieces())
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    return next((row for row in reader if row), [])


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
        """As many bytes as are wanted, fewer only at the end: pyarrow takes the first reading
        for the first block and expects the whole header in it."""
        parts, length = [self._rest], len(self._rest)
        while length < size and (piece := next(self._pieces, None)) is not None:
            parts.append(piece)
            length += len(piece)
        whole = b"".join(parts)
        self._rest = whole[size:]
        return whole[:size]

"""How a file is coded, judged by its rows: for drafting a schema, which is the steward's own act.

Every other reading takes the encoding from the schema, a byte order mark or the header line; were
the rows asked each time, one byte of one person could change how all others are read.
"""

from __future__ import annotations

from sudare.engines.inputs.csv_input import CsvInput
from sudare.engines.inputs.text_file import MARK, UTF8, TextFile, candidates


def likely_encoding(source: CsvInput) -> str | None:
    """The encoding that fits most of a file; None where a mark says it, or it is UTF-8."""
    tried = candidates(source.file.path, None)
    if len(tried) == 1:
        return None
    found = source.file.encoding
    if found == UTF8 and all(name.isascii() for name in source.names):
        found = min(tried, key=lambda each: _undecodable(TextFile(source.file.path, each)))
    return None if found == UTF8 else found


def _undecodable(file: TextFile) -> int:
    return sum(piece.count(MARK) for piece in file.pieces())

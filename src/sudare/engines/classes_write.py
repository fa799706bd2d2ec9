"""Records that a job has made coarser, written as CSV or Parquet.

A CSV file is UTF-8 with a byte order mark, so that Excel in Japan reads it. A value is written as
it is, also where a spreadsheet would take it for a formula: this is data to be read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
from pyarrow import csv as arrow_csv
from pyarrow import parquet

from sudare.facts.coded import Integers
from sudare.facts.errors import UsageError

ENDINGS = (".csv", ".parquet")


def check_ending(path: Path) -> None:
    """Refuse a name before any work is done for it."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(
            f"Records cannot be written to {path.name}.",
            "Name a file.csv or a file.parquet.",
            place=path.name,
        )
    if not path.absolute().parent.is_dir():
        raise UsageError(
            f"There is no folder for {path.name}.", "Make the folder first.", place=path.name
        )


def write_records(path: Path, columns: Mapping[str, tuple[Sequence[str], Integers]]) -> None:
    """Write columns given as labels and a code a record; the empty label is a missing value."""
    arrays = []
    for labels, codes in columns.values():
        texts = pa.array([label or None for label in labels], pa.string())
        arrays.append(texts.take(pa.array(codes)))
    table = pa.table(arrays, names=list(columns))
    if path.suffix.lower() == ".parquet":
        parquet.write_table(table, path)
        return
    with path.open("wb") as file:
        file.write("\ufeff".encode())
        arrow_csv.write_csv(table, file, arrow_csv.WriteOptions(quoting_style="needed"))

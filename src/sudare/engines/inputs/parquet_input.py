"""Parquet files; their footers are checked before anything else.

DuckDB reads them itself, but for timestamps in milliseconds: a far one ends its scan with an
error, which would tell that somebody's row holds it. Columns read beside such a one come through
pyarrow, into memory.
"""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from sudare.engines.border import guarded
from sudare.engines.inputs.names import checked_names
from sudare.facts.errors import InvalidFile
from sudare.facts.reading import read_json

if TYPE_CHECKING:
    # Imported by those who read a Parquet file: others should not wait for it.
    from pyarrow import parquet


@dataclass(frozen=True)
class ParquetInput:
    """One or more Parquet files of one layout."""

    paths: tuple[Path, ...]
    names: tuple[str, ...]
    rows: int
    fragile: frozenset[str]

    @property
    def patterns(self) -> list[str]:
        """The paths as DuckDB takes them: it reads *, ? and [ as wildcards unless escaped."""
        return [glob.escape(str(path)) for path in self.paths]

    def is_fragile(self, places: Sequence[int]) -> bool:
        """Whether a value in one of these columns could end DuckDB's own scan."""
        return any(self.names[place] in self.fragile for place in places)

    def table(self, places: Sequence[int]) -> pa.Table:
        """The columns at these places, in memory."""
        broken = InvalidFile("A Parquet file cannot be read to its end.", "Write or copy it anew.")
        return guarded(lambda: self._read([self.names[place] for place in places]), broken)

    def _read(self, names: list[str]) -> pa.Table:
        from pyarrow import parquet

        from sudare.engines.inputs.tame import tamed

        files = [parquet.ParquetFile(path).read(columns=names) for path in self.paths]
        return tamed(pa.concat_tables([file.select(names) for file in files]))


def open_parquet(paths: Sequence[Path]) -> ParquetInput:
    """Check that all files are Parquet and have the same columns."""
    footers = [footer_of(path, path.name) for path in paths]
    names = common_names([path.name for path in paths], footers)
    return ParquetInput(
        tuple(path.absolute() for path in paths),
        names,
        sum(footer.num_rows for footer in footers),
        frozenset().union(*map(_in_milliseconds, footers)),
    )


def footer_of(file: object, name: str) -> parquet.FileMetaData:
    """The footer of a file, given by its path or opened."""
    from pyarrow import parquet

    broken = InvalidFile(f"The file {name} is not a whole Parquet file.", "Write or copy it anew.")
    return guarded(lambda: parquet.read_metadata(file), broken)


def common_names(files: Sequence[str], footers: Sequence[parquet.FileMetaData]) -> tuple[str, ...]:
    """The names of the columns, if all files have the same ones in the same types."""
    layouts = [_layout(footer) for footer in footers]
    for name, layout in zip(files, layouts, strict=True):
        if layout != layouts[0]:
            raise InvalidFile(
                f"The files {files[0]} and {name} have different columns.",
                "All files of one table need the same columns of the same types in one order.",
            )
    return checked_names([name for name, _ in layouts[0]])


def _layout(footer: parquet.FileMetaData) -> list[tuple[str, str]]:
    return [(field.name, str(field.type)) for field in footer.schema.to_arrow_schema()]


def _in_milliseconds(footer: parquet.FileMetaData) -> set[str]:
    leaves = [footer.schema.column(number) for number in range(footer.num_columns)]
    return {leaf.path for leaf in leaves if _is_milliseconds(leaf)}


def _is_milliseconds(leaf: parquet.ColumnSchema) -> bool:
    logical = read_json(leaf.logical_type.to_json())
    return bool(logical.get("Type") == "Timestamp" and logical.get("timeUnit") == "milliseconds")

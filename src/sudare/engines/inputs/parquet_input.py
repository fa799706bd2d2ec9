"""Parquet files, read by DuckDB itself; their footers are checked before anything else."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyarrow import parquet

from sudare.engines.border import guarded
from sudare.engines.inputs.names import checked_names
from sudare.facts.errors import InvalidFile


@dataclass(frozen=True)
class ParquetInput:
    """One or more Parquet files of one layout."""

    paths: tuple[Path, ...]
    names: tuple[str, ...]
    rows: int

    @property
    def patterns(self) -> list[str]:
        """The paths as DuckDB takes them: it reads *, ? and [ as wildcards unless escaped."""
        return [glob.escape(str(path)) for path in self.paths]


def open_parquet(paths: Sequence[Path]) -> ParquetInput:
    """Check that all files are Parquet and have the same columns."""
    footers = [_footer(path) for path in paths]
    layouts = [_layout(footer) for footer in footers]
    for path, layout in zip(paths, layouts, strict=True):
        if layout != layouts[0]:
            raise InvalidFile(
                f"The files {paths[0].name} and {path.name} have different columns.",
                "All files of one table need the same columns of the same types in one order.",
            )
    names = checked_names([name for name, _ in layouts[0]])
    return ParquetInput(
        tuple(path.absolute() for path in paths), names, sum(footer.num_rows for footer in footers)
    )


def _footer(path: Path) -> parquet.FileMetaData:
    broken = InvalidFile(
        f"The file {path.name} is not a whole Parquet file.", "Write or copy it anew."
    )
    return guarded(lambda: parquet.read_metadata(path), broken)


def _layout(footer: parquet.FileMetaData) -> list[tuple[str, str]]:
    return [(field.name, str(field.type)) for field in footer.schema.to_arrow_schema()]

"""Which kind of input a path or an object is."""

from __future__ import annotations

import glob
import os
from pathlib import Path

from sudare.engines.inputs.csv_input import CsvInput, open_csv
from sudare.engines.inputs.frame_input import FrameInput, open_frame
from sudare.engines.inputs.parquet_input import ParquetInput, open_parquet
from sudare.facts.address import check_place, is_address
from sudare.facts.errors import InvalidFile, UsageError

Input = CsvInput | ParquetInput | FrameInput
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


def find_input(data: object, encoding: str | None = None, delimiter: str | None = None) -> Input:
    """Open a file, a pattern of Parquet files or a dataframe, as far as its column names."""
    if isinstance(data, (str, os.PathLike)) and is_address(data):
        # Refused without quoting it: the address may hold a password.
        raise UsageError(
            "This job cannot read tables in PostgreSQL.", "Give it a file or a dataframe."
        )
    if isinstance(data, (str, os.PathLike)):
        check_place(data)
        return _find_files(os.fspath(data), encoding, delimiter)
    if hasattr(data, "__arrow_c_stream__"):
        return open_frame(data)
    raise UsageError(
        f"Data of type {type(data).__name__} cannot be read.",
        "Give a path or a dataframe with __arrow_c_stream__ (pandas, polars, pyarrow, DuckDB).",
    )


def is_text_file(data: object) -> bool:
    """Whether this names delimited text, which is read here whatever engine counts it."""
    if not isinstance(data, (str, os.PathLike)) or is_address(data):
        return False
    path = Path(os.fsdecode(os.fspath(data)))
    return _text_ending(path) in _DELIMITERS and path.is_file()


def _text_ending(path: Path) -> str:
    endings = [suffix.lower() for suffix in path.suffixes]
    return endings[-2] if endings[-1:] == [".gz"] and len(endings) > 1 else "".join(endings[-1:])


def _find_files(name: str | bytes, encoding: str | None, delimiter: str | None) -> Input:
    path = Path(os.fsdecode(name))
    if path.is_file():
        return _find_file(path, encoding, delimiter)
    found = [Path(each) for each in sorted(glob.glob(str(path), recursive=True))]
    paths = [each for each in found if each.is_file()]
    if not paths:
        raise InvalidFile(
            f"There is no file {path}.",
            f"Name the files in it: {path}/*.parquet." if path.is_dir() else "Check the path.",
            place=path,
        )
    if any(each.suffix.lower() != ".parquet" for each in paths):
        raise InvalidFile(
            f"{path} names files that are not Parquet.",
            "A pattern is for .parquet files only.",
            place=path,
        )
    return open_parquet(paths)


def _find_file(path: Path, encoding: str | None, delimiter: str | None) -> Input:
    if path.suffix.lower() == ".parquet":
        return open_parquet([path])
    ending = _text_ending(path)
    if ending not in _DELIMITERS:
        raise InvalidFile(
            f"The file {path.name} has an ending that sudare does not know.",
            "Known: .csv, .tsv, .csv.gz, .tsv.gz, .parquet.",
            place=path.name,
        )
    return open_csv(path, encoding, delimiter or _DELIMITERS[ending])

"""Synthetic rows as a table: written as CSV or Parquet, or handed out as a dataframe.

Integers stay integers, dates dates, booleans booleans; a missing value is missing. A CSV file is
UTF-8 with a byte order mark, so that Excel in Japan reads it, or in the encoding that is asked for.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv
from pyarrow import parquet

from sudare.engines.classes_write import check_ending
from sudare.facts.drawn import Drawn
from sudare.facts.errors import UsageError
from sudare.facts.statistics import Marginal

__all__ = ["check_ending", "dataframe", "synthetic_table", "write_synthetic"]


def synthetic_table(drawn: Drawn, marginals: Sequence[Marginal]) -> pa.Table:
    """Columns in the order of the statistics, in the types of the schema."""
    return pa.table({each.name: _array(drawn, each) for each in marginals})


def _array(drawn: Drawn, marginal: Marginal) -> pa.Array:
    missing = drawn.is_missing(marginal.name) if marginal.may_miss else None
    if not marginal.is_number:
        codes = np.maximum(drawn.codes[marginal.name], 0).astype(np.int32)
        labels = pa.array(marginal.labels, pa.string())
        return pa.DictionaryArray.from_arrays(pa.array(codes, mask=missing), labels)
    values = drawn.values[marginal.name]
    if marginal.type == "real":
        inside = np.clip(_rounded(values, marginal.step), marginal.least, marginal.greatest)
        return pa.array(inside, mask=missing)
    # Paper mode leaves whole numbers; it is the paper's way and is told in the certificate.
    is_whole = bool(np.all(values == np.rint(values)))
    if not is_whole and marginal.type == "integer":
        return pa.array(values, mask=missing)
    whole = np.rint(values).astype(np.int64)
    if marginal.type == "date":
        return pa.array(whole.astype(np.int32), pa.int32(), mask=missing).cast(pa.date32())
    if marginal.type == "boolean":
        return pa.array(np.clip(whole, 0, 1).astype(np.bool_), mask=missing)
    return pa.array(whole, mask=missing)


def _rounded(values: Any, step: float) -> Any:
    """Digits that come from multiplying by a step are not shown; no value moves by 1e-9 steps."""
    digits = max(0, 12 - int(np.ceil(np.log10(max(float(np.max(np.abs(values), initial=1)), 1)))))
    return np.round(values, digits) if step else values


def write_synthetic(path: Path, table: pa.Table, encoding: str | None = None) -> str:
    """Write the file; its SHA-256."""
    check_ending(path)
    if path.suffix.lower() == ".parquet":
        parquet.write_table(table, path)
    else:
        _write_csv(path, table, encoding)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_csv(path: Path, table: pa.Table, encoding: str | None) -> None:
    plain = table.cast(
        pa.schema(
            [
                (field.name, pa.string() if pa.types.is_dictionary(field.type) else field.type)
                for field in table.schema
            ]
        )
    )
    options = arrow_csv.WriteOptions(quoting_style="needed")
    if encoding is None or encoding.lower().replace("-", "").replace("_", "") in (
        "utf8",
        "utf8sig",
    ):
        with path.open("wb") as file:
            file.write("\ufeff".encode())
            arrow_csv.write_csv(plain, file, options)
        return
    try:
        with path.open("w", encoding=encoding, newline="") as text:
            for number, batch in enumerate(plain.to_batches(max_chunksize=65_536)):
                part = io.BytesIO()
                head = arrow_csv.WriteOptions(include_header=number == 0, quoting_style="needed")
                arrow_csv.write_csv(pa.Table.from_batches([batch]), part, head)
                text.write(part.getvalue().decode())
    except (LookupError, UnicodeEncodeError):
        problem = UsageError(
            "The synthetic rows cannot be written in the schema's encoding.",
            "Write a .parquet file, or take `encoding` out of [table] for UTF-8.",
        )
    else:
        return
    raise problem


def dataframe(table: pa.Table, like: object) -> object:
    """The table in the type of `like`: pandas, polars or Arrow; of anything else, Arrow."""
    module = type(like).__module__.partition(".")[0]
    if module == "pandas":
        return table.to_pandas()
    if module == "polars":
        import polars

        return polars.from_arrow(table)
    return table

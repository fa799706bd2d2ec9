"""The schema and the tables that the tests of this room share."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from sudare.engines.open import open_source
from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.schema import Schema, make_schema

KEY = bytes(range(32))
ODD = '年 "収"'
SCHEMA = make_schema(
    {
        "table": {"name": "people"},
        "columns": {
            "n": {"type": "integer", "min": -5, "max": 10},
            "big": {"type": "integer", "min": -(2**62), "max": 2**62},
            "x": {"type": "real", "min": -1.5, "max": 2.5},
            "y": {"type": "real", "min": 0, "max": 100, "step": 0.1},
            "d": {"type": "date", "min": dt.date(2000, 1, 1), "max": dt.date(2020, 12, 31)},
            "b": {"type": "boolean"},
            "c": {"type": "category", "values": ["F", "M", "q'\"x"], "other": "rest"},
            "k": {"type": "category", "values": ["1", "2", "30"]},
            ODD: {"type": "integer", "min": 0, "max": 2000},
        },
    }
)
TYPES = {
    "n": pa.int64(),
    "big": pa.int64(),
    "x": pa.float64(),
    "y": pa.float64(),
    "d": pa.date32(),
    "b": pa.bool_(),
    "c": pa.string(),
    "k": pa.string(),
    ODD: pa.int32(),
}


def schema(columns: dict[str, Any], **table: Any) -> Schema:
    return make_schema({"table": {"name": "t", **table}, "columns": columns})


def one(type: str, **facts: Any) -> Schema:
    """A schema of one column v."""
    return schema({"v": {"type": type, **facts}})


def arrow(rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Rows of SCHEMA in native types."""
    return pa.table(
        {name: pa.array([row[name] for row in rows], kind) for name, kind in TYPES.items()}
    )


def csv_text(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def write(path: Path, content: str | bytes, encoding: str = "utf-8") -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path


def ask(data: object, schema: Schema, *requests: MomentsRequest, key: bytes = KEY) -> list[Moments]:
    """Open, ask and close."""
    columns = frozenset().union(*(request.used_columns() for request in requests))
    with open_source(data, schema, columns) as source:
        return source.moments(requests, key)


def total(data: object, schema: Schema, column: str = "v") -> tuple[int, int]:
    """Count and sum of one column."""
    (found,) = ask(data, schema, MomentsRequest(columns=(column,), monomials=((0,),)))
    return found.rows[0][0], found.rows[0][1]


def indices(values: Sequence[Any], schema: Schema, kind: pa.DataType) -> list[int | None]:
    """The cleaned value of each single value of column v."""
    with open_source(pa.table({"v": pa.array(values, kind)}), schema, {"v"}) as source:
        return [v for batch in source.batches(["v"], KEY) for v in batch.column(0).to_pylist()]

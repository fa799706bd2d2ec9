"""DuckDB's type names in the words of sql/physical.py."""

from __future__ import annotations

import re

from sudare.engines.sql.physical import Physical

_DECIMAL = re.compile(r"DECIMAL\(([0-9]+),([0-9]+)\)")
_INTEGERS = {
    f"{sign}{name}": Physical(
        "integer", 0 if sign else -(2 ** (bits - 1)), 2**bits - 1 if sign else 2 ** (bits - 1) - 1
    )
    for name, bits in {
        "TINYINT": 8,
        "SMALLINT": 16,
        "INTEGER": 32,
        "BIGINT": 64,
    }.items()
    for sign in ("", "U")
}
_SIMPLE = {
    '"NULL"': Physical("null"),
    "BOOLEAN": Physical("boolean"),
    "FLOAT": Physical("float"),
    "DOUBLE": Physical("float"),
    "DATE": Physical("date"),
    "TIMESTAMP": Physical("timestamp", digits=6),
    "TIMESTAMP WITH TIME ZONE": Physical("timestamp", digits=6),
    "TIMESTAMP_NS": Physical("timestamp", digits=9),
    "TIMESTAMPTZ_NS": Physical("timestamp", digits=9),
    "VARCHAR": Physical("text"),
    "UUID": Physical("other"),
}


def physical_of(name: str) -> Physical | None:
    """How a column of this DuckDB type is read; None for times, bytes, lists and the like."""
    known = _INTEGERS.get(name) or _SIMPLE.get(name)
    if known is not None or name.endswith("]"):
        return known
    decimal = _DECIMAL.fullmatch(name)
    if decimal:
        return Physical("decimal", digits=int(decimal[1]), scale=int(decimal[2]))
    return Physical("other") if name.startswith("ENUM(") else None

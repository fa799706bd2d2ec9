"""DuckDB's type names in the words of sql/physical.py."""

from __future__ import annotations

from sudare.engines.sql.physical import Physical

_INTEGERS = {
    f"{sign}{name}": Physical(
        "integer", 0 if sign else -(2 ** (bits - 1)), 2**bits - 1 if sign else 2 ** (bits - 1) - 1
    )
    for name, bits in {
        "TINYINT": 8,
        "SMALLINT": 16,
        "INTEGER": 32,
        "BIGINT": 64,
        "HUGEINT": 128,
    }.items()
    for sign in ("", "U")
}
_SIMPLE = {
    '"NULL"': Physical("null"),
    "BOOLEAN": Physical("boolean"),
    "FLOAT": Physical("float"),
    "DOUBLE": Physical("float"),
    "DATE": Physical("date"),
    "VARCHAR": Physical("text"),
    "UUID": Physical("other"),
}


def physical_of(name: str) -> Physical | None:
    """How a column of this DuckDB type is read; None for bytes, lists and other nested types."""
    known = _INTEGERS.get(name) or _SIMPLE.get(name)
    if known is not None or name.endswith("]"):
        return known
    if name.startswith("DECIMAL("):
        return Physical("decimal")
    if name.startswith("TIMESTAMP"):
        return Physical("timestamp")
    return Physical("other") if name.startswith(("ENUM(", "TIME")) else None

"""Categories: which stored values show which declared label.

Text is matched without the blanks around it. Numbers match the label that writes them plainly
(3, -1.5, never 03 or 3.0), booleans match true and false, dates match 2024-04-01. Everything else
is `other` if the column declares it, else missing; so is NULL.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Sequence

from sqlglot import exp

from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell

_WHOLE = re.compile(r"0|-?[1-9][0-9]*")
_PLAIN = re.compile(r"0|-?[1-9][0-9]*(?:\.[0-9]*[1-9])?|-?0\.[0-9]*[1-9]")
Stored = bool | str | float | dt.date


def stored(cell: Cell, label: str) -> Stored | None:
    """The stored value that shows a label, or None if this storage cannot show it; whole numbers
    and decimals as their digits."""
    match cell.physical.kind:
        case "null":
            return None
        case "boolean":
            return {"true": True, "false": False}.get(label)
        case "integer":
            return label if _WHOLE.fullmatch(label) else None
        case "decimal":
            return label if _PLAIN.fullmatch(label) else None
        case "float":
            return float(label) if _PLAIN.fullmatch(label) else None
        case "date":
            return _date(label)
        case _:
            return label.strip(sql.BLANKS) or None


def _literal(cell: Cell, value: Stored) -> Sql:
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, float):
        return sql.real(value)
    if isinstance(value, dt.date):
        return sql.date(value)
    if cell.physical.kind in ("integer", "decimal"):
        return exp.Literal.number(value)
    return sql.text(value)


def comparable(cell: Cell, raw: Sql) -> Sql:
    """The expression that equals a literal of this storage."""
    match cell.physical.kind:
        case "text":
            return sql.stripped(raw)
        case "timestamp" | "other":
            return sql.cast(raw.copy(), "TEXT")
        case _:
            return raw.copy()


def shows(cell: Cell, raw: Sql, chosen: Collection[str]) -> Sql:
    """Whether the cleaned label is one of `chosen`; NULL where it is missing."""
    known = _first_labels(cell, cell.column.values)
    inside = [_literal(cell, value) for value, label in known.items() if label in chosen]
    outside = [_literal(cell, value) for value, label in known.items() if label not in chosen]
    # Text is compared as it is stored first, because taking blanks off is slow.
    forms = [raw, sql.stripped(raw)] if cell.physical.kind == "text" else [comparable(cell, raw)]
    branches = [
        (sql.one_of(form, literals), verdict)
        for form in forms
        for literals, verdict in ((inside, exp.true()), (outside, exp.false()))
        if literals
    ]
    other = cell.column.other
    rest = None if other is None else exp.Boolean(this=other in chosen)
    return sql.when(*branches, otherwise=rest) if branches else (rest or sql.null("BOOLEAN"))


# How a query comes by the codes of a column's labels: written out, or stored under a name.
CodeTable = Callable[[Cell, Sequence[str], str], Sql | None]


def code_table(cell: Cell, labels: Sequence[str], alias: str) -> Sql | None:
    """A small table from stored value to the place of its label, to be joined; None if empty."""
    places = {label: code for code, label in enumerate(labels)}
    codes = {value: places[label] for value, label in _first_labels(cell, labels).items()}
    if not codes:
        return None
    rows = [
        exp.Tuple(expressions=[_literal(cell, value), sql.integer(code)])
        for value, code in codes.items()
    ]
    names = exp.TableAlias(
        this=exp.to_identifier(alias),
        columns=[exp.to_identifier("label"), exp.to_identifier("code")],
    )
    return exp.Values(expressions=rows, alias=names)


def joined(query: exp.Select, cell: Cell, raw: Sql, table: Sql, alias: str) -> exp.Select:
    """`query` with the code table at its side; a value without a label gets code NULL."""
    test = sql.equal(comparable(cell, raw), sql.column("label", alias))
    query.append("joins", exp.Join(this=table, side="LEFT", on=test))
    return query


def _first_labels(cell: Cell, labels: Sequence[str]) -> dict[Stored, str]:
    """Stored value to label; of two labels that read alike (a, " a") the first is shown."""
    found: dict[Stored, str] = {}
    for label in labels:
        value = stored(cell, label)
        if value is not None:
            found.setdefault(value, label)
    return found


def _date(label: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(label)
    except ValueError:
        return None

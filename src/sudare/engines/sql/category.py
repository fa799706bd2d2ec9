"""Categories: which stored values show which declared label.

Text is matched without the blanks around it. Numbers match the label that writes them plainly
(3, -1.5, never 03 or 3.0), booleans match true and false, dates match 2024-04-01. Everything else
is `other` if the column declares it, else missing; so is NULL.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Collection, Sequence

from sqlglot import exp

from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell, Physical

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
            return label if _WHOLE.fullmatch(label) and _fits(cell.physical, label) else None
        case "decimal":
            return label if _PLAIN.fullmatch(label) and _fits(cell.physical, label) else None
        case "float":
            value = float(label) if _PLAIN.fullmatch(label) else math.inf
            return value if math.isfinite(value) else None
        case "date":
            return _date(label)
        case _:
            return label.strip(sql.BLANKS) or None


def _fits(physical: Physical, label: str) -> bool:
    """Whether the storage type has the number. To compare with one that it has not, every stored
    value would be cast to a wider type, and some may not fit into that."""
    if physical.kind == "integer":
        # Python refuses to parse thousands of digits; no storage has more than 20.
        return len(label) <= 20 and physical.low <= int(label) <= physical.high
    whole, _, fraction = label.removeprefix("-").partition(".")
    before = 0 if whole == "0" else len(whole)
    return before <= physical.digits - physical.scale and len(fraction) <= physical.scale


def _literal(cell: Cell, value: Stored) -> Sql:
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, float):
        return sql.real(value)
    if isinstance(value, dt.date):
        return sql.date(value)
    if cell.physical.kind == "integer":
        return exp.Literal.number(value)
    if cell.physical.kind == "decimal":
        return sql.decimal(value, cell.physical.digits, cell.physical.scale)
    return sql.text(value)


def comparable(cell: Cell, raw: Sql) -> Sql:
    """The expression that equals a literal of this storage."""
    match cell.physical.kind:
        case "text":
            return sql.stripped(raw)
        case "timestamp" | "other":
            return as_text(cell, raw)
        case _:
            return raw.copy()


def as_name(cell: Cell, raw: Sql) -> Sql:
    """The stored value as the name of somebody or something: text without blanks around it."""
    return sql.stripped(raw) if cell.physical.kind == "text" else as_text(cell, raw)


def as_text(cell: Cell, raw: Sql) -> Sql:
    """The stored value as text, the same in every engine. A number of four bytes is written as the
    double it is. The two zeros are equal, and so are all NaN, so each has one text. DuckDB cannot
    write every instant that it can store, so those outside the calendar of dates, years 1 to 9999,
    are missing. CASE alone does not keep them from the cast, because a cast of dictionary-coded
    values takes the whole dictionary."""
    if cell.physical.kind == "float":
        zero, nan = sql.equal(raw, sql.integer(0)), sql.less(sql.real(math.inf), raw)
        number = sql.written(sql.cast(raw.copy(), "DOUBLE"), "DOUBLE")
        return sql.when((zero, sql.text("0.0")), (nan, sql.text("nan")), otherwise=number)
    if cell.physical.kind == "date":
        return sql.written(raw, "DATE")
    # Nanoseconds in 64 bits reach from 1677 to 2262, and all of them can be written.
    if cell.physical.kind != "timestamp" or cell.physical.digits == 9:
        return sql.cast(raw.copy(), "TEXT")
    day = sql.try_cast(raw.copy(), "DATE")
    first, last = sql.moment(dt.datetime.min), sql.moment(dt.datetime.max)
    inside = exp.Least(this=exp.Greatest(this=raw.copy(), expressions=[first]), expressions=[last])
    written = sql.between(day, sql.date(dt.date.min), sql.date(dt.date.max))
    return sql.when((written, sql.cast(inside, "TEXT")))


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


def shown_labels(cell: Cell) -> list[str]:
    """The declared labels that some stored value shows."""
    return list(_first_labels(cell, cell.column.values).values())


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

"""Cleaning, filters and moments once more, row by row in plain Python, apart from the engine."""

from __future__ import annotations

import datetime as dt
import math
import operator
import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sudare.facts.aggregate import (
    Axis,
    CutsAxis,
    Moments,
    MomentsRequest,
    NearestAxis,
    ScoreAxis,
    UniformAxis,
    ValuesAxis,
)
from sudare.facts.grid import grid_index
from sudare.facts.query import All, Any_, Comparison, Membership, Missing, Not, Predicate
from sudare.facts.schema import EPOCH, Column, Schema

Row = dict[str, Any]
BLANKS = " \t\r\n\u00a0\u3000"
COMPARE = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def index_of(raw: Any, column: Column) -> int | None:
    """The grid index of a value, or None."""
    if raw is None:
        return None
    if isinstance(raw, str):
        raw = raw.strip(BLANKS)
    return {"integer": _integer, "real": _real, "date": _date, "boolean": _boolean}[column.type](
        raw, column
    )


def _integer(raw: Any, column: Column) -> int | None:
    if isinstance(raw, str):
        if not re.fullmatch(r"[+-]?[0-9]+(\.0*)?", raw):
            return None
        raw = int(raw.split(".")[0])
    if isinstance(raw, float) and math.isinf(raw):
        return column.min if raw < 0 else column.max
    if raw != raw or raw != math.floor(raw):
        return None
    return min(max(int(raw), column.min), column.max)


def _real(raw: Any, column: Column) -> int | None:
    if isinstance(raw, str) and not re.fullmatch(
        r"[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|inf(inity)?)", raw, re.IGNORECASE
    ):
        return None
    value = float(raw)
    if math.isnan(value):
        return None
    step = column.grid("x").step
    return grid_index(min(max(value, float(column.min)), float(column.max)), step)


def _date(raw: Any, column: Column) -> int | None:
    if isinstance(raw, str):
        match = re.fullmatch(r"([0-9]{4})([-/])([0-9]{1,2})\2([0-9]{1,2})", raw)
        if not match:
            return None
        try:
            raw = dt.date(int(match[1]), int(match[3]), int(match[4]))
        except ValueError:
            return None
    if isinstance(raw, dt.datetime):
        raw = raw.date()
    return (min(max(raw, column.min), column.max) - EPOCH).days


def _boolean(raw: Any, column: Column) -> int | None:
    if isinstance(raw, str):
        known = {"true": 1, "t": 1, "yes": 1, "1": 1, "false": 0, "f": 0, "no": 0, "0": 0}
        return known.get(raw.lower())
    return int(raw) if raw in (0, 1) else None


def label_of(raw: Any, column: Column) -> str | None:
    """The label of a category, or None."""
    text = _text(raw)
    return text if text in column.values and text != "" else column.other


def _text(raw: Any) -> str | None:
    if raw is None or isinstance(raw, str):
        return None if raw is None else raw.strip(BLANKS)
    if isinstance(raw, bool):
        return str(raw).lower()
    if isinstance(raw, (float, Decimal)):
        if raw != raw or raw in (math.inf, -math.inf):
            return None
        return str(int(raw)) if raw == int(raw) else str(raw).rstrip("0")
    return str(raw)


def cleaned(row: Row, schema: Schema) -> Row:
    return {
        name: label_of(row[name], column)
        if column.type == "category"
        else index_of(row[name], column)
        for name, column in schema.columns.items()
        if column.type not in ("text", "key")
    }


def holds(predicate: Predicate, row: Row, schema: Schema) -> bool | None:
    """Three-valued truth of a predicate on a cleaned row."""
    match predicate:
        case Not(part):
            truth = holds(part, row, schema)
            return None if truth is None else not truth
        case All(parts):
            truths = [holds(part, row, schema) for part in parts]
            return False if False in truths else (None if None in truths else True)
        case Any_(parts):
            truths = [holds(part, row, schema) for part in parts]
            return True if True in truths else (None if None in truths else False)
        case Missing(column):
            return row[column] is None
        case Membership(column, values):
            tests = tuple(Comparison(column, "=", value) for value in values)
            return None if row[column] is None else any(holds(t, row, schema) for t in tests)
        case Comparison(column, sign, literal):
            return _compared(row[column], sign, literal, schema.columns[column])


def _compared(value: Any, sign: str, literal: Any, column: Column) -> bool | None:
    if value is None:
        return None
    if column.type == "date":
        literal = (dt.date.fromisoformat(literal) - EPOCH).days
    if column.type != "category":
        value, literal = value * Fraction(column.grid("x").step), Fraction(literal)
    return COMPARE[sign](value, literal)


def code_of(axis: Axis, found: Sequence[Any]) -> int | None:
    value = found[0]
    match axis:
        case NearestAxis():
            return None if None in found else _nearest(axis, [float(each) for each in found])
        case ScoreAxis():
            return None if None in found else _bin(axis, [float(each) for each in found])
        case ValuesAxis():
            if value in axis.values:
                return axis.values.index(value)
            return len(axis.values) if axis.has_other else None
        case UniformAxis():
            return (
                None
                if value is None
                else min((value - axis.low) * axis.size // axis.span, axis.size - 1)
            )
        case CutsAxis():
            return None if value is None else sum(cut <= value for cut in axis.cuts)


def _nearest(axis: NearestAxis, xs: list[float]) -> int:
    """The first center whose distance less that of the first is least, halved; written out."""
    best, code = 0.0, 0
    for number, center in enumerate(axis.centers[1:], 1):
        half, slopes = 0.0, []
        for w, c, a in zip(axis.weights, center, axis.centers[0], strict=True):
            slopes.append(w * (c - a))
            half += slopes[-1] * (0.5 * (c + a))
        line = half
        for slope, x in zip(slopes, xs, strict=True):
            line -= slope * x
        if line < best:
            best, code = line, number
    return code


def _bin(axis: ScoreAxis, xs: list[float]) -> int:
    scale = axis.size / (axis.high - axis.low)
    score = (axis.offset - axis.low) * scale
    for w, x in zip(axis.weights, xs, strict=True):
        score += (w * scale) * x
    return min(max(math.floor(score), 0), axis.size - 1)


def moments(rows: Sequence[Row], schema: Schema, request: MomentsRequest) -> Moments:
    """The definition in facts/aggregate.py, word for word."""
    found = [[0] * len(request.measures) for _ in range(request.groups)]
    for row in (cleaned(raw, schema) for raw in rows):
        if request.where is not None and holds(request.where, row, schema) is not True:
            continue
        group: int | None = 0
        for axis in request.axes:
            code = code_of(axis, [row[name] for name in axis.columns])
            group = None if code is None or group is None else group * axis.size + code
        if group is None or any(row[name] is None for name in request.columns):
            continue
        for place, monomial in enumerate(request.measures):
            found[group][place] += math.prod(row[request.columns[each]] for each in monomial)
    return Moments(tuple(tuple(sums) for sums in found))

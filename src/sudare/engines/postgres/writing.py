"""Doubles and dates as text, in DuckDB's spelling: 100.0, 1e+16, inf, nan, 0044-03-15 (BC).

Claim    the text of a number is the shortest that reads back as the same number.
Why      which rows of a unit are kept follows from their text, and shall not depend on the engine.
         PostgreSQL writes the shortest decimal strictly between a number's neighbours' halves;
         where a shorter one lies just on such a half and is still read back (1e23), it is longer.
         That half is a multiple of ten, so such numbers are whole and not very large.
Gaps     DuckDB itself spends more digits than needed on some doubles beyond 1e22 (3.1744e25).
"""

from __future__ import annotations

import math

from sqlglot import exp

from sudare.engines.postgres.parsing import call
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql

# Between these, DuckDB writes a number without an exponent.
_LEAST_PLAIN, _MOST_PLAIN = 1e-4, 10**16


# From here on doubles are whole. A half between two of them is odd · 2^n with an odd part below
# 2^54; if it also has fewer decimal digits than a double may need, it lies below the limit.
_WHOLE, _LIMIT = 2.0**53, 1e39


def text_of(value: Sql, kind: exp.DType) -> Sql:
    """A date, or a double that is neither zero nor NaN, as text."""
    shown = sql.cast(value.copy(), "TEXT")
    if kind is exp.DType.DATE:
        return call("REPLACE", shown, sql.text(" BC"), sql.text(" (BC)"))
    size = exp.Abs(this=value.copy())
    is_plain = exp.and_(sql.at_most(sql.real(_LEAST_PLAIN), size), sql.less(size, sql.real(_WHOLE)))
    is_whole = exp.and_(sql.at_most(sql.real(_WHOLE), size), sql.less(size, sql.real(_LIMIT)))
    plain = sql.cast(sql.cast(shown.copy(), "DECIMAL"), "TEXT")
    return sql.when(
        (is_plain, sql.when((sql.matches(plain, r"\."), plain), otherwise=_pointed(plain))),
        (is_whole, _whole(value, shown)),
        (sql.equal(value, sql.real(math.inf)), sql.text("inf")),
        (sql.equal(value, sql.real(-math.inf)), sql.text("-inf")),
        otherwise=shown.copy(),
    )


def _pointed(text: Sql) -> Sql:
    return exp.DPipe(this=text.copy(), expression=sql.text(".0"))


def _whole(value: Sql, shown: Sql) -> Sql:
    """A number that PostgreSQL shows as digits and exponent; it is tried with one digit less."""
    size, number = exp.Abs(this=value.copy()), exp.Abs(this=sql.cast(shown.copy(), "DECIMAL"))
    digits = exp.Length(this=call("TRANSLATE", _part(shown, 1), sql.text("-."), sql.text("")))
    exponent = sql.cast(_part(shown, 2), "INT")
    # The last digit but one stands for so many tens.
    places = exp.paren(
        exp.Add(this=exp.Sub(this=exponent, expression=digits), expression=sql.integer(2)),
        copy=False,
    )
    power = exp.DPipe(this=sql.text("1e"), expression=sql.cast(places.copy(), "TEXT"))
    below = call("TRUNC", number, exp.Neg(this=places.copy()))
    above = exp.paren(exp.Add(this=below.copy(), expression=sql.cast(power, "DECIMAL")), copy=False)
    best = sql.when(
        *(
            (sql.equal(sql.cast(shorter.copy(), "DOUBLE"), size), shorter)
            for shorter in (below, above)
        ),
        otherwise=number,
    )
    sign = sql.when((sql.less(value, sql.integer(0)), sql.text("-")), otherwise=sql.text(""))
    return exp.DPipe(this=sign, expression=_spelled(best))


def _part(shown: Sql, place: int) -> Sql:
    return call("SPLIT_PART", shown, sql.text("e"), sql.integer(place))


def _spelled(number: Sql) -> Sql:
    """A whole NUMERIC above zero as DuckDB writes a double."""
    text = sql.cast(number.copy(), "TEXT")
    digits = call("RTRIM", text, sql.text("0"))
    rest = call("SUBSTR", digits, sql.integer(2))
    fraction = sql.when(
        (sql.equal(rest, sql.text("")), sql.text("")),
        otherwise=exp.DPipe(this=sql.text("."), expression=rest.copy()),
    )
    exponent = exp.Sub(this=exp.Length(this=text.copy()), expression=sql.integer(1))
    parts = (fraction, sql.text("e+"), sql.cast(exponent, "TEXT"))
    scientific = call("LEFT", digits, sql.integer(1))
    for part in parts:
        scientific = exp.DPipe(this=scientific, expression=part)
    return sql.when(
        (sql.less(number, sql.integer(_MOST_PLAIN)), _pointed(text)), otherwise=scientific
    )

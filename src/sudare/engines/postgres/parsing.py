"""Text read as numbers and dates by expressions that no text can make fail.

Claim    each reading is NULL where the text has not the form that sql/clean.py asks for, and
         otherwise the value, with two liberties that move no index, because declared bounds lie
         within 1e100 and steps above 1e-119: whole numbers of more than 40 digits are 1e40 with
         their sign, doubles beyond 1e300 are infinite and those below 1e-300 are zero.
Needs    text without blanks around it, and that CASE takes no branch that its conditions rule out.
         PostgreSQL promises that for all but constants and aggregates; there are none here.
Why      PostgreSQL has no TRY_CAST, and a cast that fails on somebody's value would end the query.
"""

from __future__ import annotations

import math

from sqlglot import exp

from sudare.engines.sql import nodes as sql
from sudare.engines.sql.clean import DATE_FORM, NUMBER_FORM, WHOLE_FORM
from sudare.engines.sql.nodes import Sql

_MOST_DIGITS = 40
# Up to this length and with at most two digits in its exponent, a number is far inside a double.
_SHORT = 200
_LONG_EXPONENT = r"[eE][+-]?0*[1-9][0-9]{2}"
# A text is at most 2^30 characters long, so no mantissa makes up for an exponent this long.
_EXPONENT_DIGITS = 10
_FARTHEST = 300
_LONG_MONTHS = (1, 3, 5, 7, 8, 10, 12)


def call(name: str, *values: Sql) -> Sql:
    """A function of PostgreSQL by its name."""
    return exp.Anonymous(this=name, expressions=[value.copy() for value in values])


def whole_number(text: Sql) -> Sql:
    """[+-]digits[.000] as NUMERIC."""
    whole = _part(text, ".", 1)
    digits = call("LTRIM", whole, sql.text("+-0"))
    beyond = sql.text("1" + "0" * _MOST_DIGITS)
    number = sql.when(
        (_is_short(whole, _MOST_DIGITS), sql.cast(whole.copy(), "DECIMAL")),
        # Zeros in front do not make a number long.
        (_is_short(digits, _MOST_DIGITS), _signed(text, sql.text("0"), digits, kind="DECIMAL")),
        otherwise=_signed(text, beyond, kind="DECIMAL"),
    )
    return sql.when((sql.matches(text, WHOLE_FORM), number))


def double(text: Sql) -> Sql:
    """A decimal number, perhaps with an exponent, or an infinity, as DOUBLE PRECISION."""
    is_tame = exp.and_(_is_short(text, _SHORT), exp.Not(this=sql.matches(text, _LONG_EXPONENT)))
    number = sql.when((is_tame, sql.cast(text.copy(), "DOUBLE")), otherwise=_long_double(text))
    return sql.when((sql.matches(text, NUMBER_FORM), number))


def _long_double(text: Sql) -> Sql:
    """Digits and exponent are taken apart, so that the size is known before anything is cast."""
    small = exp.Lower(this=text.copy())
    mantissa, given = call("LTRIM", _part(small, "e", 1), sql.text("+-")), _part(small, "e", 2)
    fraction = _part(mantissa, ".", 2)
    digits = call("LTRIM", _joined(_part(mantissa, ".", 1), fraction), sql.text("0"))
    exponent = call("LTRIM", given, sql.text("+-0"))
    # How many tens the first digit that is not 0 stands for.
    places = exp.Sub(this=_length(digits), expression=_length(fraction))
    shift = exp.Sub(this=_signed(given, sql.text("0"), exponent, kind="BIGINT"), expression=_one())
    size = exp.paren(exp.Add(this=places, expression=shift), copy=False)
    first, rest = call("LEFT", digits, _one()), call("SUBSTR", digits, sql.integer(2))
    shown = (first, sql.text("."), rest, sql.text("e"), sql.cast(size.copy(), "TEXT"))
    return sql.when(
        (sql.equal(digits, sql.text("")), sql.real(0.0)),
        (exp.Not(this=_is_short(exponent, _EXPONENT_DIGITS)), _limit(text, given)),
        (sql.less(size, sql.integer(-_FARTHEST)), sql.real(0.0)),
        (sql.less(sql.integer(_FARTHEST), size), _infinity(text)),
        otherwise=_signed(text, *shown, kind="DOUBLE"),
    )


def _limit(text: Sql, exponent: Sql) -> Sql:
    return sql.when((_is_negative(exponent), sql.real(0.0)), otherwise=_infinity(text))


def _infinity(text: Sql) -> Sql:
    return sql.when((_is_negative(text), sql.real(-math.inf)), otherwise=sql.real(math.inf))


def date(text: Sql) -> Sql:
    """Year (four digits), month and day between dashes or strokes. The year 0000 is 1 BC."""
    dashed = call("REPLACE", text, sql.text("/"), sql.text("-"))
    year, month, day = (sql.cast(_part(dashed, "-", place), "INT") for place in (1, 2, 3))
    counted = sql.when((sql.equal(year, sql.integer(0)), sql.integer(-1)), otherwise=year.copy())
    day_of_calendar = sql.when((_is_day(year, month, day), call("MAKE_DATE", counted, month, day)))
    return sql.when((sql.matches(text, DATE_FORM), day_of_calendar))


def _is_day(year: Sql, month: Sql, day: Sql) -> Sql:
    long_months = [sql.integer(number) for number in _LONG_MONTHS]
    in_february = sql.when((_is_leap(year), sql.integer(29)), otherwise=sql.integer(28))
    last = sql.when(
        (sql.one_of(month, long_months), sql.integer(31)),
        (sql.equal(month, sql.integer(2)), in_february),
        otherwise=sql.integer(30),
    )
    return exp.and_(sql.between(month, _one(), sql.integer(12)), sql.between(day, _one(), last))


def _is_leap(year: Sql) -> Sql:
    def divides(number: int) -> Sql:
        rest = exp.Mod(this=year.copy(), expression=sql.integer(number))
        return exp.EQ(this=rest, expression=sql.integer(0))

    return exp.and_(divides(4), exp.or_(exp.Not(this=divides(100)), divides(400)))


def _one() -> Sql:
    return sql.integer(1)


def _part(text: Sql, sign: str, place: int) -> Sql:
    return call("SPLIT_PART", text, sql.text(sign), sql.integer(place))


def _is_negative(text: Sql) -> Sql:
    return exp.StartsWith(this=text.copy(), expression=sql.text("-"))


def _signed(text: Sql, *shown: Sql, kind: str) -> Sql:
    """What is shown, with the minus of `text` if it has one, cast."""
    sign = sql.when((_is_negative(text), sql.text("-")), otherwise=sql.text(""))
    return sql.cast(_joined(sign, *shown), kind)


def _length(text: Sql) -> Sql:
    return exp.Length(this=text.copy())


def _is_short(text: Sql, most: int) -> Sql:
    return exp.LTE(this=_length(text), expression=sql.integer(most))


def _joined(*texts: Sql) -> Sql:
    whole = texts[0].copy()
    for text in texts[1:]:
        whole = exp.DPipe(this=whole, expression=text.copy())
    return whole

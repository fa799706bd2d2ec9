"""Sums that neither wrap nor end a query, in Spark's 64 bits where that is proved to be enough.

Claim    over at most `rows` rows every sum asked for is exact. An index has |x| <= 2^62, so a
         product of 64 bits has |x| < 2^63. A summand with |x| * rows < 2^63 is summed as it is.
         Any other one of 64 bits is cut into limbs of w bits with 2^w * rows <= 2^62:
         x = sum of x_i 2^(w i), where 0 <= x_i < 2^w for all but the last, which is x >> (w i) with
         |that| <= 2^w + 1; so no sum of limbs passes 2^62 + rows < 2^63. A longer summand is a
         DECIMAL(38, 0) with |x| <= 2^124 and is cut at 10^19: both parts are below 10^19 in size,
         and sums of 2^40 of them below 2 * 10^31, far from 10^38. Limbs are put together in
         Python's integers.
         Indices of doubles stay the doubles that they were rounded to where that saves casts. A
         product below 2^53 in size is a whole double. Summands of one sign are summed as
         doubles if |x| * rows < 2^53, because all partial sums are whole doubles then. Partial
         sums of one sign only grow, also where they are rounded; so a sum below 2^53 is exact
         whatever the number of rows, and a larger one is not taken. Larger products that are not
         negative are cut at 2^w into f = rint(x / 2^w - 1/2) and x - f 2^w, both exact, which lie
         in [0, x / 2^w] and [0, 2^w]. What fits none of this is cast.
Source   two's complement: x = (x >> w) 2^w + (x & (2^w - 1)) for every whole x, also below zero.
         x / 2^w - 1/2 has the whole numerator x - 2^(w-1) over 2^w, so it is a double; f is the
         nearest whole number, so f - 1/2 <= x / 2^w - 1/2 <= f + 1/2.
Needs    `rows` is not smaller than the number of rows. Footers of Parquet files say how many rows
         a reader returns, true or not. If a file is exchanged meanwhile, Spark's own check of
         overflow (spark.sql.ansi.enabled), or ours of doubles, ends the query rather than let a
         sum wrap or lose a digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from sudare.engines.passes import Monomials
from sudare.engines.spark import texts
from sudare.engines.spark.border import gave_up
from sudare.engines.sql import clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.moments import COUNT, greatest, product
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell

_CUT = 10**19
_LONG = "DECIMAL(28, 0)"
# Up to here every whole number is a double that no other one is rounded to.
_MOST_DOUBLE = 2**53 - 1


@dataclass(frozen=True)
class Limbs:
    """The parts of one monomial, and what the sum of each counts."""

    parts: tuple[Sql, ...]
    weights: tuple[int, ...]


def limbs(whole: Sql, most: int, rows: int) -> Limbs:
    """Whole numbers of at most this size, cut so that no part's sum over `rows` rows leaves its
    type."""
    if most >= 2**63:
        return _decimals(whole)
    if most * max(rows, 1) < 2**63:
        return Limbs((whole,), (1,))
    return _integers(whole, most, 62 - max(rows, 1).bit_length())


def _integers(whole: Sql, most: int, width: int) -> Limbs:
    parts, weights, shift = [], [], 0
    while most >> shift > 2**width:
        parts.append(_low(_shifted(whole, shift), width))
        weights.append(2**shift)
        shift += width
    parts.append(_shifted(whole, shift))
    weights.append(2**shift)
    return Limbs(tuple(parts), tuple(weights))


def _shifted(value: Sql, shift: int) -> Sql:
    if not shift:
        return value.copy()
    return exp.Anonymous(this="SHIFTRIGHT", expressions=[exp.paren(value), sql.integer(shift)])


def _low(value: Sql, width: int) -> Sql:
    return exp.BitwiseAnd(this=exp.paren(value), expression=sql.integer(2**width - 1))


def _decimals(whole: Sql) -> Limbs:
    high = exp.IntDiv(this=exp.paren(whole), expression=sql.integer(_CUT))
    low = exp.Mod(this=exp.paren(whole), expression=sql.integer(_CUT))
    return Limbs((sql.cast(high, _LONG), sql.cast(low, _LONG)), (_CUT, 1))


def _doubles(whole: Sql, most: int, rows: int) -> Limbs | None:
    """Whole doubles that are not negative as they are, or cut in two; None if that is too few."""
    if most * rows <= _MOST_DOUBLE:
        return Limbs((whole,), (1,))
    width = (_MOST_DOUBLE // rows).bit_length() - 1
    if width < 1 or (most >> width) * rows > _MOST_DOUBLE:
        return None
    scaled = sql.times(exp.paren(whole), sql.real(2.0**-width))
    high = texts.call("RINT", exp.Sub(this=scaled, expression=sql.real(0.5)))
    low = exp.Sub(this=whole.copy(), expression=sql.times(high.copy(), sql.real(2.0**width)))
    return Limbs((low, high), (1, 2**width))


@dataclass(frozen=True)
class Exact:
    """The limbs of a pass's monomials over the columns of its request; the indices of the columns
    `doubles` are doubles."""

    found: tuple[Limbs, ...]
    doubles: frozenset[str]

    @classmethod
    def of(cls, monomials: Monomials, cells: Sequence[Cell], rows: int) -> Exact:
        doubles = frozenset(
            cell.name
            for place, cell in enumerate(cells)
            if _stays_double(place, monomials, cells, rows)
        )
        return cls(tuple(_cut(each, cells, rows, doubles) for each in monomials), doubles)

    def index(self, cell: Cell, raw: Sql) -> Sql:
        """The index of a value, in the type in which it is multiplied or summed."""
        if cell.name not in self.doubles:
            return clean.index(cell, raw)
        grid = cell.column.grid(cell.name)
        low, high = sql.real(float(grid.low)), sql.real(float(grid.high))
        reading = clean.Reading(
            low, lambda value: texts.call("RINT", clean.scaled(value, grid.step)), high
        )
        return clean.read(cell, raw, reading)

    @property
    def parts(self) -> list[Sql]:
        return [part for each in self.found for part in each.parts]

    def together(self, sums: Sequence[Any]) -> list[int]:
        """One exact sum a monomial from the sums of all limbs; NULL is the sum of no rows."""
        left, totals = iter(sums), []
        for each in self.found:
            totals.append(sum(weight * _whole(next(left)) for weight in each.weights))
        return totals


def _cut(
    monomial: tuple[int, ...], cells: Sequence[Cell], rows: int, doubles: frozenset[str]
) -> Limbs:
    if monomial == COUNT:
        # Counted, not summed.
        return Limbs((), (1,))
    most = greatest(monomial, cells)
    if doubles.isdisjoint(cells[place].name for place in monomial):
        return limbs(product(monomial, cells), most, rows)
    if len(monomial) == 1 and _adds_as_double(cells[monomial[0]], rows):
        return Limbs((product(monomial, cells),), (1,))
    whole = sql.times(*(sql.cast(sql.column(f"x{place}"), "DOUBLE") for place in monomial))
    parts = _doubles(whole, most, rows) if _is_positive(monomial, cells) else None
    return parts or limbs(sql.cast(whole, "BIGINT"), most, rows)


def _is_positive(monomial: tuple[int, ...], cells: Sequence[Cell]) -> bool:
    return all(cells[place].column.grid(cells[place].name).low >= 0 for place in monomial)


def _stays_double(place: int, monomials: Monomials, cells: Sequence[Cell], rows: int) -> bool:
    """Whether every product with this column is a whole double, or its sum if it has none."""
    if (cells[place].column.type, cells[place].physical.kind) != ("real", "float"):
        return False
    products = [each for each in monomials if len(each) > 1 and place in each]
    if not products:
        return _adds_as_double(cells[place], rows)
    return all(greatest(each, cells) <= _MOST_DOUBLE for each in products)


def _adds_as_double(cell: Cell, rows: int) -> bool:
    grid = cell.column.grid(cell.name)
    has_one_sign = grid.low >= 0 or grid.high <= 0
    return has_one_sign and max(abs(grid.low), abs(grid.high)) * rows <= _MOST_DOUBLE


def _whole(found: Any) -> int:
    if isinstance(found, float) and abs(found) > _MOST_DOUBLE:
        raise gave_up()
    return int(found or 0)

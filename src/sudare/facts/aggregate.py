"""What `queries` asks of an engine: exact integer moments over a declared set of groups.

An engine cleans every column first (see docs/schema.md): numbers are clamped to their bounds and
put on their grid, NaN and unreadable values are missing, category values outside the domain are
`other` or missing. Rows whose filter is not true, whose axis value is missing, or that lack one of
`columns` do not count. No group that is declared is ever absent from a result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sudare.facts.query import Predicate, predicate_columns


@dataclass(frozen=True)
class ValuesAxis:
    """One group a declared label; `values` are matched as text, `other` is the last group."""

    column: str
    values: tuple[str, ...]
    has_other: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    def size(self) -> int:
        return len(self.values) + int(self.has_other)


@dataclass(frozen=True)
class UniformAxis:
    """`size` groups of equal width over grid indices [low, low + span); code of index v is
    min((v − low)·size // span, size − 1)."""

    column: str
    low: int
    span: int
    size: int

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)


@dataclass(frozen=True)
class CutsAxis:
    """Groups between ascending integer cuts: index v has code #{cuts <= v}."""

    column: str
    cuts: tuple[int, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    def size(self) -> int:
        return len(self.cuts) + 1


@dataclass(frozen=True)
class Line:
    """A weighted sum of indices in doubles: ((constant + slope₁·x₁) + slope₂·x₂) + ..., each
    operation rounded by itself and in this order, so that every engine finds the same bits."""

    constant: float
    slopes: tuple[float, ...]

    def at(self, indices: Sequence[int]) -> float:
        found = self.constant
        for slope, index in zip(self.slopes, indices, strict=True):
            found += slope * float(index)
        return found


@dataclass(frozen=True)
class NearestAxis:
    """One group a center: a row belongs to the nearest one, Σ_j weights[j]·(x_j − c_j)² least, x_j
    its grid indices; of equally near ones to the first. A row that lacks a column has no group.

    Distances are compared by the half of their difference to that of the first center a, in which
    the squares of x cancel: ½Σ_j w_j·(c_j² − a_j²) − Σ_j w_j·(c_j − a_j)·x_j, rounded as `lines`
    and `Line` say. A row belongs to the first center unless some line is below zero, else to the
    first whose line is least.
    """

    columns: tuple[str, ...]
    centers: tuple[tuple[float, ...], ...]
    weights: tuple[float, ...]

    @property
    def size(self) -> int:
        return len(self.centers)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """A line for every center but the first."""
        return tuple(map(self._line, self.centers[1:]))

    def code(self, indices: Sequence[int]) -> int:
        found = [0.0, *(line.at(indices) for line in self.lines)]
        return found.index(min(found))

    def _line(self, center: tuple[float, ...]) -> Line:
        constant, slopes = 0.0, []
        for weight, c, a in zip(self.weights, center, self.centers[0], strict=True):
            slope = weight * (c - a)
            constant += slope * (0.5 * (c + a))
            slopes.append(_bounded(-slope))
        return Line(_bounded(constant), tuple(slopes))


@dataclass(frozen=True)
class ScoreAxis:
    """`size` groups of equal width between `low` < `high` of the score offset + Σ_j weights[j]·x_j,
    x_j the grid indices of a row; lower scores are in the first group, higher ones in the last. A
    row that lacks a column has no group. The code is the value of `line`, rounded down."""

    columns: tuple[str, ...]
    weights: tuple[float, ...]
    offset: float
    low: float
    high: float
    size: int

    @cached_property
    def line(self) -> Line:
        """The score in widths of a group, from `low` on."""
        scale = self.size / (self.high - self.low)
        start = (self.offset - self.low) * scale
        return Line(_bounded(start), tuple(_bounded(weight * scale) for weight in self.weights))

    def code(self, indices: Sequence[int]) -> int:
        return min(max(math.floor(self.line.at(indices)), 0), self.size - 1)


# Constants and slopes stay so small that no value of a line is infinite, whatever noise made of a
# center or a weight.
_MOST = 1e200


def _bounded(value: float) -> float:
    """The number within ±_MOST; NaN is _MOST."""
    return max(min(_MOST, value), -_MOST)


ColumnAxis = ValuesAxis | UniformAxis | CutsAxis
LineAxis = NearestAxis | ScoreAxis
Axis = ColumnAxis | LineAxis


@dataclass(frozen=True)
class MomentsRequest:
    """Per group: the number of rows unless it is not to be `counted`, then one sum a monomial.

    A monomial is a tuple of positions in `columns`: (0,) is Σx, (0, 0) is Σx², (0, 1) is Σxy, all
    on grid indices. `columns` may name columns that no monomial uses; they must still be present.
    Counting costs time beside a sum, so a question that needs no count asks for none.
    """

    where: Predicate | None = None
    axes: tuple[Axis, ...] = ()
    columns: tuple[str, ...] = ()
    monomials: tuple[tuple[int, ...], ...] = ()
    counted: bool = True

    @property
    def measures(self) -> tuple[tuple[int, ...], ...]:
        """What a group consists of; the number of rows is the sum of the empty product."""
        return (((),) if self.counted else ()) + self.monomials

    @property
    def groups(self) -> int:
        return math.prod(axis.size for axis in self.axes)

    def used_columns(self) -> frozenset[str]:
        axes = {column for axis in self.axes for column in axis.columns}
        return predicate_columns(self.where) | axes | set(self.columns)


@dataclass(frozen=True)
class Moments:
    """rows[g] = the measures of the request over group g, exact: (count, sum of monomial 0, ...),
    or the sums alone if it does not count; g runs over the axes in row-major order (the last axis
    fastest)."""

    rows: tuple[tuple[int, ...], ...]

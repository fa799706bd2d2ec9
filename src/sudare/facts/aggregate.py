"""What `queries` asks of an engine: exact integer moments over a declared set of groups.

An engine cleans every column first (see docs/schema.md): numbers are clamped to their bounds and
put on their grid, NaN and unreadable values are missing, category values outside the domain are
`other` or missing. Rows whose filter is not true, whose axis value is missing, or that lack one of
`columns` do not count. No group that is declared is ever absent from a result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sudare.facts.query import Predicate, predicate_columns


@dataclass(frozen=True)
class ValuesAxis:
    """One group a declared label; `values` are matched as text, `other` is the last group."""

    column: str
    values: tuple[str, ...]
    has_other: bool = False

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


@dataclass(frozen=True)
class CutsAxis:
    """Groups between ascending integer cuts: index v has code #{cuts <= v}."""

    column: str
    cuts: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.cuts) + 1


Axis = ValuesAxis | UniformAxis | CutsAxis


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
        axes = {axis.column for axis in self.axes}
        return predicate_columns(self.where) | axes | set(self.columns)


@dataclass(frozen=True)
class Moments:
    """rows[g] = the measures of the request over group g, exact: (count, sum of monomial 0, ...),
    or the sums alone if it does not count; g runs over the axes in row-major order (the last axis
    fastest)."""

    rows: tuple[tuple[int, ...], ...]

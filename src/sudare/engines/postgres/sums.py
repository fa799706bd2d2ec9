"""How the sums of a pass are asked of PostgreSQL, and how they are read back.

Claim    every sum is exact. SUM(BIGINT) is added up in 128 bits or as a NUMERIC and cannot
         overflow. SUM(INT) is added up in 64 bits that wrap; it is asked for only of indices, or
         products of them, below NARROW in size, over a table that cannot have 2^41 rows
         (structure.py), so that it stays below 2^63. If the number n of values and their sum are
         both asked for, one sum may bring them: T = Σ (2^62 + x − low). While n (high − low) is
         below 2^62, n is T div 2^62 and Σx is T mod 2^62 + n low. The n that is read is never
         below the true one, so that the condition is tested on what was read, and holds for the
         true n if it holds for that.
Why      each aggregate evaluates its argument anew, and so does each factor of a product. Putting
         a real value on its grid takes longer than adding it, so it is done as seldom as possible
         (docs/decisions/0005-engines.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from sudare.engines.passes import Monomials
from sudare.engines.postgres.dialect import NARROW
from sudare.engines.postgres.link import gave_up
from sudare.engines.sql import clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.moments import COUNT, greatest, product, sums_of
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell
from sudare.facts.grid import Grid

_SUM = (0,)
# What a present value counts beside its index.
_ONE = 2**62


@dataclass(frozen=True)
class Sums:
    """The monomials of a pass over `cells`; `small` if the table cannot have 2^41 rows."""

    monomials: Monomials
    cells: tuple[Cell, ...]
    small: bool

    @property
    def asked(self) -> Monomials:
        """The monomials that are left to ask for one by one."""
        return sums_of(self.monomials) if self._joined else self.monomials

    @property
    def summands(self) -> list[Sql]:
        return [self._summand(monomial) for monomial in sums_of(self.monomials)]

    @property
    def once(self) -> bool:
        """Whether indices are worth to be computed before they are used: where a product of them
        would compute them several times. A clip alone costs as little as keeping its result."""
        cells = self._multiplied
        are_stored = all(cell.physical.kind == "index" for cell in cells)
        return not are_stored and (len(cells) > 1 or any(map(_is_dear, cells)))

    def index(self, cell: Cell, raw: Sql) -> Sql:
        """The index of a value, in the type in which it is multiplied or summed."""
        found = clean.index(cell, raw)
        return found if self._is_short(cell) else sql.cast(found, "BIGINT")

    def read(self, found: Sequence[Any]) -> list[int]:
        """One number a monomial from a row of sums; NULL is the sum of no rows."""
        sums = iter([int(number or 0) for number in found])
        if not self._joined:
            return list(sums)
        read = {monomial: next(sums) for monomial in self.asked}
        read |= _parted(read[_SUM], self._grid)
        return [read[monomial] for monomial in self.monomials]

    @property
    def _multiplied(self) -> list[Cell]:
        places = {place for each in self.monomials if len(each) > 1 for place in each}
        return [self.cells[place] for place in sorted(places)]

    @property
    def _joined(self) -> bool:
        """Whether the count comes with the sum. A column whose values are missing by being NULL
        alone is counted at less cost than an addition has."""
        if len(self.cells) != 1 or not {COUNT, _SUM} <= set(self.monomials):
            return False
        return _is_dear(self.cells[0]) and self._grid.span < NARROW

    @property
    def _grid(self) -> Grid:
        return self.cells[0].column.grid(self.cells[0].name)

    def _summand(self, monomial: tuple[int, ...]) -> Sql:
        if self._is_narrow(monomial):
            whole = sql.times(*(sql.column(f"x{place}") for place in monomial))
        else:
            whole = product(monomial, self.cells)
        if monomial != _SUM or not self._joined:
            return whole
        return exp.Add(this=whole, expression=sql.integer(_ONE - self._grid.low))

    def _is_short(self, cell: Cell) -> bool:
        """Whether an index may be an INT: a sum of INT is the fastest."""
        own = [place for place, each in enumerate(self.cells) if each == cell]
        uses = [each for each in self.monomials if not set(own).isdisjoint(each)]
        return all(map(self._is_narrow, [*uses, *((place,) for place in own)]))

    def _is_narrow(self, monomial: tuple[int, ...]) -> bool:
        return self.small and greatest(monomial, self.cells) < NARROW


def _is_dear(cell: Cell) -> bool:
    """Whether even to know that a value is there takes more than a look at its NULL."""
    return not isinstance(clean.mark(cell, cell.raw), exp.Column)


def _parted(joined: int, grid: Grid) -> dict[tuple[int, ...], int]:
    """Count and sum out of the one sum that brings both."""
    rows, offset = divmod(joined, _ONE)
    if rows * grid.span >= _ONE:
        raise gave_up()
    return {COUNT: rows, _SUM: offset + rows * grid.low}

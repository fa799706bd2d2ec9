"""Which sums of a joined table are computed, and where they stand: from plan and schemas alone.

A row's vector is that of all organisations side by side, in ring order. The cells that are opened
come in this order: sums of all numbers, products of numbers of two organisations, the number of
rows (these three only where there are such products), then the tables of two labels.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

from sudare.link.vectors import Number, Vector

_NUMBERS, _TABLES = frozenset({"mean", "covariance"}), frozenset({"histogram", "table"})


@dataclass(frozen=True)
class Product:
    """Entries first ... first + rows − 1 of a row's vector times others, summed over rows; the
    cells come row by row."""

    first: int
    rows: int
    second: int
    columns: int

    @property
    def cells(self) -> int:
        return self.rows * self.columns


@dataclass(frozen=True)
class CrossTable:
    """Two labels of two organisations, by the names that they have in the result."""

    parties: tuple[str, str]
    columns: tuple[str, str]
    labels: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    product: Product


# Organisation, column, labels, and where they begin in a row's vector.
_Label = tuple[str, str, tuple[str | None, ...], int]


@dataclass(frozen=True)
class Layout:
    """`statistics` as in the plan; none for all that the columns allow."""

    vectors: tuple[Vector, ...]
    statistics: tuple[str, ...]

    @property
    def parties(self) -> tuple[str, ...]:
        return tuple(vector.party for vector in self.vectors)

    @property
    def width(self) -> int:
        return sum(vector.width for vector in self.vectors)

    @cached_property
    def starts(self) -> dict[str, int]:
        """Where each organisation's entries begin in a row's vector."""
        before = itertools.accumulate((v.width for v in self.vectors), initial=0)
        return dict(zip(self.parties, before, strict=False))

    @cached_property
    def counts(self) -> tuple[int, ...]:
        return tuple(len(vector.numbers) for vector in self.vectors)

    @cached_property
    def has_numbers(self) -> bool:
        wanted = not self.statistics or bool(_NUMBERS & set(self.statistics))
        return wanted and sum(count > 0 for count in self.counts) > 1

    @cached_property
    def numbers(self) -> tuple[tuple[int, Number], ...]:
        """Every number with its place in a row's vector; none where no products are wanted."""
        return tuple(
            (self.starts[vector.party] + place, number)
            for vector in (self.vectors if self.has_numbers else ())
            for place, number in enumerate(vector.numbers)
        )

    @cached_property
    def pairs(self) -> tuple[Product, ...]:
        """One product of matrices for every two organisations with numbers."""
        return tuple(
            Product(self.starts[a.party], len(a.numbers), self.starts[b.party], len(b.numbers))
            for a, b in itertools.combinations(self.vectors if self.has_numbers else (), 2)
            if a.numbers and b.numbers
        )

    @cached_property
    def tables(self) -> tuple[CrossTable, ...]:
        if self.statistics and not _TABLES & set(self.statistics):
            return ()
        return tuple(
            CrossTable((a[0], b[0]), (a[1], b[1]), (a[2], b[2]), _product(a, b))
            for a, b in itertools.combinations(self._labels(), 2)
            if a[0] != b[0]
        )

    def _labels(self) -> list[_Label]:
        found: list[_Label] = []
        for vector in self.vectors:
            start = self.starts[vector.party] + len(vector.numbers)
            for name, domain in vector.labels:
                found.append((vector.party, name, domain.labels, start))
                start += len(domain.labels)
        return found

    @cached_property
    def products(self) -> tuple[Product, ...]:
        """All products of matrices, in the order of their cells."""
        return (*self.pairs, *(table.product for table in self.tables))

    @property
    def number_cells(self) -> int:
        sums = len(self.numbers) + sum(product.cells for product in self.pairs)
        return sums + 1 if self.has_numbers else 0


def _product(a: _Label, b: _Label) -> Product:
    return Product(a[3], len(a[2]), b[3], len(b[2]))

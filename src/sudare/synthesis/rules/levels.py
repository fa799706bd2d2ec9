"""The levels of a column, as rules see them: small whole numbers that stand for intervals of the
grid, groups of labels, or a missing value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from sudare.facts.grid import Grid
from sudare.facts.schema import ColumnType


@dataclass(frozen=True)
class NumberLevels:
    """Levels of an integer, real, date or boolean column: level k holds the grid indices from
    starts[k] up to the next start, the last one up to grid.high. The code len(starts) stands
    for a missing value where the column has any."""

    starts: tuple[int, ...]
    grid: Grid
    type: ColumnType
    has_missing: bool = False

    def __post_init__(self) -> None:
        ascend = all(a < b for a, b in pairwise(self.starts))
        if not self.starts or self.starts[0] != self.grid.low or not ascend:
            raise ValueError("starts ascend from the lowest index of the grid")
        if self.starts[-1] > self.grid.high:
            raise ValueError("a level starts beyond the grid")

    @property
    def present(self) -> int:
        """How many levels are not the missing one."""
        return len(self.starts)

    @property
    def size(self) -> int:
        return self.present + self.has_missing

    def last(self, code: int) -> int:
        """The last grid index of a level."""
        return self.starts[code + 1] - 1 if code + 1 < len(self.starts) else self.grid.high


@dataclass(frozen=True)
class LabelLevels:
    """Levels of a category: the labels of each; the code len(groups) stands for a missing value
    where the column has any."""

    groups: tuple[tuple[str, ...], ...]
    has_missing: bool = False

    def __post_init__(self) -> None:
        if not self.groups or not all(self.groups):
            raise ValueError("every level of a category has a label")

    @property
    def present(self) -> int:
        """How many levels are not the missing one."""
        return len(self.groups)

    @property
    def size(self) -> int:
        return self.present + self.has_missing


ColumnLevels = NumberLevels | LabelLevels
AllLevels = Mapping[str, ColumnLevels]

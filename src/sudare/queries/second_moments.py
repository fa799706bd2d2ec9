"""Noisy second moments of several columns: what PCA and regressions are computed from.

Claim    for tables that differ in one unit, each block below moves by at most its sensitivity
         (queries/sensitivity.py); b blocks with an even share of ε (ρ) each cost ε (ρ) together.
         Under add-remove a row at a corner of the bounds attains all of them at once, so nothing
         is lost by splitting; under replace-one each is attained, but not all by one row.
Source   paper 003, page 21, corrected. Its Lap(4γ²/ε) an entry is wrong for ‖p‖₂ <= γ: one row
         moves the entries of Σppᵀ by (Σ|p_i|)² in L1, up to d·γ² (d columns, all |p_i| = γ/√d), so
         the noise would be d/4 times too small. Here bounds are declared a column, L1 and L2 are
         derived from them, and the matrix is symmetric, so that only its upper triangle is noised.
Symbols  y_j = (2x_j − low_j − high_j)/span_j in [−1, 1]; s_j -> span; t_j = (1 + y_j)/2.
Blocks   own j   (1−t)², 2t(1−t), t² times s_j²: non-negative integers that add up to s_j² in each
                 row, so n, Σy_j and Σy_j² together have the L1 sensitivity of one count. A column
                 of two values has y² = 1 and needs 1−t and t alone.
         pair ij Σ(s_i·y_i)(s_j·y_j), integers in ±s_i·s_j.
         That is d(d+1)/2 unit sensitivities. Noising 1, y, yyᵀ apart costs 1 + d + d(d+1)/2 of
         them. For Gaussian noise "analyze Gauss" takes ‖(1, √2·y, vec(yyᵀ))‖₂ = 1 + ‖y‖² <= 1 + d;
         in its units a pair is noised by (1+d)/√2 there and by √(d(d+1)/2) here, always less; the
         diagonal by 1 + d there and by at most 1.23 times that here.
Estimate least squares: every own block tells n, so n is their mean and corrects them in turn; where
         the number of rows is public it takes n's place. All of it is linear in the noisy cells.
Needs    values clamped to their bounds; rows that lack one of the columns contribute nothing.
Gaps     none known.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sudare.facts.grid import Grid
from sudare.queries.interval import Noise
from sudare.queries.measurement import Block
from sudare.queries.sensitivity import Sensitivity, Setting, of_shares, of_sum
from sudare.queries.variances import bernstein
from sudare.randomness.bits import RandomBits
from sudare.randomness.floats import normals, uniforms

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SecondMoments:
    """The blocks for given columns and how to read them. `weight` is the largest whole number by
    which a row may count (1 where all rows count alike)."""

    grids: tuple[Grid, ...]
    setting: Setting
    public_rows: int | None = None
    weight: int = 1

    @property
    def size(self) -> int:
        return len(self.grids)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        return tuple(itertools.combinations(range(self.size), 2))

    @property
    def monomials(self) -> tuple[tuple[int, ...], ...]:
        """What to ask of the engine, beside the number of rows."""
        singles = [(i,) for i in range(self.size)]
        squares = [(i, i) for i in range(self.size)]
        return (*singles, *squares, *self.pairs)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        own = [
            Block(_cells(grid), of_shares(self.setting, self.weight * _total(grid)))
            for grid in self.grids
        ]
        mixed = [Block(1, self._pair_sensitivity(i, j)) for i, j in self.pairs]
        return (*own, *mixed)

    def exact(self, sums: Sequence[int]) -> list[list[int]]:
        """The blocks' cells from (n, monomials…), which may be weighted."""
        n, d = sums[0], self.size
        linear, squares, products = sums[1 : d + 1], sums[d + 1 : 2 * d + 1], sums[2 * d + 1 :]
        own = [
            _own_cells(grid, n, x, xx)
            for grid, x, xx in zip(self.grids, linear, squares, strict=True)
        ]
        mixed = []
        for (i, j), product in zip(self.pairs, products, strict=True):
            a, b = (self.grids[k].low + self.grids[k].high for k in (i, j))
            mixed.append([4 * product - 2 * b * linear[i] - 2 * a * linear[j] + a * b * n])
        return [*own, *mixed]

    def units(self) -> Array:
        """What one of each cell stands for, so that cells of y in [−1, 1] come out."""
        own = [float(self.weight * _total(grid)) for grid in self.grids for _ in _cells_of(grid)]
        mixed = [
            float(self.weight * self.grids[i].span * self.grids[j].span) for i, j in self.pairs
        ]
        return np.array([*own, *mixed])

    def matrices(self, cells: Array) -> Array:
        """Σ(1, y)(1, y)ᵀ from cells in units; the leading axes are kept."""
        d, own = self.size, self._own_design.shape[0]
        head, pairs = cells[..., :own], cells[..., own:]
        found = np.zeros((*cells.shape[:-1], d + 1, d + 1))
        if self.public_rows is None:
            parts = head @ self._own_inverse.T
            n = parts[..., 0]
        else:
            n = np.full(cells.shape[:-1], float(self.public_rows))
            rest = head - n[..., None] * self._own_design[:, 0]
            parts = np.concatenate([n[..., None], rest @ self._own_inverse.T], axis=-1)
        found[..., 0, 0] = n
        for j, (line, square) in enumerate(self._places, start=1):
            found[..., 0, j] = found[..., j, 0] = parts[..., line]
            found[..., j, j] = n if square is None else parts[..., square]
        for place, (i, j) in enumerate(self.pairs):
            found[..., i + 1, j + 1] = found[..., j + 1, i + 1] = pairs[..., place]
        return found

    def noise_scales(self, noises: Sequence[Noise]) -> Array:
        """The scale of the noise of every cell, in units."""
        scales = [noise.scale for noise, b in zip(noises, self.blocks, strict=True)
                  for _ in range(b.cells)]  # fmt: skip
        return np.array(scales) / self.units()

    def simulated(
        self, cells: Array, noises: Sequence[Noise], draws: int, bits: RandomBits
    ) -> Array:
        """Matrices as they could have come out around the released cells (in units): what the
        noise does to anything computed from them, at no cost."""
        noise = drawn(noises[0].kind, self.noise_scales(noises), draws, bits)
        return self.matrices(cells + noise)

    def deviation(self, noises: Sequence[Noise]) -> float:
        """The largest standard deviation of the noise in a cell, in units."""
        return float(self.noise_scales(noises).max()) * _spread(noises[0].kind)

    def count_deviation(self, noises: Sequence[Noise]) -> float:
        """The standard deviation of the noise in n."""
        if self.public_rows is not None:
            return 0.0
        own = self._own_design.shape[0]
        scales = self.noise_scales(noises)[:own] * _spread(noises[0].kind)
        return float(np.sqrt((self._own_inverse[0] ** 2 * scales**2).sum()))

    def _pair_sensitivity(self, i: int, j: int) -> Sensitivity:
        reach = self.weight * self.grids[i].span * self.grids[j].span
        return of_sum(self.setting, -reach, reach)

    @cached_property
    def _places(self) -> tuple[tuple[int, int | None], ...]:
        """Where Σy_j and Σy_j² stand among the parameters; n is the first of them."""
        found: list[tuple[int, int | None]] = []
        following = 1
        for grid in self.grids:
            squared = grid.span > 1
            found.append((following, following + 1 if squared else None))
            following += 2 if squared else 1
        return tuple(found)

    @cached_property
    def _own_design(self) -> Array:
        """Own cells in units as a linear map of (n, Σy_1, Σy_1², Σy_2, …)."""
        rows = []
        last = max(max(line, square or 0) for line, square in self._places)
        for line, square in self._places:
            for by_n, by_y, by_square in _SHARES[square is not None]:
                row = np.zeros(last + 1)
                row[0], row[line] = by_n, by_y
                if square is not None:
                    row[square] = by_square
                rows.append(row)
        return np.array(rows)

    @cached_property
    def _own_inverse(self) -> Array:
        """Least squares: all own cells carry the same noise in units."""
        design = self._own_design if self.public_rows is None else self._own_design[:, 1:]
        return np.asarray(np.linalg.pinv(design), np.float64)


# (1−t)², 2t(1−t), t² and 1−t, t as combinations of 1, y, y².
_SHARES = {
    True: ((0.25, -0.5, 0.25), (0.5, 0.0, -0.5), (0.25, 0.5, 0.25)),
    False: ((0.5, -0.5, 0.0), (0.5, 0.5, 0.0)),
}


def _cells(grid: Grid) -> int:
    return len(_cells_of(grid))


def _cells_of(grid: Grid) -> tuple[tuple[float, float, float], ...]:
    return _SHARES[grid.span > 1]


def _total(grid: Grid) -> int:
    return grid.span**2


def _own_cells(grid: Grid, n: int, total: int, squares: int) -> list[int]:
    if grid.span > 1:
        return list(bernstein(grid.low, grid.high, n, total, squares))
    return [grid.high * n - total, total - grid.low * n]


def _spread(kind: str) -> float:
    """Standard deviation against scale."""
    return {"laplace": float(np.sqrt(2)), "gaussian": 1.0, "none": 0.0}[kind]


def drawn(kind: str, scales: Array, draws: int, bits: RandomBits) -> Array:
    """Noise of the given scales as real numbers, for simulations after the release only."""
    count = draws * len(scales)
    if kind == "gaussian":
        return normals(bits, count).reshape(draws, -1) * scales
    even = uniforms(bits, count).reshape(draws, -1) - 0.5
    # 1 − 2|u| of a 53-bit uniform number is at least 2^-53 but for u = −1/2 itself.
    magnitude = -np.log(np.maximum(1 - 2 * np.abs(even), 2.0**-53))
    found: Array = np.sign(even) * magnitude * scales
    return found

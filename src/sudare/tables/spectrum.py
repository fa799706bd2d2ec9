"""How noise in one margin shows in another: the numbers that planning and errors are made of.

Symbols  y_A, margin A measured with noise of variance 1 in every cell; h[A, B] -> the variance that
         y_A leaves in one coordinate of component B (E_B of the finest cells) when it is the only
         measurement; k[C, B] -> the mean variance of a cell of margin C when component B has
         variance 1 in every coordinate and nothing else has any.
Claim    both are products over the axes of (t[b] − t[b−1]) / n with
         h: t[a, b] = Σ over groups H of level b of (members of level a in H) / (finest in H), and
            n = rank of the component, size(b) − size(b−1), for b <= a;
         k: t[c, b] = Σ over members g of level c of (finest in g)² / (finest in the group of level
            b that holds g), n = size(c), for b <= c.
         Where all groups of a level are of one size, h = size(a)/size(finest) and the components
         of a measured margin are uncorrelated, so that variances built from h and k are exact.
Derivation
         E_b = Π_b − Π_(b−1) and Π_b 1_g = (|g| / |H|) 1_H for g inside H. The trace of
         Π_b Pᵀ D⁻² P is Σ_g |g|⁻² · 1_gᵀ Π_b 1_g = Σ_g 1/|H(g)|; that of Π_b PᵀP is
         Σ_g |g|²/|H(g)|. Traces of Kronecker products are products of traces.
Gaps     With groups of unequal size these are averages over the coordinates of a component, and
         correlations between components are left out; docs/tables.md says how far that is off.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.cube import Dimension, Margin, every_margin, starts

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Spectrum:
    """h and k over all margins, in the order of `margins`; 0 where B is not at or below."""

    margins: tuple[Margin, ...]
    h: Matrix
    k: Matrix

    @property
    def gains(self) -> Matrix:
        """1/h: what one unit of precision in A adds to the precision of B."""
        return np.divide(1.0, self.h, out=np.zeros_like(self.h), where=self.h > 0)


def spectrum(dimensions: Sequence[Dimension]) -> Spectrum:
    """The tables of a set of dimensions: Kronecker products of one small table an axis."""
    pairs = [_axis(each) for each in dimensions]
    h, k = (functools.reduce(np.kron, each) for each in zip(*pairs, strict=True))
    return Spectrum(tuple(every_margin(dimensions)), h, k)


def _axis(dimension: Dimension) -> tuple[Matrix, Matrix]:
    levels = range(dimension.depth + 1)
    h, k = np.zeros((2, len(levels), len(levels)))
    leaves = [dimension.leaves(level).astype(np.float64) for level in levels]
    for fine in levels:
        held = np.ones(dimension.size(fine))
        squares = leaves[fine] ** 2
        inner, outer = np.zeros(fine + 1), np.zeros(fine + 1)
        for coarse in range(fine, -1, -1):
            inner[coarse] = (held / leaves[coarse]).sum()
            outer[coarse] = (squares / leaves[coarse]).sum()
            if coarse:
                first = starts(dimension.children(coarse - 1))
                held, squares = np.add.reduceat(held, first), np.add.reduceat(squares, first)
        ranks = np.diff([0, *(dimension.size(level) for level in range(fine + 1))])
        # A level that splits nothing adds no component; its share of variance is 0.
        steps = np.diff(inner, prepend=0.0)
        h[fine, : fine + 1] = np.divide(
            steps, ranks, out=np.full(fine + 1, 1.0 / leaves[fine].mean()), where=ranks > 0
        )
        k[fine, : fine + 1] = np.diff(outer, prepend=0.0) / dimension.size(fine)
    return h, k

"""A mixture of products of level distributions, fitted to two-way tables.

Claim    `fit` climbs the composite likelihood Σ_ab Σ_ij T_ab(i,j) log M_ab(i,j) over the pairs of
         columns, where M_ab = Σ_k w_k p_ka(i) p_kb(j): given the mixture's component, columns are
         independent. Every two-way table of the mixture is a table of one distribution of whole
         rows, so they agree with each other whatever T is.
Source   expectation-maximisation of a latent class model (Goodman 1974) on pairs instead of rows
         (composite likelihood: Varin, Reid, Firth 2011). With R = T / M the step is
         p_ka(i) ← p_ka(i) (P R)_ki and w_k ← w_k Σ_i p_k(i) (P R)_ki, both normalised: two products
         of matrices a round, whatever the number of rows. The exponent η > 1 of the first
         over-relaxes it, as η < 2 does not lose convergence (Salakhutdinov, Roweis 2003).
Symbols  K components, L levels of all columns together; P is K × L, T and M are L × L.
Needs    T with non-negative blocks; blocks whose pair is not known are masked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sudare.randomness.bits import RandomBits
from sudare.randomness.floats import normals

Single = NDArray[np.float32]
COMPONENTS = 500
ROUNDS = 300
# Noisy tables are not worth following further: what comes late is their noise.
NOISY_ROUNDS = 150
_RELAXED = 1.7
_TINY = np.float32(1e-12)
# With fewer pairs known than this share the fit goes band by band, of so many levels each.
_SPARSE = 0.6
_WIDTH = 128
_RAKES = 50
Watch = Callable[[float], None]


def unwatched(share: float) -> None:
    """Nobody is watching."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """`weights` of the components and, per component, the chances of all levels; `offsets` say
    where each column's levels begin."""

    weights: NDArray[np.float64]
    chances: Single
    offsets: NDArray[np.int64]

    def column(self, place: int) -> Single:
        return self.chances[:, self.offsets[place] : self.offsets[place + 1]]

    def pairs(self) -> NDArray[np.float64]:
        """Every two-way table of the mixture, as one matrix; diagonal blocks are not tables."""
        light = self.chances.astype(np.float64)
        found: NDArray[np.float64] = light.T @ (light * self.weights[:, None])
        return found


def fit(
    targets: Single,
    offsets: NDArray[np.int64],
    bits: RandomBits,
    components: int = COMPONENTS,
    rounds: int = ROUNDS,
    watch: Watch = unwatched,
) -> Mixture:
    """`targets` hold shares: off-diagonal blocks the two-way tables (0 where a pair is unknown),
    the diagonal the shares of single levels."""
    columns = len(offsets) - 1
    known = np.array(targets, dtype=np.float32)
    for a, b in pairwise(offsets):
        known[a:b, a:b] = 0.0
    share = np.diagonal(targets).astype(np.float32)
    spread = normals(bits, components * len(targets)).reshape(components, -1)
    chances = _normal(share[None, :] * np.exp(spread).astype(np.float32), offsets)
    if columns == 1:
        chances[:] = share
    weights = np.full(components, 1.0 / components, np.float32)
    partners, bands = _partners(known, offsets), _bands(known, offsets)
    for done in range(rounds if columns > 1 else 0):
        exponent = 1.0 if done >= rounds - 3 else _RELAXED
        chances, weights = _round(chances, weights, bands, offsets, partners, exponent)
        if done % 10 == 0:
            watch(done / rounds)
    watch(1.0)
    heavy = weights.astype(np.float64)
    heavy /= heavy.sum()
    return Mixture(heavy, _raked(chances, heavy, share, offsets), offsets)


def _raked(
    chances: Single, weights: NDArray[np.float64], share: Single, offsets: NDArray[np.int64]
) -> Single:
    """Tables that contradict each other may pull a column away from its histogram; its levels are
    raised and lowered in all components alike until it is back."""
    light = weights.astype(np.float32)
    for _ in range(_RAKES):
        found = light @ chances
        if float(np.max(np.abs(found - share), initial=0.0)) < 1e-9:
            break
        ratio = np.where(found > _TINY, share / np.maximum(found, _TINY), 1.0)
        chances = _normal(chances * ratio.astype(np.float32), offsets)
    return chances


@dataclass(frozen=True, eq=False)
class _Band:
    """Some levels, those with which they are known together, and the tables of both."""

    own: slice
    others: slice | NDArray[np.intp]
    known: Single


def _bands(known: Single, offsets: NDArray[np.int64]) -> list[_Band]:
    """All levels at once; where most pairs are unknown, as in a panel, column by column with what
    is known beside them, which saves the products of the rest."""
    tables = np.add.reduceat(np.add.reduceat(known, offsets[:-1], 0), offsets[:-1], 1) > 0
    if float(tables.mean()) > _SPARSE:
        return [_Band(slice(None), slice(None), known)]
    found, first, columns = [], 0, len(tables)
    while first < columns:
        last = first + 1
        while last < columns and offsets[last + 1] - offsets[first] <= _WIDTH:
            last += 1
        beside = np.repeat(tables[first:last].any(axis=0), np.diff(offsets))
        own, others = slice(int(offsets[first]), int(offsets[last])), np.flatnonzero(beside)
        found.append(_Band(own, others, np.ascontiguousarray(known[others, own])))
        first = last
    return found


def _partners(known: Single, offsets: NDArray[np.int64]) -> Single:
    """For every level with how many columns its own is crossed: each table adds up to one."""
    tables = np.add.reduceat(known.sum(axis=1), offsets[:-1])
    return np.repeat(np.maximum(np.rint(tables), 1.0), np.diff(offsets)).astype(np.float32)


def _round(
    chances: Single,
    weights: Single,
    bands: list[_Band],
    offsets: NDArray[np.int64],
    partners: Single,
    exponent: float,
) -> tuple[Single, Single]:
    heavy, pull = chances * weights[:, None], np.empty_like(chances)
    for band in bands:
        others = chances[:, band.others]
        model = others.T @ heavy[:, band.own]
        ratio = np.divide(band.known, np.maximum(model, _TINY, out=model), out=model)
        pull[:, band.own] = others @ ratio
    mass = np.einsum("kl,kl->k", chances, pull) * weights
    if exponent != 1.0:
        # Bounded, so that an over-relaxed step cannot blow up where the model was far off.
        np.clip(pull / partners, 1e-6, 1e6, out=pull)
        pull = np.power(pull, np.float32(exponent), out=pull)
    chances = _normal(chances * pull, offsets)
    return chances, (mass / mass.sum()).astype(np.float32)


def _normal(chances: Single, offsets: NDArray[np.int64]) -> Single:
    chances += _TINY
    sums = np.add.reduceat(chances, offsets[:-1], axis=1)
    chances /= np.repeat(sums, np.diff(offsets), axis=1)
    return chances

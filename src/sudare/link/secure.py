"""Collector and helper: from shares of the common rows to noisy sums that both may see.

Claim    semi-honest and not colluding with each other or the dealer, either side sees of the rows
         only what is opened, and what is opened has the other side's noise in full: ε-DP by
         secure_job.py whatever the own noise was.
Source   triples.py for the products; noise by each of two parties: Dwork et al. 2006 ("Our data,
         ourselves"), in its simplest form.
Symbols  a side's share of a product: E_pᵀA_q + A_pᵀE_q + share of A_pᵀA_q, and E_pᵀE_q at the
         collector; sums are sums of shares; the collector's share of the count is the count.
Needs    rows in the same order on both sides (aligning.py), entries within their reach
         (vectors.py).
Gaps     two full noises have twice the variance that one would need. Both sides know the number of
         common rows, so that each can work out the other's noise of the count, and of that alone.
         Against a side that lies about its messages, or an organisation that shares entries beyond
         their reach, nothing is claimed: see docs/link-secure.md.

No message depends on anything drawn but the last one: `masked` gives the same bytes whenever it is
asked. `protected` draws noise; its bytes are to be on the disk before they are sent, and are sent
again as they are.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile
from sudare.link.secure_job import SecureJob
from sudare.link.shares import Words, from_message, reconstructed, to_message
from sudare.link.triples import CHUNK, Masks, chunks_of, multiplied
from sudare.randomness.bits import RandomBits
from sudare.randomness.laplace import discrete_laplace

Side = Literal["collector", "helper"]


class Computing:
    """One side. For every chunk in order: send `masked`, then `add` what the other side sent."""

    def __init__(self, side: Side, masks: Masks, words: Words) -> None:
        """`words`: the own shares of the common rows, n × width, aligned."""
        self._side, self._masks, self._words = side, masks, words
        self._done = 0
        self._products = np.zeros(len(self._no_products()), np.uint64)

    @property
    def job(self) -> SecureJob:
        return self._masks.job

    @property
    def chunks(self) -> int:
        return chunks_of(len(self._words))

    def masked(self, chunk: int) -> bytes:
        """The own share of X − A for a chunk."""
        return to_message(self._rows(chunk) - self._masks.rows(chunk))

    def add(self, chunk: int, other: bytes, correction: bytes | None = None) -> None:
        """The chunk's part of the products; the helper has a correction from the dealer."""
        if chunk != self._done or chunk >= self.chunks:
            raise InvalidFile(
                "A chunk of the secure computation came out of turn.",
                "Start the session again; nothing was opened.",
            )
        shape, products = (CHUNK, self.job.width), self.job.products
        mine = self._masks.rows(chunk)
        shown = self._rows(chunk) - mine + from_message(other, shape)
        if self._side == "collector":
            self._products += self._masks.products(chunk)
            self._products += multiplied(shown, shown + mine, products)
        else:
            self._products += from_message(correction or b"", self._products.shape)
            self._products += multiplied(shown, mine, products)
        self._products += multiplied(mine, shown, products)
        self._done += 1

    def protected(self, bits: RandomBits) -> bytes:
        """The own share of every cell with the own noise, for the other side."""
        if self._done != self.chunks:
            raise ValueError("not all chunks were added")
        return to_message(self._cells() + _noise(self.job.scales, bits))

    def _cells(self) -> Words:
        """The own share of every cell, in the order of the job."""
        if not self.job.has_numbers:
            return self._products
        places = [place for place, _ in self.job.numbers]
        sums = self._words[:, places].sum(axis=0, dtype=np.uint64)
        count = len(self._words) if self._side == "collector" else 0
        split = sum(product.cells for product in self.job.pairs)
        parts = (sums, self._products[:split], [np.uint64(count)], self._products[split:])
        return np.concatenate([np.asarray(part, np.uint64) for part in parts])

    def _rows(self, chunk: int) -> Words:
        own = self._words[chunk * CHUNK : (chunk + 1) * CHUNK]
        found = np.zeros((CHUNK, self.job.width), np.uint64)
        found[: len(own)] = own
        return found

    def _no_products(self) -> Words:
        return np.zeros(sum(product.cells for product in self.job.products), np.uint64)


def opened(job: SecureJob, one: bytes, other: bytes) -> NDArray[np.int64]:
    """The noisy cells, from the last message of either side."""
    shape = (len(job.scales),)
    return reconstructed(from_message(one, shape), from_message(other, shape))


def _noise(scales: tuple[Fraction, ...], bits: RandomBits) -> Words:
    """Fresh noise for every cell, modulo 2^64; cells of one scale are drawn together."""
    found = np.zeros(len(scales), np.uint64)
    for scale in dict.fromkeys(scales):
        places = [place for place, each in enumerate(scales) if each == scale]
        drawn = np.asarray(discrete_laplace(bits, scale, len(places)))
        # A scale beyond 64 bits gives Python's integers, which are reduced one by one.
        is_long = drawn.dtype == object
        found[places] = [int(each) % 2**64 for each in drawn] if is_long else drawn.view(np.uint64)
    return found

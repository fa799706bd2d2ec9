"""Matrix triples from a dealer: what two holders of shares need to multiply without opening.

Claim    with masks A that neither holder knows, and shares of Aᵀ·A's blocks, the holders get shares
         of all wanted blocks of XᵀX from their shares of X after showing each other only X − A,
         which is uniform whatever X is.
Source   Beaver 1991; for matrices Mohassel, Zhang 2017, section 4.1.
Symbols  E = X − A, in chunks of CHUNK rows. X_pᵀX_q = E_pᵀE_q + E_pᵀA_q + A_pᵀE_q + A_pᵀA_q for
         any two sets of columns p, q; every row is masked once, whatever it is multiplied with.
Needs    a dealer that tells neither holder the other's secret. Fresh secrets for every session.
Gaps     the dealer is trusted to deal right: wrong triples make the result wrong, though they show
         the dealer nothing.

The dealer sends 32 bytes to either holder, from which it makes its shares of A for every chunk; the
collector makes its shares of the products as well, and the helper is sent the difference: as many
words as there are cells, for every chunk. The last chunk is filled up with rows of zeros, so that
the dealer is told the number of chunks and not the number of common rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.link.secure_job import SecureJob
from sudare.link.secure_layout import Product
from sudare.link.shares import Words, to_message
from sudare.randomness.bits import RandomBits, run_key
from sudare.randomness.expansion import expanded_words

CHUNK = 2**16


def chunks_of(rows: int) -> int:
    """How many chunks so many rows take; one at least, so that nobody sees that there is none."""
    return max(1, -(-rows // CHUNK))


def multiplied(left: Words, right: Words, products: Sequence[Product]) -> Words:
    """The cells of all products of two matrices of the same rows, modulo 2^64."""
    found = [
        left[:, p.first : p.first + p.rows].T @ right[:, p.second : p.second + p.columns]
        for p in products
    ]
    return np.concatenate([each.ravel() for each in found])


@dataclass(frozen=True)
class Masks:
    """One holder's shares, made from its secret. `context` names the session."""

    job: SecureJob
    secret: bytes
    context: bytes

    def rows(self, chunk: int) -> Words:
        """Its share of A: CHUNK × width."""
        words = expanded_words(self.secret, self._label(b"rows", chunk), CHUNK * self.job.width)
        return words.reshape(CHUNK, self.job.width)

    def products(self, chunk: int) -> Words:
        """The collector's share of the products of A."""
        cells = sum(product.cells for product in self.job.products)
        return expanded_words(self.secret, self._label(b"products", chunk), cells)

    def _label(self, kind: bytes, chunk: int) -> bytes:
        return kind + b"\0" + chunk.to_bytes(8, "little") + self.context


@dataclass(frozen=True)
class Dealer:
    """Two secrets, one for the collector and one for the helper."""

    collector: Masks
    helper: Masks

    @classmethod
    def of(cls, job: SecureJob, context: bytes, bits: RandomBits) -> Dealer:
        return cls(Masks(job, run_key(bits), context), Masks(job, run_key(bits), context))

    def correction(self, chunk: int) -> bytes:
        """What the helper adds to its share of the products of a chunk."""
        masks = self.collector.rows(chunk) + self.helper.rows(chunk)
        whole = multiplied(masks, masks, self.collector.job.products)
        return to_message(whole - self.collector.products(chunk))

"""Triples from a dealer: right together, noise apart, the same from the same secret."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from sudare.link import triples
from sudare.link.secure_job import compile_secure
from sudare.link.shares import from_message
from sudare.link.triples import Dealer, Masks, chunks_of, multiplied
from support.bits import CountedBits
from support.goodness import fits
from support.secure import labels, numbers

JOB = compile_secure(
    [
        ("A", numbers(a=(0, 9), b=(-3, 3)) | labels(l=2)),
        ("B", numbers(c=(0, 1)) | labels(m=3)),
        ("C", numbers(d=(0, 4))),
    ],
    Fraction(1),
)
CELLS = sum(product.cells for product in JOB.products)


def dealer(label: str = "dealer") -> Dealer:
    return Dealer.of(JOB, b"session", CountedBits(label))


@pytest.mark.parametrize("chunk", [0, 5])
def test_shares_of_products_are_products_of_shared_masks(chunk: int) -> None:
    dealt = dealer()
    masks = dealt.collector.rows(chunk) + dealt.helper.rows(chunk)
    helpers = from_message(dealt.correction(chunk), (CELLS,))
    found = dealt.collector.products(chunk) + helpers
    # In Python's own integers, modulo 2^64, for one cell of each product.
    start = 0
    for product in JOB.products:
        left, right = masks[:, product.first], masks[:, product.second]
        both = zip(left.tolist(), right.tolist(), strict=True)
        assert int(found[start]) == sum(a * b for a, b in both) % 2**64
        start += product.cells
    assert start == CELLS


def test_messages_are_small() -> None:
    """Two secrets, and one word a cell and chunk, whatever the number of rows."""
    assert len(dealer().collector.secret) == len(dealer().helper.secret) == 32
    assert len(dealer().correction(0)) == 8 * CELLS


def test_the_correction_is_uniform_without_the_collectors_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """False alarm 1e-6; a correction without the collector's share would not be: the product of two
    uniform words is even in three of four cases."""
    monkeypatch.setattr(triples, "CHUNK", 1)
    even = dict.fromkeys(range(256), 1 / 256)
    dealt = [dealer(f"dealer {n}") for n in range(2000)]
    words = [from_message(each.correction(0), (CELLS,)) for each in dealt]
    assert fits(np.concatenate(words).view(np.uint8), even)
    bare = [w + d.collector.products(0) for w, d in zip(words, dealt, strict=True)]
    assert not fits(np.concatenate(bare).view(np.uint8)[::8], even)


def test_chunks_sessions_and_holders_have_masks_of_their_own() -> None:
    one = dealer()
    again = Masks(JOB, one.collector.secret, b"session")
    assert (again.rows(0) == one.collector.rows(0)).all()
    for other in (
        one.collector.rows(1),
        one.helper.rows(0),
        Masks(JOB, one.collector.secret, b"other").rows(0),
        dealer("other").collector.rows(0),
    ):
        assert not (other == again.rows(0)).any()
    assert not np.isin(again.products(0), again.rows(0)).any()


def test_chunks() -> None:
    size = triples.CHUNK
    assert [chunks_of(n) for n in (0, 1, size, size + 1)] == [1, 1, 1, 2]


def test_products_wrap_around() -> None:
    job = compile_secure([("A", numbers(a=(0, 1))), ("B", numbers(b=(0, 1)))], Fraction(1))
    words = np.array([[2**63 + 1, 2**63 + 3], [2**32, 2**32]], np.uint64)
    expected = ((2**63 + 1) * (2**63 + 3) + 2**64) % 2**64
    assert multiplied(words, words, job.products).tolist() == [expected]

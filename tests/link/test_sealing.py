from __future__ import annotations

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile
from sudare.link.sealing import HEADER, TAG, Opening, Seal, open_bytes, seal_bytes
from sudare.randomness.keys import new_private_key
from support.tiers import examples

OWNER = new_private_key()
CONTEXT = b"session 1, hospital to collector"


def records(count: int, width: int) -> NDArray[np.uint8]:
    return (np.arange(count * width) % 251).astype(np.uint8).reshape(count, width)


def numbers(first: int, count: int) -> NDArray[np.uint64]:
    return np.arange(first, first + count, dtype=np.uint64)


def fresh() -> Seal:
    return Seal.to(OWNER.public_key(), CONTEXT, new_private_key())


def refused(opening: Opening, rows: NDArray[np.uint64], sealed: NDArray[np.uint8]) -> None:
    with pytest.raises(InvalidFile) as refusal:
        opening.opened(rows, sealed)
    # The library's error must not hang on behind.
    assert refusal.value.__context__ is None


@examples(25)
@given(st.integers(0, 2**40), st.integers(0, 6), st.integers(0, 40))
def test_what_was_sealed_opens(first: int, count: int, width: int) -> None:
    seal, plain = fresh(), records(count, width)
    sealed = seal.sealed(first, plain)
    assert sealed.shape == (count, width + TAG)
    opened = Opening.of(OWNER, seal.header, CONTEXT).opened(numbers(first, count), sealed)
    assert opened.shape == plain.shape
    assert (opened == plain).all()


def test_chunks_open_in_any_order_by_their_numbers() -> None:
    seal, plain = fresh(), records(10, 5)
    parts = [seal.sealed(0, plain[:4]), seal.sealed(4, plain[4:])]
    order = np.array([7, 0, 9, 3], np.uint64)
    sealed = np.vstack(parts)[order.astype(int)]
    assert (
        Opening.of(OWNER, seal.header, CONTEXT).opened(order, sealed) == plain[order.astype(int)]
    ).all()


def test_equal_records_look_different_and_show_nothing() -> None:
    sealed = fresh().sealed(0, np.zeros((50, 16), np.uint8))
    assert len({row.tobytes() for row in sealed}) == 50
    assert sealed.any(axis=1).all()
    assert fresh().sealed(0, np.zeros((1, 16), np.uint8)).tobytes() != sealed[0].tobytes()


def test_a_changed_bit_anywhere_is_refused() -> None:
    seal = fresh()
    sealed = seal.sealed(0, records(3, 4))
    opening = Opening.of(OWNER, seal.header, CONTEXT)
    for place in range(sealed.shape[1]):
        forged = sealed.copy()
        forged[1, place] ^= 1
        refused(opening, numbers(0, 3), forged)


def test_rows_that_were_moved_repeated_or_left_out_are_refused() -> None:
    seal = fresh()
    sealed = seal.sealed(0, records(4, 4))
    opening = Opening.of(OWNER, seal.header, CONTEXT)
    for order in ([1, 0, 2, 3], [0, 0, 2, 3], [0, 2, 3], [3, 2, 1, 0]):
        refused(opening, numbers(0, len(order)), sealed[order])
    refused(opening, numbers(1, 4), sealed)
    refused(opening, numbers(0, 3), sealed)
    refused(opening, numbers(0, 1), np.zeros((1, TAG - 1), np.uint8))


def test_rows_of_another_seal_are_refused() -> None:
    one, two = fresh(), fresh()
    mixed = np.vstack([one.sealed(0, records(1, 4)), two.sealed(1, records(1, 4))])
    refused(Opening.of(OWNER, one.header, CONTEXT), numbers(0, 2), mixed)


def test_another_receiver_context_or_header_opens_nothing() -> None:
    seal = fresh()
    sealed = seal.sealed(0, records(1, 4))
    for owner, header, context in (
        (new_private_key(), seal.header, CONTEXT),
        (OWNER, fresh().header, CONTEXT),
        (OWNER, seal.header, CONTEXT + b"!"),
    ):
        refused(Opening.of(owner, header, context), numbers(0, 1), sealed)


@pytest.mark.parametrize(
    "header",
    [b"", bytes(HEADER), b"\4" + b"\1" * 64, new_private_key().public_key().public_numbers()],
)
def test_a_header_that_is_no_key_is_refused(header: object) -> None:
    if isinstance(header, ec.EllipticCurvePublicNumbers):
        # The compressed form of a good key is another header for the same secret.
        header = bytes([2 + header.y % 2]) + header.x.to_bytes(32, "big")
    assert isinstance(header, bytes)
    with pytest.raises(InvalidFile) as refusal:
        Opening.of(OWNER, header, CONTEXT)
    assert refusal.value.__context__ is None


def test_a_row_number_is_never_sealed_twice() -> None:
    seal = fresh()
    seal.sealed(5, records(3, 4))
    for first in (0, 5, 7):
        with pytest.raises(ValueError, match="once"):
            seal.sealed(first, records(1, 4))
    seal.sealed(8, records(1, 4))


@examples(25)
@given(st.binary(max_size=200), st.binary(max_size=50))
def test_messages_open(message: bytes, context: bytes) -> None:
    data = seal_bytes(OWNER.public_key(), context, message, new_private_key())
    assert len(data) == HEADER + len(message) + TAG
    assert open_bytes(OWNER, context, data) == message


def test_messages_that_were_altered_cut_or_meant_for_others_are_refused() -> None:
    data = seal_bytes(OWNER.public_key(), CONTEXT, b"shared salt", new_private_key())
    altered = [data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :] for i in range(len(data))]
    cut = [data[:length] for length in (0, HEADER, HEADER + TAG - 1, len(data) - 1)]
    for forged in [*altered, *cut]:
        with pytest.raises(InvalidFile) as refusal:
            open_bytes(OWNER, CONTEXT, forged)
        assert refusal.value.__context__ is None
    for owner, context in ((OWNER, b"another"), (new_private_key(), CONTEXT)):
        with pytest.raises(InvalidFile):
            open_bytes(owner, context, data)


def test_a_message_is_not_a_row() -> None:
    data = seal_bytes(OWNER.public_key(), CONTEXT, b"1234", new_private_key())
    row = np.frombuffer(data[HEADER:], np.uint8).reshape(1, -1)
    refused(Opening.of(OWNER, data[:HEADER], CONTEXT), numbers(0, 1), row)

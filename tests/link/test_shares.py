"""Additive shares: exact together, noise apart."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.facts.errors import InvalidFile
from sudare.link.shares import (
    from_message,
    from_records,
    reconstructed,
    split,
    to_message,
    to_records,
)
from support.bits import CountedBits, ScriptedBits
from support.goodness import fits

ENDS = np.array([[-(2**63), -1, 0], [1, 2**40, 2**63 - 1]])


def test_shares_add_up_to_the_values() -> None:
    first, second = split(ENDS, CountedBits("shares"))
    assert (reconstructed(first, second) == ENDS).all()
    assert not (first.view(np.int64) == ENDS).any()


def test_the_first_share_is_the_bits_and_the_second_the_rest() -> None:
    script = (7).to_bytes(8, "little") + (2**64 - 1).to_bytes(8, "little")
    first, second = split(np.array([[5, 5]]), ScriptedBits(script))
    assert first.tolist() == [[7, 2**64 - 1]]
    assert second.tolist() == [[2**64 - 2, 6]]


@pytest.mark.parametrize("value", [0, 1, -(2**40)])
def test_either_share_is_uniform_whatever_the_value(value: int) -> None:
    """False alarm 1e-6 each; a share with one fixed bit is caught."""
    shares = split(np.full((40_000, 1), value), CountedBits(f"uniform {value}"))
    law = dict.fromkeys(range(256), 1 / 256)
    for share in shares:
        for place in (0, 7):
            assert fits(to_records(share)[:, place], law)
    assert not fits(to_records(shares[1])[:, 0] | 1, law)


def test_sums_of_shares_are_shares_of_sums() -> None:
    values = np.arange(-500, 500).reshape(100, 10)
    first, second = split(values, CountedBits("sums"))
    assert (reconstructed(first.sum(axis=0), second.sum(axis=0)) == values.sum(axis=0)).all()


def test_records_and_messages_come_back() -> None:
    words = split(ENDS, CountedBits("records"))[0]
    records = to_records(words)
    assert records.shape == (2, 24)
    assert (from_records(records, 3) == words).all()
    assert (from_records(records[::-1], 3) == words[::-1]).all()
    assert (from_message(to_message(words), (2, 3)) == words).all()
    assert to_message(words) == records.tobytes()


def test_a_wrong_length_is_refused() -> None:
    with pytest.raises(InvalidFile, match="wrong length"):
        from_records(np.zeros((2, 23), np.uint8), 3)
    with pytest.raises(InvalidFile, match="wrong length"):
        from_message(bytes(8), (2,))

"""Integers to binary digits and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.randomness.digits import INT64_DIGITS, pack, unpack


@given(st.integers(1, 130), st.lists(st.integers(0, 2**130), min_size=1, max_size=5))
def test_pack_reads_the_columns_as_binary_numbers(width: int, values: list[int]) -> None:
    wanted = [value % 2**width for value in values]
    rows = np.array([[v >> i & 1 for v in wanted] for i in range(width)], dtype=np.bool_)
    packed = pack(rows)
    assert packed.tolist() == wanted
    assert packed.dtype == (np.int64 if width <= INT64_DIGITS else np.object_)


def test_no_digits_make_zero() -> None:
    assert pack(np.empty((0, 3), dtype=np.bool_)).tolist() == [0, 0, 0]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=5))
def test_unsigned_words_have_64_digits(values: list[int]) -> None:
    rows = unpack(np.array(values, dtype=np.uint64))
    assert rows.shape == (64, len(values))
    assert [sum(int(d) << i for i, d in enumerate(c)) for c in rows.T] == values


@given(st.lists(st.integers(0, 2**200), min_size=1, max_size=5))
def test_long_integers_have_the_digits_of_the_longest(values: list[int]) -> None:
    rows = unpack(np.array(values, dtype=np.object_))
    assert len(rows) == 64 * max(1, *(-(-v.bit_length() // 64) for v in values))
    assert [sum(int(d) << i for i, d in enumerate(c)) for c in rows.T] == values


@pytest.mark.parametrize("value", [0, 1, 2**62, 2**63 - 1])
def test_the_number_of_rows_does_not_depend_on_the_value(value: int) -> None:
    assert unpack(np.array([value], dtype=np.int64)).shape == (64, 1)

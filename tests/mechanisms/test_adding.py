"""Sums of values and noise never wrap around."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sudare.mechanisms.adding import add, add_array

int64 = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.tuples(int64, int64), min_size=1, max_size=8))
def test_int64_sums_are_exact_and_clamped(pairs: list[tuple[int, int]]) -> None:
    values, noise = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    wanted = [min(max(v + z, -(2**63)), 2**63 - 1) for v, z in pairs]
    assert add_array(values, noise).tolist() == wanted
    assert add(values.tolist(), noise) == [v + z for v, z in pairs]


@given(st.lists(st.tuples(int64, st.integers(-(2**100), 2**100)), min_size=1, max_size=8))
def test_long_noise_is_added_exactly(pairs: list[tuple[int, int]]) -> None:
    values = [value for value, _ in pairs]
    noise = np.array([drawn for _, drawn in pairs], dtype=np.object_)
    assert add(values, noise) == [v + z for v, z in pairs]
    clamped = [min(max(v + z, -(2**63)), 2**63 - 1) for v, z in pairs]
    assert add_array(np.array(values, dtype=np.int64), noise).tolist() == clamped


def test_a_list_gives_python_integers() -> None:
    sums = add([2**70, 5], np.array([1, -7], dtype=np.int64))
    assert sums == [2**70 + 1, -2]
    assert {type(each) for each in sums} == {int}

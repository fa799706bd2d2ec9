from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.link.salting import STRETCH, salted

INFO, OTHER = bytes(range(32)), bytes(range(1, 33))


@given(st.lists(st.binary(max_size=300), max_size=8), st.binary(max_size=80))
def test_a_pseudonym_is_keyed_blake2b_of_session_and_key(keys: list[bytes], session: bytes) -> None:
    domain = b"sudare link salt"
    prefix = hashlib.blake2b(session, digest_size=64, person=domain).digest()
    expected = [
        hashlib.blake2b(prefix + key, digest_size=32, key=INFO, person=domain).digest()
        for key in keys
    ]
    assert [row.tobytes() for row in salted(keys, INFO, session)] == expected


def test_both_sides_meet_and_others_do_not() -> None:
    ours, theirs = salted([b"a", b"b"], INFO, b"s"), salted([b"c", b"b"], INFO, b"s")
    assert (ours[1] == theirs[1]).all()
    assert len({row.tobytes() for row in np.vstack([ours, theirs])}) == 3


def test_another_session_or_salt_gives_unrelated_pseudonyms() -> None:
    keys = [b"a", b"b", b"c"]
    cases = [(INFO, b"s"), (INFO, b"t"), (OTHER, b"s"), (OTHER, b"t")]
    found = {row.tobytes() for case in cases for row in salted(keys, *case)}
    assert len(found) == 12


def test_a_session_is_not_mixed_up_with_the_start_of_a_key() -> None:
    assert salted([b"bc"], INFO, b"a").tobytes() != salted([b"c"], INFO, b"ab").tobytes()


@pytest.mark.parametrize("count", [0, 1, STRETCH - 1, STRETCH, STRETCH + 1])
def test_stretches_do_not_show(count: int) -> None:
    keys = [number.to_bytes(4, "big") for number in range(count)]
    whole = salted(keys, INFO, b"s")
    assert whole.shape == (count, 32)
    assert whole.dtype == np.uint8
    if count:
        assert whole[-1].tobytes() == salted(keys[-1:], INFO, b"s").tobytes()


@pytest.mark.parametrize("info", [b"", bytes(31), bytes(33)])
def test_a_salt_of_another_length_is_a_fault(info: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        salted([b"a"], info, b"s")

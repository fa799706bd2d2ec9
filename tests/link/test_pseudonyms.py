from __future__ import annotations

import hashlib
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile
from sudare.link.pseudonyms import check_points, hashed, raised
from sudare.randomness.bits import SystemBits
from sudare.randomness.keys import ORDER, new_scalar
from support import ristretto
from support.tiers import examples

# RFC 9496 A.1: the generator and its multiples; A.3: the first label through SHA-512.
MULTIPLES = [
    "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
    "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
    "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
    "da80862773358b466ffadfe0b3293ab3d9fd53c5ea6c955358f568322daf6a57",
    "e882b131016b52c1d3337080187cf768423efccbb517bb495ab812c4160ff44e",
]
LABEL = b"Ristretto is traditionally a short shot of espresso coffee"
LABELLED = "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46"
GENERATOR = bytes.fromhex(MULTIPLES[0])
KEYS = [b"", b"a", b"b", b"ab", "山田".encode(), b"x" * 1000]

scalars = st.integers(1, ORDER - 1)


def rows(*points: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(points), np.uint8).reshape(-1, 32)


def little(scalar: int) -> bytes:
    return scalar.to_bytes(32, "little")


def test_the_reference_gives_the_vectors_of_the_rfc() -> None:
    base = ristretto.decode(GENERATOR)
    assert base is not None
    for times, encoded in enumerate(MULTIPLES, 1):
        assert ristretto.encode(ristretto.times(times, base)).hex() == encoded
    digest = hashlib.sha512(LABEL).digest()
    assert ristretto.encode(ristretto.from_digest(digest)).hex() == LABELLED


@pytest.mark.parametrize(("times", "encoded"), list(enumerate(MULTIPLES, 1)))
def test_small_exponents_give_the_vectors_of_the_rfc(times: int, encoded: str) -> None:
    assert raised(rows(GENERATOR), little(times)).tobytes().hex() == encoded


@examples(15)
@given(scalars, st.binary(max_size=40))
def test_exponents_and_hashes_agree_with_the_reference(scalar: int, key: bytes) -> None:
    point = hashed([key], b"session")
    decoded = ristretto.decode(point.tobytes())
    assert decoded is not None
    expected = ristretto.encode(ristretto.times(scalar, decoded))
    assert raised(point, little(scalar)).tobytes() == expected


def test_hashing_is_the_map_of_the_rfc_over_a_digest_under_the_session() -> None:
    domain = b"sudare link h2g1"
    prefix = hashlib.blake2b(b"session", digest_size=64, person=domain).digest()
    for key, point in zip(KEYS, hashed(KEYS, b"session"), strict=True):
        digest = hashlib.blake2b(prefix + key, digest_size=64, person=domain).digest()
        assert point.tobytes() == ristretto.encode(ristretto.from_digest(digest))


@examples(20)
@given(st.lists(scalars, min_size=1, max_size=4), st.lists(st.binary(max_size=9), max_size=5))
def test_any_order_of_any_parties_gives_the_same_pseudonyms(
    exponents: list[int], keys: list[bytes]
) -> None:
    found = set()
    for order in permutations(exponents):
        points = hashed(keys, b"session")
        for scalar in order:
            points = raised(points, little(scalar))
        found.add(points.tobytes())
    assert len(found) == 1


def test_equal_keys_meet_and_different_keys_do_not() -> None:
    scalar = new_scalar(SystemBits())
    points = raised(hashed([b"a", b"b", b"a"], b"session"), scalar)
    assert points[0].tobytes() == points[2].tobytes() != points[1].tobytes()


def test_another_session_or_exponent_gives_unrelated_pseudonyms() -> None:
    bits = SystemBits()
    one, two = new_scalar(bits), new_scalar(bits)
    spaces = [
        {point.tobytes() for point in raised(hashed(KEYS, session), scalar)}
        for session in (b"2025", b"2026")
        for scalar in (one, two)
    ]
    assert len(set.union(*spaces)) == 4 * len(KEYS)


def test_a_session_is_not_mixed_up_with_the_start_of_a_key() -> None:
    assert hashed([b"bc"], b"a").tobytes() != hashed([b"c"], b"ab").tobytes()


def test_threads_do_not_change_order_or_values() -> None:
    keys = [str(number).encode() for number in range(101)]
    scalar = new_scalar(SystemBits())
    points = [hashed(keys, b"s", workers=workers) for workers in (1, 2, 3)]
    lifted = [raised(points[0], scalar, workers=workers) for workers in (1, 2, 3)]
    for several in (points, lifted):
        assert all((several[0] == other).all() for other in several)


@pytest.mark.parametrize("count", [0, 1])
def test_few_or_no_rows_are_fine(count: int) -> None:
    points = raised(hashed(KEYS[:count], b"s"), new_scalar(SystemBits()))
    check_points(points)
    assert points.shape == (count, 32)


def bad_points() -> list[bytes]:
    """The identity, and encodings that RFC 9496 A.2 wants refused: each kind of them."""
    p = ristretto.P
    odd = little(p - int.from_bytes(GENERATOR, "little"))
    beyond = little(p + 2)
    no_square = next(little(s) for s in range(2, 200, 2) if ristretto.decode(little(s)) is None)
    high_bit = GENERATOR[:31] + bytes([GENERATOR[31] | 0x80])
    y_is_zero = little(p - 1)
    return [bytes(32), odd, beyond, no_square, high_bit, y_is_zero, b"\xff" * 32]


@pytest.mark.parametrize("bad", bad_points())
@pytest.mark.parametrize("place", [0, 2, 4])
def test_what_is_no_point_is_refused_wherever_it_stands(bad: bytes, place: int) -> None:
    points = hashed(KEYS[:5], b"s").copy()
    check_points(points)
    points[place] = rows(bad)[0]
    with pytest.raises(InvalidFile) as refusal:
        check_points(points)
    assert bad.hex() not in str(refusal.value)
    with pytest.raises(InvalidFile):
        raised(points, little(7))


@examples(200)
@given(st.binary(min_size=32, max_size=32))
def test_random_bytes_are_judged_as_the_reference_does(data: bytes) -> None:
    fine = ristretto.decode(data) not in (None, ristretto.IDENTITY)
    try:
        check_points(rows(data))
    except InvalidFile:
        assert not fine
    else:
        assert fine


@pytest.mark.parametrize(
    "points", [np.zeros((2, 31), np.uint8), np.zeros(32, np.uint8), np.zeros((2, 32), np.int64)]
)
def test_arrays_of_another_shape_are_refused(points: NDArray[np.uint8]) -> None:
    with pytest.raises(InvalidFile):
        raised(points, little(7))


@pytest.mark.parametrize("scalar", [bytes(32), little(ORDER), b"\xff" * 32, b"\1" * 31])
def test_exponents_outside_their_range_are_a_fault(scalar: bytes) -> None:
    with pytest.raises(ValueError, match="exponent"):
        raised(rows(GENERATOR), scalar)


def test_rows_need_not_lie_together_in_memory() -> None:
    points = hashed(KEYS, b"s")
    assert (raised(points[::2], little(5)) == raised(points, little(5))[::2]).all()

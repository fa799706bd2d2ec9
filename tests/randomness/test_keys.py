from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric import ec

from sudare.randomness.bits import SystemBits
from sudare.randomness.keys import ORDER, new_private_key, new_scalar, new_secret, new_serial
from support.bits import ScriptedBits


def scalar_from(wide: int) -> int:
    return int.from_bytes(new_scalar(ScriptedBits(wide.to_bytes(64, "little"))), "little")


def test_scalars_cover_exactly_one_to_the_order_less_one() -> None:
    assert scalar_from(0) == 1
    assert scalar_from(ORDER - 2) == ORDER - 1
    assert scalar_from(ORDER - 1) == 1
    assert scalar_from(2**512 - 1) == (2**512 - 1) % (ORDER - 1) + 1


def test_scalars_use_all_64_bytes() -> None:
    # A scalar from 32 bytes would be up to 2^-4 away from uniform, because L is near 2^252.
    assert scalar_from(1 << 511) != scalar_from(0)
    assert (2**512 // (ORDER - 1)).bit_length() > 259


def test_fresh_scalars_differ_and_reach_the_top() -> None:
    bits = SystemBits()
    drawn = [int.from_bytes(new_scalar(bits), "little") for _ in range(200)]
    assert len(set(drawn)) == 200
    assert all(0 < scalar < ORDER for scalar in drawn)
    # Each is above half the order with probability one half: none of 200 is a chance of 2^-200.
    assert max(drawn) > ORDER // 2 > min(drawn)


def test_a_secret_is_the_stream_itself() -> None:
    assert new_secret(ScriptedBits(bytes(range(32)))) == bytes(range(32))


def test_private_keys_are_new_and_on_p256() -> None:
    one, two = new_private_key(), new_private_key()
    assert isinstance(one.curve, ec.SECP256R1)
    assert one.private_numbers().private_value != two.private_numbers().private_value


def test_serials_are_positive_new_and_fit_twenty_bytes() -> None:
    serials = {new_serial() for _ in range(100)}
    assert len(serials) == 100
    assert all(0 < serial < 2**159 for serial in serials)
    assert max(serials) > 2**152

"""Secrets: a steward's signing key, and those of a session between organisations (keys, exponents,
salts, serial numbers).

Claim    `new_scalar` is uniform on 1 ... L-1 to within 2^-259; `new_secret` is 32 fresh bytes.
Source   RFC 9496 section 4.4 (wide reduction of 64 uniform bytes); FIPS 186-5 (P-256); RFC 8032
         (Ed25519).
Symbols  L -> ORDER, the prime number of elements of ristretto255.
Needs    fair bits; keys and serial numbers come from OpenSSL's own generator, which the operating
         system seeds.
Gaps     Python cannot wipe a secret: a copy may stay in freed memory until it is overwritten.
"""

from __future__ import annotations

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from sudare.randomness.bits import RandomBits

ORDER = 2**252 + 27742317777372353535851937790883648493


def new_private_key() -> ec.EllipticCurvePrivateKey:
    """A private key on P-256: of an identity, or of one sealing."""
    return ec.generate_private_key(ec.SECP256R1())


def new_signing_key() -> ed25519.Ed25519PrivateKey:
    """A steward's key, which signs certificates."""
    return ed25519.Ed25519PrivateKey.generate()


def new_scalar(bits: RandomBits) -> bytes:
    """A secret exponent of ristretto255, never 0, in 32 little-endian bytes."""
    # Twice as many bits as the order has, so that the remainder is as good as uniform.
    wide = int.from_bytes(bits.take(64), "little")
    return (wide % (ORDER - 1) + 1).to_bytes(32, "little")


def new_secret(bits: RandomBits) -> bytes:
    """A secret of 32 bytes: a shared salt, or the key of a derivation."""
    return bits.take(32)


def new_serial() -> int:
    """The serial number of a certificate: 159 random bits, so that none can be foreseen."""
    return x509.random_serial_number()

"""Rows and messages that only one organisation can open, and that nobody can alter or move.

Claim    Without the receiver's private key a sealed row tells its length and nothing else; a row
         that was altered, moved to another place, or sealed for another context does not open.
Source   SEC 1 section 5.1 in today's parts, as in RFC 9180: ephemeral ECDH on P-256, HKDF-SHA256
         over both public keys and the context, AES-256-GCM with the row number as nonce.
Symbols  header -> the ephemeral public key; context -> session, sender and purpose.
Needs    a fresh private key for every Seal (randomness/keys.py): a key and a row number meet once.
Gaps     A seal does not say who made it. Whoever can exchange the header can exchange all rows, so
         a header travels over a line, or with a signature, that names its sender.
"""

from __future__ import annotations

from struct import pack

import numpy as np
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile

TAG = 16
HEADER = 65
_ROWS, _MESSAGE = b"sudare link rows 1", b"sudare link message 1"

Rows = NDArray[np.uint8]


class Seal:
    """Seals the rows of one sender to one receiver, each row number once."""

    def __init__(self, header: bytes, cipher: AESGCM, context: bytes) -> None:
        self.header = header
        self._cipher = cipher
        self._context = context
        self._next = 0

    @classmethod
    def to(
        cls,
        public_key: ec.EllipticCurvePublicKey,
        context: bytes,
        private: ec.EllipticCurvePrivateKey,
    ) -> Seal:
        """A seal for the owner of `public_key`; `private` is fresh and used for nothing else."""
        header = _encoded(private.public_key())
        shared = private.exchange(ec.ECDH(), public_key)
        cipher = _cipher(_ROWS, shared, header, _encoded(public_key), context)
        return cls(header, cipher, context)

    def sealed(self, first_row: int, records: Rows) -> Rows:
        """The records (n, w) as (n, w + 16); record i is row number `first_row` + i."""
        # A nonce that comes twice would give both records away.
        if first_row < self._next:
            raise ValueError("a row number is sealed once")
        self._next = first_row + len(records)
        count, width = records.shape
        encrypt, context, plain = self._cipher.encrypt, self._context, records.tobytes()
        rows = [
            encrypt(
                (first_row + index).to_bytes(12, "big"),
                plain[index * width : (index + 1) * width],
                context,
            )
            for index in range(count)
        ]
        return np.frombuffer(b"".join(rows), np.uint8).reshape(count, width + TAG)


class Opening:
    """Opens what was sealed to the owner of a private key."""

    def __init__(self, cipher: AESGCM, context: bytes) -> None:
        self._cipher = cipher
        self._context = context

    @classmethod
    def of(cls, private_key: ec.EllipticCurvePrivateKey, header: bytes, context: bytes) -> Opening:
        """What opens the rows of the seal with this header and context."""
        return cls(_opening(_ROWS, private_key, header, context), context)

    def opened(self, rows: NDArray[np.uint64], sealed: Rows) -> Rows:
        """The records whose row numbers are `rows`; refuses all of them if one does not open."""
        if sealed.ndim != 2 or sealed.shape[1] < TAG or len(rows) != len(sealed):
            raise _does_not_open()
        size, data = sealed.shape[1], sealed.tobytes()
        try:
            records = [
                self._cipher.decrypt(
                    row.to_bytes(12, "big"), data[index * size : (index + 1) * size], self._context
                )
                for index, row in enumerate(rows.tolist())
            ]
        except InvalidTag:
            records = None
        if records is None:
            raise _does_not_open()
        return np.frombuffer(b"".join(records), np.uint8).reshape(len(rows), size - TAG)


def seal_bytes(
    public_key: ec.EllipticCurvePublicKey,
    context: bytes,
    message: bytes,
    private: ec.EllipticCurvePrivateKey,
) -> bytes:
    """One message, such as a shared salt, with its header before it; `private` is fresh."""
    header = _encoded(private.public_key())
    shared = private.exchange(ec.ECDH(), public_key)
    cipher = _cipher(_MESSAGE, shared, header, _encoded(public_key), context)
    return header + cipher.encrypt(bytes(12), message, context)


def open_bytes(private_key: ec.EllipticCurvePrivateKey, context: bytes, data: bytes) -> bytes:
    """The message in what `seal_bytes` gave."""
    cipher = _opening(_MESSAGE, private_key, data[:HEADER], context)
    try:
        return cipher.decrypt(bytes(12), data[HEADER:], context)
    except InvalidTag:
        pass
    raise _does_not_open()


def _opening(
    purpose: bytes, private_key: ec.EllipticCurvePrivateKey, header: bytes, context: bytes
) -> AESGCM:
    try:
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), header)
        shared = private_key.exchange(ec.ECDH(), public)
    except ValueError:
        shared = None
    if shared is None or len(header) != HEADER:
        raise _does_not_open()
    return _cipher(purpose, shared, header, _encoded(private_key.public_key()), context)


def _cipher(
    purpose: bytes, shared: bytes, header: bytes, receiver: bytes, context: bytes
) -> AESGCM:
    parts = (purpose, header, receiver, context)
    info = b"".join(pack(">I", len(part)) + part for part in parts)
    return AESGCM(HKDF(SHA256(), 32, salt=None, info=info).derive(shared))


def _encoded(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _does_not_open() -> InvalidFile:
    return InvalidFile(
        "A sealed row or message does not open: it was altered, moved, or sealed for another.",
        "Its sender, or who relayed it, does not follow the protocol: end this session.",
    )

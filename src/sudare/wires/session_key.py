"""The key that rows of one session are sealed to: made for the session, vouched for by the
receiver's identity, deleted with it. A key that outlives the session would let whoever finds it
later open what relays may have kept."""

from __future__ import annotations

import base64
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from sudare.facts.errors import LinkRefused
from sudare.wires.identity import Identity, key_pem

_DOMAIN = b"sudare session key 1\n"


def session_key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """As it is kept until the session ends."""
    return key_pem(key)


def read_session_key_pem(pem: bytes) -> ec.EllipticCurvePrivateKey:
    """What was kept."""
    key = load_pem_private_key(pem, password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return key


def offered_key(
    identity: Identity, key: ec.EllipticCurvePrivateKey, plan_digest: str
) -> dict[str, str]:
    """The public key with the signature of the identity over it and the plan."""
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    signature = identity.sign(_signed(point, plan_digest))
    return {
        "certificate": identity.certificate_pem.decode(),
        "key": point.hex(),
        "signature": base64.b64encode(signature).decode(),
    }


def read_session_key(
    told: dict[str, Any], identity: Identity, name: str, plan_digest: str
) -> ec.EllipticCurvePublicKey:
    """The key that the named party vouched for; refuses any other."""
    certificate = str(told.get("certificate", "")).encode()
    if identity.vouched(certificate) == name:
        try:
            point = bytes.fromhex(str(told["key"]))
            signature = base64.b64decode(str(told["signature"]), validate=True)
            Identity.check(certificate, signature, _signed(point, plan_digest))
            return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        except (KeyError, ValueError):
            pass
    raise LinkRefused(
        "The key to which rows are to be sealed is not the receiver's.",
        "Do not send anything; compare the certificates of both sides.",
        "key",
    )


def _signed(point: bytes, plan_digest: str) -> bytes:
    return _DOMAIN + plan_digest.encode() + b"\n" + point

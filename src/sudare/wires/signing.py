"""The steward's key: who signs certificates.

Claim    `find_key` returns the key of a place, made at first use: whole or not at all, readable by
         its owner alone, and never in the place of one that is there, whoever else makes one at the
         same moment. `is_signed` is true only of what the holder of the private key signed.
Source   RFC 8032 (Ed25519). The public key, 32 bytes in hexadecimal, is its own fingerprint.
Needs    a folder of the user's own on a disk that knows hard links.
Gaps     The key lies unencrypted on the disk, and nobody but its owner says whose it is: who
         relies on a signature compares the fingerprint with the steward's. Nothing revokes a key.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sudare.facts.errors import UsageError
from sudare.randomness.keys import new_signing_key
from sudare.wires.files import sync_folder, write_draft

_RAW = (serialization.Encoding.Raw, serialization.PublicFormat.Raw)


@dataclass(frozen=True)
class SigningKey:
    """A key and where it lies; `is_new` if it was made just now."""

    place: Path
    is_new: bool
    key: Ed25519PrivateKey = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """The public key in hexadecimal."""
        return self.key.public_key().public_bytes(*_RAW).hex()

    def public_pem(self) -> str:
        """The public key as a file."""
        found = self.key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return found.decode()

    def sign(self, data: bytes) -> str:
        return self.key.sign(data).hex()


def find_key(place: Path) -> SigningKey:
    """The key at the place; made there if there is none."""
    is_new = not place.exists() and _made(place)
    return SigningKey(place, is_new, _read(place))


def is_signed(fingerprint: str, signature: str, data: bytes) -> bool:
    """Whether the holder of the key with this fingerprint signed the data."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(fingerprint))
        public.verify(bytes.fromhex(signature), data)
        return True
    except (InvalidSignature, ValueError):
        return False


def fingerprint_of(pem: bytes) -> str | None:
    """The fingerprint of a public key's file; None if it is none."""
    with suppress(ValueError, TypeError):
        found = serialization.load_pem_public_key(pem)
        if isinstance(found, Ed25519PublicKey):
            return found.public_bytes(*_RAW).hex()
    return None


def _made(place: Path) -> bool:
    """Make a key there, unless somebody else has made one meanwhile."""
    pem = new_signing_key().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    draft = place.with_name(f".{place.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            write_draft(draft, pem)
            return _named(draft, place)
        finally:
            draft.unlink(missing_ok=True)
    except OSError:
        pass
    raise UsageError(
        f"No signing key can be made at {place}.",
        "A certificate is signed with it: name a file of your own in SUDARE_KEY, in a folder that "
        "can be written. Without --output nothing is signed.",
        place=place,
    )


def _named(draft: Path, place: Path) -> bool:
    try:
        # A link, unlike a rename, never takes the place of one made meanwhile.
        os.link(draft, place)
    except FileExistsError:
        return False
    sync_folder(place.parent)
    return True


def _read(place: Path) -> Ed25519PrivateKey:
    try:
        pem, mode = place.read_bytes(), place.stat().st_mode
    except OSError:
        raise UsageError(
            f"The signing key {place} cannot be read.",
            "Make it readable for you alone, or name another one with SUDARE_KEY.",
            place=place,
        ) from None
    if stat.S_IMODE(mode) & 0o077:
        raise UsageError(
            f"Others can read the signing key {place}.", f"Run chmod 600 {place}.", place=place
        )
    with suppress(ValueError, TypeError):
        found = serialization.load_pem_private_key(pem, password=None)
        if isinstance(found, Ed25519PrivateKey):
            return found
    raise UsageError(
        f"{place} is not a signing key of sudare.",
        "Put the steward's key back, or name another place with SUDARE_KEY.",
        place=place,
    )

"""Who an organisation is on the wire: a key, a certificate, and the authority it trusts.

Claim    `Identity.load` returns only what TLS will accept: the key fits the certificate, the
         pinned authority signed it, it is valid today and names the party as `names` demands.
Source   RFC 5280 (certificates), FIPS 186-5 (ECDSA over P-256 with SHA-256).
Needs    a folder that only its owner reads: key.pem (0600), certificate.pem, ca.pem.
Gaps     The key lies unencrypted on the disk. There is no revocation list: a party whose key is
         lost gets a new name, and with it everybody a new plan.
"""

from __future__ import annotations

import hashlib
import stat
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from sudare.facts.errors import LinkRefused
from sudare.wires.names import common_name, first_alternative, party_host
from sudare.wires.refusals import CERTIFICATES

KEY, CERTIFICATE, AUTHORITY, REQUEST = "key.pem", "certificate.pem", "ca.pem", "request.pem"
_SIGNING = ec.ECDSA(hashes.SHA256())


@dataclass(frozen=True)
class Identity:
    """One party's key and certificate, with the authorities it accepts others from."""

    folder: Path
    name: str
    certificate_pem: bytes
    ca_pem: bytes
    key: ec.EllipticCurvePrivateKey = field(repr=False)

    @classmethod
    def load(cls, folder: Path) -> Identity:
        """The identity of a folder, checked."""
        key = read_key(folder / KEY)
        certificate_pem, ca_pem = _read(folder / CERTIFICATE), _read(folder / AUTHORITY)
        certificate = read_certificate(certificate_pem)
        if certificate.public_key() != key.public_key():
            raise _off(f"The certificate in {folder} belongs to another key.")
        name = checked_name(certificate, ca_pem, f"The certificate in {folder}")
        return cls(folder, name, certificate_pem, ca_pem, key)

    @property
    def key_pem(self) -> bytes:
        """The private key as TLS wants it."""
        return key_pem(self.key)

    @property
    def ca_sha256(self) -> str:
        """The fingerprint that a plan pins: of the one authority, or of all, in sorted order."""
        return ca_sha256(self.ca_pem)

    def sign(self, data: bytes) -> bytes:
        """An ECDSA signature over the data."""
        return self.key.sign(data, _SIGNING)

    def vouched(self, certificate_pem: bytes) -> str:
        """The party that a certificate of our authority stands for."""
        return checked_name(
            read_certificate(certificate_pem), self.ca_pem, "The certificate of another party"
        )

    @staticmethod
    def check(certificate_pem: bytes, signature: bytes, data: bytes) -> None:
        """Refuse a signature that the certificate's key did not make over the data."""
        public = read_certificate(certificate_pem).public_key()
        try:
            if isinstance(public, ec.EllipticCurvePublicKey):
                public.verify(signature, data, _SIGNING)
                return
        except InvalidSignature:
            pass
        raise LinkRefused(
            "A signature does not fit what it should sign.",
            "Do not rely on it; ask its owner for the log and the certificate again.",
            "signature",
        )


def checked_name(certificate: x509.Certificate, ca_pem: bytes, whose: str) -> str:
    """The party's name, if the certificate is valid today, from the authority and well formed."""
    name = signed_name(certificate, ca_pem, whose)
    now = datetime.now(UTC)
    if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
        raise _off(f"{whose} has expired or is not valid yet.")
    return name


def signed_name(certificate: x509.Certificate, ca_pem: bytes | None, whose: str) -> str:
    """The party's name, whenever the certificate was valid: signatures outlive certificates. From
    the authority, where one is given."""
    authorities = [] if ca_pem is None else read_authorities(ca_pem)
    if ca_pem is not None and not any(_issued(certificate, each) for each in authorities):
        raise _off(f"{whose} is not from the authority in ca.pem.")
    name = common_name(certificate)
    if name is None or first_alternative(certificate) != party_host(name):
        raise _off(f"{whose} does not name its party as its first alternative name.")
    return name


def ca_sha256(ca_pem: bytes) -> str:
    """SHA-256 over the authorities' DER bytes, sorted; of one, its usual fingerprint."""
    der = sorted(each.public_bytes(serialization.Encoding.DER) for each in read_authorities(ca_pem))
    return hashlib.sha256(b"".join(der)).hexdigest()


def key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """A private key as it is stored: the file's mode protects it, not a password."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def read_key(path: Path) -> ec.EllipticCurvePrivateKey:
    """A private key that nobody but its owner can read."""
    pem = _read(path)
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise _off(f"Others can read the private key {path}.", f"Run chmod 600 {path}.")
    try:
        key = serialization.load_pem_private_key(pem, password=None)
        if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
            return key
    except (ValueError, TypeError):
        pass
    raise _off(f"{path} is not a private key on P-256.")


def read_certificate(pem: bytes) -> x509.Certificate:
    """One certificate."""
    try:
        return x509.load_pem_x509_certificate(pem)
    except ValueError:
        pass
    raise _off("A certificate cannot be read.")


def read_authorities(pem: bytes) -> list[x509.Certificate]:
    """The certificates of the authorities; several organisations may each bring their own."""
    try:
        return x509.load_pem_x509_certificates(pem)
    except ValueError:
        pass
    raise _off("The authority's certificate cannot be read.")


def _issued(certificate: x509.Certificate, authority: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(authority)
        return True
    except (ValueError, TypeError, InvalidSignature):
        return False


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        pass
    raise _off(f"{path} cannot be read.")


def _off(what: str, hint: str = CERTIFICATES) -> LinkRefused:
    return LinkRefused(what, hint, "identity")

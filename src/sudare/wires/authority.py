"""A small certificate authority for a consortium, and the way around it for one's own.

Claim    Whoever holds a certificate of the authority was given that party's name by it.
Source   RFC 5280; names as in `names`.
Rule     The authority may sign parties and nothing below them (path length 0); parties may only
         be clients and servers of TLS and sign logs.
Needs    an authority's folder on a host that its members trust; a party's key is best made on
         its own host (`make_request`) and only the request carried to the authority (`issue`).
Gaps     `make_identity` makes the party's key where the authority lies; that is for one machine.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID

from sudare.facts.errors import LinkRefused, UsageError
from sudare.randomness.keys import new_private_key, new_serial
from sudare.wires.files import private_folder, write_durably, write_new
from sudare.wires.identity import (
    AUTHORITY,
    CERTIFICATE,
    KEY,
    REQUEST,
    Identity,
    checked_name,
    key_pem,
    read_authorities,
    read_certificate,
    read_key,
)
from sudare.wires.names import (
    alternative_names,
    common_name,
    first_alternative,
    party_host,
    subject,
)

HOSTS = ("localhost", "127.0.0.1")
# Clocks differ: a certificate made now is valid for hosts that are a few minutes behind.
_SLACK = timedelta(minutes=5)
_PEM = serialization.Encoding.PEM


def make_authority(folder: Path, name: str, days: int) -> None:
    """A new authority: its key (0600) and its self-signed certificate ca.pem."""
    key = new_private_key()
    certificate = (
        _builder(subject(name), subject(name), key.public_key(), days)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .sign(key, hashes.SHA256())
    )
    write_new(private_folder(folder) / KEY, key_pem(key))
    write_new(folder / AUTHORITY, certificate.public_bytes(_PEM), 0o644)


def make_identity(
    folder: Path, name: str, authority_folder: Path, days: int, hosts: tuple[str, ...] = HOSTS
) -> Identity:
    """Key, certificate and authority of a party, all made here."""
    make_request(folder, name, hosts)
    certificate = issue(authority_folder, (folder / REQUEST).read_bytes(), days)
    return adopt(folder, certificate, (authority_folder / AUTHORITY).read_bytes())


def make_request(folder: Path, name: str, hosts: tuple[str, ...] = HOSTS) -> bytes:
    """A new key, and the request for a certificate, which any authority can sign."""
    key = new_private_key()
    request = (
        x509.CertificateSigningRequestBuilder()
        .subject_name(subject(name))
        .add_extension(alternative_names(name, hosts), critical=False)
        .sign(key, hashes.SHA256())
        .public_bytes(_PEM)
    )
    write_new(private_folder(folder) / KEY, key_pem(key))
    write_durably(folder / REQUEST, request, 0o644)
    return request


def issue(authority_folder: Path, request_pem: bytes, days: int) -> bytes:
    """The certificate for a request, signed by the authority of the folder."""
    request = _read_request(request_pem)
    key = read_key(authority_folder / KEY)
    authority = read_authorities((authority_folder / AUTHORITY).read_bytes())[0]
    names = request.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    certificate = (
        _builder(request.subject, authority.subject, _point(request.public_key()), days)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(
            x509.ExtendedKeyUsage(
                [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
            ),
            critical=False,
        )
        .add_extension(names, critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    return certificate.public_bytes(_PEM)


def adopt(folder: Path, certificate_pem: bytes, ca_pem: bytes) -> Identity:
    """Put a signed certificate and its authority beside the key, if they fit together."""
    certificate = read_certificate(certificate_pem)
    checked_name(certificate, ca_pem, "The certificate")
    if certificate.public_key() != read_key(folder / KEY).public_key():
        raise LinkRefused(
            "The certificate belongs to another key than the folder's.",
            "Have request.pem of this folder signed.",
            "identity",
        )
    write_durably(folder / CERTIFICATE, certificate_pem, 0o644)
    write_durably(folder / AUTHORITY, ca_pem, 0o644)
    return Identity.load(folder)


def _builder(
    who: x509.Name, issuer: x509.Name, public: ec.EllipticCurvePublicKey, days: int
) -> x509.CertificateBuilder:
    if not 1 <= days <= 36_500:
        raise UsageError("A certificate is valid for 1 to 36,500 days.", "A year is usual: 365.")
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(new_serial())
        .not_valid_before(now - _SLACK)
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _usage(signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=not signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _read_request(pem: bytes) -> x509.CertificateSigningRequest:
    """A request whose maker holds its key and which names a party as `names` demands."""
    try:
        request = x509.load_pem_x509_csr(pem)
        name = common_name(request)
        named = name is not None and first_alternative(request) == party_host(name)
        if request.is_signature_valid and named:
            return request
    except ValueError:
        pass
    raise LinkRefused(
        "The request for a certificate is damaged or names no party.",
        "Have it made by `sudare link init` on the party's own host.",
        "identity",
    )


def _point(public: object) -> ec.EllipticCurvePublicKey:
    if isinstance(public, ec.EllipticCurvePublicKey) and isinstance(public.curve, ec.SECP256R1):
        return public
    raise LinkRefused(
        "The request for a certificate has a key that is not on P-256.",
        "Have it made by `sudare link init` on the party's own host.",
        "identity",
    )

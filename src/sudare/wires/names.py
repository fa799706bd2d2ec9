"""A party's name in its certificate.

Claim    A certificate of the pinned authority stands for exactly one party, in both directions of
         a connection.
Rule     `party_host(name)` is the first subject alternative name. A caller has TLS compare it
         with the party it means to call, and a server reads it back as the identity of the peer,
         because gRPC reports the first alternative name and not the common name.
Needs    an authority that gives a name to one organisation only, and no wildcards.
Gaps     Host names of machines stand in the certificate for other tools; sudare does not check
         them, since the plan may name a host by any address.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re

from cryptography import x509
from cryptography.x509.oid import NameOID

from sudare.facts.errors import UsageError

# The top-level domain "internal" is reserved for private use, so that no public authority ever
# signs such a name.
DOMAIN = "party.sudare.internal"
_PLAIN = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


def party_host(name: str) -> str:
    """The DNS name that stands for a party; names that are no DNS label are hashed to one."""
    if _PLAIN.fullmatch(name) and not name.startswith("x-"):
        return f"{name}.{DOMAIN}"
    return f"x-{hashlib.sha256(name.encode()).hexdigest()[:40]}.{DOMAIN}"


def subject(name: str) -> x509.Name:
    """The subject of a certificate: the common name alone."""
    if not 1 <= len(name) <= 64 or not name.isprintable():
        raise UsageError(
            "A name in a certificate has 1 to 64 printable characters.",
            "Give the organisation the short name that it has in link.toml.",
        )
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def alternative_names(name: str, hosts: tuple[str, ...]) -> x509.SubjectAlternativeName:
    """The party first, then the machines it runs on."""
    return x509.SubjectAlternativeName(
        [x509.DNSName(party_host(name)), *(_general_name(host) for host in hosts)]
    )


def common_name(certificate: x509.Certificate | x509.CertificateSigningRequest) -> str | None:
    """The common name of the subject, where there is exactly one."""
    found = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(found[0].value) if len(found) == 1 else None


def first_alternative(
    certificate: x509.Certificate | x509.CertificateSigningRequest,
) -> str | None:
    """The first subject alternative name, where it is a DNS name."""
    try:
        extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return None
    first = next(iter(extension.value), None)
    return first.value if isinstance(first, x509.DNSName) else None


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)

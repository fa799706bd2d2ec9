"""Identities for joins: the consortium's authority, an organisation's key and certificate, requests
for an authority of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sudare.facts.errors import UsageError
from sudare.facts.link_checks import check_name
from sudare.wires.authority import HOSTS, adopt, issue, make_authority, make_identity, make_request
from sudare.wires.files import write_durably
from sudare.wires.identity import ca_sha256, read_certificate, signed_name


def make(
    name: str,
    folder: Path,
    authority: bool,
    by: Path | None,
    sign: Path | None,
    certificate: Path | None,
    ca: Path | None,
    hosts: tuple[str, ...],
    days: int,
) -> dict[str, Any]:
    """One of five things, by what is given; what was made."""
    if sum((authority, by is not None, sign is not None, certificate is not None)) > 1:
        raise UsageError(
            "--authority, --by, --sign and --certificate are four different things.",
            "Name one of them, or none to make a key and a request for a certificate.",
        )
    check_name(name, "The name of the identity")
    if authority:
        make_authority(folder, name, days)
        return _told("authority", name, folder, ca_sha256((folder / "ca.pem").read_bytes()))
    if by is not None:
        made = make_identity(folder, name, by, days, hosts or HOSTS)
        return _told("identity", made.name, folder, made.ca_sha256)
    if sign is not None:
        return _told("certificate", name, _signed(name, folder, sign, days))
    if certificate is not None:
        if ca is None:
            raise UsageError("The authority's certificate is missing.", "Add --ca ca.pem.")
        made = adopt(folder, _bytes(certificate), _bytes(ca))
        return _told("adopted", made.name, folder, made.ca_sha256)
    make_request(folder, name, hosts or HOSTS)
    return _told("request", name, folder / "request.pem")


def _signed(name: str, authority: Path, request: Path, days: int) -> Path:
    """The certificate beside its request, if the request is for the name that was checked."""
    pem = issue(authority, _bytes(request), days)
    asked = signed_name(read_certificate(pem), None, "The certificate")
    if asked != name:
        raise UsageError(
            f"The request is for the name '{asked}', not for '{name}'.",
            "Whoever holds a certificate is that party: ask the organisation which name it wants.",
        )
    target = request.with_name("certificate.pem")
    write_durably(target, pem, 0o644)
    return target


def _told(made: str, name: str, path: Path, ca: str | None = None) -> dict[str, Any]:
    found = {"made": made, "name": name, "path": str(path)}
    return found if ca is None else {**found, "ca_sha256": ca}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        pass
    raise UsageError(f"{path} cannot be read.", "Check the path.", place=path)

"""Identities for joins: the consortium's authority, an organisation's key and certificate, requests
for an authority of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sudare.facts.errors import UsageError
from sudare.wires.authority import HOSTS, adopt, issue, make_authority, make_identity, make_request
from sudare.wires.files import write_durably
from sudare.wires.identity import ca_sha256


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
    """One of five things, by what is given; what was made, in sentences and as facts."""
    if sum((authority, by is not None, sign is not None, certificate is not None)) > 1:
        raise UsageError(
            "--authority, --by, --sign and --certificate are four different things.",
            "Name one of them, or none to make a key and a request for a certificate.",
        )
    if authority:
        make_authority(folder, name, days)
        print_ = ca_sha256((folder / "ca.pem").read_bytes())
        return _told(
            {"authority": name, "ca_sha256": print_},
            f"Wrote the authority {name} to {folder}: keep key.pem to yourself, give ca.pem to all.",
            f'Pin it in link.toml: ca_sha256 = "{print_}"',
        )
    if by is not None:
        made = make_identity(folder, name, by, days, hosts or HOSTS)
        return _told(
            {"name": made.name, "ca_sha256": made.ca_sha256},
            f"Wrote the identity of {made.name} to {folder}.",
            f'Pin the authority in link.toml: ca_sha256 = "{made.ca_sha256}"',
        )
    if sign is not None:
        target = sign.with_name("certificate.pem")
        write_durably(target, issue(folder, _bytes(sign), days), 0o644)
        return _told({"certificate": str(target)}, f"Wrote {target}: give it back with ca.pem.")
    if certificate is not None:
        if ca is None:
            raise UsageError("The authority's certificate is missing.", "Add --ca ca.pem.")
        made = adopt(folder, _bytes(certificate), _bytes(ca))
        return _told(
            {"name": made.name, "ca_sha256": made.ca_sha256},
            f"{folder} is now the identity of {made.name}.",
        )
    make_request(folder, name, hosts or HOSTS)
    return _told(
        {"request": str(folder / "request.pem")},
        f"Wrote a new key and {folder / 'request.pem'}: have the request signed by your authority,",
        f"then run: sudare link init {name} -o {folder} --certificate certificate.pem --ca ca.pem",
    )


def _told(facts: dict[str, Any], *said: str) -> dict[str, Any]:
    return {**facts, "said": list(said)}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        pass
    raise UsageError(f"{path} cannot be read.", "Check the path.")

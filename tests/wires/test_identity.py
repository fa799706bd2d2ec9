"""Certificates: what is made, what is accepted, what is refused."""

from __future__ import annotations

import dataclasses
import stat
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from sudare.facts.errors import LinkRefused, UsageError
from sudare.wires.authority import adopt, issue, make_authority, make_identity, make_request
from sudare.wires.identity import AUTHORITY, KEY, REQUEST, Identity, ca_sha256
from sudare.wires.names import DOMAIN, common_name, first_alternative, party_host
from support.wires import consortium, renewed


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_party_of_a_consortium(tmp_path: Path) -> None:
    party = consortium(tmp_path, "shop")["shop"]
    certificate = x509.load_pem_x509_certificate(party.certificate_pem)
    assert party.name == common_name(certificate) == "shop"
    assert first_alternative(certificate) == f"shop.{DOMAIN}"
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == [party_host("shop"), "localhost"]
    usage = certificate.extensions.get_extension_for_class(x509.KeyUsage).value
    assert usage.digital_signature
    assert not usage.key_cert_sign
    purposes = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert set(purposes) == {ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH}
    authority = x509.load_pem_x509_certificate(party.ca_pem)
    basic = authority.extensions.get_extension_for_class(x509.BasicConstraints).value
    assert (basic.ca, basic.path_length) == (True, 0)
    assert authority.extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign


def test_keys_are_the_owners_alone(tmp_path: Path) -> None:
    party = consortium(tmp_path, "shop")["shop"]
    assert mode(party.folder) == mode(tmp_path / "authority") == 0o700
    assert mode(party.folder / KEY) == mode(tmp_path / "authority" / KEY) == 0o600
    assert "PRIVATE" not in repr(party)
    (party.folder / KEY).chmod(0o640)
    with pytest.raises(LinkRefused, match="Others can read"):
        Identity.load(party.folder)


def test_a_key_is_never_written_over(tmp_path: Path) -> None:
    consortium(tmp_path, "shop")
    before = (tmp_path / "shop" / KEY).read_bytes()
    with pytest.raises(UsageError, match="there already"):
        make_identity(tmp_path / "shop", "shop", tmp_path / "authority", 30)
    with pytest.raises(UsageError, match="there already"):
        make_authority(tmp_path / "authority", "consortium", 30)
    assert (tmp_path / "shop" / KEY).read_bytes() == before


def test_a_request_keeps_the_key_at_home(tmp_path: Path) -> None:
    make_authority(tmp_path / "authority", "consortium", 30)
    request = make_request(tmp_path / "shop", "shop")
    ca = (tmp_path / "authority" / AUTHORITY).read_bytes()
    party = adopt(tmp_path / "shop", issue(tmp_path / "authority", request, 30), ca)
    assert party.name == "shop"
    assert {each.name for each in (tmp_path / "authority").iterdir()} == {KEY, AUTHORITY}


def openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def test_ones_own_authority_with_openssl(tmp_path: Path) -> None:
    make_request(tmp_path / "shop", "shop")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    own = ("-subj", "/CN=our own", "-keyout", "own.key", "-out", "own.pem", "-days", "9")
    openssl(tmp_path, "req", "-x509", *curve, *own)
    signing = ("-CA", "own.pem", "-CAkey", "own.key", "-copy_extensions", "copy", "-days", "9")
    openssl(tmp_path, "x509", "-req", "-in", f"shop/{REQUEST}", *signing, "-out", "shop.pem")
    certificate, ca = (tmp_path / name for name in ("shop.pem", "own.pem"))
    party = adopt(tmp_path / "shop", certificate.read_bytes(), ca.read_bytes())
    assert party.name == "shop"
    shown = subprocess.run(
        ["openssl", "x509", "-in", ca, "-noout", "-fingerprint", "-sha256"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown.split("=")[1].strip().replace(":", "").lower() == party.ca_sha256


def test_several_authorities_have_one_fingerprint(tmp_path: Path) -> None:
    for name in ("a", "b"):
        make_authority(tmp_path / name, name, 30)
    a, b = ((tmp_path / name / AUTHORITY).read_bytes() for name in ("a", "b"))
    assert ca_sha256(a + b) == ca_sha256(b + a)
    assert len({ca_sha256(a), ca_sha256(b), ca_sha256(a + b)}) == 3


def test_refused_identities(tmp_path: Path) -> None:
    parties = consortium(tmp_path, "shop", "bank")
    make_authority(tmp_path / "strangers", "consortium", 30)
    other_ca = (tmp_path / "strangers" / AUTHORITY).read_bytes()
    shop, bank = parties["shop"], parties["bank"]
    with pytest.raises(LinkRefused, match="not from the authority"):
        adopt(shop.folder, shop.certificate_pem, other_ca)
    with pytest.raises(LinkRefused, match="belongs to another key"):
        adopt(shop.folder, bank.certificate_pem, shop.ca_pem)
    with pytest.raises(LinkRefused, match="cannot be read"):
        adopt(shop.folder, b"nonsense", shop.ca_pem)
    host = x509.DNSName("localhost")
    renewed(bank, tmp_path / "authority", timedelta(days=1), host)
    with pytest.raises(LinkRefused, match="first alternative name"):
        Identity.load(bank.folder)
    renewed(shop, tmp_path / "authority", timedelta(days=-1))
    with pytest.raises(LinkRefused, match="expired"):
        Identity.load(shop.folder)
    with pytest.raises(LinkRefused, match="cannot be read"):
        Identity.load(tmp_path / "nowhere")


def test_a_forged_request_is_not_signed(tmp_path: Path) -> None:
    consortium(tmp_path, "shop")
    request = (tmp_path / "shop" / REQUEST).read_bytes().replace(b"MII", b"MIJ", 1)
    with pytest.raises(LinkRefused, match="damaged"):
        issue(tmp_path / "authority", request, 30)
    with pytest.raises(UsageError, match="days"):
        issue(tmp_path / "authority", (tmp_path / "shop" / REQUEST).read_bytes(), 0)


def test_party_hosts_do_not_meet() -> None:
    names = ["shop", "Shop", "店", "x-shop", "a" * 64, "a.b", "-a", "shop "]
    hosts = [party_host(name) for name in names]
    assert len(set(hosts)) == len(names)
    assert all(host.isascii() and host == host.lower() for host in hosts)
    assert all(len(host.split(".")[0]) <= 63 for host in hosts)


def test_signatures(tmp_path: Path) -> None:
    parties = consortium(tmp_path, "shop", "bank")
    signature = parties["shop"].sign(b"this")
    Identity.check(parties["shop"].certificate_pem, signature, b"this")
    assert parties["bank"].vouched(parties["shop"].certificate_pem) == "shop"
    for certificate, signed, text in [
        (parties["bank"].certificate_pem, signature, b"this"),
        (parties["shop"].certificate_pem, signature, b"that"),
        (parties["shop"].certificate_pem, b"", b"this"),
    ]:
        with pytest.raises(LinkRefused) as refused:
            Identity.check(certificate, signed, text)
        assert refused.value.code == "signature"
    stranger = consortium(tmp_path / "other", "shop")["shop"]
    with pytest.raises(LinkRefused, match="not from the authority"):
        dataclasses.replace(parties["bank"]).vouched(stranger.certificate_pem)

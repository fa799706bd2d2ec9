"""Who is not let in, in both directions: wrong, expired, missing and borrowed certificates."""

from __future__ import annotations

import dataclasses
import socket
import ssl
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from pyarrow import flight

from sudare.facts.errors import LinkRefused
from sudare.wires.calling import Caller
from sudare.wires.identity import Identity
from sudare.wires.mailbox import Mailbox
from sudare.wires.names import party_host
from sudare.wires.serving import Post
from support.wires import PLAN, SECRET, consortium, renewed

Parties = dict[str, Identity]
Serve = Callable[..., Post]


def code_of(who: Identity, post: Post, peer: str = "hospital") -> str:
    """The word with which a call is refused, without being tried again up to the deadline."""
    # A call that is retried up to the deadline ends as unreachable instead.
    with (
        Caller(who, f"127.0.0.1:{post.port}", peer, PLAN, deadline=60.0) as caller,
        pytest.raises(LinkRefused) as refused,
    ):
        caller.put("rows", 0, SECRET, True)
    assert SECRET.decode() not in str(refused.value)
    return refused.value.code


@pytest.fixture
def own(tmp_path: Path) -> Parties:
    """A consortium that a test may spoil."""
    return consortium(tmp_path / "own", "shop", "hospital")


def test_a_caller_from_another_authority(
    parties: Parties, own: Parties, serve: Serve, mailbox: Mailbox
) -> None:
    hospital = serve()
    # The caller trusts the right authority, but its own certificate is from another one.
    borrowed = dataclasses.replace(own["shop"], ca_pem=parties["shop"].ca_pem)
    assert code_of(borrowed, hospital) == "certificate"
    assert mailbox.held("rows") == 0


def test_a_server_from_another_authority(own: Parties, serve: Serve) -> None:
    assert code_of(own["shop"], serve()) == "issuer"


def test_an_expired_caller(own: Parties, serve: Serve, tmp_path: Path, mailbox: Mailbox) -> None:
    hospital = serve(identity=own["hospital"])
    shop = renewed(own["shop"], tmp_path / "own" / "authority", timedelta(minutes=-1))
    assert code_of(shop, hospital) == "certificate"
    assert mailbox.held("rows") == 0


def test_an_expired_server(own: Parties, serve: Serve, tmp_path: Path) -> None:
    old = renewed(own["hospital"], tmp_path / "own" / "authority", timedelta(minutes=-1))
    assert code_of(own["shop"], serve(identity=old)) == "expired"


def test_a_server_of_another_party(parties: Parties, serve: Serve) -> None:
    assert code_of(parties["shop"], serve(identity=parties["stranger"])) == "name"
    assert code_of(parties["shop"], serve(), peer="stranger") == "name"


def test_a_common_name_alone_opens_nothing(own: Parties, serve: Serve, tmp_path: Path) -> None:
    # The name of a party as common name, or further down the list, is not an identity.
    hospital = serve(identity=own["hospital"])
    names = (x509.DNSName("localhost"), x509.DNSName(party_host("shop")))
    shop = renewed(own["shop"], tmp_path / "own" / "authority", timedelta(days=1), *names)
    assert code_of(shop, hospital) == "peer"


def test_no_certificate_at_all(parties: Parties, serve: Serve) -> None:
    client = flight.FlightClient(
        f"grpc+tls://127.0.0.1:{serve().port}",
        tls_root_certs=parties["shop"].ca_pem,
        override_hostname=party_host("hospital"),
    )
    with pytest.raises(flight.FlightUnavailableError):
        list(client.do_action(flight.Action("greet", SECRET)))
    client.close()


def test_no_tls_at_all(serve: Serve) -> None:
    client = flight.FlightClient(f"grpc://127.0.0.1:{serve().port}")
    with pytest.raises(flight.FlightUnavailableError):
        list(client.do_action(flight.Action("greet", SECRET)))
    client.close()


def test_old_tls_is_refused(parties: Parties, serve: Serve) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    with (
        socket.create_connection(("127.0.0.1", serve().port), 5) as plain,
        pytest.raises(ssl.SSLError),
    ):
        context.wrap_socket(plain)

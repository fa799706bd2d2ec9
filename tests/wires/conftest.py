"""A consortium of three and a server of the hospital, on loopback with real TLS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from sudare.facts.errors import LinkRefused
from sudare.wires.identity import Identity
from sudare.wires.mailbox import Mailbox
from sudare.wires.serving import Post
from support.wires import PLAN, SECRET, consortium

Serve = Callable[..., Post]


@pytest.fixture(scope="session")
def parties(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Identity]:
    """Identities of one authority; no test changes them."""
    return consortium(tmp_path_factory.mktemp("ids"), "shop", "hospital", "stranger")


@pytest.fixture
def mailbox(tmp_path: Path) -> Mailbox:
    """The hospital's mailbox."""
    return Mailbox(tmp_path / "hospital")


def failing(peer: str, body: bytes) -> bytes:
    """A handler whose own error quotes what it was given."""
    raise ValueError(f"cannot use {body.decode()}")


def aborting(peer: str, body: bytes) -> bytes:
    raise LinkRefused("Enough of this.", "Stop.", "too-few-rows")


ACTIONS = {
    "greet": lambda peer, body: peer.encode() + b":" + body,
    "fail": failing,
    "abort": aborting,
}


@pytest.fixture
def serve(parties: dict[str, Identity], mailbox: Mailbox) -> Iterator[Serve]:
    """Starts the hospital's server; what a test wants otherwise it says."""
    with ExitStack() as running:

        def start(**other: Any) -> Post:
            options: dict[str, Any] = {
                "identity": parties["hospital"],
                "address": "127.0.0.1:0",
                "plan_digest": PLAN,
                "names": ("shop", "hospital"),
                "mailbox": mailbox,
                "actions": ACTIONS,
                "senders": {"rows": "shop", "bank-rows": "bank"},
                "readers": {"out": "shop", "bank-out": "bank"},
            }
            return running.enter_context(Post(**(options | other)))

        yield start


@pytest.fixture(autouse=True)
def no_payload_is_printed(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Whatever a test sends, nothing of it is written to the terminal, by gRPC either."""
    yield
    printed = capfd.readouterr()
    assert SECRET.decode() not in printed.out + printed.err
    assert "handshake" not in printed.err.lower()

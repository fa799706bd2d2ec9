"""A bad network and dying processes: everything arrives once, or there is a clear refusal."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from sudare.facts.errors import LinkRefused, Unreachable
from sudare.wires import calling
from sudare.wires.calling import Caller
from sudare.wires.chunks import UNDER_WAY, Chunk
from sudare.wires.identity import Identity
from sudare.wires.mailbox import Mailbox
from sudare.wires.probing import certificate_trouble
from sudare.wires.serving import Post
from support.wires import PLAN, SECRET, Proxy, receiver

Parties = dict[str, Identity]
Serve = Callable[..., Post]
PIECES = [SECRET + bytes([n]) * 300_000 for n in range(12)]


def numbered(start: int = 0) -> Iterator[Chunk]:
    last = len(PIECES) - 1
    return (Chunk(n, piece, n == last) for n, piece in enumerate(PIECES) if n >= start)


def contents(mailbox: Mailbox) -> list[bytes]:
    return [bytes(chunk.data) for chunk in mailbox.chunks("rows")]


@pytest.fixture
def proxied() -> Iterator[Callable[..., Proxy]]:
    started: list[Proxy] = []

    def start(*arguments: object, **options: object) -> Proxy:
        started.append(Proxy(*arguments, **options))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for each in started:
        each.close()


@pytest.mark.parametrize("cuts", [(100,), (3_000,), (400_000,), (700_000, 2_000, 900_000)])
def test_dropped_connections(
    parties: Parties,
    serve: Serve,
    mailbox: Mailbox,
    proxied: Callable[..., Proxy],
    cuts: tuple[int, ...],
) -> None:
    proxy = proxied(serve().port, cuts=cuts)
    with Caller(parties["shop"], proxy.address, "hospital", PLAN, deadline=30.0) as caller:
        caller.send("rows", numbered())
    assert proxy.cut_off >= 1
    assert contents(mailbox) == PIECES


def test_a_connection_that_goes_silent(
    parties: Parties,
    serve: Serve,
    mailbox: Mailbox,
    proxied: Callable[..., Proxy],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hasty = [
        (name, 500 if "alive" in name or "ping" in name else value)
        for name, value in calling._CHANNEL
    ]
    monkeypatch.setattr(calling, "_CHANNEL", hasty)
    proxy = proxied(serve().port, cuts=(400_000,), silent=True)
    with Caller(parties["shop"], proxy.address, "hospital", PLAN, deadline=30.0) as caller:
        caller.send("rows", numbered())
    assert proxy.cut_off >= 1
    assert contents(mailbox) == PIECES


def test_delayed_connections(
    parties: Parties, serve: Serve, mailbox: Mailbox, proxied: Callable[..., Proxy]
) -> None:
    proxy = proxied(serve().port, delay=0.02)
    with Caller(parties["shop"], proxy.address, "hospital", PLAN, deadline=30.0) as caller:
        caller.send("rows", numbered())
        assert caller.act("greet", b"late") == b"shop:late"
    assert contents(mailbox) == PIECES


@pytest.mark.parametrize("cuts", [(1_000_000,), (700_000,) * 5])
def test_a_fetch_goes_on_where_it_broke(
    parties: Parties,
    serve: Serve,
    mailbox: Mailbox,
    proxied: Callable[..., Proxy],
    cuts: tuple[int, ...],
) -> None:
    for chunk in numbered():
        mailbox.put("out", chunk.number, chunk.data, chunk.last)
    # What a caller says in a fetch depends on the machine's load; what it is sent does not.
    proxy = proxied(serve().port, cuts=cuts, answers=True)
    with Caller(parties["shop"], proxy.address, "hospital", PLAN, deadline=30.0) as caller:
        assert [bytes(chunk.data) for chunk in caller.fetch("out")] == PIECES
    assert proxy.cut_off >= 1


def test_a_server_that_starts_late(
    parties: Parties, serve: Serve, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = Event()

    def noted(*asked: Any) -> str | None:
        failed.set()
        return certificate_trouble(*asked)

    monkeypatch.setattr(calling, "certificate_trouble", noted)
    first = serve()
    address = f"127.0.0.1:{first.port}"
    first.stop()
    with (
        Caller(parties["shop"], address, "hospital", PLAN, deadline=30.0) as caller,
        ThreadPoolExecutor(1) as threads,
    ):
        sending = threads.submit(caller.send, "rows", numbered())
        assert failed.wait(60)
        serve(address=address)
        assert sending.result(30) == len(PIECES)
    assert contents(mailbox) == PIECES


def test_a_killed_server_goes_on_with_its_mailbox(parties: Parties, tmp_path: Path) -> None:
    hospital, box = parties["hospital"].folder, tmp_path / "box"
    some_sent, killed = Event(), Event()

    def watched() -> Iterator[Chunk]:
        for chunk in numbered():
            if chunk.number == 3 + UNDER_WAY:
                some_sent.set()
                killed.wait(20)
            yield chunk

    with ThreadPoolExecutor(1) as threads:
        with receiver(hospital, box) as (port, pid):
            address = f"127.0.0.1:{port}"
            caller = Caller(parties["shop"], address, "hospital", PLAN, deadline=60.0)
            sending = threads.submit(caller.send, "rows", watched())
            assert some_sent.wait(30)
            os.kill(pid, signal.SIGKILL)
            killed.set()
        # What was acknowledged before the kill is there: all but what was under way.
        assert Mailbox(box).held("rows") >= 3
        with receiver(hospital, box, port):
            assert sending.result(60) == len(PIECES)
            assert caller.held("rows") == len(PIECES)
        caller.close()
    assert contents(Mailbox(box)) == PIECES


def test_a_restarted_sender_asks_what_is_held(
    parties: Parties, serve: Serve, mailbox: Mailbox
) -> None:
    address = f"127.0.0.1:{serve().port}"
    with Caller(parties["shop"], address, "hospital", PLAN) as first:
        for chunk in list(numbered())[:7]:
            first.put("rows", chunk.number, chunk.data, chunk.last)
    with Caller(parties["shop"], address, "hospital", PLAN) as second:
        start = second.held("rows")
        assert start == 7
        assert second.send("rows", numbered(start)) == len(PIECES) - 7
    assert contents(mailbox) == PIECES


def test_a_restarted_sender_that_drew_again_is_refused(
    parties: Parties, serve: Serve, mailbox: Mailbox
) -> None:
    address = f"127.0.0.1:{serve().port}"
    with Caller(parties["shop"], address, "hospital", PLAN) as caller:
        caller.put("rows", 0, PIECES[0], False)
        other = [Chunk(n, piece[::-1], n == 11) for n, piece in enumerate(PIECES)]
        with pytest.raises(LinkRefused) as refused:
            caller.send("rows", other)
    assert refused.value.code == "replay"
    assert SECRET.decode() not in "".join(traceback.format_exception(refused.value))


def test_nobody_there(parties: Parties, serve: Serve) -> None:
    gone = serve()
    address = f"127.0.0.1:{gone.port}"
    gone.stop()
    with Caller(parties["shop"], address, "hospital", PLAN, deadline=0.3) as caller:
        for call in (
            lambda: caller.put("rows", 0, SECRET, True),
            lambda: caller.send("rows", numbered()),
            lambda: caller.held("rows"),
            lambda: next(caller.fetch("out")),
        ):
            with pytest.raises(Unreachable) as found:
                call()
            assert found.value.exit_code == 5
            assert SECRET.decode() not in "".join(traceback.format_exception(found.value))


def test_a_full_disk_on_the_other_side(
    parties: Parties, serve: Serve, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, SECRET.decode())

    with Caller(parties["shop"], f"127.0.0.1:{serve().port}", "hospital", PLAN) as caller:
        with monkeypatch.context() as patched:
            patched.setattr("sudare.wires.files.os.fsync", full)
            with pytest.raises(LinkRefused) as refused:
                caller.put("rows", 0, SECRET, True)
        assert refused.value.code == "failed"
        caller.put("rows", 0, SECRET, True)
    assert contents(mailbox) == [SECRET]

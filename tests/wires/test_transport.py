"""Chunks and requests between two parties, when all is well and when it is not allowed."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pyarrow as pa
import pytest
from pyarrow import flight

from sudare.facts.errors import EngineUnavailable, LinkRefused, Unreachable
from sudare.wires.border import PLAN_HEADER
from sudare.wires.calling import Caller
from sudare.wires.chunks import WIRE, Chunk, Place, to_batch, unpacked
from sudare.wires.desk import Desk
from sudare.wires.identity import Identity
from sudare.wires.mailbox import Mailbox
from sudare.wires.names import party_host
from sudare.wires.serving import Post
from support.wires import OTHER_PLAN, PLAN, SECRET

Parties = dict[str, Identity]
Serve = Callable[..., Post]


@pytest.fixture
def caller(parties: Parties, serve: Serve) -> Iterator[Caller]:
    with calling(parties["shop"], serve()) as caller:
        yield caller


def calling(who: Identity, post: Post, peer: str = "hospital", plan: str = PLAN) -> Caller:
    return Caller(who, f"127.0.0.1:{post.port}", peer, plan, deadline=10.0)


def refused(call: Callable[[], object]) -> LinkRefused:
    """The refusal of a call, which says nothing of what was sent and leads back to nothing."""
    with pytest.raises(LinkRefused) as found:
        call()
    said = "".join(traceback.format_exception(found.value))
    assert SECRET.decode() not in said
    assert "grpc" not in str(found.value).lower()
    assert found.value.__cause__ is None
    assert found.value.__context__ is None
    return found.value


def numbered(pieces: list[bytes], start: int = 0) -> list[Chunk]:
    last = len(pieces) - 1
    return [Chunk(n, piece, n == last) for n, piece in enumerate(pieces) if n >= start]


def test_chunks_arrive_and_are_held(caller: Caller, mailbox: Mailbox) -> None:
    pieces = [bytes([n]) * (n * 1000) for n in range(20)]
    assert caller.held("rows") == 0
    assert caller.send("rows", numbered(pieces)) == 20
    assert caller.held("rows") == 20
    assert mailbox.is_complete("rows")
    assert [bytes(chunk.data) for chunk in mailbox.chunks("rows")] == pieces


def test_it_is_on_the_disk_when_put_returns(caller: Caller, tmp_path: Path) -> None:
    caller.put("rows", 0, SECRET, False)
    assert [bytes(c.data) for c in Mailbox(tmp_path / "hospital").chunks("rows", 0, lambda: False)]
    caller.put("rows", 1, SECRET, True)
    assert Mailbox(tmp_path / "hospital").is_complete("rows")


def test_a_source_that_fails_is_not_the_network(caller: Caller, mailbox: Mailbox) -> None:
    def failing() -> Iterator[Chunk]:
        yield Chunk(0, b"zero", False)
        raise OSError("the disk")

    with pytest.raises(OSError, match="the disk"):
        caller.send("rows", failing())
    assert (mailbox.held("rows"), mailbox.is_complete("rows")) == (1, False)
    assert caller.send("rows", []) == 0


def test_batches_travel_too(caller: Caller, mailbox: Mailbox) -> None:
    batch = pa.record_batch({"a": [1, 2, 3], "b": [b"x", None, b"z"]})
    caller.put("rows", 0, batch, True)
    assert unpacked(next(mailbox.chunks("rows")).data).equals(batch)


def test_the_same_again_and_other_content(caller: Caller, mailbox: Mailbox) -> None:
    for _ in range(2):
        caller.put("rows", 0, SECRET, False)
    assert refused(lambda: caller.put("rows", 0, SECRET + b"!", False)).code == "replay"
    assert refused(lambda: caller.put("rows", 0, SECRET, True)).code == "replay"
    caller.put("rows", 1, b"", True)
    assert refused(lambda: caller.put("rows", 2, SECRET, True)).code == "closed"
    assert [bytes(chunk.data) for chunk in mailbox.chunks("rows")] == [SECRET, b""]


def test_requests(caller: Caller) -> None:
    assert caller.act("greet", b"\x00hello") == b"shop:\x00hello"
    assert refused(lambda: caller.act("unheard-of", SECRET)).code == "request"
    assert refused(lambda: caller.act("fail", SECRET)).code == "failed"
    assert refused(lambda: caller.act("abort", SECRET)).code == "too-few-rows"


def test_fetching_waits_for_what_comes(caller: Caller, mailbox: Mailbox) -> None:
    with ThreadPoolExecutor(1) as threads:
        fetching = threads.submit(lambda: [bytes(c.data) for c in caller.fetch("out", 1)])
        for number, piece in enumerate([b"zero", b"one", b"", b"three"]):
            mailbox.put("out", number, piece, number == 3)
        assert fetching.result(20) == [b"one", b"", b"three"]


def test_fetching_ends_when_nobody_wants_more(parties: Parties, serve: Serve) -> None:
    post = serve(readers={"rows": "shop"})
    with calling(parties["shop"], post) as caller:
        caller.put("rows", 0, b"zero", False)
        arriving = caller.fetch("rows")
        assert bytes(next(arriving).data) == b"zero"
        arriving.close()
        assert caller.act("greet", b"") == b"shop:"


def test_streams_of_others(caller: Caller) -> None:
    for stream in ("bank-rows", "out", "unheard-of", "../rows"):
        code = "request" if "/" in stream else "stream"
        assert refused(lambda stream=stream: caller.put(stream, 0, SECRET, True)).code == code
    for stream in ("bank-out", "rows", "unheard-of"):
        assert refused(lambda stream=stream: next(caller.fetch(stream))).code == "stream"
        if stream != "rows":
            assert refused(lambda stream=stream: caller.held(stream)).code == "stream"


def test_large_refused_chunks_say_why(caller: Caller) -> None:
    assert refused(lambda: caller.put("bank-rows", 0, SECRET * 500_000, True)).code == "stream"


def test_another_plan(parties: Parties, serve: Serve, mailbox: Mailbox) -> None:
    with calling(parties["shop"], serve(), plan=OTHER_PLAN) as caller:
        assert refused(lambda: caller.put("rows", 0, SECRET, True)).code == "plan"
        assert refused(lambda: caller.act("greet", SECRET)).code == "plan"
        assert refused(lambda: next(caller.fetch("out"))).code == "plan"
    assert mailbox.held("rows") == 0


def test_a_party_that_the_plan_does_not_name(
    parties: Parties, serve: Serve, mailbox: Mailbox
) -> None:
    with calling(parties["stranger"], serve()) as caller:
        assert refused(lambda: caller.put("rows", 0, SECRET, True)).code == "peer"
        assert refused(lambda: caller.act("greet", SECRET)).code == "peer"
        assert refused(lambda: next(caller.fetch("out"))).code == "peer"
    assert mailbox.held("rows") == 0


@pytest.mark.parametrize(
    "command",
    [b"", b"{}", b"[1,2]", b'["rows","0",true]', b'["rows",0,1]', b'["rows",true,true]', b"\xff"],
)
def test_nonsense_is_refused(parties: Parties, serve: Serve, command: bytes) -> None:
    with raw_client(parties["shop"], serve()) as client:
        options = flight.FlightCallOptions(headers=[(PLAN_HEADER.encode(), PLAN.encode())])
        with pytest.raises(flight.FlightUnauthorizedError) as error:
            put_raw(client, command, to_batch(SECRET), options)
        assert error.value.extra_info == b"request"
        assert SECRET.decode() not in str(error.value)


def test_batches_of_another_shape_are_refused(parties: Parties, serve: Serve) -> None:
    with raw_client(parties["shop"], serve()) as client:
        options = flight.FlightCallOptions(headers=[(PLAN_HEADER.encode(), PLAN.encode())])
        place = Place("rows", 0, True).to_bytes()
        holes = pa.record_batch([pa.array([1, None], pa.uint8())], schema=WIRE)
        for batch in (pa.record_batch({"a": [1]}), holes):
            with pytest.raises(flight.FlightUnauthorizedError) as error:
                put_raw(client, place, batch, options)
            assert error.value.extra_info == b"request"


def test_a_plan_twice_is_not_the_plan(parties: Parties, serve: Serve) -> None:
    header = PLAN_HEADER.encode()
    with raw_client(parties["shop"], serve()) as client:
        for headers in ([], [(header, PLAN.encode())] * 2):
            options = flight.FlightCallOptions(headers=headers)
            with pytest.raises(flight.FlightUnauthorizedError) as error:
                list(client.list_flights(options=options))
            assert error.value.extra_info == b"plan"


def raw_client(who: Identity, post: Post) -> flight.FlightClient:
    return flight.FlightClient(
        f"grpc+tls://127.0.0.1:{post.port}",
        tls_root_certs=who.ca_pem,
        cert_chain=who.certificate_pem,
        private_key=who.key_pem,
        override_hostname=party_host("hospital"),
    )


def put_raw(
    client: flight.FlightClient, place: bytes, batch: pa.RecordBatch, options: object
) -> None:
    descriptor = flight.FlightDescriptor.for_command(b"rows")
    writer, answers = client.do_put(descriptor, batch.schema, options)
    try:
        if place:
            writer.write_with_metadata(batch, place)
        else:
            writer.write_batch(batch)
        writer.done_writing()
        answers.read()
    finally:
        writer.close()


def test_a_stopped_server_is_gone_and_its_port_free(parties: Parties, serve: Serve) -> None:
    first = serve()
    caller = Caller(parties["shop"], f"127.0.0.1:{first.port}", "hospital", PLAN)
    with caller:
        assert caller.act("greet", b"") == b"shop:"
        first.stop()
        # Only this call is given up soon; the others have the time that a busy machine takes.
        with pytest.MonkeyPatch.context() as hasty:
            hasty.setattr(caller, "_deadline", 0.5)
            with pytest.raises(Unreachable, match="hospital does not answer") as found:
                caller.act("greet", SECRET)
        assert found.value.exit_code == 5
        assert SECRET.decode() not in "".join(traceback.format_exception(found.value))
        serve(address=f"127.0.0.1:{first.port}")
        assert caller.act("greet", b"") == b"shop:"


def test_stopping_hangs_up_on_a_caller_who_stays(
    parties: Parties, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    post, is_in, admitted = serve(), Event(), Desk.admitted

    def noted(desk: Desk, peer_identity: bytes) -> str:
        is_in.set()
        return admitted(desk, peer_identity)

    monkeypatch.setattr(Desk, "admitted", noted)
    with raw_client(parties["shop"], post) as client:
        options = flight.FlightCallOptions(headers=[(PLAN_HEADER.encode(), PLAN.encode())])
        descriptor = flight.FlightDescriptor.for_command(b"rows")
        writer, answers = client.do_put(descriptor, WIRE, options)
        assert is_in.wait(60)
        post.stop()
        assert answers.read() is None
        with pytest.raises((flight.FlightError, pa.ArrowException)):
            writer.close()


def test_a_port_that_is_taken(serve: Serve) -> None:
    taken = serve()
    with pytest.raises(EngineUnavailable, match="Nobody can listen"):
        serve(address=f"127.0.0.1:{taken.port}")


def test_unreadable_answers_are_refused(parties: Parties, serve: Serve) -> None:
    post = serve(actions={"held": lambda peer, body: b""})
    with calling(parties["shop"], post) as caller:
        # The server's own "held" cannot be replaced by an action of the same name.
        assert caller.held("rows") == 0
        assert json.loads(caller.act("held", b'["rows"]')) == [0]

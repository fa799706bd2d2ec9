"""Organisations and collectors that break the protocol of a join: each attack is refused, or what
it learns is what docs/link.md says.

Attacks on the line (another authority, an expired certificate, another organisation's name, no TLS)
are in tests/wires/test_handshakes.py; other content under a known number, and chunks after the last
one, in tests/wires/test_mailbox.py; a collector that drops a row, in test_link_secure.py.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sudare.facts.errors import LinkRefused, SudareError, Unreachable
from sudare.link.ring import laid_stream
from sudare.publish import link_ending
from sudare.publish.link_ending import DELETED
from sudare.wires.folder import Folder
from sudare.wires.mailbox import Mailbox
from support.linking import (
    COLLECTOR,
    COLORS,
    NAMES,
    Ended,
    Meeting,
    color,
    hurry,
    identities,
    left_behind,
    phone,
    tables,
    write_consortium,
)

pytestmark = pytest.mark.integration
SIZE, ATTACKER = 30, "shop"
Meet = Callable[..., Meeting]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return identities(tmp_path_factory.mktemp("identities"))


@pytest.fixture
def meet(tmp_path: Path, known: Path, monkeypatch: pytest.MonkeyPatch) -> Meet:
    hurry(monkeypatch)

    def make(people: Any = None, wait: float = 20.0, **options: Any) -> Meeting:
        plan = write_consortium(tmp_path / "meeting", people or tables(SIZE), **options)
        return Meeting(plan, known, wait)

    return make


def certificate(ended: Ended) -> dict[str, Any]:
    failed = {name: each.what for name, each in ended.items() if isinstance(each, SudareError)}
    assert not failed
    return ended["collector"]  # type: ignore[return-value]


Put = Callable[..., None]
Attack = Callable[[Put, Mailbox, str, int, Any, bool], None]


def tampering(patch: pytest.MonkeyPatch, attack: Attack, own: str) -> None:
    """The attacker lays its own stream down in another manner than it announces."""
    honest = Mailbox.put

    def laid(self: Mailbox, stream: str, number: int, data: Any, last: bool) -> None:
        is_own = stream == own and f".{ATTACKER}.link" in str(self._folder)
        if is_own:
            attack(honest, self, stream, number, data, last)
        else:
            honest(self, stream, number, data, last)

    patch.setattr(Mailbox, "put", laid)


def cut(put: Put, box: Any, stream: str, number: int, data: Any, last: bool) -> None:
    put(box, stream, number, bytes(data)[:-7], last)


def twice(put: Put, box: Any, stream: str, number: int, data: Any, last: bool) -> None:
    put(box, stream, number, data, False)
    put(box, stream, number + 1, data, last)


def turned(put: Put, box: Any, stream: str, number: int, data: Any, last: bool) -> None:
    """One byte of the last sealed row."""
    changed = bytearray(bytes(data))
    changed[-1] ^= 1
    put(box, stream, number, bytes(changed), last)


@pytest.mark.parametrize("attack", [cut, twice, turned])
def test_truncated_replayed_and_changed_streams_end_the_session(
    meet: Meet, monkeypatch: pytest.MonkeyPatch, attack: Any
) -> None:
    """Everybody is refused, no file is made, and nothing but logs is left."""
    meeting = meet()
    tampering(monkeypatch, attack, laid_stream(meeting.plan, ATTACKER))
    ended = meeting.run()
    assert all(isinstance(each, SudareError) for each in ended.values()), ended
    assert any(isinstance(each, LinkRefused) for each in ended.values())
    assert not list(meeting.folder.glob("*.parquet"))
    assert left_behind(meeting.folder) == []


def test_a_collector_that_asks_twice_gets_nothing_more(meet: Meet) -> None:
    """It hides its file and its folder, and calls for the same session with a new key."""
    meeting = meet(wait=3.0)
    certificate(meeting.run())
    shutil.rmtree(meeting.place(f"{COLLECTOR}.collector"))
    first = meeting.output.read_bytes()
    meeting.output.unlink()
    ended = meeting.run()
    assert isinstance(ended["collector"], Unreachable)
    assert not meeting.output.exists()
    for name in NAMES:
        assert ended[name]["again"]  # type: ignore[index]
        assert meeting.reserved(name) == 1
    assert first
    assert left_behind(meeting.place(ATTACKER)) == []


def test_a_collector_that_asks_in_a_new_session_is_charged_anew(meet: Meet) -> None:
    """A second answer about the same people is a second session, and every ledger counts it."""
    meeting = meet()
    certificate(meeting.run())
    text = meeting.plan_file.read_text(encoding="utf-8").replace('"s1"', '"s2"')
    meeting.plan_file.write_text(text, encoding="utf-8")
    again = replace(meeting)
    again.output.rename(again.folder / "first.parquet")
    certificate(again.run())
    assert [again.reserved(name) for name in NAMES] == [2, 2, 2]


def test_planted_keys_are_rows_as_any_other(meet: Meet) -> None:
    """The attacker plants a whole town: it meets everybody, nobody can tell, and what it meets is
    randomised. How many rows it sent is in the log that all sign."""
    people = tables(SIZE)
    town = [(phone(person), color(person, 1)) for person in range(4 * SIZE)]
    meeting = meet({**people, ATTACKER: town})
    found = certificate(meeting.run())
    table = pq.read_table(meeting.output)
    others = [{key for key, _ in people[name]} for name in NAMES if name != ATTACKER]
    both = set.intersection(*others) - {None}
    assert table.num_rows == len({str(key) for key in both} & {key for key, _ in town})
    said = meeting.output.read_bytes() + json.dumps(found).encode()
    assert not any(phone(person).encode() in said for person in range(SIZE))
    lines = (meeting.place(ATTACKER) / "log.jsonl").read_text(encoding="utf-8").splitlines()
    prepared = [each["facts"] for each in map(json.loads, lines) if each["kind"] == "prepared"]
    assert [each["rows"] for each in prepared] == [len(town)]


def test_max_rows_bounds_what_can_be_planted(meet: Meet) -> None:
    people = tables(SIZE)
    town = [(phone(person), color(person, 1)) for person in range(4 * SIZE)]
    meeting = meet({**people, ATTACKER: town}, top="epsilon = 6\nmax_rows = 8")
    certificate(meeting.run())
    assert pq.read_table(meeting.output).num_rows <= 8


def test_a_party_that_keeps_its_rows_holds_what_it_cannot_open(
    meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It signs that it deleted, and nobody can tell; what it kept says no more than before, and
    the account has a line for it: the others' local ε, unamplified."""
    honest = link_ending.delete

    def kept(folder: Folder) -> None:
        if folder.identity.name != ATTACKER:
            return honest(folder)
        folder.log_once(DELETED, rows=True, permutation=True, exponent=True, generator=True)
        return None

    monkeypatch.setattr("sudare.publish.link_party.delete", kept)
    meeting = meet()
    found = certificate(meeting.run())
    place = meeting.place(ATTACKER)
    chunks = [path for path in place.rglob("*") if path.is_file() and path.suffix != ".jsonl"]
    assert left_behind(place) != []
    held = b"".join(path.read_bytes() for path in chunks)
    assert not any(each.encode() in held for each in COLORS)
    assert not any(phone(person).encode() in held for person in range(SIZE))
    seen = json.dumps(found)
    assert '"kept"' in seen
    assert all(party["deleted"] for party in found["parties"])
    others = [name for name in NAMES if name != ATTACKER]
    assert all(left_behind(meeting.place(name)) == [] for name in others)


def test_a_log_of_another_session_is_not_taken_for_this_one(meet: Meet) -> None:
    """What a party signed in one session vouches for nothing in another."""
    meeting = meet()
    certificate(meeting.run())
    first = meeting.log(ATTACKER)
    text = meeting.plan_file.read_text(encoding="utf-8").replace('"s1"', '"s2"')
    meeting.plan_file.write_text(text, encoding="utf-8")
    again = Meeting(meeting.plan_file, meeting.identities)
    shutil.copytree(meeting.folder / f"s1.{ATTACKER}.link", again.place(ATTACKER))
    with pytest.raises(LinkRefused):
        again.take_part(ATTACKER)
    assert first.owner == ATTACKER

"""The log: nothing changed, dropped, swapped or signed by another passes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sudare.facts.errors import LinkRefused, SudareError
from sudare.wires.identity import Identity
from sudare.wires.log import Log, countersign, verify_log
from support.wires import OTHER_PLAN, PLAN, SECRET, consortium


@pytest.fixture
def parties(tmp_path: Path) -> dict[str, Identity]:
    return consortium(tmp_path / "ids", "shop", "bank")


@pytest.fixture
def path(tmp_path: Path, parties: dict[str, Identity]) -> Path:
    """A log of the shop with one head that the bank has signed."""
    path = tmp_path / "session" / "log.jsonl"
    log = Log(path, "shop", PLAN)
    log.append("sent", {"stream": "rows", "chunks": 3, "sha256": "0" * 64})
    head = log.append("received", {"stream": "keys", "chunks": 2})
    bank = parties["bank"]
    log.add_countersignature(parties["shop"], bank.certificate_pem, head, countersign(bank, head))
    log.append("deleted", {"what": "outbox"})
    return path


def certificates(parties: dict[str, Identity]) -> dict[str, bytes]:
    return {name: party.certificate_pem for name, party in parties.items()}


def test_a_log_that_holds(path: Path, parties: dict[str, Identity]) -> None:
    found = verify_log(path, certificates(parties))
    assert (found.owner, found.plan, found.entries) == ("shop", PLAN, 5)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert found.head == lines[-1]["hash"] == Log(path, "shop", PLAN).head
    assert found.countersigned == (("bank", lines[2]["hash"]),)
    assert path.stat().st_mode & 0o077 == 0


def test_it_goes_on_after_a_restart(path: Path, parties: dict[str, Identity]) -> None:
    head = Log(path, "shop", PLAN).append("sent", {"chunks": 1})
    found = verify_log(path, certificates(parties))
    assert (found.entries, found.head) == (6, head)


def test_a_torn_line_is_dropped_at_the_next_start(path: Path, parties: dict[str, Identity]) -> None:
    with path.open("ab") as file:
        file.write(b'{"facts":{"chu')
    with pytest.raises(LinkRefused, match="Entry 6"):
        verify_log(path, certificates(parties))
    Log(path, "shop", PLAN)
    assert verify_log(path, certificates(parties)).entries == 5


def test_another_session_does_not_write_into_it(path: Path) -> None:
    for owner, plan in [("bank", PLAN), ("shop", OTHER_PLAN)]:
        with pytest.raises(LinkRefused, match="Entry 1"):
            Log(path, owner, plan)


def tampered(lines: list[str]) -> dict[str, list[str]]:
    return {
        "changed": [lines[0], lines[1].replace('"chunks":3', '"chunks":4'), *lines[2:]],
        "dropped": [lines[0], *lines[2:]],
        "first dropped": lines[1:],
        "swapped": [lines[0], lines[2], lines[1], *lines[3:]],
        "respelt": [lines[0].replace('"facts":', '"facts": '), *lines[1:]],
        "no json": [*lines[:2], "nonsense", *lines[3:]],
        "no fields": [*lines[:2], "{}", *lines[3:]],
        "empty": [],
    }


@pytest.mark.parametrize("how", sorted(tampered([""] * 5)))
def test_tampering_is_seen(path: Path, parties: dict[str, Identity], how: str) -> None:
    lines = tampered(path.read_text().splitlines())[how]
    path.write_text("".join(line + "\n" for line in lines))
    with pytest.raises(LinkRefused) as refused:
        verify_log(path, certificates(parties))
    assert refused.value.code == "log"


def test_a_rewritten_log_loses_its_countersignature(
    path: Path, tmp_path: Path, parties: dict[str, Identity]
) -> None:
    old = [json.loads(line) for line in path.read_text().splitlines()]
    rewritten = Log(tmp_path / "new" / "log.jsonl", "shop", PLAN)
    for entry in old[1:]:
        changed = entry["facts"] | ({"chunks": 1} if entry["kind"] == "sent" else {})
        rewritten.append(entry["kind"], changed)
    with pytest.raises(LinkRefused, match="never had"):
        verify_log(tmp_path / "new" / "log.jsonl", certificates(parties))


def test_a_signature_by_another_key(path: Path, parties: dict[str, Identity]) -> None:
    mixed = {"bank": parties["shop"].certificate_pem}
    with pytest.raises(LinkRefused) as refused:
        verify_log(path, mixed)
    assert refused.value.code == "signature"
    with pytest.raises(LinkRefused, match="not at hand"):
        verify_log(path, {})


def test_only_true_countersignatures_are_kept(path: Path, parties: dict[str, Identity]) -> None:
    log, shop, bank = Log(path, "shop", PLAN), parties["shop"], parties["bank"]
    before = log.head
    signed = countersign(bank, log.head)
    foreign = "f" * 64
    for certificate, head, signature in [
        (shop.certificate_pem, log.head, signed),
        (bank.certificate_pem, foreign, countersign(bank, foreign)),
        (bank.certificate_pem, log.head, "no base64"),
    ]:
        with pytest.raises(LinkRefused):
            log.add_countersignature(shop, certificate, head, signature)
    assert log.head == before


def test_a_log_takes_no_payload(path: Path) -> None:
    log = Log(path, "shop", PLAN)
    with pytest.raises(ValueError, match="counts, names and digests") as refused:
        log.append("sent", {"rows": (SECRET * 20).decode()})
    assert SECRET.decode() not in str(refused.value)
    assert SECRET not in path.read_bytes()


def test_a_log_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SudareError, match="cannot be read"):
        verify_log(tmp_path / "none", {})

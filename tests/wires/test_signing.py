"""The steward's key: made once, for its owner alone, never replaced; what it signs and nothing
else is signed."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from sudare.facts.errors import UsageError
from sudare.wires import signing
from sudare.wires.signing import find_key, fingerprint_of, is_signed


def test_the_key_is_made_at_first_use_and_stays(tmp_path: Path) -> None:
    place = tmp_path / "new" / "folder" / "steward.key"
    first, again = find_key(place), find_key(place)
    assert first.is_new
    assert not again.is_new
    assert first.fingerprint == again.fingerprint
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert [each.name for each in place.parent.iterdir()] == ["steward.key"]
    assert "PRIVATE" not in repr(first)


def test_many_at_once_make_one_key(tmp_path: Path) -> None:
    place, found = tmp_path / "steward.key", set()
    gate = threading.Barrier(16)

    def make() -> None:
        gate.wait()
        found.add(find_key(place).fingerprint)

    threads = [threading.Thread(target=make) for _ in range(16)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["steward.key"]


def test_one_that_was_made_meanwhile_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, theirs = tmp_path / "steward.key", find_key(tmp_path / "theirs")
    true = signing.write_draft

    def meanwhile(path: Path, data: bytes) -> None:
        true(path, data)
        true(place, (tmp_path / "theirs").read_bytes())

    monkeypatch.setattr(signing, "write_draft", meanwhile)
    found = find_key(place)
    assert not found.is_new
    assert found.fingerprint == theirs.fingerprint


def test_a_signature_is_of_these_bytes_by_this_key(tmp_path: Path) -> None:
    key, other = find_key(tmp_path / "a"), find_key(tmp_path / "b")
    signature = key.sign(b"data")
    assert is_signed(key.fingerprint, signature, b"data")
    assert not is_signed(key.fingerprint, signature, b"date")
    assert not is_signed(other.fingerprint, signature, b"data")
    for at in range(0, 128, 5):
        bad = signature[:at] + ("0" if signature[at] != "0" else "1") + signature[at + 1 :]
        assert not is_signed(key.fingerprint, bad, b"data")
    assert not is_signed("zz", signature, b"data")
    assert not is_signed("00" * 32, "00" * 64, b"data")


def test_the_public_key_has_the_fingerprint(tmp_path: Path) -> None:
    key = find_key(tmp_path / "steward.key")
    assert fingerprint_of(key.public_pem().encode()) == key.fingerprint
    assert fingerprint_of((tmp_path / "steward.key").read_bytes()) is None
    assert fingerprint_of(b"") is None


def test_what_is_no_key_of_ones_own_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "steward.key"
    find_key(place).place.chmod(0o640)
    with pytest.raises(UsageError, match="Others can read"):
        find_key(place)
    place.write_text("no key")
    place.chmod(0o600)
    with pytest.raises(UsageError, match="not a signing key"):
        find_key(place)
    assert place.read_text() == "no key"
    with pytest.raises(UsageError, match="cannot be read"):
        find_key(tmp_path)


def test_where_nothing_can_be_written_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file" / "steward.key", Path("/proc/sudare/steward.key")):
        with pytest.raises(UsageError, match="No signing key can be made"):
            find_key(place)

"""Chunks on the disk: durable, once, in order."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread

import pytest

from sudare.facts.errors import EngineUnavailable, LinkRefused
from sudare.wires import chunks as chunk_rules
from sudare.wires import files
from sudare.wires.mailbox import Mailbox
from support.wires import SECRET


def contents(mailbox: Mailbox, stream: str, start: int = 0) -> list[bytes]:
    return [bytes(chunk.data) for chunk in mailbox.chunks(stream, start)]


def code_of(put: pytest.ExceptionInfo[LinkRefused]) -> str:
    assert SECRET.decode() not in str(put.value)
    return put.value.code


def test_chunks_come_back_in_order(tmp_path: Path) -> None:
    mailbox = Mailbox(tmp_path / "box")
    mailbox.put("rows", 1, b"one", False)
    assert (mailbox.held("rows"), mailbox.is_complete("rows")) == (0, False)
    mailbox.put("rows", 0, b"zero", False)
    mailbox.put("rows", 2, b"", True)
    assert (mailbox.held("rows"), mailbox.is_complete("rows")) == (3, True)
    assert contents(mailbox, "rows") == [b"zero", b"one", b""]
    assert contents(mailbox, "rows", 1) == [b"one", b""]
    assert contents(Mailbox(tmp_path / "box"), "rows") == [b"zero", b"one", b""]


def test_a_reader_waits(tmp_path: Path) -> None:
    mailbox = Mailbox(tmp_path)
    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(contents, mailbox, "rows")
        for number in range(5):
            mailbox.put("rows", number, bytes([number]), number == 4)
        assert reading.result(10) == [bytes([number]) for number in range(5)]


def test_the_same_again_is_fine_and_other_content_is_not(tmp_path: Path) -> None:
    mailbox = Mailbox(tmp_path)
    mailbox.put("rows", 0, SECRET, False)
    mailbox.put("rows", 1, SECRET, True)
    for again in (mailbox, Mailbox(tmp_path)):
        again.put("rows", 0, SECRET, False)
        again.put("rows", 1, SECRET, True)
        for number, data, last in [(0, SECRET + b"!", False), (0, SECRET, True), (1, b"", True)]:
            with pytest.raises(LinkRefused) as refused:
                again.put("rows", number, data, last)
            assert code_of(refused) == "replay"
        with pytest.raises(LinkRefused) as refused:
            again.put("rows", 2, SECRET, False)
        assert code_of(refused) == "closed"
    assert contents(mailbox, "rows") == [SECRET, SECRET]


def test_the_last_chunk_is_not_before_others(tmp_path: Path) -> None:
    mailbox = Mailbox(tmp_path)
    mailbox.put("rows", 3, b"three", False)
    with pytest.raises(LinkRefused) as refused:
        mailbox.put("rows", 2, b"two", True)
    assert code_of(refused) == "closed"


def test_many_hands_at_one_chunk(tmp_path: Path) -> None:
    mailbox = Mailbox(tmp_path)
    refused = []

    def put(data: bytes) -> None:
        try:
            mailbox.put("rows", 0, data, True)
        except LinkRefused as error:
            refused.append(error.code)

    hands = [Thread(target=put, args=(bytes([hand % 2]) * 100_000,)) for hand in range(8)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    assert refused == ["replay"] * 4
    assert len(contents(mailbox, "rows")) == 1


def test_what_a_crash_left_unfinished_is_dropped(tmp_path: Path) -> None:
    Mailbox(tmp_path).put("rows", 0, b"zero", False)
    (tmp_path / "rows" / "000001.chunk.part").write_bytes(b"half of o")
    mailbox = Mailbox(tmp_path)
    assert mailbox.held("rows") == 1
    mailbox.put("rows", 1, b"one", True)
    assert contents(mailbox, "rows") == [b"zero", b"one"]


def test_synced_before_named_and_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    fsync, rename = os.fsync, Path.rename

    def noted_fsync(opened: int) -> None:
        seen.append("folder" if stat.S_ISDIR(os.fstat(opened).st_mode) else "file")
        fsync(opened)

    def noted_rename(path: Path, target: Path) -> Path:
        seen.append("rename")
        return rename(path, target)

    monkeypatch.setattr(files.os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "rename", noted_rename)
    Mailbox(tmp_path).put("rows", 0, b"zero", True)
    assert seen == ["file", "rename", "folder"]


def test_a_full_disk_is_a_refusal_and_not_a_chunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailbox = Mailbox(tmp_path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(files.os, "fsync", full)
        with pytest.raises(EngineUnavailable, match="cannot be written"):
            mailbox.put("rows", 0, SECRET, True)
    assert mailbox.held("rows") == 0
    mailbox.put("rows", 0, SECRET, True)
    assert mailbox.is_complete("rows")


def test_forgetting(tmp_path: Path) -> None:
    mailbox = Mailbox(tmp_path)
    mailbox.put("rows", 0, SECRET, True)
    mailbox.put("keys", 0, SECRET, True)
    mailbox.forget("rows")
    assert contents(mailbox, "keys") == [SECRET]
    mailbox.forget()
    for each in (mailbox, Mailbox(tmp_path)):
        assert not each.is_complete("rows")
        for again in (
            lambda box=each: box.put("rows", 0, SECRET, True),
            lambda box=each: contents(box, "rows"),
        ):
            with pytest.raises(LinkRefused) as refused:
                again()
            assert code_of(refused) == "closed"
    left = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert left == [b"", b""]


def test_an_abort_reaches_who_waits(tmp_path: Path) -> None:
    mailbox = Mailbox(tmp_path)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(contents, mailbox, "rows")
        mailbox.abort(LinkRefused("Enough.", "Stop.", "abort"))
        with pytest.raises(LinkRefused) as refused:
            waiting.result(10)
    assert refused.value.code == "abort"


def test_digests_are_of_content_and_cut(tmp_path: Path) -> None:
    mailbox = Mailbox(tmp_path)
    for stream, pieces in {"a": [b"xy", b"z"], "b": [b"x", b"yz"], "c": [b"xy", b"z"]}.items():
        for number, piece in enumerate(pieces):
            mailbox.put(stream, number, piece, number == 1)
    assert mailbox.digest("a") == mailbox.digest("c") != mailbox.digest("b")


@pytest.mark.parametrize("stream", ["", "..", "../x", "a/b", ".hidden", "a" * 129, "a\n"])
def test_stream_names_stay_in_the_folder(tmp_path: Path, stream: str) -> None:
    with pytest.raises(LinkRefused):
        Mailbox(tmp_path / "box").put(stream, 0, b"", True)
    assert not any((tmp_path / "box").iterdir())


def test_sizes_and_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mailbox = Mailbox(tmp_path)
    for number in (-1, chunk_rules.MAX_NUMBER + 1):
        with pytest.raises(LinkRefused):
            mailbox.put("rows", number, b"", False)
    monkeypatch.setattr("sudare.wires.mailbox.MAX_BYTES", 10)
    with pytest.raises(LinkRefused) as refused:
        mailbox.put("rows", 0, b"x" * 11, False)
    assert refused.value.code == "size"


def test_going_on_after_the_last_chunk_is_nothing_and_no_refusal(tmp_path: Path) -> None:
    """A party that is started again sends on from what the other holds, which may be all."""
    box = Mailbox(tmp_path / "mail")
    box.put("rows", 0, b"one", False)
    box.put("rows", 1, b"two", True)
    assert list(box.chunks("rows", 2)) == []
    assert list(Mailbox(tmp_path / "mail").chunks("rows", 2)) == []
    with pytest.raises(LinkRefused) as refused:
        list(box.chunks("rows", 3))
    assert code_of(refused) == "closed"
    box.forget("rows")
    for again in (box, Mailbox(tmp_path / "mail")):
        with pytest.raises(LinkRefused):
            list(again.chunks("rows", 2))

"""The file of a chunk: the same bytes come back, also where the file system cannot write so."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from sudare.wires import direct
from sudare.wires.direct import read_content, write_content

BLOCK = 4096
LARGE = 5 * 2**20 + 4097
SIZES = [0, 1, BLOCK, direct.SMALLEST - 1, direct.SMALLEST, direct.SMALLEST + 1, LARGE]


def content(size: int) -> bytes:
    return (bytes(range(251)) * (size // 251 + 1))[:size]


def written(path: Path, data: bytes | memoryview) -> bytes:
    write_content(path, memoryview(data), 0o600)
    return bytes(read_content(path))


@pytest.mark.parametrize("size", SIZES)
def test_the_bytes_are_the_bytes(tmp_path: Path, size: int) -> None:
    assert written(tmp_path / "file", content(size)) == content(size)
    assert (tmp_path / "file").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("cut", [0, 1, 15, BLOCK - 1, BLOCK, BLOCK + 1])
def test_wherever_they_lie_in_memory(tmp_path: Path, cut: int) -> None:
    whole = memoryview(content(LARGE))
    for start, stop in ((cut, LARGE), (0, LARGE - cut), (cut, LARGE - cut)):
        assert written(tmp_path / "file", whole[start:stop]) == whole[start:stop]


def test_nothing_of_the_chunk_before_lies_between(tmp_path: Path) -> None:
    written(tmp_path / "one", b"\xff" * LARGE)
    written(tmp_path / "two", bytes(LARGE - 2))
    assert b"\xff" not in (tmp_path / "two").read_bytes()[24:]


def test_it_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but a few blocks at the ends are handed over from where they lie."""
    pieces: list[list[Any]] = []
    writev = os.writev

    def noted(opened: int, given: list[Any]) -> int:
        pieces.append(given)
        return writev(opened, given)

    monkeypatch.setattr(direct.os, "writev", noted)
    data = content(LARGE)
    assert written(tmp_path / "file", data) == data
    for given in pieces:
        assert given[1].obj is data
        assert sum(piece.nbytes for piece in given) - given[1].nbytes <= 3 * BLOCK


@pytest.mark.parametrize("trouble", ["opening", "writing", "half way"])
def test_a_file_system_that_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    opened, writev, seen = os.open, os.writev, []

    def picky_open(path: Any, flags: int, *rest: Any) -> int:
        if trouble == "opening" and flags & os.O_DIRECT:
            seen.append(trouble)
            raise OSError(22, "Invalid argument")
        return opened(path, flags, *rest)

    def picky_write(number: int, pieces: Any) -> int:
        seen.append(trouble)
        if trouble == "half way":
            return writev(number, pieces[:1])
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(direct.os, "open", picky_open)
    if trouble != "opening":
        monkeypatch.setattr(direct.os, "writev", picky_write)
    assert written(tmp_path / "file", content(LARGE)) == content(LARGE)
    assert seen == [trouble]


@pytest.mark.parametrize("damage", ["cut", "empty", "foreign"])
def test_what_is_no_chunk_is_not_read(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "file"
    written(path, content(BLOCK))
    raw = path.read_bytes()
    path.write_bytes({"cut": raw[:-1], "empty": b"", "foreign": raw[8:]}[damage])
    with pytest.raises(OSError, match="not a whole chunk"):
        read_content(path)

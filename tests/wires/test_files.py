"""Large files around the page cache: the same bytes, also where the file system cannot do it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from sudare.wires import direct
from sudare.wires.files import write_durably

SIZES = [2**20 - 1, 2**20, 2**20 + 1, 3 * 2**20 + 4095, 5 * 2**20 + 4097]


def content(size: int) -> bytes:
    return (bytes(range(251)) * (size // 251 + 1))[:size]


@pytest.mark.parametrize("size", SIZES)
def test_the_bytes_are_the_bytes(tmp_path: Path, size: int) -> None:
    write_durably(tmp_path / "file", memoryview(content(size)))
    assert (tmp_path / "file").read_bytes() == content(size)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").stat().st_mode & 0o077 == 0


def test_a_file_system_that_refuses_to_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, refused = os.open, []

    def picky(path: Any, flags: int, *rest: Any) -> int:
        if flags & os.O_DIRECT:
            refused.append(path)
            raise OSError(22, "Invalid argument")
        return opened(path, flags, *rest)

    monkeypatch.setattr(os, "open", picky)
    write_durably(tmp_path / "file", content(SIZES[-1]))
    assert refused
    assert (tmp_path / "file").read_bytes() == content(SIZES[-1])


def test_a_file_system_that_stops_half_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = os.write
    pieces = []

    def picky(opened: int, data: Any) -> int:
        pieces.append(len(data))
        if len(pieces) == 3:
            return written(opened, memoryview(data)[:4096])
        return written(opened, data)

    monkeypatch.setattr(direct.os, "write", picky)
    write_durably(tmp_path / "file", content(SIZES[-1]))
    assert len(pieces) == 3
    assert (tmp_path / "file").read_bytes() == content(SIZES[-1])

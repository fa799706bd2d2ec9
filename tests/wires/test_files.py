"""Files that survive a crash: whole, or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudare.facts.errors import EngineUnavailable
from sudare.wires.files import put_durably, write_durably


def test_the_whole_file_and_nothing_beside_it(tmp_path: Path) -> None:
    for data in (b"one", b"another"):
        write_durably(tmp_path / "file", data)
        assert (tmp_path / "file").read_bytes() == data
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").stat().st_mode & 0o077 == 0


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    def failing(part: Path) -> None:
        part.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    write_durably(tmp_path / "file", b"whole")
    with pytest.raises(EngineUnavailable, match="cannot be written"):
        put_durably(tmp_path / "file", failing)
    assert (tmp_path / "file").read_bytes() == b"whole"

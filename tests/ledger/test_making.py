"""What processes that were cut off leave of a database, and who takes it away."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from ledger.support import ADD_REMOVE, drain, fork
from sudare.ledger.ledger import Ledger
from sudare.ledger.making import draft_of, publish, sweep
from sudare.ledger.second_place import FILE, SecondPlace


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.ledger"


def cut_off(path: Path) -> None:
    """A process that is killed over its draft."""

    def begin(_: int) -> None:
        with draft_of(path) as draft:
            draft.with_name(f"{draft.name}-journal").write_bytes(b"half")
            os.kill(os.getpid(), signal.SIGKILL)

    pid, pipe = fork(begin)
    drain(pipe)
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_what_was_left_behind_goes_when_the_ledger_is_opened(path: Path) -> None:
    cut_off(path)
    assert len(names(path.parent)) == 1
    Ledger.open(path, create=True, relation=ADD_REMOVE).close()
    assert names(path.parent) == [path.name]
    cut_off(path)
    Ledger.open(path).close()
    assert names(path.parent) == [path.name]


def test_what_was_left_behind_goes_with_the_next_look_at_the_second_place(tmp_path: Path) -> None:
    folder = tmp_path / "sudare"
    folder.mkdir()
    cut_off(folder / FILE)
    for _ in range(2):
        place = SecondPlace(folder, lambda: bytes(32))
        assert place.trouble is None
        place.close()
        assert names(folder) == [FILE]
        cut_off(folder / FILE)


def test_a_draft_in_work_stays(path: Path) -> None:
    with draft_of(path) as draft:
        sweep(path)
        assert draft.exists()
    assert names(path.parent) == []


def test_drafts_of_other_ledgers_and_files_of_like_names_stay(path: Path) -> None:
    cut_off(path.with_name("people.ledger.old"))
    other = path.with_name(".people.ledger.draft")
    other.write_bytes(b"a file of somebody's")
    before = names(path.parent)
    sweep(path.with_name("others.ledger"))
    assert names(path.parent) == before
    sweep(path)
    assert other.exists()


def test_a_file_that_was_made_meanwhile_is_not_replaced(path: Path) -> None:
    with draft_of(path) as draft:
        draft.write_bytes(b"second")
        path.write_bytes(b"first")
        publish(draft, path)
    assert path.read_bytes() == b"first"

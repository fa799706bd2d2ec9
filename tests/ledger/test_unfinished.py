"""Drafts of files that are being made: they go with their process, at the latest with the next."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.support import ADD_REMOVE
from sudare.ledger import second_place, sqlite_file, unfinished
from sudare.ledger.drafts import first_row
from sudare.ledger.ledger import Ledger
from sudare.ledger.second_place import SecondPlace
from sudare.ledger.unfinished import draft_of, sweep


def killed_at(step: str, make: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a process of its own that ends where it would take this step."""

    def strike(*given: object, **named: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    pid = os.fork()
    if pid == 0:
        monkeypatch.setattr(os, step, strike)
        make()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL


def hidden(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir() if each.name.startswith(".")]


@pytest.mark.parametrize("step", ["close", "link", "fsync"])
def test_the_next_command_removes_what_a_killed_one_left(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "people.ledger"
    killed_at(step, lambda: sqlite_file.create(path, first_row(ADD_REMOVE)), monkeypatch)
    assert hidden(tmp_path)
    Ledger.open(path, create=True, relation=ADD_REMOVE).verify()
    assert hidden(tmp_path) == []


def test_so_it_is_with_the_second_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / second_place.FILE
    killed_at("link", lambda: SecondPlace(tmp_path, lambda: bytes(32)), monkeypatch)
    assert hidden(tmp_path)
    assert not path.exists()
    SecondPlace(tmp_path, lambda: bytes(32))
    assert path.exists()
    assert hidden(tmp_path) == []


def test_a_draft_that_somebody_is_making_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "people.ledger"
    mine = draft_of(path)
    mine.write_bytes(b"")
    monkeypatch.setattr(unfinished, "_host", lambda: "0" * 8)
    elsewhere = tmp_path / ".people.ledger.11111111.4194000.1"
    other = tmp_path / ".people.ledger-2.00000000.4194000.1"
    gone = tmp_path / ".people.ledger.00000000.99999999.1"
    beside = tmp_path / ".people.ledger.00000000.99999999.1-journal"
    for each in (elsewhere, other, gone, beside):
        each.write_bytes(b"")
    sweep(path)
    assert sorted(hidden(tmp_path)) == sorted([mine.name, elsewhere.name, other.name])

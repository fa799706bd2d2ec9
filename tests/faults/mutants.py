"""Products that are wrong on purpose; the same checks must catch each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sudare.ledger import second_place, sqlite
from sudare.ledger.ledger import Ledger
from sudare.publish.outputs import OutputSet


def commit_skipped() -> None:
    """The release goes out and never into the ledger."""
    Ledger.commit = lambda *_: None  # type: ignore[method-assign]


def named_before_commit() -> None:
    """Reports have their name before the ledger says that they were released."""
    hold, finish = OutputSet.hold, OutputSet.finish

    def at_once(self: OutputSet, *given: Any) -> None:
        hold(self, *given)
        self.written = finish(self)  # type: ignore[attr-defined]

    OutputSet.hold = at_once  # type: ignore[method-assign]
    OutputSet.finish = lambda self: getattr(self, "written", [])  # type: ignore[method-assign]


def written_in_place() -> None:
    """Files are written under their final names, one after the other."""
    OutputSet.place = lambda self, name: Path(name).absolute()  # type: ignore[method-assign]
    OutputSet.finish = lambda self: list(self.names)  # type: ignore[method-assign]


def noise_drawn_again() -> None:
    """A key that was used is charged and answered anew."""
    Ledger._stored = lambda *_: None  # type: ignore[method-assign]


def nothing_swept() -> None:
    """What was left behind stays."""
    for module in (second_place, sqlite):
        module.sweep = lambda _: None  # type: ignore[attr-defined]


MUTANTS: dict[str, Callable[[], None]] = {
    each.__name__: each
    for each in (
        commit_skipped,
        named_before_commit,
        written_in_place,
        noise_drawn_again,
        nothing_swept,
    )
}

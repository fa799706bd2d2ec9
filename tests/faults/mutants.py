"""Products that are wrong on purpose; the same checks must catch each."""

from __future__ import annotations

from collections.abc import Callable

from sudare.ledger.ledger import Ledger


def commit_skipped() -> None:
    """The release goes out and never into the ledger."""
    Ledger.commit = lambda *_: None  # type: ignore[method-assign]


MUTANTS: dict[str, Callable[[], None]] = {"commit_skipped": commit_skipped}

"""Estimate statistics from a randomised file. It reads reports alone, so it costs nothing: whatever
is computed from them has their guarantee."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sudare.engines.border import guarded
from sudare.engines.reports import open_reports
from sudare.facts.errors import InvalidFile
from sudare.facts.estimated import Estimated, Wanted
from sudare.local.estimates.estimate import estimate

# How many rows are done, of how many.
Progress = Callable[[int, int], None]


def _silent(done: int, total: int) -> None:
    """Nobody is watching."""


def estimate_file(path: str | Path, wanted: Wanted, progress: Progress = _silent) -> Estimated:
    """What the reports of a file tell."""
    opened = open_reports(path)
    contradiction = InvalidFile(
        "The file of reports contradicts itself.",
        "It was changed after it was written; fetch it anew from its sender.",
    )
    return guarded(
        lambda: estimate(
            opened.facts, opened.batches(), wanted, lambda done: progress(done, opened.rows)
        ),
        contradiction,
    )

"""From reports to scores, in pieces that fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile
from sudare.local.estimates.channels import Channel, Scores

# Scores held at once: some 16 MB.
_BLOCK = 2**21


def blocks(rows: int, width: int) -> Iterator[slice]:
    """Pieces of a batch whose scores fit into memory."""
    step = max(1, _BLOCK // width)
    return (slice(start, start + step) for start in range(0, rows, step))


def scored(channel: Channel, reports: NDArray[Any]) -> Scores:
    """The scores of reports, rows × width; reports that the mechanism cannot make are refused."""
    cells = channel.cells
    if cells is not None and len(reports) and (reports.min() < 0 or reports.max() >= cells):
        raise damaged()
    return channel.read(reports).reshape(len(reports), channel.width)


def damaged() -> InvalidFile:
    return InvalidFile(
        "The reports do not fit what the file says of them.",
        "The file is damaged or was changed: fetch it again, or randomise the data again.",
    )

"""Pictures of baskets: items by how often they occur, and the share of attackers who succeed.

Texts stand beside a picture, not in it; items have no names here, only counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

from sudare.report.frames import field, rows
from sudare.report.rulers import Numbers, Powers
from sudare.report.style import BAR, INK, MUTED, OTHER
from sudare.report.ticks import Tick

_HEIGHT = 300
# So many ranks a decade, and so many places of a dot a decade, are as fine as a page shows.
_FINE = 24
# Where a logarithm has no place for 0, it stands at a half.
_ZERO = 0.5
_ROW, _BAR, _DOT = 24, 21, 18


def ranks(before: Sequence[int], after: Sequence[int]) -> str:
    """Two lines: records that hold the item of rank 1, 2, …, each line in its own order."""
    frame = field(_powers(len(before)), _powers(max(before)), _HEIGHT)
    for counts, color in ((before, BAR), (after, OTHER)):
        spots = [(frame.x(rank), frame.y(count)) for rank, count in _ranked(counts)]
        frame.canvas.curve(spots, color, 2)
    return frame.svg()


def _ranked(counts: Sequence[int]) -> list[tuple[int, int]]:
    """Ranks with their counts, the first of each stretch of a logarithmic ruler; and the last."""
    held = sorted((count for count in counts if count > 0), reverse=True)
    chosen = {_cell(rank): rank for rank in range(len(held), 0, -1)}
    kept = sorted({*chosen.values(), *([len(held)] if held else [])})
    return [(rank, held[rank - 1]) for rank in kept]


def scatter(before: Sequence[int], after: Sequence[int]) -> str:
    """A dot an item: records that hold it before and after, with the line of no change."""
    cells = {
        (_cell(old), _cell(new)): (old, max(new, _ZERO))
        for old, new in zip(before, after, strict=True)
        if old > 0
    }
    most = max(before)
    frame = field(_powers(most), _powers(most, Tick(_ZERO, "0")), _HEIGHT)
    start, end = ((frame.x(at), frame.y(at)) for at in (1, most))
    frame.canvas.line(start, end, MUTED, 1)
    spots = ((frame.x(old), frame.y(new)) for old, new in cells.values())
    frame.canvas.dots(spots, _DOT, BAR, 0.7)
    return frame.svg()


def _cell(count: int) -> int:
    return -1 if count < 1 else round(_FINE * log10(count))


def _powers(most: int, *first: Tick) -> Powers:
    """A ruler with marks at powers of ten, after one for 0 where items may be gone."""
    powers = (Tick(10**power, f"{10**power:,}") for power in range(len(str(most))))
    low = min([tick.value for tick in first], default=1)
    # One count alone would leave the ruler without a length.
    return Powers(low, max(most, 2), is_exact=True, marks=(*first, *powers))


def shares(found: Sequence[dict[str, Any]]) -> str:
    """A bar for each number of known items, in %, with the interval where attackers were drawn."""
    most = max((100 * each["high"] for each in found), default=0.0)
    frame = rows([str(each["known"]) for each in found], Numbers(0.0, most or 1.0), _ROW)
    for place, each in enumerate(found):
        y = frame.row(place)
        ends = (frame.x(0), y - _BAR / 2, frame.x(100 * each["share"]), y + _BAR / 2)
        frame.canvas.rect(*ends, BAR)
        if not each["is_exact"]:
            low, high = ((frame.x(100 * each[end]), y) for end in ("low", "high"))
            frame.canvas.line(low, high, INK, 1.5)
    return frame.svg()

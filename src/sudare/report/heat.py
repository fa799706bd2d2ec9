"""Heat maps: a matrix as coloured squares with their numbers, and the correlations of one released
covariance matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sudare.report.cells import Cell
from sudare.report.covariances import correlations
from sudare.report.frames import grid
from sudare.report.letters import width_of
from sudare.report.style import CARD

# The ends of the scale, and its middle.
_FALLING, _LEVEL, _RISING = (166, 84, 8), (244, 244, 242), (24, 95, 134)
_BLACK, _WHITE = "#000000", "#ffffff"
_FEW, _HIGH, _LOW = 8, 38, 24
_BASELINE = 0.36
_LEAST_SIZE = 8.0


@dataclass(frozen=True)
class Square:
    """Colours and text of one number."""

    fill: str
    ink: str
    text: str


UNKNOWN = Square("#c9cdd0", _BLACK, "–")


def heat(matrix: list[Cell], labels: Mapping[str, str]) -> str:
    """Correlations of one released matrix, each printed in its square; those that are noise are
    grey."""
    columns = list(dict.fromkeys(cell.row for cell in matrix))
    names = shown_names(columns, labels)
    found = correlations(matrix)
    lines = [[square(found[a, b]) for b in columns] for a in columns]
    return squares(names, names, lines)


def shown_names(columns: Sequence[str], labels: Mapping[str, str]) -> list[str]:
    """The columns' labels; their names where two columns under one label would look the same."""
    names = [labels.get(column, column) for column in columns]
    return names if len(set(names)) == len(names) else list(columns)


def squares(
    downs: Sequence[str],
    acrosses: Sequence[str],
    lines: Sequence[Sequence[Square]],
    *,
    height: float | None = None,
    gap: float = 2.0,
    size: float = 12.0,
) -> str:
    """A line of squares for each of `downs`, with their texts in letters of `size`, or smaller
    where the squares are narrow, or without where they could not be read."""
    frame = grid(downs, acrosses, height or (_HIGH if len(downs) <= _FEW else _LOW))
    canvas = frame.canvas
    wide, high = frame.wide / 2, frame.high / 2
    widest = max((width_of(each.text, 1.0) for line in lines for each in line), default=0.0)
    size = min(size, (frame.wide - gap) / max(widest, 1.0))
    for down, line in enumerate(lines):
        y = frame.row(down)
        for across, each in enumerate(line):
            x = frame.column(across)
            ends = (x - wide, y - high, x + wide, y + high)
            canvas.rect(*ends, each.fill, stroke=CARD, stroke_width=gap)
            if size >= _LEAST_SIZE:
                spot = (x, y + _BASELINE * size)
                canvas.text(spot, each.text, "middle", font_size=size, fill=each.ink)
    return frame.svg()


def square(found: float | None, full: float = 1.0, decimals: int = 2) -> Square:
    """A number between −`full` and `full`, the stronger the farther from zero; None is grey."""
    if found is None:
        return UNKNOWN
    share = min(abs(found) / full, 1.0) if full > 0 else 0.0
    end = _RISING if found > 0 else _FALLING
    mixed = [round(level + (most - level) * share) for level, most in zip(_LEVEL, end, strict=True)]
    # Black or white, whichever stands out more: at least 4.5 to 1 on any colour.
    ink = _BLACK if luminance(mixed) > 0.18 else _WHITE
    text = f"{found:.{decimals}f}".replace("-", "−")
    return Square("#{:02x}{:02x}{:02x}".format(*mixed), ink, text)


def bare(one: Square) -> Square:
    """The same square without its text."""
    return replace(one, text="")


def luminance(color: list[int]) -> float:
    """Relative luminance as WCAG 2 defines it."""
    shares = [part / 255 for part in color]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

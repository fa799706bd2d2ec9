"""Pictures of a comparison: bars of both tables, squares of a matrix, and a forest of coefficients.

Texts stand beside a picture, not in it; in a pair the real rows come first, in the darker colour.
"""

from __future__ import annotations

from collections.abc import Sequence

from sudare.facts.compared import Coefficient, Marginal
from sudare.report import heat
from sudare.report.frames import rows as lying
from sudare.report.rulers import Numbers, extent
from sudare.report.style import BAR, MUTED, OTHER

MOST_BARS = 20
MOST_TERMS = 30
# What is missing, where a picture needs a name that is the same in every language.
LOST = "∅"
_COLORS = (BAR, OTHER)
_MOST_PRINTED = 12
_LONGEST_NAME = 150
_ROW, _BAR, _SQUARE = 24, 9.5, 20
_DOT = 40
_Z95 = 1.959963984540054


def names(labels: Sequence[str | None]) -> list[str]:
    """One name a label."""
    return [LOST if label is None else label for label in labels]


def bars(marginal: Marginal) -> str:
    """Shares in %, two bars a cell; of many labels the most frequent."""
    places = list(range(len(marginal.labels)))
    if len(places) > MOST_BARS:
        places = sorted(places, key=lambda place: -marginal.real[place])[:MOST_BARS]
    tables = (marginal.real, marginal.synthetic)
    most = max((100 * shares[place] for shares in tables for place in places), default=0.0)
    shown = names([marginal.labels[place] for place in places])
    frame = lying(shown, Numbers(0.0, most), _ROW, limit=_LONGEST_NAME)
    for row, place in enumerate(places):
        for table, shares in enumerate(tables):
            y = frame.row(row) + (table - 1) * _BAR
            ends = (frame.x(0), y, frame.x(100 * shares[place]), y + _BAR)
            frame.canvas.rect(*ends, _COLORS[table])
    return frame.svg()


def squares(
    rows: Sequence[str | None],
    columns: Sequence[str | None],
    values: Sequence[Sequence[float | None]],
    full: float,
    decimals: int,
) -> str:
    """A matrix as coloured squares; `full` has the strongest colour, what is not known is grey. Few
    squares print their numbers, and those that would read 0 stay bare."""
    is_printed = len(columns) <= _MOST_PRINTED
    lines = [[heat.square(value, full, decimals) for value in line] for line in values]
    if not is_printed:
        lines = [list(map(heat.bare, line)) for line in lines]
    shown = [[one if one.text.strip("−0.") else heat.bare(one) for one in line] for line in lines]
    return heat.squares(names(rows), names(columns), shown, height=_SQUARE, gap=1.0, size=10.0)


def forest(coefficients: Sequence[Coefficient], terms: Sequence[str]) -> str:
    """Coefficients with their 95 % intervals, two lines a term, around a line at 0."""
    marks = [
        [(each.values[table], _Z95 * each.errors[table]) for table in (0, 1)]
        for each in coefficients
    ]
    ends = extent(value + way * error for pair in marks for value, error in pair for way in (-1, 1))
    ruler = Numbers(min(ends[0], 0.0), max(ends[1], 0.0))
    frame = lying(terms, ruler, _ROW, limit=_LONGEST_NAME)
    zero = frame.x(0)
    frame.canvas.line((zero, frame.top), (zero, frame.bottom), MUTED, 1.5)
    for place, pair in enumerate(marks):
        for table, (value, error) in enumerate(pair):
            y = frame.row(place) + (table - 0.5) * _BAR
            low, high = ((frame.x(end), y) for end in (value - error, value + error))
            frame.canvas.line(low, high, _COLORS[table], 2)
            frame.canvas.dot((frame.x(value), y), _DOT, _COLORS[table])
    return frame.svg()

"""Charts of paper 002's tables: one bar a method, and a mark where the paper prints a number."""

from __future__ import annotations

from sudare.facts.synthesis_paper import PRINTED, Quantity, Redrawn
from sudare.report.frames import rows
from sudare.report.rulers import Numbers, extent
from sudare.report.style import BAR, INK

CHARTED: tuple[Quantity, ...] = ("ave_cross_cells", "ave_spearman_tied", "two_way_tv")
# Names of methods as a reader of either language knows them.
SIGNS = {
    "a": "A",
    "b": "B",
    "paper": "P",
    "argmax": "P argmax",
    "literal": "P UΛ½",
    "moments": "sudare moments",
    "tables": "sudare",
}
_ROW, _BAR, _MARK = 24, 12, 18


def chart(table: Redrawn, quantity: Quantity) -> str:
    """One quantity of one data set as SVG."""
    printed = PRINTED.get((table.data, quantity), {})
    low, high = extent([*(each.of(quantity) for each in table.drawings), *printed.values()])
    ruler = Numbers(min(low, 0.0), max(high, 0.0))
    frame = rows([SIGNS[each.method] for each in table.drawings], ruler, _ROW)
    for place, each in enumerate(table.drawings):
        y = frame.row(place)
        ends = (frame.x(0), y - _BAR / 2, frame.x(each.of(quantity)), y + _BAR / 2)
        frame.canvas.rect(*ends, BAR)
        if each.method in printed:
            at = frame.x(printed[each.method])
            frame.canvas.line((at, y - _MARK / 2), (at, y + _MARK / 2), INK, 3)
    return frame.svg()

"""ε of every class as one adversary sees it, as bars. Texts stand beside a picture, not in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sudare.report.frames import rows
from sudare.report.rulers import Numbers
from sudare.report.style import BAR, INK

KINDS = ("outsider", "honest", "kept")
# Sixteen organisations make tens of thousands of classes; the table has them all.
_MOST = 12
_ROW, _BAR = 24, 21
_LONGEST_NAME = 180


def class_bars(classes: Sequence[dict[str, Any]], kind: str) -> str:
    """A bar a class, all adversaries on one ruler; for an outsider a mark at the row's own ε."""
    shown = classes[:_MOST]
    names = [" + ".join(each["members"]) for each in shown]
    ruler = Numbers(0.0, max(each["epsilon0"] for each in shown))
    frame = rows(names, ruler, _ROW, limit=_LONGEST_NAME)
    for place, each in enumerate(shown):
        low, high = (frame.row(place) + way * _BAR / 2 for way in (-1, 1))
        frame.canvas.rect(frame.x(0), low, frame.x(each[kind]["epsilon"]), high, BAR)
        if kind == "outsider":
            at = frame.x(each["epsilon0"])
            frame.canvas.line((at, low), (at, high), INK, 2)
    return frame.svg()

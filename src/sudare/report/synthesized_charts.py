"""Pictures of synthetic rows beside the statistics they were made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sudare.facts.synthesized import Correlations, Kept, Synthesized
from sudare.report.both import Both
from sudare.report.compared_charts import names, squares
from sudare.report.frames import rows
from sudare.report.rulers import Numbers
from sudare.report.style import BAR, OTHER
from sudare.report.synthesized_words import said

# Differences of correlations are small; at this one a square has the strongest colour.
_FULL_DIFFERENCE = 0.1
_LONG = 20
_LONGEST_NAME = 150
Matrix = tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class Drawing:
    """A chart with what it shows."""

    svg: str
    caption: Both


def marginal_drawings(facts: Synthesized) -> Iterator[Drawing]:
    """One small picture a column."""
    for kept in facts.marginals:
        whole = sum(kept.stated)
        if whole > 1 - 1e-9:
            away = sum(abs(a - b) for a, b in zip(kept.stated, kept.synthetic, strict=True)) / 2
            caption = said("caption_marginal", column=kept.column, tv=away)
        else:
            caption = said("caption_most", column=kept.column, count=len(kept.labels))
        yield Drawing(beside(kept), caption)


def beside(kept: Kept) -> str:
    """A bar for every stated share, and a mark where the synthetic one is."""
    is_long = len(kept.labels) > _LONG
    step, size = (11, 9) if is_long else (16, 11)
    most = 100 * max([*kept.stated, *kept.synthetic, 0.0])
    frame = rows(names(kept.labels), Numbers(0.0, most), step, limit=_LONGEST_NAME, size=size)
    for place, (stated, synthetic) in enumerate(zip(kept.stated, kept.synthetic, strict=True)):
        low, high = (frame.row(place) + way * (step / 2 - 1) for way in (-1, 1))
        frame.canvas.rect(frame.x(0), low, frame.x(100 * stated), high, BAR)
        at = frame.x(100 * synthetic)
        frame.canvas.line((at, low), (at, high), OTHER, 3)
    return frame.svg()


def correlation_drawings(found: Correlations | None) -> Iterator[Drawing]:
    """As stated, as they came out, and the difference."""
    if found is None:
        return
    difference = tuple(
        tuple(None if a is None else b - a for a, b in zip(one, two, strict=True))
        for one, two in zip(found.stated, found.synthetic, strict=True)
    )
    most = max((abs(each) for line in difference for each in line if each is not None), default=0)
    yield _map(found, found.stated, 1.0, said("caption_stated"))
    yield _map(found, found.synthetic, 1.0, said("caption_synthetic"))
    yield _map(found, difference, _FULL_DIFFERENCE, said("caption_difference", most=most), 3)


def _map(
    found: Correlations, values: Matrix, full: float, caption: Both, decimals: int = 2
) -> Drawing:
    return Drawing(squares(found.columns, found.columns, values, full, decimals), caption)

"""Pictures of baskets: items by how often they occur, and the share of attackers who succeed.

Texts stand beside a picture, not in it; items have no names here, only counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

from sudare.report.compared_charts import OTHER
from sudare.report.style import BAR, INK, MUTED, WIDTH, draw

_HEIGHT = 300
# So many ranks a decade, and so many places of a dot a decade, are as fine as a page shows.
_FINE = 24
# Where a logarithm has no place for 0, it stands at a half.
_ZERO = 0.5
_LABELS = f"datum.value <= {_ZERO} ? '0' : format(datum.value, ',~f')"


def ranks(before: Sequence[int], after: Sequence[int]) -> str:
    """Two lines: records that hold the item of rank 1, 2, …, each line in its own order."""
    import altair as alt

    rows = [
        {"rank": rank, "count": count, "table": table}
        for table, counts in enumerate((before, after))
        for rank, count in _ranked(counts)
    ]
    scale, most = alt.Scale(domain=[0, 1], range=[BAR, OTHER]), max(before)
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X(
                "rank:Q", title=None, scale=_logarithm(1, len(before)), axis=_axis(len(before))
            ),
            y=alt.Y("count:Q", title=None, scale=_logarithm(1, most), axis=_axis(most)),
            color=alt.Color("table:O", legend=None, scale=scale),
        )
    )
    return draw(chart.properties(width=WIDTH, height=_HEIGHT))


def _ranked(counts: Sequence[int]) -> list[tuple[int, int]]:
    """Ranks with their counts, the first of each stretch of a logarithmic ruler; and the last."""
    held = sorted((count for count in counts if count > 0), reverse=True)
    chosen = {_cell(rank): rank for rank in range(len(held), 0, -1)}
    kept = sorted({*chosen.values(), *([len(held)] if held else [])})
    return [(rank, held[rank - 1]) for rank in kept]


def scatter(before: Sequence[int], after: Sequence[int]) -> str:
    """A dot an item: records that hold it before and after, with the line of no change."""
    import altair as alt

    cells = {
        (_cell(old), _cell(new)): {"before": old, "after": max(new, _ZERO)}
        for old, new in zip(before, after, strict=True)
        if old > 0
    }
    most = max(before)
    x = alt.X("before:Q", title=None, scale=_logarithm(1, most), axis=_axis(most))
    y = alt.Y("after:Q", title=None, scale=_logarithm(_ZERO, most), axis=_axis(most, _ZERO))
    line = (
        alt.Chart(alt.InlineData(values=[{"before": at, "after": at} for at in (1, most)]))
        .mark_line(color=MUTED, strokeWidth=1)
        .encode(x=x, y=y)
    )
    dots = (
        alt.Chart(alt.InlineData(values=list(cells.values())))
        .mark_point(filled=True, size=18, opacity=0.7, color=BAR)
        .encode(x=x, y=y)
    )
    return draw(alt.layer(line, dots).properties(width=WIDTH, height=_HEIGHT))


def _cell(count: int) -> int:
    return -1 if count < 1 else round(_FINE * log10(count))


def _logarithm(low: float, high: float) -> Any:
    import altair as alt

    # One count alone would leave the ruler without a length.
    return alt.Scale(type="log", domain=[low, max(high, 2)], nice=False)


def _axis(most: int, *first: float) -> Any:
    """Ticks at powers of ten, after one for 0 where items may be gone."""
    import altair as alt

    powers = [10**power for power in range(len(str(most)))]
    return alt.Axis(values=[*first, *powers], labelExpr=_LABELS, labelOverlap=True)


def shares(found: Sequence[dict[str, Any]]) -> str:
    """A bar for each number of known items, in %, with the interval where attackers were drawn."""
    import altair as alt

    rows = [
        {
            "known": str(each["known"]),
            "share": 100 * each["share"],
            "low": 100 * each["low"],
            "high": 100 * each["high"],
            "drawn": not each["is_exact"],
        }
        for each in found
    ]
    names = alt.Axis(ticks=False, domain=False, grid=False, labelLimit=150)
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("known:N", sort=None, title=None, axis=names)
    )
    along = alt.Axis(format=",~f", tickCount=5, labelOverlap=True)
    most = max([*(row["high"] for row in rows), 0.0])
    scale = alt.Scale(domain=[0, most or 1.0])
    x = alt.X("share:Q", title=None, axis=along, scale=scale)
    bars = base.mark_bar(color=BAR).encode(x=x)
    whiskers = (
        base.transform_filter("datum.drawn")
        .mark_rule(strokeWidth=1.5, color=INK)
        .encode(x=alt.X("low:Q", title=None, axis=along, scale=scale), x2="high")
    )
    return draw(alt.layer(bars, whiskers).properties(width=WIDTH, height=alt.Step(24)))

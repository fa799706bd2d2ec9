"""Clusters as discs at their centres, with the 95 % range of the noise as a box around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from sudare.report.cells import Cell
from sudare.report.charts import greyed, number_of, place_axis, unit_of
from sudare.report.clusters import SIZE, is_lost
from sudare.report.style import BAR, INK, WIDTH, draw

# Four columns make six pairs.
MOST_COLUMNS = 4
_LARGEST, _LEAST = 1100.0, 60.0

Clusters = Mapping[str, Mapping[str, Cell]]
Bounds = Mapping[str, Sequence[float | str]]


def drawn_columns(clusters: Clusters, bounds: Bounds) -> list[str]:
    """The columns in which the centres lie farthest apart, in their own order."""
    names = [name for name in next(iter(clusters.values())) if name != SIZE]
    if len(names) <= MOST_COLUMNS:
        return names
    ranked = sorted(names, key=lambda name: -_spread(clusters, name, bounds))
    return [name for name in names if name in ranked[:MOST_COLUMNS]]


def _spread(clusters: Clusters, name: str, bounds: Bounds) -> float:
    """How far apart the centres lie, as a part of the declared range."""
    found = [number_of(one[name].value) for one in clusters.values() if not is_lost(one)]
    low, high = (number_of(end) for end in bounds.get(name, (0.0, 1.0)))
    return (max(found, default=0.0) - min(found, default=0.0)) / ((high - low) or 1.0)


def scatters(
    clusters: Clusters, bounds: Bounds, labels: Mapping[str, str]
) -> list[tuple[str, str]]:
    """A heading and a drawing for each pair of columns; for one column, one strip."""
    names = drawn_columns(clusters, bounds)
    titles = {name: labels.get(name, name) for name in names}
    if len(names) == 1:
        return [(titles[names[0]], _strip(clusters, names[0], bounds))]
    return [
        (f"{titles[a]} × {titles[b]}", _scatter(clusters, a, b, bounds, titles))
        for a, b in combinations(names, 2)
    ]


def _scatter(clusters: Clusters, a: str, b: str, bounds: Bounds, titles: Mapping[str, str]) -> str:
    import altair as alt

    rows = _rows(clusters, {"x": a, "y": b}, bounds)
    how = {
        axis: place_axis(_sample(clusters, name), titles[name])
        for axis, name in (("x", a), ("y", b))
    }
    base, told = _charts(rows)
    boxes = told.mark_rect(fillOpacity=0.15, strokeWidth=1).encode(
        x=alt.X("x_low", **how["x"]),
        x2="x_high",
        y=alt.Y("y_low", **how["y"]),
        y2="y_high",
        fill=greyed(INK),
        stroke=greyed(INK),
    )
    places = {"x": alt.X("x", **how["x"]), "y": alt.Y("y", **how["y"])}
    return draw(_layers(base, places, boxes).properties(width=WIDTH, height=300))


def _strip(clusters: Clusters, name: str, bounds: Bounds) -> str:
    import altair as alt

    rows = _rows(clusters, {"x": name}, bounds)
    how = place_axis(_sample(clusters, name), None)
    base, told = _charts(rows)
    lines = told.mark_rule(strokeWidth=2).encode(
        x=alt.X("x_low", **how), x2="x_high", color=greyed(INK)
    )
    layers = _layers(base, {"x": alt.X("x", **how)}, lines)
    return draw(layers.properties(width=WIDTH, height=70))


def _sample(clusters: Clusters, name: str) -> float | int | str:
    """The centre farthest from zero, which tells how the axis is to be written."""
    found = [one[name].value for one in clusters.values()]
    return max(found, key=lambda value: abs(number_of(value)))


def _rows(clusters: Clusters, places: Mapping[str, str], bounds: Bounds) -> list[dict[str, Any]]:
    largest = max((_size(one) for one in clusters.values()), default=1.0) or 1.0
    return [
        {
            "row": row,
            "area": max(_LEAST, _LARGEST * max(0.0, _size(one)) / largest),
            "drowned": is_lost(one),
        }
        | {
            key: end
            for axis, name in places.items()
            for key, end in _place(axis, one[name], bounds.get(name)).items()
        }
        for row, one in clusters.items()
    ]


def _place(axis: str, cell: Cell, bounds: Sequence[float | str] | None) -> dict[str, float]:
    """A centre and the range of its noise, which ends at the declared bounds as the centre does."""
    value, error = number_of(cell.value), cell.error * unit_of(cell.value)
    low, high = value - error, value + error
    if bounds is not None:
        least, most = (number_of(end) for end in bounds)
        low, high = max(low, min(least, value)), min(high, max(most, value))
    return {axis: value, f"{axis}_low": low, f"{axis}_high": high}


def _size(cluster: Mapping[str, Cell]) -> float:
    return number_of(cluster[SIZE].value) if SIZE in cluster else 1.0


def _charts(rows: list[dict[str, Any]]) -> tuple[Any, Any]:
    """All clusters, and those that say something. The range of a lost centre is all there is;
    drawn, it would cover the others."""
    import altair as alt

    told = [row for row in rows if not row["drowned"]]
    return alt.Chart(alt.InlineData(values=rows)), alt.Chart(alt.InlineData(values=told))


def _layers(base: Any, places: dict[str, Any], ranges: Any) -> Any:
    """Discs below, the ranges over them, the numbers of the clusters on top."""
    import altair as alt

    discs = base.mark_point(filled=True, opacity=0.45).encode(
        **places, size=alt.Size("area:Q", scale=None), color=greyed(BAR)
    )
    # To the upper right of its disc, where the box around the centre leaves it readable.
    shift = "(2 + sqrt(datum.area) / 2.5)"
    names = base.mark_text(
        fontSize=12, align="left", dx=alt.expr(shift), dy=alt.expr(f"-{shift}")
    ).encode(**places, text=alt.Text("row:N"), color=alt.value(INK))
    return alt.layer(discs, ranges, names)

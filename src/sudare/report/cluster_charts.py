"""Clusters as discs at their centres, with the 95 % range of the noise as a box around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

from sudare.report.cells import Cell
from sudare.report.charts import number_of, place_ruler
from sudare.report.clusters import SIZE as PEOPLE
from sudare.report.clusters import is_lost
from sudare.report.frames import Frame, field, strip
from sudare.report.letters import SIZE, width_of
from sudare.report.rulers import Ruler, extent
from sudare.report.style import BAR, INK, WIDTH, greyed

# Four columns make six pairs.
MOST_COLUMNS = 4
_LARGEST, _LEAST = 1100.0, 60.0
_HEIGHT, _STRIP, _PAD = 300, 70, 20
_STRENGTH = 0.45

Clusters = Mapping[str, Mapping[str, Cell]]
Bounds = Mapping[str, Sequence[float | str]]


@dataclass(frozen=True)
class Range:
    """A number with the ends of the range of its noise."""

    value: float
    low: float
    high: float

    @property
    def ends(self) -> tuple[float, float]:
        return self.low, self.high


@dataclass(frozen=True)
class Disc:
    """A cluster: its size as an area, and where it lies along each axis."""

    name: str
    area: float
    is_noise: bool
    ranges: tuple[Range, ...]


def drawn_columns(clusters: Clusters, bounds: Bounds) -> list[str]:
    """The columns in which the centres lie farthest apart, in their own order."""
    names = [name for name in next(iter(clusters.values())) if name != PEOPLE]
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
    discs = _discs(clusters, (a, b), bounds)
    across, up = (_ruler(clusters, name, place, discs) for place, name in enumerate((a, b)))
    frame = field(across, up, _HEIGHT, title=titles[a], side_title=titles[b])
    for disc in discs:
        spot = (frame.x(disc.ranges[0].value), frame.y(disc.ranges[1].value))
        frame.canvas.dot(spot, disc.area, greyed(BAR, disc.is_noise), opacity=_STRENGTH)
    for disc in _told(discs):
        x, y = disc.ranges
        ends = (frame.x(x.low), frame.y(y.low), frame.x(x.high), frame.y(y.high))
        frame.canvas.rect(*ends, INK, fill_opacity=0.15, stroke=INK)
    for disc in discs:
        _name(frame, disc, frame.y(disc.ranges[1].value))
    return frame.svg()


def _strip(clusters: Clusters, name: str, bounds: Bounds) -> str:
    discs = _discs(clusters, (name,), bounds)
    frame = strip(_ruler(clusters, name, 0, discs), _STRIP)
    y = frame.row(0)
    for disc in discs:
        spot = (frame.x(disc.ranges[0].value), y)
        frame.canvas.dot(spot, disc.area, greyed(BAR, disc.is_noise), opacity=_STRENGTH)
    for disc in _told(discs):
        low, high = ((frame.x(end), y) for end in (disc.ranges[0].low, disc.ranges[0].high))
        frame.canvas.line(low, high, INK, 2)
    for disc in discs:
        _name(frame, disc, y)
    return frame.svg()


def _name(frame: Frame, disc: Disc, y: float) -> None:
    """To the upper right of its disc, where the box around the centre leaves it readable; to the
    upper left where the picture ends."""
    x, shift = frame.x(disc.ranges[0].value), 2 + sqrt(disc.area) / 2.5
    is_right = x + shift + width_of(disc.name) <= WIDTH
    spot = (x + shift if is_right else x - shift, y - shift + SIZE / 3)
    frame.canvas.text(spot, disc.name, "start" if is_right else "end")


def _ruler(clusters: Clusters, name: str, place: int, discs: Sequence[Disc]) -> Ruler:
    values = [disc.ranges[place].value for disc in discs]
    ends = [end for disc in _told(discs) for end in disc.ranges[place].ends]
    return place_ruler(_sample(clusters, name), *extent([*values, *ends]), pad=_PAD)


def _told(discs: Sequence[Disc]) -> list[Disc]:
    """Those that say something. The range of a lost centre is all there is; drawn, it would cover
    the others."""
    return [disc for disc in discs if not disc.is_noise]


def _sample(clusters: Clusters, name: str) -> float | int | str:
    """The centre farthest from zero, which tells how the axis is to be written."""
    found = [one[name].value for one in clusters.values()]
    return max(found, key=lambda value: abs(number_of(value)))


def _discs(clusters: Clusters, names: Sequence[str], bounds: Bounds) -> list[Disc]:
    largest = max((_people(one) for one in clusters.values()), default=1.0) or 1.0
    return [
        Disc(
            row,
            max(_LEAST, _LARGEST * max(0.0, _people(one)) / largest),
            is_lost(one),
            tuple(_range(one[name], bounds.get(name)) for name in names),
        )
        for row, one in clusters.items()
    ]


def _range(cell: Cell, bounds: Sequence[float | str] | None) -> Range:
    """A centre and the range of its noise, which ends at the declared bounds as the centre does."""
    value = number_of(cell.value)
    low, high = value - cell.error, value + cell.error
    if bounds is not None:
        least, most = (number_of(end) for end in bounds)
        low, high = max(low, min(least, value)), min(high, max(most, value))
    return Range(value, low, high)


def _people(cluster: Mapping[str, Cell]) -> float:
    return number_of(cluster[PEOPLE].value) if PEOPLE in cluster else 1.0

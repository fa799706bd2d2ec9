"""What the page shows of one answer: its sentence, its number or table, its charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from sudare.facts.release import Answer
from sudare.report import charts
from sudare.report.both import Both, both, each
from sudare.report.cells import Cell, axes, cells, is_table, parts, shown_label
from sudare.report.heat import heat
from sudare.report.numbers import format_error, format_number
from sudare.report.sentences import sentence

MOST_ROWS = 200
_MOST_HEAT_MAPS = 6


@dataclass(frozen=True)
class Shown:
    """A number as it is printed; one that is lost in the noise is not printed as a number."""

    value: str
    error: Both
    interval: tuple[str, ...]
    lost: bool


@dataclass(frozen=True)
class Picture:
    svg: str
    heading: str
    label: Both
    captions: tuple[Both, ...]


@dataclass(frozen=True)
class Matrix:
    heading: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Shown, ...]], ...]


@dataclass(frozen=True)
class Card:
    """One answer, ready for the template."""

    query: str
    share: Both
    public: bool
    sentence: Both
    number: Shown | None
    headers: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], Shown], ...]
    has_intervals: bool
    matrices: tuple[Matrix, ...]
    pictures: tuple[Picture, ...]
    notes: tuple[Both, ...]


def card(answer: Answer, labels: Mapping[str, str]) -> Card:
    """Everything the page shows of `answer`."""
    found = cells(answer)
    said = each(lambda language: sentence(answer, language, labels))
    alone = found[0] if not isinstance(answer.value, dict) else None
    listed = found[:MOST_ROWS] if is_table(answer) and answer.function != "covariance" else []
    by = axes(answer)
    matrices = _by_group(found) if answer.function == "covariance" else []
    return Card(
        query=answer.query,
        share=_share(answer),
        public=answer.public,
        sentence=said,
        number=_shown(alone) if alone else None,
        headers=tuple(labels.get(name, name) for name in by),
        rows=tuple((parts(cell.group, len(by)), _shown(cell)) for cell in listed),
        has_intervals=any(cell.interval for cell in listed),
        matrices=tuple(_matrix(one, labels) for one in matrices[: _fitting(matrices)]),
        pictures=_pictures(answer, said, alone, listed, matrices, labels),
        notes=_notes(found, listed, matrices),
    )


def _share(answer: Answer) -> Both:
    if answer.public:
        return both("share_free")
    # The margins of a table have no ε of their own: one noise serves them all.
    if answer.epsilon == 0:
        return both("share_table")
    return both("share_of", epsilon=f"{answer.epsilon:.4g}")


def _by_group(found: list[Cell]) -> list[list[Cell]]:
    return [list(group) for _, group in groupby(found, key=lambda cell: cell.group)]


def _fitting(matrices: list[list[Cell]]) -> int:
    """How many matrices fit into the page's longest table."""
    rows = len({cell.row for cell in matrices[0]}) if matrices else 1
    return max(1, MOST_ROWS // rows)


def _shown(cell: Cell) -> Shown:
    return Shown(
        value=format_number(cell.value, cell.error),
        error=each(lambda language: format_error(cell.value, cell.error, language)),
        interval=tuple(format_number(end, cell.error) for end in cell.interval or ()),
        lost=cell.drowned,
    )


def _matrix(found: list[Cell], labels: Mapping[str, str]) -> Matrix:
    rows = groupby(found, key=lambda cell: cell.row)
    lines = tuple(
        (labels.get(row, row), tuple(_shown(cell) for cell in columns)) for row, columns in rows
    )
    names = dict.fromkeys(cell.column for cell in found)
    return Matrix(found[0].group, tuple(labels.get(name, name) for name in names), lines)


def _pictures(
    answer: Answer,
    said: Both,
    alone: Cell | None,
    listed: list[Cell],
    matrices: list[list[Cell]],
    labels: Mapping[str, str],
) -> tuple[Picture, ...]:
    about = Both(
        *(both("chart_of", query=answer.query, sentence=said[code])[code] for code in ("en", "ja"))
    )
    if len(listed) > 1:
        return (_groups(answer, listed, about),)
    if alone and not alone.drowned and answer.function in ("mean", "quantile"):
        return _strip(answer, alone, about)
    drawn = [one for one in matrices[:_MOST_HEAT_MAPS] if len(one) > 1]
    return tuple(_heat(one, about, labels) for one in drawn)


def _strip(answer: Answer, alone: Cell, about: Both) -> tuple[Picture, ...]:
    """A small picture where the noise matters next to the declared range, else none."""
    seen = [clip for clip in answer.clips if charts.is_wide(alone, clip.low, clip.high)]
    return tuple(
        Picture(charts.strip(alone, clip.low, clip.high), "", about, (both("caption_strip"),))
        for clip in seen
    )


def _groups(answer: Answer, listed: list[Cell], about: Both) -> Picture:
    from_zero = answer.function in ("count", "histogram", "sum")
    captions = [both("caption_bars" if from_zero else "caption_dots")]
    unit = charts.axis_unit(listed)
    if unit > 1:
        captions.append(both("caption_millions" if unit == 1e6 else "caption_billions"))
    if any(cell.drowned for cell in listed):
        captions.append(both("caption_grey"))
    drawn = charts.grouped(_relabelled(listed, len(axes(answer))), from_zero=from_zero)
    return Picture(drawn, "", about, tuple(captions))


def _relabelled(listed: list[Cell], count: int) -> list[Cell]:
    """The cells under labels for people, unless two of those would fall together."""
    shown = [shown_label(cell.group, count) for cell in listed]
    if len(set(shown)) < len(shown):
        return listed
    return [cell._replace(group=label) for cell, label in zip(listed, shown, strict=True)]


def _heat(one: list[Cell], about: Both, labels: Mapping[str, str]) -> Picture:
    captions = [both("caption_heat")]
    if any(cell.drowned for cell in one):
        captions.append(both("caption_grey"))
    return Picture(heat(one, labels), one[0].group, about, tuple(captions))


def _notes(found: list[Cell], listed: list[Cell], matrices: list[list[Cell]]) -> tuple[Both, ...]:
    notes = []
    if listed and len(found) > len(listed):
        notes.append(both("first_rows", shown=f"{len(listed):,}", total=f"{len(found):,}"))
    fitting = _fitting(matrices)
    if len(matrices) > fitting:
        per_group = len(matrices[0])
        shown = f"{fitting * per_group:,}"
        notes.append(both("first_numbers", shown=shown, total=f"{len(found):,}"))
    if len(matrices) > _MOST_HEAT_MAPS:
        notes.append(both("first_groups", shown=_MOST_HEAT_MAPS, total=f"{len(matrices):,}"))
    return tuple(notes)

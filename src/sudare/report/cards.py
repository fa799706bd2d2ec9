"""What the page shows of one answer: its sentence, its number or table, its charts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from sudare.facts.release import Answer, Clip
from sudare.report import charts
from sudare.report.both import Both, both, each
from sudare.report.card_parts import Card, Matrix, Picture, Shown, same, shown_number
from sudare.report.cells import (
    COEFFICIENTS,
    RANGED,
    Cell,
    axes,
    cells,
    is_grid,
    parts,
    shown_label,
)
from sudare.report.heat import heat
from sudare.report.learning import learned_notes
from sudare.report.learning_pictures import coefficient_row, learned_matrix, learned_pictures
from sudare.report.learning_words import said as learned_words
from sudare.report.sentences import sentence

MOST_ROWS = 200
_MOST_HEAT_MAPS = 6
# A share lies between none and all.
_SHARE = Clip("", "0", "1")


def card(answer: Answer, labels: Mapping[str, str]) -> Card:
    """Everything the page shows of `answer`."""
    found = cells(answer)
    said = each(lambda language: sentence(answer, language, labels))
    is_many = isinstance(answer.value, dict)
    alone = None if is_many else found[0]
    listed = found[:MOST_ROWS] if is_many and not is_grid(answer) else []
    matrices = _by_group(found) if answer.function == "covariance" else []
    return Card(
        query=answer.query,
        share=_share(answer),
        public=answer.public,
        sentence=said,
        number=shown_number(alone) if alone else None,
        headers=_headers(answer, labels),
        rows=tuple(_row(answer, cell, labels) for cell in listed),
        has_intervals=any(cell.interval for cell in listed),
        matrices=_matrices(answer, found, matrices, labels),
        pictures=_pictures(answer, said, alone, listed, matrices, labels),
        notes=(*learned_notes(answer, labels), *_notes(found, listed, matrices)),
    )


def _headers(answer: Answer, labels: Mapping[str, str]) -> tuple[Both, ...]:
    if answer.function in COEFFICIENTS:
        return (learned_words("head_coefficient"),)
    by = tuple(same(labels.get(name, name)) for name in axes(answer))
    return by or (learned_words("head_name"),)


def _row(answer: Answer, cell: Cell, labels: Mapping[str, str]) -> tuple[tuple[Both, ...], Shown]:
    if answer.function in COEFFICIENTS:
        return coefficient_row(cell, labels)
    names = parts(cell.group, max(1, len(axes(answer))))
    return tuple(same(name) for name in names), shown_number(cell)


def _matrices(
    answer: Answer, found: list[Cell], matrices: list[list[Cell]], labels: Mapping[str, str]
) -> tuple[Matrix, ...]:
    if is_grid(answer) and answer.function != "covariance":
        return (learned_matrix(answer, found, labels),)
    return tuple(_matrix(one, labels) for one in matrices[: _fitting(matrices)])


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


def _matrix(found: list[Cell], labels: Mapping[str, str]) -> Matrix:
    rows = groupby(found, key=lambda cell: cell.row)
    lines = tuple(
        (same(labels.get(row, row)), tuple(shown_number(cell) for cell in columns))
        for row, columns in rows
    )
    names = dict.fromkeys(cell.column for cell in found)
    return Matrix(found[0].group, tuple(same(labels.get(name, name)) for name in names), lines)


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
    learned = learned_pictures(answer, [*listed] or cells(answer), about, labels)
    if learned:
        return learned
    if len(listed) > 1 and answer.function not in COEFFICIENTS:
        return (_groups(answer, listed, about),)
    if alone and not alone.drowned and answer.function in RANGED:
        return _strip(answer, alone, about)
    drawn = [one for one in matrices[:_MOST_HEAT_MAPS] if len(one) > 1]
    return tuple(_heat(one, about, labels) for one in drawn)


def _strip(answer: Answer, alone: Cell, about: Both) -> tuple[Picture, ...]:
    """A small picture where the noise matters next to the declared range, else none."""
    clips = answer.clips or ((_SHARE,) if answer.function == "sq" else ())
    seen = [clip for clip in clips if charts.is_wide(alone, clip.low, clip.high)]
    return tuple(
        Picture(charts.strip(alone, clip.low, clip.high), same(""), about, (both("caption_strip"),))
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
    return Picture(drawn, same(""), about, tuple(captions))


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
    return Picture(heat(one, labels), same(one[0].group), about, tuple(captions))


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

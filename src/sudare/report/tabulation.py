"""A released table as answers: one a margin, for the page and the sentences.

Margins are sums of the released cells, computed here; a margin with more cells than a page can
show is left to the CSV files, and the page says so.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from sudare.facts.cube import TOTAL, Dimension
from sudare.facts.release import Answer, Release
from sudare.facts.tabulated import ReleasedMargin, Tabulated

# The page lists up to 200 cells of a margin and says how many there are; beyond this many a
# margin is only named.
MOST_SHOWN = 2_000


def table_of(release: Release) -> Tabulated | None:
    """The table of a release, if it is one."""
    if release.tabulation is None:
        return None
    return Tabulated.from_dict(release.tabulation)


def shown_answers(release: Release) -> tuple[Answer, ...]:
    """The answers of a release; of a table one for every margin that a page can show."""
    table = table_of(release)
    if table is None:
        return release.answers
    shown = [m for m in table.margins if m.cells <= MOST_SHOWN]
    answers = [margin_answer(table, margin) for margin in shown]
    # The noise serves every margin; it is listed once, with the last one.
    answers[-1:] = [replace(answer, noise=table.noise) for answer in answers[-1:]]
    return tuple(answers)


def left_out(release: Release) -> list[str]:
    """The margins that a page does not show."""
    margins = (release.tabulation or {"margins": []})["margins"]
    return [margin["name"] for margin in margins if margin["cells"] > MOST_SHOWN]


def question(margin: ReleasedMargin) -> str:
    """A margin in the words of the question language."""
    return "count()" if margin.name == TOTAL else f"count() by ({margin.name.replace(',', ', ')})"


def margin_answer(table: Tabulated, margin: ReleasedMargin) -> Answer:
    """One margin as the answer to `count() by (...)`."""
    levels = [
        (dimension, level)
        for dimension, level in zip(table.dimensions, margin.levels, strict=True)
        if level
    ]
    counts = table.margin(margin.levels).ravel().tolist()
    errors = [margin.error95] * len(counts)
    shared = {
        "query": question(margin),
        "function": "count",
        "error95": margin.error95,
        "epsilon": 0.0,
        "by": tuple(dimension.level_name(level) for dimension, level in levels),
        "public": margin.error95 == 0,
    }
    if not levels:
        return Answer(value=counts[0], drowned=_lost([""], counts, margin), **shared)  # type: ignore[arg-type]
    labels = _labels(levels)
    return Answer(
        value=dict(zip(labels, counts, strict=True)),
        errors95=dict(zip(labels, errors, strict=True)),
        drowned=_lost(labels, counts, margin),
        **shared,  # type: ignore[arg-type]
    )


def _lost(labels: list[str], counts: list[int], margin: ReleasedMargin) -> tuple[str, ...]:
    """Cells that cannot be told from zero."""
    pairs = zip(labels, counts, strict=True)
    return tuple(label for label, count in pairs if count < margin.error95)


def _labels(levels: list[tuple[Dimension, int]]) -> list[str]:
    """One label a cell; parts with a comma are quoted, as `report.cells.parts` reads them."""
    parts = [dimension.labels(level) for dimension, level in levels]
    if len(parts) == 1:
        return list(parts[0])
    return [", ".join(map(_quoted, cell)) for cell in itertools.product(*parts)]


def _quoted(label: str) -> str:
    needs = "," in label or '"' in label
    return '"' + label.replace('"', '""') + '"' if needs else label

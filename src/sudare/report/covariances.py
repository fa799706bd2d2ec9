"""Covariances in words and as correlations, both from the released matrix alone."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sudare.facts.release import Answer
from sudare.report.cells import Cell
from sudare.report.numbers import format_error, format_number
from sudare.report.texts import Language, text
from sudare.report.words import column_name

# This many pairs of columns are put into words; the table has the others.
_MOST_PAIRS = 3


def covariance_clauses(
    answer: Answer, found: list[Cell], about: str, language: Language, labels: Mapping[str, str]
) -> list[str]:
    """Pair by pair for one matrix; for groups of matrices how many numbers say something."""
    lost = sum(cell.drowned for cell in found)
    total = f"{len(found):,}"
    if lost == len(found):
        return [text("say_all_numbers_drowned", language, subject=about, total=total)]
    pairs = _pairs(found) if not answer.by else []
    if pairs:
        return _in_words(pairs, about, language, labels)
    clauses = [text("say_matrices", language, subject=about, total=total)]
    if lost:
        clauses.append(text("say_some_numbers_drowned", language, count=f"{lost:,}", total=total))
    return clauses


def correlations(found: list[Cell]) -> dict[tuple[str, str], float | None]:
    """Correlation of each pair of one matrix; None where noise drowns what it is made of."""
    by_pair = {(cell.row, cell.column): cell for cell in found}
    return {pair: _correlation(by_pair, *pair) for pair in by_pair}


def _correlation(by_pair: dict[tuple[str, str], Cell], a: str, b: str) -> float | None:
    used = (by_pair[a, a], by_pair[b, b], by_pair[a, b])
    if any(cell.drowned for cell in used):
        return None
    own, other, both = (float(cell.value) for cell in used)
    if own <= 0 or other <= 0:
        return None
    return max(-1.0, min(1.0, both / math.sqrt(own) / math.sqrt(other)))


def _pairs(found: list[Cell]) -> list[Cell]:
    """Each pair of different columns once, the strongest first."""
    strength = correlations(found)
    order = list(dict.fromkeys(cell.row for cell in found))
    upper = [cell for cell in found if order.index(cell.row) < order.index(cell.column)]
    return sorted(upper, key=lambda cell: -abs(strength[cell.row, cell.column] or 0.0))


def _in_words(
    pairs: list[Cell], about: str, language: Language, labels: Mapping[str, str]
) -> list[str]:
    alive = [cell for cell in pairs if not cell.drowned]
    lost = [cell for cell in pairs if cell.drowned]
    said = [_pair(cell, language, labels) for cell in alive[:_MOST_PAIRS]]
    if len(alive) > _MOST_PAIRS:
        said.append(text("pairs_more", language, count=f"{len(alive) - _MOST_PAIRS:,}"))
    if len(lost) == 1:
        said.append(_pair(lost[0], language, labels))
    elif lost:
        counts = {"count": f"{len(lost):,}", "total": f"{len(pairs):,}"}
        said.append(text("pairs_drowned", language, **counts))
    return [text("say_together", language, subject=about, pairs=said[0]), *said[1:]]


def _pair(cell: Cell, language: Language, labels: Mapping[str, str]) -> str:
    key = "pair_drowned" if cell.drowned else "pair_up" if float(cell.value) > 0 else "pair_down"
    return text(
        key,
        language,
        a=column_name(cell.row, language, labels),
        b=column_name(cell.column, language, labels),
        value=format_number(cell.value, cell.error),
        error=format_error(cell.value, cell.error, language),
    )

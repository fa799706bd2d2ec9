"""Regressions in words: the coefficients that can be told from zero, the clearest first."""

from __future__ import annotations

from collections.abc import Mapping

from sudare.facts.release import Answer
from sudare.report.cells import Cell
from sudare.report.learning_words import told
from sudare.report.numbers import format_number
from sudare.report.texts import Language
from sudare.report.words import column_name, listed

INTERCEPT = "(intercept)"
# This many coefficients are put into words; the table has the others.
_MOST = 3


def target_of(answer: Answer) -> str:
    """What a regression explains."""
    return str((answer.details or {}).get("target", ""))


def effect_name(answer: Answer, language: Language, labels: Mapping[str, str]) -> str:
    """What the coefficients add up to: the target, or the odds of its second class."""
    name = labels.get(target_of(answer), target_of(answer))
    if answer.function != "logistic":
        return column_name(name, language, {})
    classes = (answer.details or {}).get("classes", ())
    if len(classes) == 2 and str(classes[1]).lower() != "true":
        name = f"{name} = {classes[1]}"
    return told("odds", language, target=column_name(name, language, {}))


def ends(cell: Cell) -> tuple[float, float]:
    """The 95 % interval of a coefficient."""
    if cell.interval is not None:
        return float(cell.interval[0]), float(cell.interval[1])
    return float(cell.value) - cell.error, float(cell.value) + cell.error


def coefficient_clauses(
    answer: Answer, found: list[Cell], about: str, language: Language, labels: Mapping[str, str]
) -> list[str]:
    """Coefficient by coefficient, then those whose interval holds zero."""
    slopes = [cell for cell in found if cell.group != INTERCEPT]
    alive = sorted((cell for cell in slopes if not cell.drowned), key=_clarity)
    lost = [cell for cell in slopes if cell.drowned]
    if not alive:
        return [told("say_all_untold", language, subject=about)]
    effect = effect_name(answer, language, labels)
    ranged = {clip.column for clip in answer.clips}
    said = [_slope(cell, effect, cell.group in ranged, language, labels) for cell in alive[:_MOST]]
    clauses = [told("say_coefficients", language, subject=about, first=said[0]), *said[1:]]
    if len(alive) > _MOST:
        clauses.append(told("say_more", language, count=len(alive) - _MOST))
    if lost:
        names = [column_name(cell.group, language, labels) for cell in lost]
        clauses.append(told("say_untold", language, names=listed(names, language)))
    return clauses


def _clarity(cell: Cell) -> float:
    """Ascending: the clearest coefficient is the one whose error is the smallest part of it."""
    return cell.error / max(abs(float(cell.value)), 1e-300)


def _slope(
    cell: Cell, effect: str, is_ranged: bool, language: Language, labels: Mapping[str, str]
) -> str:
    rises = float(cell.value) >= 0
    low, high = ends(cell)
    # A fall is told by its size, so its interval is turned round.
    low, high = (low, high) if rises else (-high, -low)
    # A column without bounds either holds or does not.
    keys = ("rises", "falls") if is_ranged else ("higher", "lower")
    return told(
        keys[0] if rises else keys[1],
        language,
        a=column_name(cell.group, language, labels),
        target=effect,
        value=format_number(abs(float(cell.value)), cell.error),
        low=format_number(low, cell.error),
        high=format_number(high, cell.error),
    )

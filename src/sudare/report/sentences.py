"""One plain sentence an answer: the value, the ± at 95 %, the clipping, or that it says nothing.

A cell whose noise is as large as itself is never given as a number: its value is noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sudare.facts.release import Answer, Clip
from sudare.report.cells import RANGED, Cell, axes, cells
from sudare.report.covariances import covariance_clauses
from sudare.report.groups import group_clauses
from sudare.report.learning import (
    forecast_clause,
    learned_clauses,
    learned_subject,
    wanted_clause,
)
from sudare.report.numbers import format_bound, format_error, format_number
from sudare.report.questions import filter_text, level
from sudare.report.texts import Language, text
from sudare.report.words import column_name, listed

__all__ = ["format_number", "sentence"]

_NO_LABELS: Mapping[str, str] = MappingProxyType({})


def sentence(
    answer: Answer, language: Language = "en", labels: Mapping[str, str] = _NO_LABELS
) -> str:
    """What the answer says, in words; `labels` are the columns' names as people know them."""
    found = cells(answer)
    clauses = _clauses(answer, found, language, labels)
    if answer.clips and not all(cell.drowned for cell in found):
        clauses.append(text("say_clip", language, ranges=_ranges(answer.clips, language, labels)))
    joined = text("clause_join", language).join(clauses) + text("clause_end", language)
    return joined[:1].upper() + joined[1:] if language == "en" else joined


def _clauses(
    answer: Answer, found: list[Cell], language: Language, labels: Mapping[str, str]
) -> list[str]:
    about = _subject(answer, language, labels)
    if answer.function == "covariance":
        return covariance_clauses(answer, found, about, language, labels)
    learned = learned_clauses(answer, found, about, language, labels)
    if learned is not None:
        return learned
    wanted = wanted_clause(answer, language)
    if isinstance(answer.value, dict):
        return [*group_clauses(found, max(1, len(axes(answer))), about, language), *wanted]
    return [_scalar(answer, found[0], about, language), *wanted]


def _subject(answer: Answer, language: Language, labels: Mapping[str, str]) -> str:
    """What the answer is about: "the mean of age by sex where region = 'north'"."""
    about = learned_subject(answer, language, labels) or _plain_subject(answer, language, labels)
    by = axes(answer)
    if by:
        groups = listed([column_name(name, language, labels) for name in by], language)
        about = text("with_by", language, subject=about, by=groups)
    # The filter of a statistical query is what the share is of, and stands in its subject.
    # The text of sample and aggregate is no question, so it has none.
    where = filter_text(answer.query) if answer.function not in ("sq", "aggregate") else ""
    return text("with_where", language, subject=about, where=where) if where else about


def _plain_subject(answer: Answer, language: Language, labels: Mapping[str, str]) -> str:
    key, percent = f"subject_{answer.function}", ""
    if answer.function == "quantile":
        q = level(answer.query)
        key = "subject_median" if q in (None, 0.5) else key
        percent = f"{100 * (q or 0):.10g}"
    names = listed([column_name(name, language, labels) for name in answer.columns], language)
    return text(key, language, column=names, percent=percent)


def _scalar(answer: Answer, cell: Cell, about: str, language: Language) -> str:
    value = format_number(cell.value, cell.error)
    error = format_error(cell.value, cell.error, language)
    if answer.public:
        return text("say_public", language, subject=about, value=value)
    if cell.drowned:
        key = "say_lost_range" if answer.function in RANGED | {"mst"} else "say_drowned"
        return text(key, language, subject=about, error=error)
    forecast = forecast_clause(answer, value, error, about, language)
    if forecast is not None:
        return forecast
    if cell.interval:
        low, high = (format_number(end, cell.error) for end in cell.interval)
        return text("say_interval", language, subject=about, value=value, low=low, high=high)
    return text("say_scalar", language, subject=about, value=value, error=error)


def _ranges(clips: tuple[Clip, ...], language: Language, labels: Mapping[str, str]) -> str:
    shown = []
    for clip in clips:
        low, high = format_bound(clip.low), format_bound(clip.high)
        key = "range_signed" if "-" in low + high else "range"
        bounds = text(key, language, low=low, high=high)
        if len(clips) > 1:
            name = labels.get(clip.column, clip.column)
            bounds = text("range_of", language, range=bounds, column=name)
        shown.append(bounds)
    return listed(shown, language)

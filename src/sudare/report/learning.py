"""What the page and the terminal say of robust statistics, clusters, components and regressions:
what an answer is about, its clauses, and the notes under its card."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sudare.facts.release import Answer
from sudare.report.both import Both, each
from sudare.report.cells import COEFFICIENTS, Cell
from sudare.report.clusters import cluster_clauses
from sudare.report.coefficients import coefficient_clauses, target_of
from sudare.report.components import component_clauses, percent
from sudare.report.learning_words import TEXTS, said, told
from sudare.report.numbers import format_share
from sudare.report.questions import filter_text, levels
from sudare.report.texts import Language
from sudare.report.words import column_name, listed

# Nothing has to be said of a method that the question named.
_ASKED = "asked for"
# A single share of rows needs no more digits than this in words.
_SHARE_ERROR = 0.01


def learned_subject(answer: Answer, language: Language, labels: Mapping[str, str]) -> str | None:
    """What the answer is about; None where the function is not one of these."""
    key = f"subject_{answer.function}"
    if key not in TEXTS:
        return None
    names = [column_name(name, language, labels) for name in answer.columns]
    column = listed(names, language)
    if answer.function == "mst" and len(names) == 3:
        return told(key, language, a=names[0], b=names[1], weight=names[2])
    where = filter_text(answer.query)
    if answer.function == "sq" and where:
        return told("subject_sq_where", language, where=where)
    if answer.function == "iqr":
        return _width(answer, column, language)
    if answer.function == "trimmed_mean":
        cut = "".join(f"{100 * level:.10g}" for level in levels(answer.query)[:1])
        return told(key, language, column=column, percent=cut)
    target = column_name(target_of(answer), language, labels)
    return told(key, language, column=column, target=target)


def _width(answer: Answer, column: str, language: Language) -> str:
    marks = [f"{100 * level:.10g}" for level in levels(answer.query)]
    if len(marks) != 2 or marks == ["25", "75"]:
        return told("subject_iqr", language, column=column)
    return told("subject_range", language, column=column, low=marks[0], high=marks[1])


def learned_clauses(
    answer: Answer, found: list[Cell], about: str, language: Language, labels: Mapping[str, str]
) -> list[str] | None:
    """The clauses of a sentence about many numbers; None where there is one number, or groups."""
    if not isinstance(answer.value, dict):
        return None
    if answer.function == "kmeans":
        return cluster_clauses(found, about, language, labels)
    if answer.function == "pca":
        return component_clauses(answer, found, about, language, labels)
    if answer.function in COEFFICIENTS:
        return coefficient_clauses(answer, found, about, language, labels)
    return None


def wanted_clause(answer: Answer, language: Language) -> list[str]:
    """What was asked of a statistical query, and the ε that it takes."""
    details = answer.details or {}
    if answer.function != "sq" or "within" not in details:
        return []
    within, beta = float(details["within"]), float(details.get("beta", 0.05))
    needed = format_share(float(details.get("epsilon_needed", answer.epsilon)))
    sure = f"{100 * (1 - beta):.6g} %"
    return [told("say_within", language, within=f"{within:.4g}", sure=sure, epsilon=needed)]


def forecast_clause(
    answer: Answer, value: str, error: str, about: str, language: Language
) -> str | None:
    """The error of a median over blocks is a forecast, which no probability goes with."""
    if (answer.details or {}).get("error_is") is None or _is_winsorized(answer):
        return None
    return told("say_blocks", language, subject=about, value=value, error=error)


def _is_winsorized(answer: Answer) -> bool:
    return (answer.details or {}).get("method") == "winsorized"


def learned_notes(answer: Answer, labels: Mapping[str, str]) -> tuple[Both, ...]:
    """What a reader has to know beside the numbers."""
    details = answer.details or {}
    notes = []
    if answer.function == "aggregate" and "blocks" in details:
        notes.append(said("note_blocks", blocks=details["blocks"]))
    kind = "blocks" if answer.function == "aggregate" else "method"
    method = f"{kind}_{details.get('method')}"
    if method in TEXTS:
        notes.append(said(method))
    if details.get("why", _ASKED) != _ASKED:
        notes.append(said("note_why", why=details["why"]))
    if "error_is" in details:
        bias = _is_winsorized(answer)
        notes.append(said("note_blocks_bias" if bias else "note_blocks_forecast"))
    if "blocks_within95" in details:
        within = math.floor(details["blocks_within95"])
        is_sure = 2 * within < details["blocks"]
        notes.append(
            said("note_blocks_within", within=within) if is_sure else said("note_blocks_any")
        )
    if answer.function == "kmeans" and "rounds" in details:
        notes.append(said("note_kmeans", rounds=details["rounds"]))
    if answer.function == "pca" and details.get("scaled"):
        notes.append(said("note_scaled" if details["scaled"] is True else "note_bounds"))
    if answer.function in COEFFICIENTS:
        notes += _fit(answer, labels)
    return tuple(notes)


def _fit(answer: Answer, labels: Mapping[str, str]) -> list[Both]:
    details, target = answer.details or {}, target_of(answer)
    notes = [said("note_sampling")]
    if details.get("lifted"):
        notes.append(said("note_lifted"))
    if details.get("r2") is not None:
        share = percent(float(details["r2"]), _SHARE_ERROR)
        name = each(lambda language: column_name(target, language, labels))
        notes.append(
            each(lambda language: told("note_r2", language, share=share, target=name[language]))
        )
    if details.get("accuracy") is not None:
        share = percent(float(details["accuracy"]), _SHARE_ERROR)
        notes.append(said("note_accuracy", share=share))
    return notes

"""Clusters, components and coefficients as the lines of a terminal and the rows of a notebook."""

from __future__ import annotations

from collections.abc import Mapping

from sudare.facts.release import Answer
from sudare.report.card_parts import Matrix, Shown
from sudare.report.cells import COEFFICIENTS, cells, is_grid
from sudare.report.learning_pictures import coefficient_row, learned_matrix
from sudare.report.learning_words import told
from sudare.report.texts import Language, text

# A wider grid would not fit a terminal; it is turned, so that its columns become lines.
_MOST_COLUMNS = 6


def learned_table(answer: Answer, language: Language, labels: Mapping[str, str]) -> list[list[str]]:
    """Rows of cells, the header first; empty where the answer is not one of these."""
    if not isinstance(answer.value, dict):
        return []
    if answer.function in COEFFICIENTS:
        return _coefficients(answer, language, labels)
    if is_grid(answer) and answer.function != "covariance":
        return _grid(learned_matrix(answer, cells(answer), labels), language)
    return []


def learned_remarks(answer: Answer, language: Language) -> list[str]:
    """What the errors of an answer do not hold, for readers who see no more than its numbers."""
    is_lifted = answer.function in COEFFICIENTS and (answer.details or {}).get("lifted")
    return [told("note_lifted", language)] if is_lifted else []


def _coefficients(answer: Answer, language: Language, labels: Mapping[str, str]) -> list[list[str]]:
    rows = [["", text("value", language), text("error", language), told("head_interval", language)]]
    for cell in cells(answer):
        (name,), shown = coefficient_row(cell, labels)
        ends = " – ".join(shown.interval)
        remark = f" ({shown.remark[language]})" if shown.remark else ""
        rows.append([name[language], shown.value, f"±{shown.error[language]}", ends + remark])
    return rows


def _grid(matrix: Matrix, language: Language) -> list[list[str]]:
    rows = [["", *(name[language] for name in matrix.names)]]
    rows += [
        [name[language], *(_number(shown, language) for shown in line)]
        for name, line in matrix.rows
    ]
    is_wide = len(matrix.names) > _MOST_COLUMNS and len(matrix.names) > len(matrix.rows)
    return [list(line) for line in zip(*rows, strict=True)] if is_wide else rows


def _number(shown: Shown, language: Language) -> str:
    if shown.lost:
        return text("lost", language)
    return f"{shown.value} ±{shown.error[language]}"

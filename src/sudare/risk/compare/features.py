"""Columns as features of models: numbers centred and scaled, labels as indicators or codes.

The scale and the labels are those of all tables together, so that one model reads them all. Labels
beyond the most frequent ones share an indicator. A missing number is 0, its mean, and has an
indicator of its own; for the trees it stays missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.facts.microdata import Floats, LabelColumn, Microdata, NumberColumn
from sudare.risk.compare.cells import merged

MOST_LABELS = 40
# The trees of scikit-learn take so many labels at most, missing not among them.
MOST_CODES = 250


@dataclass(frozen=True, eq=False)
class Term:
    """One feature: a number (label None), the indicator of a label, or of what is missing."""

    column: str
    label: str | None
    is_missing: bool = False


def codes_of(tables: Sequence[Microdata], name: str) -> tuple[tuple[str, ...], list[Floats]]:
    """The labels of all tables together, and the codes of each table; NaN where missing."""
    labels: tuple[str, ...] = ()
    for table in tables:
        labels, _ = merged(LabelColumn(name, np.empty(0, np.int32), labels), _labelled(table, name))
    found = []
    for table in tables:
        empty = LabelColumn(name, np.empty(0, np.int32), labels)
        _, codes = merged(empty, _labelled(table, name))
        found.append(np.where(codes < 0, np.nan, codes.astype(float)))
    return labels, found


def _labelled(table: Microdata, name: str) -> LabelColumn:
    column = table[name]
    assert isinstance(column, LabelColumn)
    return column


def dense(
    tables: Sequence[Microdata], names: Sequence[str], most: int = MOST_LABELS
) -> tuple[list[Term], list[Floats]]:
    """Features for linear models: one matrix a table. The most frequent label of a column is the
    one that its indicators are compared with, so it has none."""
    terms: list[Term] = []
    columns: list[list[Floats]] = []
    for name in names:
        if isinstance(tables[0][name], NumberColumn):
            found = _scaled(tables, name)
        else:
            found = _indicators(tables, name, most)
        terms += [term for term, _ in found]
        columns += [parts for _, parts in found]
    if not terms:
        return [], [np.empty((table.rows, 0)) for table in tables]
    return terms, [
        np.column_stack([parts[side] for parts in columns]) for side in range(len(tables))
    ]


def _scaled(tables: Sequence[Microdata], name: str) -> list[tuple[Term, list[Floats]]]:
    values = [table[name].values for table in tables]  # type: ignore[union-attr]
    everything = np.concatenate(values)
    missing = np.isnan(everything)
    present = everything[~missing]
    middle = float(present.mean()) if len(present) else 0.0
    spread = float(present.std()) if len(present) else 0.0
    shown = [np.nan_to_num((each - middle) / (spread or 1.0)) for each in values]
    found = [(Term(name, None), shown)]
    if missing.any():
        found.append((Term(name, None, True), [np.isnan(each).astype(float) for each in values]))
    return found


def _indicators(
    tables: Sequence[Microdata], name: str, most: int
) -> list[tuple[Term, list[Floats]]]:
    labels, codes = codes_of(tables, name)
    everything = np.concatenate(codes)
    counts = np.bincount(everything[~np.isnan(everything)].astype(int), minlength=len(labels))
    order = [place for place in np.argsort(-counts, kind="stable") if counts[place] > 0]
    found = [
        (Term(name, labels[place]), [(each == place).astype(float) for each in codes])
        for place in order[1:most]
    ]
    if len(order) > most:
        rest = np.array(order[most:])
        found.append((Term(name, "…"), [np.isin(each, rest).astype(float) for each in codes]))
    if np.isnan(everything).any():
        found.append((Term(name, None, True), [np.isnan(each).astype(float) for each in codes]))
    return found


def for_trees(tables: Sequence[Microdata], names: Sequence[str]) -> tuple[list[bool], list[Floats]]:
    """Features for boosted trees: which are labels, and one matrix a table, NaN where missing."""
    are_labels: list[bool] = []
    columns: list[list[Floats]] = []
    for name in names:
        if isinstance(tables[0][name], NumberColumn):
            are_labels.append(False)
            columns.append([table[name].values for table in tables])  # type: ignore[union-attr]
            continue
        labels, codes = codes_of(tables, name)
        # Too many labels for the trees: the last ones share a code.
        columns.append([np.minimum(each, MOST_CODES) for each in codes])
        are_labels.append(len(labels) > 0)
    return are_labels, [
        np.column_stack([parts[side] for parts in columns]) for side in range(len(tables))
    ]

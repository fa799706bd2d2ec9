"""Two-way tables as facts, each cell beside what independence would make of the margins."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sudare.facts.estimated import Figure, Table
from sudare.facts.randomized import LabelDomain, Randomized
from sudare.local.blocks import bin_starts
from sudare.local.estimates.bins import Bins, spans
from sudare.local.estimates.channels import Scores, labels_of
from sudare.local.estimates.crossed import told_table
from sudare.local.estimates.figures import figure, score
from sudare.local.estimates.jackknife import REACH, spread
from sudare.local.estimates.shares import projected, with_doubt
from sudare.local.estimates.sums import Sums


def two_way(facts: Randomized, sums: Sums, a: str, b: str) -> Table | None:
    """The table of two columns; None where the file does not tell it."""
    cells = told_table(facts, sums, a, b)
    if cells is None:
        return None
    labels = (_labels(facts, a, cells.shape[1]), _labels(facts, b, cells.shape[2]))
    return _table(
        (a, b), labels, cells, lambda errors: _doubted(facts, sums, (a, b), cells, errors)
    )


def _doubted(
    facts: Randomized, sums: Sums, columns: tuple[str, str], cells: Scores, errors: Scores
) -> Scores:
    """The errors of cells, which are labels of their own where two columns are reported as one."""
    for item in facts.items:
        if item.kind == "labels" and set(item.columns) == set(columns):
            people = float(sums.people[item.name].sum())
            return with_doubt(labels_of(item, facts), cells[0], people, errors)
    return errors


def _labels(facts: Randomized, column: str, size: int) -> tuple[str | None, ...]:
    domain, item = facts.domains[column], facts.item("bins", column)
    if isinstance(domain, LabelDomain):
        return domain.labels
    if item is not None:
        return Bins.of(domain, item, fitted=False).names()
    return spans(domain, bin_starts(domain, size))


def _table(
    columns: tuple[str, str],
    labels: tuple[tuple[str | None, ...], tuple[str | None, ...]],
    cells: Scores,
    doubted: Callable[[Scores], Scores],
) -> Table:
    published = projected(cells[0].reshape(-1)).reshape(cells[0].shape)
    total = cells.sum(axis=(1, 2), keepdims=True)
    guess = cells.sum(axis=2, keepdims=True) * cells.sum(axis=1, keepdims=True) / total
    away = cells - guess
    errors = doubted(spread(cells))
    with np.errstate(invalid="ignore"):
        differs = np.abs(away[0]) > REACH * doubted(spread(away))
    margins = published.sum(axis=1, keepdims=True) * published.sum(axis=0, keepdims=True)
    # Impossible shares are moved, and with them the margins: a cell that was moved to what its
    # margins say, or beyond, shows nothing.
    differs &= away[0] * (published - margins) > 0
    rows = tuple(
        tuple(
            _cell(cells[:, i, j], published[i, j], margins[i, j], errors[i, j], bool(differs[i, j]))
            for j in range(cells.shape[2])
        )
        for i in range(cells.shape[1])
    )
    return Table(columns, labels, rows, score(published, cells[0], errors, margins))


def _cell(values: Scores, published: float, margin: float, error: float, differs: bool) -> Figure:
    found = figure(
        values,
        published=float(published),
        trivial=float(margin),
        low=0,
        high=1,
        error=float(error),
    )
    return Figure(
        found.value, found.raw, found.standard_error, found.interval95, found.trivial, differs
    )

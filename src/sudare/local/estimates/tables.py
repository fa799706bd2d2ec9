"""Two-way tables: from pairs of labels that were reported as one, or from two reports of one
person, whose scores are multiplied."""

from __future__ import annotations

import numpy as np

from sudare.facts.estimated import Figure, Table
from sudare.facts.randomized import Item, LabelDomain, Randomized
from sudare.local.estimates.bins import Bins
from sudare.local.estimates.channels import Scores
from sudare.local.estimates.figures import figure, score
from sudare.local.estimates.jackknife import REACH, spread
from sudare.local.estimates.shares import label_shares, projected
from sudare.local.estimates.sums import Sums


def two_way(facts: Randomized, sums: Sums, a: str, b: str) -> Table | None:
    """The table of two columns; None where the file does not tell it."""
    joint = facts.item("labels", a, b)
    if joint is not None:
        names = joint.columns
        cells = label_shares(facts, sums, joint)
        shape = [len(_labels(facts, _single(facts, name), name)) for name in names]
        cells = cells.reshape(len(cells), *shape)
        cells = cells if names == (a, b) else np.swapaxes(cells, 1, 2)
    else:
        items = [_single(facts, name) for name in (a, b)]
        if items[0] is None or items[1] is None or sums.products is None:
            return None
        cells = sums.products.between(items[0].name, items[1].name)[0]
    if not np.isfinite(cells).all():
        return None
    labels = tuple(_labels(facts, _single(facts, name), name) for name in (a, b))
    return _table((a, b), (labels[0], labels[1]), cells)


def _single(facts: Randomized, column: str) -> Item | None:
    return facts.item("label", column) or facts.item("bins", column)


def _labels(facts: Randomized, item: Item | None, column: str) -> tuple[str | None, ...]:
    domain = facts.domains[column]
    if isinstance(domain, LabelDomain):
        return domain.labels
    assert item is not None
    return Bins.of(domain, item, fitted=False).names()


def _table(
    columns: tuple[str, str],
    labels: tuple[tuple[str | None, ...], tuple[str | None, ...]],
    cells: Scores,
) -> Table:
    published = projected(cells[0].reshape(-1)).reshape(cells[0].shape)
    total = cells.sum(axis=(1, 2), keepdims=True)
    guess = cells.sum(axis=2, keepdims=True) * cells.sum(axis=1, keepdims=True) / total
    away = cells - guess
    errors = spread(away)
    with np.errstate(invalid="ignore"):
        differs = np.abs(away[0]) > REACH * errors
    margins = published.sum(axis=1, keepdims=True) * published.sum(axis=0, keepdims=True)
    rows = tuple(
        tuple(
            _cell(cells[:, i, j], published[i, j], margins[i, j], bool(differs[i, j]))
            for j in range(cells.shape[2])
        )
        for i in range(cells.shape[1])
    )
    return Table(columns, labels, rows, score(published, cells[0], spread(cells), margins))


def _cell(values: Scores, published: float, margin: float, differs: bool) -> Figure:
    found = figure(values, published=float(published), trivial=float(margin), low=0, high=1)
    return Figure(
        found.value, found.raw, found.standard_error, found.interval95, found.trivial, differs
    )

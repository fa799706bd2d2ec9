"""The worst pair of neighbouring tables for each stage of the questions that learn.

A stage is a list of blocks of exact integers with a mechanism each. Of all tables of at most one
row (with values at the bounds, between them, and missing) the pair is taken that the noise hides
worst: the other rows of a table cancel, because every cell is a sum over rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.aggregate import MomentsRequest, UniformAxis
from sudare.facts.schema import Schema
from sudare.mechanisms.box_noise import BoxNoise
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.queries.axes import group_axis
from sudare.queries.compile import compile_question
from sudare.queries.kmeans_start import Columns, Start
from sudare.queries.kmeans_sums import pairs
from sudare.queries.learning import MomentsQuestion
from sudare.queries.logistic_gauge import BINS, REACH, Gauge
from sudare.queries.logistic_look import Look, score_axis
from sudare.queries.measurement import MechanismName
from sudare.queries.noising import Noising
from sudare.queries.sensitivity import Setting
from support.tiny import moments, town

ROWS: list[dict[str, Any]] = [
    dict(zip(("debt", "works", "sex"), row, strict=True))
    for row in itertools.product([-5, -1, 3], [0, 1, None], ["F", "M"])
]
Cells = list[list[int]]
Change = list[NDArray[np.int64]]
Case = tuple[Noising, Change]


def worst(cells: Callable[[list[Any]], Cells], noising: Noising, relation: str) -> Case:
    """The change with the largest loss when one row comes, goes or is replaced."""
    tables = [cells([]), *(cells([row]) for row in ROWS)]
    others = tables if relation == "replace-one" else tables[:1]
    found = [
        [np.array(a) - np.array(b) for a, b in zip(one, other, strict=True)]
        for one, other in itertools.product(tables, others)
    ]
    return noising, max(found, key=lambda change: loss_of(change, noising))


def loss_of(change: Change, noising: Noising) -> Fraction:
    """What the change shows of the claim: an ε of Laplace noise, a ρ of Gaussian noise."""
    whole = Fraction(0)
    for cells, one in zip(change, noising.mechanisms, strict=True):
        if isinstance(one, DiscreteGaussian):
            whole += Fraction(int((cells**2).sum())) / (2 * one.sigma**2)
        elif isinstance(one, BoxNoise):
            whole += Fraction(int(np.abs(cells * np.array(one.steps)).max())) / one.scale
        else:
            whole += Fraction(int(np.abs(cells).sum())) / one.scale
    return whole


def moments_case(question: str, relation: str, name: MechanismName, amount: Fraction) -> Case:
    """The second moments behind pca, linear and ridge."""
    job = compile_question(question, town(relation))
    assert isinstance(job, MomentsQuestion)
    noising = Noising.of(job.relation, job.moments.blocks, name, amount)
    return worst(
        lambda rows: job.moments.exact(moments(job.request, rows).rows[0]), noising, relation
    )


def look_case(relation: str, name: MechanismName, amount: Fraction) -> Case:
    """One predictor, at coefficients that expect the label F of everyone: a row with the other
    label moves the gradient fully. Under replace-one no other row moves it the other way."""
    schema = town(relation)
    look = Look((schema.grid("debt"),), _setting(schema), (-11.0, 0.0))
    pull, curve = look.noisings(name, amount)
    noising = Noising((*pull.mechanisms, *curve.mechanisms))
    request = look.request(None, ("debt",), group_axis("sex", schema)[0])

    def exact(rows: list[Any]) -> Cells:
        gradient, curvature = look.exact(moments(request, rows))
        if isinstance(pull.mechanisms[0], BoxNoise):
            gradient = [[cell for (cell,) in gradient]]
        return [*gradient, *curvature]

    return worst(exact, noising, relation)


def gauge_case(relation: str, name: MechanismName, amount: Fraction) -> Case:
    schema = town(relation)
    gauge = Gauge(_setting(schema))
    axis = score_axis(("debt",), (schema.grid("debt"),), (0.0, 2.0), REACH, BINS)
    request = MomentsRequest(None, (axis, group_axis("sex", schema)[0]), ("debt",))
    noising = Noising.of(schema.table.neighbours, gauge.blocks(), name, amount)
    return worst(lambda rows: gauge.exact(moments(request, rows)), noising, relation)


def round_case(
    names: tuple[str, ...], relation: str, name: MechanismName, amount: Fraction
) -> Case:
    """A round of k-means around three centres."""
    columns = _columns(names, relation, name)
    centers = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]])[:, : len(names)]
    request, noising = (
        columns.nearest(centers),
        Noising(tuple(columns.sums(3, amount).mechanisms())),
    )

    def exact(rows: list[Any]) -> Cells:
        found = moments(request, rows).rows
        return [pairs(found, place, grid) for place, grid in enumerate(columns.grids)]

    return worst(exact, noising, relation)


def cells_case(relation: str, name: MechanismName, amount: Fraction) -> Case:
    """The grid that k-means starts from."""
    columns = _columns(("debt", "works"), relation, name)
    start = Start(columns, 3, amount, Fraction(0))
    assert start.is_grid
    axes = tuple(
        UniformAxis(column, grid.low, grid.span + 1, bins)
        for column, grid, bins in zip(columns.names, columns.grids, start.bins, strict=True)
    )
    request = MomentsRequest(None, axes, columns.names)
    noising = Noising(tuple(start.counting()))
    return worst(lambda rows: [[row[0] for row in moments(request, rows).rows]], noising, relation)


def _setting(schema: Schema) -> Setting:
    return Setting(schema.table.neighbours, schema.table.rows_per_unit, 1)


def _columns(names: tuple[str, ...], relation: str, name: MechanismName) -> Columns:
    schema = town(relation)
    grids = tuple(schema.grid(each) for each in names)
    return Columns(names, grids, None, _setting(schema), name, 1000.0)


CASES: dict[str, Callable[[str, MechanismName, Fraction], Case]] = {
    "pca": partial(moments_case, "pca(debt, works)"),
    "linear": partial(moments_case, "linear(debt ~ works)"),
    "look": look_case,
    "gauge": gauge_case,
    "round": partial(round_case, ("debt", "works")),
    "round of one column": partial(round_case, ("debt",)),
    "cells": cells_case,
}

"""Rows, a fetch and answers for the questions that learn: moments by numpy, quick and exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.aggregate import (
    Line,
    Moments,
    MomentsRequest,
    NearestAxis,
    ScoreAxis,
    UniformAxis,
    ValuesAxis,
)
from sudare.facts.release import Answer
from sudare.facts.schema import Schema
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Iterative, MechanismName, Share, Single
from sudare.randomness.bits import RandomBits
from support.bits import CountedBits

Columns = Mapping[str, NDArray[Any]]


class ArrayFetch:
    """Moments of clean columns (grid indices or labels) without a missing value."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.seen: list[tuple[MomentsRequest, Moments]] = []

    def moments(self, requests: Sequence[MomentsRequest]) -> list[Moments]:
        found = [self._moments(request) for request in requests]
        self.seen += zip(requests, found, strict=True)
        return found

    def _moments(self, request: MomentsRequest) -> Moments:
        count = len(next(iter(self.columns.values())))
        code = np.zeros(count, dtype=np.int64)
        for axis in request.axes:
            code = code * axis.size + self._codes(axis)
        found = []
        for monomial in request.measures:
            values = np.ones(count, dtype=np.int64)
            for place in monomial:
                values = values * self.columns[request.columns[place]]
            sums = np.zeros(request.groups, dtype=np.int64)
            np.add.at(sums, code, values)
            found.append(sums.tolist())
        return Moments(tuple(zip(*found, strict=True)))

    def _codes(self, axis: Any) -> NDArray[np.int64]:
        if isinstance(axis, ScoreAxis):
            scores = np.floor(self._line(axis.line, axis.columns))
            return np.clip(scores, 0, axis.size - 1).astype(np.int64)
        if isinstance(axis, NearestAxis):
            lines = [self._line(line, axis.columns) for line in axis.lines]
            first = np.zeros(len(self.columns[axis.columns[0]]))
            return np.argmin(np.stack([first, *lines]), axis=0)
        if isinstance(axis, ValuesAxis):
            return np.array([axis.values.index(v) for v in self.columns[axis.column]], np.int64)
        assert isinstance(axis, UniformAxis)
        return np.minimum((self.columns[axis.column] - axis.low) * axis.size // axis.span,
                          axis.size - 1)  # fmt: skip

    def _line(self, line: Line, names: Sequence[str]) -> NDArray[np.float64]:
        found = np.full(len(self.columns[names[0]]), line.constant)
        for slope, name in zip(line.slopes, names, strict=True):
            found += slope * self.columns[name]
        return found

    def counts(self, request: MomentsRequest) -> NDArray[np.int64]:
        raise NotImplementedError

    def rows(self, columns: Sequence[str]) -> list[NDArray[np.int64]]:
        raise NotImplementedError


def answered(
    question: str, schema: Schema, columns: Columns, amount: int | Fraction = 10**9,
    mechanism: MechanismName = "laplace", bits: RandomBits | None = None,
) -> Answer:  # fmt: skip
    """The answer with a share of `amount`; the default leaves next to no noise."""
    job, fetch = compile_question(question, schema), ArrayFetch(columns)
    share, source = Share(mechanism, Fraction(amount)), bits or CountedBits(question)
    if isinstance(job, Single):
        return job.answer(fetch.moments([job.request])[0], share, float(amount), source)
    assert isinstance(job, Iterative)
    return job.measure(fetch, share, float(amount), source)

"""Questions to CP-SAT about consistent data sets.

Claim    "proved" without a data set means that none answers the question; with one, that none
         answers it better.
Source   OR-Tools CP-SAT, which works in integers.
Symbols  values -> one number a variable of `Linear`.
Needs    the optional library ortools.
Gaps     none known: a time limit gives an answer that is not proved, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from sudare.facts.extras import needs
from sudare.risk.tables.linear import Ints, Linear, LinearRow


def solver_module() -> Any:
    """CP-SAT, loaded when a check needs it."""
    with needs("risk"):
        from ortools.sat.python import cp_model
    return cp_model


@dataclass(frozen=True)
class Found:
    """What one question brought: a data set or none, and whether that is the last word.

    No data set has more than `bound` of what was to be as much as possible.
    """

    values: Ints | None
    bound: int
    proved: bool


class Program:
    """One set of parts for CP-SAT; each method is a question."""

    def __init__(self, linear: Linear) -> None:
        self.linear = linear
        self._cp = solver_module()

    def feasible(self, seconds: float) -> Found:
        """Any consistent data set."""
        model, _ = self._model()
        return self._solve(model, seconds)

    def near(self, low: Ints, high: Ints, seconds: float) -> Found:
        """A consistent data set between two vectors; "proved" says nothing outside of them."""
        least = np.maximum(low, 0)
        most = np.minimum(high, np.asarray(self.linear.upper))
        if (least > most).any():
            return Found(None, 0, proved=False)
        model, _ = self._model(least.tolist(), most.tolist())
        return self._solve(model, seconds)

    def spread(self, targets: Sequence[int], seconds: float) -> Found:
        """A data set in which some of these variables is not 0, and as many as can be."""
        model, variables = self._model()
        some = [model.new_bool_var("") for _ in targets]
        for target, flag in zip(targets, some, strict=True):
            model.add(variables[target] >= flag)
        total = self._cp.LinearExpr.sum(some)
        model.add(total >= 1)
        model.maximize(total)
        return self._solve(model, seconds)

    def extreme(self, targets: Sequence[int], sign: int, seconds: float) -> Found:
        """A data set with the most (sign 1) or the fewest (-1) people in these classes."""
        model, variables = self._model()
        model.maximize(sign * self._cp.LinearExpr.sum([variables[target] for target in targets]))
        return self._solve(model, seconds)

    def _model(
        self, low: Sequence[int] | None = None, high: Sequence[int] | None = None
    ) -> tuple[Any, list[Any]]:
        """All rows in a fresh model: making one costs less than copying it."""
        upper = self.linear.upper if high is None else high
        model = self._cp.CpModel()
        lower = [0] * len(upper) if low is None else low
        variables = [model.new_int_var(*ends, "") for ends in zip(lower, upper, strict=True)]
        for row in self.linear.rows:
            self._add(model, row, variables)
        return model, variables

    def _add(self, model: Any, row: LinearRow, variables: Sequence[Any]) -> None:
        if not row.plus:
            # Nobody fits the row; that is a contradiction where somebody has to.
            model.add_bool_or([] if row.low is not None and row.low > 0 else [True])
            return
        total = self._cp.LinearExpr.sum([variables[n] for n in row.plus])
        if row.minus is not None:
            total -= variables[row.minus]
        if row.low == row.high:
            model.add(total == row.low)
            return
        if row.low is not None:
            model.add(total >= row.low)
        if row.high is not None:
            model.add(total <= row.high)

    def _solve(self, model: Any, seconds: float) -> Found:
        solver = self._cp.CpSolver()
        solver.parameters.max_time_in_seconds = max(seconds, 0.01)
        # One worker answers these questions sooner than a portfolio; it is also deterministic.
        solver.parameters.num_workers = 1
        status = solver.solve(model)
        if status not in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            return Found(None, 0, proved=status == self._cp.INFEASIBLE)
        # The variables of `Linear` come first in every model.
        found = list(solver.response_proto.solution)[: len(self.linear.upper)]
        bound = floor(solver.best_objective_bound + 1e-6)
        return Found(np.asarray(found, dtype=np.int64), bound, proved=status == self._cp.OPTIMAL)

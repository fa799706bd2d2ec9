"""The same rows with fractions of people allowed: a linear program, solved by HiGHS in SciPy.

Claim    What no fractional data set reaches, no data set reaches.
Needs    rounding errors of HiGHS stay below SURE.
Gaps     floating point: bounds are rounded outwards by SURE, not proved in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.facts.extras import needs
from sudare.risk.tables.linear import Ints, Linear

SURE = 1e-4
Floats = NDArray[np.float64]


class Relaxation:
    """One set of parts as a linear program."""

    def __init__(self, linear: Linear) -> None:
        with needs("risk"):
            from scipy import sparse

        self._upper = np.asarray(linear.upper, dtype=np.float64)
        entries = [
            (at, n, sign)
            for at, row in enumerate(linear.rows)
            for sign, ns in ((1.0, row.plus), (-1.0, () if row.minus is None else (row.minus,)))
            for n in ns
        ]
        places = np.asarray([entry[:2] for entry in entries], dtype=np.int64).reshape(-1, 2)
        signs = np.asarray([entry[2] for entry in entries])
        shape = (len(linear.rows), len(linear.upper))
        self._rows = sparse.csr_matrix((signs, (places[:, 0], places[:, 1])), shape=shape)
        self._low = np.asarray([-np.inf if r.low is None else r.low for r in linear.rows])
        self._high = np.asarray([np.inf if r.high is None else r.high for r in linear.rows])

    def spread(self, targets: Sequence[int], seconds: float) -> tuple[Floats, float] | None:
        """Fractional people who fill as much of these variables as can be, each up to 1."""
        with needs("risk"):
            from scipy import sparse

        wide, extra = len(self._upper), len(targets)
        none = sparse.csr_matrix((self._rows.shape[0], extra))
        pick = sparse.csr_matrix((np.ones(extra), (range(extra), targets)), shape=(extra, wide))
        rows = sparse.vstack(
            [sparse.hstack([self._rows, none]), sparse.hstack([-pick, sparse.eye(extra)])]
        )
        return self._maximize(
            np.concatenate([np.zeros(wide), np.ones(extra)]),
            rows,
            np.concatenate([self._low, np.full(extra, -np.inf)]),
            np.concatenate([self._high, np.zeros(extra)]),
            np.concatenate([self._upper, np.ones(extra)]),
            seconds,
        )

    def most(self, targets: Sequence[int], sign: int, seconds: float) -> float | None:
        """A bound on the sum of these variables times `sign`."""
        goal = np.zeros(len(self._upper))
        goal[list(targets)] = sign
        found = self._maximize(goal, self._rows, self._low, self._high, self._upper, seconds)
        return None if found is None else found[1]

    def _maximize(
        self, goal: Floats, rows: object, low: Floats, high: Floats, upper: Floats, seconds: float
    ) -> tuple[Floats, float] | None:
        with needs("risk"):
            from scipy.optimize import Bounds, LinearConstraint, milp

        found = milp(
            -goal,
            constraints=LinearConstraint(rows, low, high),
            bounds=Bounds(0, upper),
            options={"time_limit": max(seconds, 0.01)},
        )
        if found.status != 0:
            return None
        return np.asarray(found.x[: len(self._upper)]), float(-found.fun)


def around(middle: Floats, slack: int) -> tuple[Ints, Ints]:
    """Whole numbers close to a fractional data set, none of whose filled places falls empty."""
    below = np.floor(middle + 1e-6).astype(np.int64)
    above = np.ceil(middle - 1e-6).astype(np.int64)
    return np.maximum(below - slack, np.minimum(below, 1)), above + slack

"""variance(x): three noisy sums that share one sensitivity.

With t = (x − low)/(high − low), the Bernstein polynomials (1−t)², 2t(1−t), t² are non-negative and
add up to 1 in every row, so their three sums together have the L1 sensitivity of one count. On the
grid they are the integers (high−x)², 2(x−low)(high−x), (x−low)², adding up to (high−low)².
n is their sum, Σt = b₁/2 + b₂, Σt² = b₂. Noising n, Σx, Σx² apart with a third of the budget each
has 3 to 9 times the variance. The population variance (divided by n) is answered, at least 0.

Error    linearised in the noise, divided by the least likely n, plus the square of the mean's
         error, which linearising leaves out; the whole range where noise swamps n.
"""

from __future__ import annotations

from collections.abc import Sequence

from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.query import Query
from sudare.facts.schema import Schema
from sudare.queries.interval import Noise, half_width95
from sudare.queries.measurement import Additive, Block, Estimate
from sudare.queries.numbers import number_grid
from sudare.queries.sensitivity import of_shares

# In units of the squared range no variance exceeds 1/4.
LARGEST = 0.25


class Moment:
    """n, mean and variance of t in [0, 1] from three noisy Bernstein sums, with errors."""

    def __init__(self, cells: Sequence[float | int], noise: Noise) -> None:
        b0, b1, b2 = (float(cell) for cell in cells)
        self.total = b0 + b1 + b2
        self.total_error = half_width95([(1.0, noise)] * 3)
        self.swamped = self.total <= 2 * self.total_error
        if self.swamped:
            self.mean, self.mean_error = 0.5, 0.5
            self.variance, self.variance_error = LARGEST / 2, LARGEST
            return
        m1, m2 = (b1 / 2 + b2) / self.total, b2 / self.total
        loss = self.total - self.total_error
        self.mean = min(1.0, max(0.0, m1))
        self.mean_error = half_width95([(m1, noise), (0.5 - m1, noise), (1 - m1, noise)]) / loss
        common = 2 * m1**2 - m2
        slopes = (common, common - m1, common + 1 - 2 * m1)
        linear = half_width95([(slope, noise) for slope in slopes]) / loss
        self.variance = min(LARGEST, max(0.0, m2 - m1**2))
        self.variance_error = min(LARGEST, linear + self.mean_error**2)


def bernstein(low: int, high: int, n: int, total: int, squares: int) -> tuple[int, int, int]:
    """The three sums from n, Σx and Σx²."""
    upper = high * high * n - 2 * high * total + squares
    lower = squares - 2 * low * total + low * low * n
    return upper, (high - low) ** 2 * n - upper - lower, lower


def uniform_bernstein(rows: float, span: int) -> list[float]:
    """What `rows` uniform values would give: a third each."""
    return [rows * span * span / 3] * 3


class Variance(Additive):
    """The population variance, a group each."""

    def __init__(self, query: Query, schema: Schema) -> None:
        super().__init__(query, schema)
        self.grid = number_grid(query.columns[0], schema, 2)
        self.request = MomentsRequest(query.where, self.group_axes, query.columns, ((0,), (0, 0)))
        self.blocks = (Block(3 * self.groups, of_shares(self.setting, self.grid.span**2)),)

    def exact(self, moments: Moments) -> list[list[int]]:
        low, high = self.grid.low, self.grid.high
        return [[part for row in moments.rows for part in bernstein(low, high, *row)]]

    def expected(self) -> list[list[float]]:
        return [uniform_bernstein(self.expected_rows, self.grid.span)]

    def estimate(self, cells: Sequence[Sequence[float | int]], noises: list[Noise]) -> Estimate:
        unit = (self.grid.span * self.grid.step) ** 2
        found = [
            Moment(cells[0][start : start + 3], noises[0]) for start in range(0, len(cells[0]), 3)
        ]
        # Rounding to the grid adds at most half a step to every deviation.
        rounding = 0.0 if self.grid.is_exact else self.grid.span * self.grid.step**2
        return Estimate(
            [moment.variance * unit for moment in found],
            [moment.variance_error * unit + rounding for moment in found],
            [unit / 12] * len(found),
        )

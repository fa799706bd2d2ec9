"""trimmed_mean(x, p): the mean of what is left when a share p is cut off at each end.

Number   M ranks are averaged. M = N - 2⌊pN⌋ is fixed by a public N, or by a noisy number of rows
         for which a tenth of the ε is spent. Given M, the ranks are A..B, A = ⌊(n - M)/2⌋ + 1 and
         B = A + M - 1: if N = n these are the ranks m + 1 .. n - m of the definition, and if it is
         not, the window is too long or too short by as much at both ends.
Claim    the sum over A..B moves by at most k·(x_j - x_i) for a window with A - i + j - B = k, so
         k·W of queries/smooth_windows.py is a smooth bound of it. One row that comes or goes
         moves A by 0 or 1 as it moves a quantile's rank, and every x in the window to a
         neighbour, all in one direction: the differences telescope to x_B - x_(A-1) or
         x_(B+1) - x_A (docs/smooth.md).
Error    beside the noise, a wrong N: with |N - n| <= D the true window and the used one differ by
         at most (1 - 2p)D/2 + 2 ranks at each end, so the means differ by at most the part
         ((1 - 2p)D + 4)/M of what lies between the ends of the wider window, which is at most
         (S/k)·e^(β((1 - 2p)D + 4)/k).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from sudare.facts.events import PrivacyEvent
from sudare.facts.query import Query
from sudare.facts.schema import MAX_ROWS, Schema
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.queries.measurement import Share
from sudare.queries.numbers import shown
from sudare.queries.smooth import Found, Smooth
from sudare.queries.smooth_noise import CHANCE_FAR, Method
from sudare.queries.smooth_windows import Ranks, log_window
from sudare.randomness.bits import RandomBits

# With a noisy number of rows, this much of the 5 % is for it to be further off than assumed.
_CHANCE_COUNT = 0.01


class TrimmedMean(Smooth):
    """The mean between two quantiles, a group each."""

    def __init__(self, query: Query, schema: Schema, method: Method, cut: Fraction) -> None:
        super().__init__(query, schema, method)
        self.cut = cut
        self.counts_rows = not self.is_fixed
        # Outliers stand cut·n ranks away from the window; e^-20 is little enough for them.
        self.largest_decay = min(
            self.largest_decay, 20 / (cut * max(1, math.floor(self.expected_rows)))
        )

    def count_noise(self, share: Share) -> DiscreteLaplace | None:
        if not self.counts_rows:
            return None
        return DiscreteLaplace.for_epsilon(
            self.relation, self.rows_per_unit, self.count_epsilon(share), 1
        )

    def events(self, share: Share) -> list[PrivacyEvent]:
        count = self.count_noise(share)
        counted: list[PrivacyEvent] = [] if count is None else [count.event()]
        return (self.noise(share).events() + counted) * self.split

    def find(self, ranks: Ranks, share: Share, bits: RandomBits) -> Found:
        kept, off = self._kept(ranks.rows, share, bits)
        noise, k = self.noise(share), self.rows_per_unit
        first, last = window(ranks.rows, kept)
        log = math.log(k) + log_window(ranks, first, last, noise.decay, k)
        chance = CHANCE_FAR - (_CHANCE_COUNT if self.counts_rows else 0.0)
        noisy = noise.apply(ranks.total(first, last), log, bits, chance)
        reach = noisy.reach + self._wrong_count(off, float(noise.decay), noisy.size)
        ends = [noisy.value / kept + step for step in (-reach / kept, 0.0, reach / kept)]
        low, value, high = (
            self.index(min(max(end, 0.0), self.cells - 1.0)) * self.grid.step for end in ends
        )
        return Found(value, low - self.rounding, high + self.rounding)

    def _kept(self, rows: int, share: Share, bits: RandomBits) -> tuple[int, float]:
        """M, and by how much the number of rows behind it may be wrong."""
        count = self.count_noise(share)
        if count is None:
            public = self.schema.table.public_rows
            assert public is not None
            return kept_of(public, self.cut), 0.0
        (noisy,) = count.apply([rows], bits)
        off = float(count.scale) * math.log(1 / _CHANCE_COUNT)
        return kept_of(max(1, min(noisy, MAX_ROWS)), self.cut), off

    def _wrong_count(self, off: float, decay: float, size: float) -> float:
        """What a wrong number of rows may add to the error of the sum."""
        if not self.counts_rows:
            return 0.0
        ranks, k = (1 - 2 * float(self.cut)) * off + 4, self.rows_per_unit
        return ranks * size / k * math.exp(min(700.0, decay * ranks / k))

    def expected(self, share: Share) -> tuple[float, float]:
        noise, k = self.noise(share), self.rows_per_unit
        kept = kept_of(max(1, math.floor(self.expected_rows)), self.cut)
        inside = (1 - 2 * float(self.cut)) * (self.cells - 1)
        size = k * min(self.cells - 1.0, inside + self.spread(noise))
        told = size * noise.size.excess
        count = self.count_noise(share)
        off = 0.0 if count is None else float(count.scale) * math.log(1 / _CHANCE_COUNT)
        chance = CHANCE_FAR - (_CHANCE_COUNT if self.counts_rows else 0.0)
        sure = noise.value.reach(chance) * told + self._wrong_count(off, float(noise.decay), told)
        return sure / kept, noise.value.reach(0.05) * size / kept

    def present(self, value: float) -> Any:
        return shown(self.query.columns[0], self.schema, value)


def kept_of(rows: int, cut: Fraction) -> int:
    """N - 2⌊pN⌋."""
    return rows - 2 * math.floor(cut * rows)


def window(rows: int, kept: int) -> tuple[int, int]:
    """The ranks that are averaged."""
    first = (rows - kept) // 2 + 1
    return first, first + kept - 1

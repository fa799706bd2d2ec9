"""Are synthetic rows nearer to the people whose rows were used than to people held out?

Claim    people are dealt at random into a part that statistics are made of and a part held out. If
         synthetic rows depend on the first no more than on the second, a synthetic row is as likely
         to lie nearest to either, and a number of a person is guessed from the other columns as
         well for either. Shares above one half are what was learnt of people by name, not of the
         population.
Source   distance to closest record with a holdout: Platzer and Reutterer 2021.
Symbols  Two distances, both Euclidean: numbers in units of their range and of their standard
         deviation; a label that differs, or a value missing on one side, is 1. The worse of the two
         counts. Ties count half.
         The standard error adds up over people, since many synthetic rows may lie near one person;
         a person who is used in one look and held out in the other appears in both, with opposite
         signs. The interval is one-sided, 99 %, normal.
Gaps     An attacker who uses another distance may see more. Nothing is bounded: only ε bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sudare.facts.microdata import Floats, Microdata, NumberColumn
from sudare.facts.nearness import LIMIT, Bounded, Nearness

_Z = 2.3263478740408408
# Multiplications of one matrix product.
_BLOCK = 2**26
# Rows on either side that synthetic rows are held against.
_BESIDE = 16_384
# Numbers that are guessed on either side of a look, and of how many people at least and at most.
_GUESSED, _FEWEST, _MOST = 8_000, 400, 2_000
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Space:
    """Rows as points: columns of a number are adjacent, its value and whether it is missing."""

    points: tuple[Singles, ...]
    numbers: tuple[int, ...]


@dataclass
class Looks:
    """What several looks found, by person: `score` adds ½ for a synthetic row that is nearest to
    them in a look that used them, and takes ½ off in one that did not."""

    people: int
    score: list[Floats] = field(default_factory=list)
    drawn: int = 0
    looks: int = 0
    parts: tuple[int, int] = (0, 0)
    inside: list[tuple[Ints, Floats]] = field(default_factory=list)
    outside: list[tuple[Ints, Floats]] = field(default_factory=list)

    def look(self, rows: Microdata, who: Ints, is_used: NDArray[np.bool_], made: Microdata) -> None:
        """One fit: the rows of people, whose they are, which were used, and what was drawn."""
        if not self.score:
            self.score = [np.zeros(self.people), np.zeros(self.people)]
        self.drawn, self.looks = self.drawn + made.rows, self.looks + 1
        used = len(np.unique(who[is_used]))
        self.parts = used, len(np.unique(who)) - used
        for place, by_range in enumerate((True, False)):
            space = _space(rows, made, by_range)
            self.score[place] += _scores(space, who, is_used, self.people)
        for side, found in ((is_used, self.inside), (~is_used, self.outside)):
            many = min(max(_GUESSED // max(len(space.numbers), 1), _FEWEST), _MOST)
            chosen = np.flatnonzero(side)[:many]
            found.append((who[chosen], _guess_errors(space, chosen)))

    def found(self) -> Nearness:
        """What all looks say together."""
        return Nearness(self.parts, self.looks, self.drawn, self._nearer(), self._guessed())

    @property
    def is_surely_unsafe(self) -> bool:
        """Whether the lower end of the interval is above the limit already."""
        worse = self._nearer()
        return 2 * worse.value - worse.high > LIMIT

    def _nearer(self) -> Bounded:
        shares = [
            _bounded(0.5 + float(each.sum()) / self.drawn, math.sqrt((each**2).sum()) / self.drawn)
            for each in self.score
        ]
        return max(shares, key=lambda each: each.high)

    def _guessed(self) -> Bounded | None:
        wins = _wins(_together(self.inside), _together(self.outside))
        if not len(wins):
            return None
        spread = float(wins.std()) / math.sqrt(len(wins))
        # Where a few people all agree, their spread says nothing.
        return _bounded(float(wins.mean()), max(spread, 0.5 / len(wins)))


def _bounded(value: float, error: float) -> Bounded:
    return Bounded(value, min(value + _Z * error, 1.0))


def _space(rows: Microdata, made: Microdata, by_range: bool) -> _Space:
    parts: tuple[list[Floats], list[Floats]] = ([], [])
    numbers, width = [], 0
    for name in rows.names:
        column, other = rows[name], made[name]
        if isinstance(column, NumberColumn) and isinstance(other, NumberColumn):
            found = _of_number(column.values, other.values, by_range)
            numbers.append(width)
        else:
            codes = column.codes, other.codes  # type: ignore[union-attr]
            found = _of_label(*codes)
        for side, matrix in zip(parts, found, strict=True):
            side.append(matrix)
        width += found[0].shape[1]
    points = [np.concatenate(side, axis=1).astype(np.float32) for side in parts]
    return _Space((points[0], points[1]), tuple(numbers))


def _of_number(values: Floats, others: Floats, by_range: bool) -> tuple[Floats, Floats]:
    """Centred, so that single precision loses little; missing values stand at the middle."""
    present = values[~np.isnan(values)]
    middle = float(present.mean()) if len(present) else 0.0
    unit = float(np.ptp(present) if by_range else present.std()) if len(present) else 1.0
    columns = []
    for each in (values, others):
        missing = np.isnan(each)
        scaled = np.where(missing, 0.0, (each - middle) / (unit or 1.0))
        columns.append(np.column_stack([scaled, missing]))
    return columns[0], columns[1]


def _of_label(codes: NDArray[np.int32], others: NDArray[np.int32]) -> tuple[Floats, Floats]:
    """Labels that occur on either side, each a column of its own; the distance of two is 1."""
    known = np.unique(np.concatenate([codes, others]))
    found = [(each[:, None] == known[None, :]) * math.sqrt(0.5) for each in (codes, others)]
    return found[0], found[1]


def _blocks(one: Singles, two: Singles) -> list[slice]:
    size = max(1, _BLOCK // max(len(two), 1))
    return [slice(first, first + size) for first in range(0, len(one), size)]


def _squares(one: Singles, two: Singles) -> Singles:
    found: Singles = (one**2).sum(1)[:, None] + (two**2).sum(1)[None, :] - 2 * (one @ two.T)
    return np.maximum(found, 0.0, out=found)


def _scores(space: _Space, who: Ints, is_used: NDArray[np.bool_], people: int) -> Floats:
    points, made = space.points
    # As many rows on either side: more of them would be nearer by their number alone.
    size = min(int(is_used.sum()), int((~is_used).sum()), _BESIDE)
    sides = [np.flatnonzero(side)[:size] for side in (is_used, ~is_used)]
    found = np.zeros(people)
    for block in _blocks(made, points):
        nearest = []
        for side in sides:
            far = _squares(made[block], points[side])
            place = far.argmin(axis=1)
            nearest.append((side[place], far[np.arange(len(far)), place]))
        (mine, near), (theirs, near2) = nearest
        slack = 1e-6 * (1.0 + (made[block] ** 2).sum(1))
        np.add.at(found, who[mine[near < near2 - slack]], 0.5)
        np.add.at(found, who[theirs[near2 < near - slack]], -0.5)
    return found


def _guess_errors(space: _Space, chosen: Ints) -> Floats:
    """By person and number: how far off the synthetic row is that is nearest in all other columns;
    NaN where the value is missing."""
    points, made = space.points[0][chosen], space.points[1]
    found = np.full((len(points), len(space.numbers)), np.nan)
    if not len(made):
        return found
    for block in _blocks(points, made):
        far = _squares(points[block], made)
        for number, place in enumerate(space.numbers):
            own, theirs = points[block, place], made[:, place]
            gap = (own[:, None] - theirs[None, :]) ** 2
            gap += (points[block, place + 1][:, None] != made[:, place + 1][None, :]).astype(
                np.float32
            )
            guess = theirs[(far - gap).argmin(axis=1)]
            off = np.abs(own - guess).astype(np.float64)
            found[block, number] = np.where(points[block, place + 1] > 0, np.nan, off)
    return found


def _together(looks: Sequence[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    return np.concatenate([who for who, _ in looks]), np.concatenate([each for _, each in looks])


def _wins(inside: tuple[Ints, Floats], outside: tuple[Ints, Floats]) -> Floats:
    """For pairs of a person used and one held out, the same person where there was a look for
    both: the share of numbers that are guessed better of the first."""
    orders = [np.argsort(who, kind="stable") for who, _ in (inside, outside)]
    one, two = (errors[order] for (_, errors), order in zip((inside, outside), orders, strict=True))
    size = min(len(one), len(two))
    one, two = one[:size], two[:size]
    known = ~(np.isnan(one) | np.isnan(two))
    better = (one < two) + 0.5 * (one == two)
    counted = known.any(axis=1)
    shares = (better * known)[counted].sum(1) / known[counted].sum(1)
    _, person = np.unique(inside[0][orders[0]][:size][counted], return_inverse=True)
    # Several looks at a person are one observation.
    return np.bincount(person, shares) / np.maximum(np.bincount(person), 1)

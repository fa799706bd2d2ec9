"""One total, shared out over measurements: from plan and schema to events, before any data."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.accounting.compose import plan_cost
from sudare.accounting.zcdp import rho_of
from sudare.facts.cost import NANO, PICO, Cost
from sudare.facts.cube import Margin
from sudare.facts.errors import InvalidPlan
from sudare.facts.table_plan import TablePlan
from sudare.tables.measures import (
    Kind,
    Measure,
    Setting,
    gaussian_measure,
    is_even,
    laplace_measure,
    residual_scale,
)
from sudare.tables.planning import (
    Goal,
    Precision,
    Vector,
    best_shares,
    guarded_shares,
    starting_points,
)

# Residuals pay where they lower the error by this share; margins are simpler to read.
_WORTH = 0.995
# Beyond this width the sampler leaves int64 and becomes slow.
_WIDEST_SIGMA = 2**24
_MOST_ATOMS = 512
Atom = tuple[Kind, Margin]


@dataclass(frozen=True)
class Spending:
    """Measurements in the order of their margins, what each adds to the precision of every
    component, and what they cost together."""

    measures: tuple[Measure, ...]
    gains: NDArray[np.float64]
    cost: Cost

    @property
    def precisions(self) -> Vector:
        """τ of every component."""
        found: Vector = self.gains.sum(axis=0)
        return found


def spend(goal: Goal, setting: Setting, plan: TablePlan) -> Spending:
    """The measurements that are best for the goal."""
    total, unit = plan.epsilon, NANO
    if plan.mechanism == "gaussian":
        unit = PICO
        total = Fraction(math.floor(rho_of(float(plan.epsilon), float(plan.delta)) * PICO), PICO)
    if total * unit < len(goal.weights):
        raise InvalidPlan("ε is too small for this many margins.", "Raise --epsilon.")
    atoms, rows, shares = _chosen(goal, setting, plan, float(total))
    amounts = _amounts(shares, total, unit)
    live = [place for place, amount in enumerate(amounts) if amount > 0]
    measures = tuple(_measure(setting, plan, atoms[i], amounts[i]) for i in live)
    # What rounding did to the scales is in the precisions, so that weights fit the noise drawn.
    gains = np.array(
        [_per_cell(measure) * rows[i] for measure, i in zip(measures, live, strict=True)]
    )
    return Spending(measures, gains, _cost(measures, plan))


def _chosen(
    goal: Goal, setting: Setting, plan: TablePlan, total: float
) -> tuple[list[Atom], NDArray[np.float64], Vector]:
    margins: list[Atom] = [("margin", margin) for margin in goal.spectrum.margins]
    order = np.array([sum(level > 0 for level in margin) for _, margin in margins])
    starts = list(starting_points(goal, order))
    rows = goal.spectrum.gains
    precision = _precision(setting, plan, margins, total)
    choose = best_shares if plan.mechanism == "gaussian" else guarded_shares
    shares = choose(goal, precision, rows, starts)
    found = margins, rows, shares
    if plan.mechanism != "gaussian" or not is_even(setting.dimensions):
        return found
    if 2 * len(margins) > _MOST_ATOMS:
        return found
    residuals: list[Atom] = [("residual", margin) for margin in goal.spectrum.margins]
    both = margins + residuals
    every = np.vstack([rows, _residual_rows(goal, setting)])
    sharper = _precision(setting, plan, both, total)
    wide = best_shares(goal, sharper, every, [np.ones(len(both))])
    if not _is_worth(goal, rows, every, precision(shares)[0], sharper(wide)[0]):
        return found
    too_wide = any(
        share > 0 and _sigma(setting, atom, total * share) > _WIDEST_SIGMA
        for atom, share in zip(both, wide, strict=True)
    )
    return found if too_wide else (both, every, wide)


def _is_worth(
    goal: Goal,
    rows: NDArray[np.float64],
    every: NDArray[np.float64],
    plain: Vector,
    sharp: Vector,
) -> bool:
    with_margins = goal.loss(goal.variances(plain, rows))
    return goal.loss(goal.variances(sharp, every)) < _WORTH * with_margins


def _residual_rows(goal: Goal, setting: Setting) -> NDArray[np.float64]:
    """A residual tells of its own component alone; its cells are spread over those below."""
    margins = goal.spectrum.margins
    return np.diag([setting.cells(margins[-1]) / setting.cells(each) for each in margins])


def _sigma(setting: Setting, atom: Atom, rho: float) -> float:
    kind, margin = atom
    reach = setting.residual_l2_squared(margin) if kind == "residual" else 1
    return math.sqrt(reach / (2 * rho))


def _precision(setting: Setting, plan: TablePlan, atoms: list[Atom], total: float) -> Precision:
    """From shares to 1/variance of a cell, and its slope."""
    if plan.mechanism == "gaussian":
        rate = np.array([2 * total / _reach(setting, atom) for atom in atoms])
        return lambda shares: (shares * rate, rate)
    rates = np.array([total / setting.margin_l1(margin) for _, margin in atoms])

    def laplace(shares: Vector) -> tuple[Vector, Vector]:
        # 1/variance of the discrete Laplace: (1 − r)²/2r = 2 sinh²(1/2s); beyond 60 it is certain.
        halves = np.minimum(shares * rates, 60.0) / 2
        return 2 * np.sinh(halves) ** 2, rates * np.sinh(2 * halves)

    return laplace


def _reach(setting: Setting, atom: Atom) -> float:
    """The squared sensitivity in units of counts."""
    kind, margin = atom
    if kind == "margin":
        return float(setting.margin_l2_squared(margin))
    return setting.residual_l2_squared(margin) / residual_scale(setting.dimensions, margin) ** 2


def _amounts(shares: Vector, total: Fraction, unit: int) -> list[Fraction]:
    """Whole units that add up to the total: what flooring leaves goes to the largest share."""
    amounts = [Fraction(math.floor(float(share) * total * unit), unit) for share in shares]
    largest = int(np.argmax(shares))
    amounts[largest] += total - sum(amounts)
    return amounts


def _measure(setting: Setting, plan: TablePlan, atom: Atom, amount: Fraction) -> Measure:
    kind, margin = atom
    if plan.mechanism == "gaussian":
        return gaussian_measure(setting, kind, margin, amount)
    return laplace_measure(setting, margin, amount)


def _per_cell(measure: Measure) -> float:
    # A variance that underflows to 0 at a huge ε is as good as any tiny one.
    return 1 / max(measure.variance, 1e-12)


def _cost(measures: tuple[Measure, ...], plan: TablePlan) -> Cost:
    cost = plan_cost([measure.event() for measure in measures], plan.delta)
    asked = int(plan.epsilon * NANO)
    if cost.epsilon_nano > asked:
        raise AssertionError("the measurements cost more than the plan's total")
    # Rounding a ρ down leaves less than a millionth of the asked ε; the books show what was asked.
    return replace(cost, epsilon_nano=asked) if asked - cost.epsilon_nano < asked / 10**5 else cost

"""Sharing one total out over the questions of a plan.

Even relative errors: by default every question is expected to be wrong by the same share of its
own size. Since an error shrinks like 1/ε (1/√ρ for Gaussian noise), multiplying each share by its
relative error and scaling back to the total is a fixed-point step; its square root is taken, so
that errors that do not follow the rule (held to a range, say) cannot make it swing. Only plan and
schema are used. Questions with `@ ε`, or with an ε of their own (`own_epsilon`), keep theirs.

With a δ, the plan's PLD (or zCDP) total may lie below the sum of the shares; the shares are then
stretched together until the total that the ledger will charge is the one asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sudare.accounting.compose import plan_cost
from sudare.accounting.zcdp import rho_of
from sudare.facts.cost import NANO, PICO, Cost
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import PrivacyEvent
from sudare.facts.plan import Plan, read_epsilon
from sudare.queries.measurement import Measurement, Share

_ROUNDS = 40
# The common factor of stretched shares is found to within a millionth: what is left of the asked ε
# is then so little that it is charged with them.
_HALVINGS = 20
# No question gets less than this part of an even share, however easy it seems.
_LEAST_SHARE = 0.05


@dataclass(frozen=True)
class Allocation:
    """Shares in the order of the questions, and what they cost together."""

    shares: tuple[Share, ...]
    events: tuple[PrivacyEvent, ...]
    cost: Cost

    def epsilons(self) -> list[float]:
        """Each question's part of the total ε, in proportion to what it spends."""
        amounts = [share.amount for share in self.shares]
        total = sum(amounts)
        return [float(a / total) * self.cost.epsilon if total else 0.0 for a in amounts]


def allocate(measurements: Sequence[Measurement], plan: Plan) -> Allocation:
    """Give every question its share of the plan's total."""
    fixed = [_fixed(m, plan) for m in measurements]
    total = _total(plan, fixed)
    amounts = _shared_out(measurements, fixed, total, plan)
    stretchable = plan.delta > 0 and not any(amount for amount in fixed)
    if stretchable and plan.epsilon is not None and any(amounts):
        amounts = _stretched(measurements, amounts, plan, plan.epsilon)
    found = _priced(measurements, amounts, plan)
    for measurement, share in zip(measurements, found.shares, strict=True):
        measurement.require(share)
    if plan.epsilon is not None and found.cost.epsilon_nano > plan.epsilon * NANO:
        raise InvalidPlan(
            "The shares after @ add up to more than the total ε.",
            "Raise --epsilon, lower the shares, or give sq() a wider within=.",
        )
    return found if plan.epsilon is None else _rounded_up(found, int(plan.epsilon * NANO))


def _rounded_up(found: Allocation, asked: int) -> Allocation:
    """What rounding a ρ down leaves of the asked ε (less than a millionth) is charged with it, so
    that the books show the ε that people wrote."""
    if not asked - found.cost.epsilon_nano < asked / 10**6:
        return found
    return replace(found, cost=replace(found.cost, epsilon_nano=asked))


def _fixed(measurement: Measurement, plan: Plan) -> Fraction | None:
    if measurement.is_free:
        return Fraction(0)
    own = measurement.own_epsilon
    if own is not None:
        # A pure ε is a ρ of ε²/2; rounded up, since the question will spend all of it.
        return own if plan.mechanism != "gaussian" else -_floor(-(own**2) / 2, PICO)
    if measurement.query.epsilon is None:
        return None
    epsilon = read_epsilon(measurement.query.epsilon)
    if plan.mechanism != "gaussian":
        return epsilon
    return _floor(Fraction(rho_of(float(epsilon), float(plan.delta))), PICO)


def _total(plan: Plan, fixed: Sequence[Fraction | None]) -> Fraction:
    """The pure ε, or the ρ, that the shares may add up to."""
    if plan.epsilon is None:
        if any(amount is None for amount in fixed):
            raise InvalidPlan("The plan has no ε.", "Add --epsilon 1, or @ 0.1 to every question.")
        return sum((amount for amount in fixed if amount is not None), Fraction(0))
    if plan.mechanism == "gaussian":
        return _floor(Fraction(rho_of(float(plan.epsilon), float(plan.delta))), PICO)
    return plan.epsilon


def _shared_out(
    measurements: Sequence[Measurement],
    fixed: Sequence[Fraction | None],
    total: Fraction,
    plan: Plan,
) -> list[Fraction]:
    unit = PICO if plan.mechanism == "gaussian" else NANO
    rest = total - sum((amount for amount in fixed if amount is not None), Fraction(0))
    open_ = [i for i, amount in enumerate(fixed) if amount is None]
    if open_ and rest * unit < len(open_):
        raise InvalidPlan(
            "Nothing of the total ε is left for the questions without @.",
            "Raise --epsilon or lower the shares after @.",
        )
    weights = _even([measurements[i] for i in open_], rest, plan) if open_ else []
    amounts = [amount if amount is not None else Fraction(0) for amount in fixed]
    for i, weight in zip(open_, weights, strict=True):
        amounts[i] = max(Fraction(1, unit), _floor(rest * Fraction(weight), unit))
    if open_:
        # What flooring left over goes to the largest share, so that the parts add up exactly.
        largest = max(open_, key=lambda i: amounts[i])
        amounts[largest] += rest - sum((amounts[i] for i in open_), Fraction(0))
    return amounts


def _even(measurements: Sequence[Measurement], rest: Fraction, plan: Plan) -> list[float]:
    """Weights under which the expected relative errors agree."""
    power = 2 if plan.mechanism == "gaussian" else 1
    weights = [1 / len(measurements)] * len(measurements)
    least = _LEAST_SHARE / len(measurements)
    for _ in range(_ROUNDS if len(measurements) > 1 else 0):
        errors = [
            m.forecast(_share(m, measurements, rest * Fraction(w), plan)).typical
            for m, w in zip(measurements, weights, strict=True)
        ]
        grown = [w * max(e, 1e-12) ** (power / 2) for w, e in zip(weights, errors, strict=True)]
        floored = [max(w / math.fsum(grown), least) for w in grown]
        weights = [w / math.fsum(floored) for w in floored]
    return weights


def _stretched(
    measurements: Sequence[Measurement], amounts: list[Fraction], plan: Plan, epsilon: Fraction
) -> list[Fraction]:
    """All shares times the largest common factor whose composed ε still fits."""
    unit = PICO if plan.mechanism == "gaussian" else NANO

    def scaled(factor: float) -> list[Fraction]:
        return [_floor(a * Fraction(factor), unit) if a else a for a in amounts]

    low, high = 1.0, 1.0
    while high < 64 and _fits(measurements, scaled(high * 2), plan, epsilon):
        low = high = high * 2
    high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _fits(measurements, scaled(middle), plan, epsilon):
            low = middle
        else:
            high = middle
    return amounts if low == 1.0 else scaled(low)


def _fits(
    measurements: Sequence[Measurement], amounts: list[Fraction], plan: Plan, epsilon: Fraction
) -> bool:
    return _priced(measurements, amounts, plan).cost.epsilon_nano <= epsilon * NANO


def _priced(
    measurements: Sequence[Measurement], amounts: Sequence[Fraction], plan: Plan
) -> Allocation:
    shares = tuple(
        _share(m, measurements, amount, plan)
        for m, amount in zip(measurements, amounts, strict=True)
    )
    events = tuple(
        event for m, share in zip(measurements, shares, strict=True) for event in m.events(share)
    )
    return Allocation(shares, events, plan_cost(events, plan.delta))


def _share(
    measurement: Measurement, all_: Sequence[Measurement], amount: Fraction, plan: Plan
) -> Share:
    """Questions that need a δ of their own share half of the plan's; the other half is for what
    the composition of the rest can gain by it."""
    if not measurement.needs_delta:
        return Share(plan.mechanism, amount)
    takers = max(1, sum(m.needs_delta for m in all_))
    return Share(plan.mechanism, amount, plan.delta / 2 / takers)


def _floor(amount: Fraction, unit: int) -> Fraction:
    return Fraction(math.floor(amount * unit), unit)


def least_epsilon(measurement: Measurement, plan: Plan, error: float, relative: bool) -> Fraction:
    """The smallest ε (to three digits) whose forecast error is within the wanted one."""
    if measurement.is_free:
        return Fraction(0)

    def missed(epsilon: Fraction) -> bool:
        amount = epsilon
        if plan.mechanism == "gaussian":
            amount = Fraction(rho_of(float(epsilon), float(plan.delta)))
        found = measurement.forecast(_share(measurement, [measurement], amount, plan))
        return (found.relative if relative else found.error95) > error

    low, high = Fraction(1, 10**6), Fraction(100)
    if missed(high):
        raise InvalidPlan(
            f"No ε up to 100 reaches that error for {measurement.query.text}.",
            "Ask for a larger error, tighter bounds or fewer groups.",
        )
    while high / low > Fraction(1001, 1000):
        middle = Fraction(math.sqrt(low * high)).limit_denominator(NANO)
        low, high = (middle, high) if missed(middle) else (low, middle)
    return Fraction(math.ceil(high * NANO), NANO)

"""Privacy loss distributions of the events of one fixed plan, by dp-accounting.

Claim    δ(ε) of the composed distribution bounds the plan's δ from above (pessimistic rounding of
         every loss to a grid).
Source   Koskela et al. 2020; dp-accounting 0.6.0.
Needs    a plan fixed before its first answer: what is chosen after seeing answers is the ledger's.
Dominating pairs used:
  * one cell of discrete Laplace, sensitivity D, scale s: when m divides D, the pair (D, s) is
    dominated by (D/m, s/m). With r = e^{−1/s}, F(t) = 1 − r^{t+1}/(1+r), the hockey stick at
    e^{ε'} is max over t of F(t) − e^{ε'} F(t − D). For the coarse pair only t = jm is allowed and
    r becomes r^m. At the coarse breakpoints ε' = (D − 2t)/s both sticks are equal; between two of
    them the coarse one is linear in e^{ε'} while the fine one is convex, so it lies below the
    chord. D is first rounded up to a multiple of m, which only enlarges the sensitivity.
  * several cells, noise on all of them together, a private selection, or pure noise by smooth
    sensitivity: any ε-DP mechanism is dominated by randomised response with the same ε (Kairouz,
    Oh, Viswanath 2015, Theorem 3.4's proof).
  * one cell of discrete Gaussian with an integer sensitivity: its own distribution.
  * several cells of discrete Gaussian: no dominating pair is proved here, so PLD is not used.
  * more than 32 events that differ: composing them would take minutes, so PLD is not used.
Gaps     dp-accounting's `count` argument is not used: with randomised response it composed 10
         events as 1 (0.6.0).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sudare.facts.events import (
    BoxEvent,
    GaussianEvent,
    LaplaceEvent,
    PrivacyEvent,
    PublicEvent,
    SelectionEvent,
    SmoothEvent,
)
from sudare.facts.extras import needs

# A discrete Laplace PLD has one loss a unit of sensitivity; more than this many gain nothing.
_COARSE = 64
# Above this width the support of the discrete Gaussian is too long to list.
_WIDEST_SIGMA = 5000
# Below this part of the sensitivity the support that dp-accounting lists is too short for it.
_NARROWEST = 8
_LOSS_STEPS = 2000
# Composing takes the time of some milliseconds an event, and it is done dozens of times a plan.
_FEW, _MOST = 16, 32
# dp-accounting takes e^ε, which floats have up to about 709.
_LARGEST = 700


def supports(events: Sequence[PrivacyEvent]) -> bool:
    """Whether every event has a proved dominating pair here, of a size that can be composed, and
    they are few enough to be composed while somebody waits."""
    return len(set(events)) <= _MOST and all(
        _listable(event) if isinstance(event, GaussianEvent) else _rough_epsilon(event) <= _LARGEST
        for event in events
    )


def epsilon_for_delta(events: Sequence[PrivacyEvent], delta: float) -> float:
    """The ε of the whole plan at this δ."""
    priced = [event for event in events if not isinstance(event, PublicEvent)]
    if not priced:
        return 0.0
    step = max(_rough_epsilon(event) for event in priced) / _LOSS_STEPS
    parts = [_times(_distribution(event, step), n) for event, n in _gathered(priced)]
    composed = parts[0]
    for part in parts[1:]:
        composed = composed.compose(part)
    return float(composed.get_epsilon_for_delta(delta))


def _gathered(events: Sequence[PrivacyEvent]) -> list[tuple[PrivacyEvent, int]]:
    """Events with how often each comes; in few events each stands for itself."""
    if len(events) <= _FEW:
        return [(event, 1) for event in events]
    return list(Counter(events).items())


def _times(one: Any, count: int) -> Any:
    """A distribution composed with itself so often, in steps that double."""
    whole = None
    while count:
        if count % 2:
            whole = one if whole is None else whole.compose(one)
        count //= 2
        if count:
            one = one.compose(one)
    return whole


def _listable(event: GaussianEvent) -> bool:
    reach = math.isqrt(event.l2_sensitivity_squared)
    whole = reach**2 == event.l2_sensitivity_squared
    return event.cells == 1 and whole and reach / _NARROWEST <= event.sigma <= _WIDEST_SIGMA


def _rough_epsilon(event: PrivacyEvent) -> float:
    if isinstance(event, GaussianEvent):
        return math.sqrt(2 * float(event.rho)) * 4
    return 0.0 if isinstance(event, PublicEvent) else float(event.epsilon)


def _distribution(event: PrivacyEvent, step: float) -> Any:
    # dp-accounting takes long to import and is needed only where δ > 0.
    with needs("accounting"):
        from dp_accounting.pld import common, privacy_loss_distribution

    if isinstance(event, GaussianEvent):
        return privacy_loss_distribution.from_discrete_gaussian_mechanism(
            float(event.sigma),
            math.isqrt(event.l2_sensitivity_squared),
            value_discretization_interval=step,
        )
    if isinstance(event, LaplaceEvent) and event.cells == 1:
        merged = max(1, event.l1_sensitivity // _COARSE)
        coarse = math.ceil(event.l1_sensitivity / merged)
        return privacy_loss_distribution.from_discrete_laplace_mechanism(
            float(merged / event.scale), coarse, value_discretization_interval=step
        )
    assert isinstance(event, LaplaceEvent | BoxEvent | SelectionEvent | SmoothEvent)
    return privacy_loss_distribution.from_privacy_parameters(
        common.DifferentialPrivacyParameters(float(event.epsilon)),
        value_discretization_interval=step,
    )

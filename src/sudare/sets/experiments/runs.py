"""One repetition of each experiment: draw records and sensitive items, suppress, measure.

Source   Nakagawa, Arai, Nakagawa, section 4.2. Experiment 1: Algorithm 1 at several ρ (figures 3
         and 4), Algorithm 2 on records of any length at several ε = δ (figure 5). Experiment 2:
         personalized+ and fixed+ at several shares of prone items (figures 6 and 7). The paper
         does not say which ρ experiment 2 has; here it is ½, as in figure 5.
Claim    every release of Algorithm 1, and every one that is exact, has passed the verifier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from sudare.facts.baskets import Baskets, Flags, Sensitive
from sudare.facts.sets_paper import BASIC, PLUS, Mode, Quantity, Setting
from sudare.randomness.bits import RandomBits
from sudare.sets.experiments.sampling import sample
from sudare.sets.experiments.sensitive import fixed, flipped, personalized
from sudare.sets.measures import util1, util2, util_mining
from sudare.sets.mining.rules import Rules, top_rules
from sudare.sets.paper import suppress_as_paper
from sudare.sets.sampled import suppress_sampled
from sudare.sets.suppress import suppress
from sudare.sets.verify.attackers import verify
from sudare.sets.verify.sampled import audit_sampled

RHOS = tuple(Fraction(tenths, 10) for tenths in range(1, 10))
EPSILONS = (0.01, 0.05, 0.1)
SHARES = tuple(Fraction(percent, 100) for percent in (5, 10, 20, 40, 60, 80))
HALF, SENSITIVE = Fraction(1, 2), Fraction(2, 5)
# Records of Algorithm 1 have at most so many items, and an attacker of Algorithm 2 knows as many.
MOST = 5
# One record in so many is drawn.
PART = 10
# Fresh attackers of every size, to see how many still succeed.
ATTACKERS = 20_000
SUPPORT, CONFIDENCE = Fraction(5, 10_000), Fraction(3, 10)


@dataclass(frozen=True)
class Measured:
    """One release: where it stands in the figures, and what it lost."""

    mode: Mode
    setting: Setting
    x: float
    values: dict[Quantity, float] = field(default_factory=dict)
    is_verified: bool = True


# Baskets, random bits and modes; one Measured after the other.
Experiment = Callable[[Baskets, RandomBits, tuple[Mode, ...]], Iterator[Measured]]


def vary_rho(short: Baskets, bits: RandomBits, modes: tuple[Mode, ...]) -> Iterator[Measured]:
    """Figures 3 and 4."""
    drawn = sample(short, PART, bits)
    for setting, sensitive in _basic(drawn, bits):
        for rho in RHOS:
            for mode in modes:
                kept = safe(drawn, sensitive, rho, mode, bits)
                values = _losses(drawn, kept)
                yield Measured(mode, setting, float(rho), values)


def vary_epsilon(whole: Baskets, bits: RandomBits, modes: tuple[Mode, ...]) -> Iterator[Measured]:
    """Figure 5, and the exact release without a bound on what is known at x = 0."""
    drawn = sample(whole, PART, bits)
    for setting, sensitive in _basic(drawn, bits):
        for mode in modes:
            for eps in EPSILONS:
                kept = _sampled(drawn, sensitive, eps, mode, bits)
                left = _exposed(drawn, sensitive, kept, bits)
                values = _losses(drawn, kept) | {"exposed": left}
                yield Measured(mode, setting, eps, values, is_verified=False)
        if "default" in modes:
            kept = safe(drawn, sensitive, HALF, "default", bits)
            values = _losses(drawn, kept) | {"exposed": 0.0}
            yield Measured("default", setting, 0.0, values)


def vary_share(short: Baskets, bits: RandomBits, modes: tuple[Mode, ...]) -> Iterator[Measured]:
    """Figures 6 and 7."""
    drawn = sample(short, PART, bits)
    before = _rules(drawn)
    for share in SHARES:
        own, everyone = flipped(drawn, share, bits)
        for setting, sensitive in zip(PLUS, (everyone, own), strict=True):
            for mode in modes:
                kept = safe(drawn, sensitive, HALF, mode, bits)
                mined = util_mining(before, _rules(drawn.kept(kept)))
                values = _losses(drawn, kept) | {"util_mining": float(mined)}
                yield Measured(mode, setting, float(share), values)


def _basic(drawn: Baskets, bits: RandomBits) -> Iterator[tuple[Setting, Sensitive]]:
    for setting, draw in zip(BASIC, (fixed, personalized), strict=True):
        yield setting, draw(drawn, SENSITIVE, bits)


def safe(
    baskets: Baskets, sensitive: Sensitive, rho: Fraction, mode: Mode, bits: RandomBits
) -> Flags:
    """What Algorithm 1 or the default keeps; VerificationFailed where an attacker is left."""
    solve = suppress_as_paper if mode == "paper" else suppress
    kept = solve(baskets, sensitive, rho, bits).kept
    verify(baskets, baskets.kept(kept), sensitive, rho, max_knowledge=None)
    return kept


def _sampled(
    baskets: Baskets, sensitive: Sensitive, eps: float, mode: Mode, bits: RandomBits
) -> Flags:
    return suppress_sampled(
        baskets,
        sensitive,
        HALF,
        bits,
        max_knowledge=MOST,
        eps=eps,
        delta=eps,
        literal=mode == "paper",
    ).kept


def _exposed(baskets: Baskets, sensitive: Sensitive, kept: Flags, bits: RandomBits) -> float:
    """The largest share of fresh attackers with as many items who succeed. No share is above 1, so
    that the audit only measures here."""
    found = audit_sampled(baskets, baskets.kept(kept), sensitive, HALF, MOST, 1, 1, bits, ATTACKERS)
    return max(share.successful / share.drawn for share in found)


def _losses(baskets: Baskets, kept: Flags) -> dict[Quantity, float]:
    return {"util1": float(util1(baskets, kept)), "util2": util2(baskets, kept)}


def _rules(baskets: Baskets) -> Rules:
    return top_rules(baskets, SUPPORT, CONFIDENCE)

"""Personalised (ε, δ)-ρ^m-uncertainty: attackers are drawn, and those who succeed are stopped.

Claim    with probability at least 1 − δ over the draws, for every ℓ ≤ m the share H_ℓ of successful
         attackers among those with ℓ known items is below ε (definition 5).
Source   Nakagawa, Arai, Nakagawa, Algorithm 2 (SampleSuppressor), with two corrections.
         1. The data that pass t tests depends on earlier passes, so δ is spent over passes and
            sizes: δ_t = 6δ/(π² t² m), whose sum over all t and ℓ is δ.
         2. If H_ℓ ≥ ε, then n independent attackers all fail with probability at most (1 − ε)^n,
            so n = ⌈ln δ_t / ln(1 − ε)⌉ suffices where Hoeffding's inequality asks for
            ln(1/δ)/(2ε²).
Symbols  attacker with ℓ items -> a record drawn evenly among the original ones with at least ℓ
         items, and ℓ of its items drawn evenly.
Way      sizes with few attackers are walked through as in suppress.py; before a test pass others
         are drawn and stopped in large numbers; then all sizes are drawn and tested; whoever
         succeeds is stopped by mending.py; a pass without success ends it.
         The paper's own way is `literal`: n by Hoeffding, every pass a test, no spending.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, log, log1p, pi

import numpy as np

from sudare.facts.baskets import Baskets, Items, Places, Sensitive
from sudare.facts.errors import UsageError
from sudare.facts.sets_plan import LEAST_SHARE
from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import uniform_below
from sudare.sets.layout import Layout, State, kept_of, lay_out, start
from sudare.sets.mending import Rule
from sudare.sets.pace import paced
from sudare.sets.suppress import Suppression, make_rule, silent, walk_down
from sudare.sets.targets import try_all

# Attackers of a size that are drawn at once before the tests, and how far below ε their share of
# success is brought: a test of n with (1 − ε)^n = δ_t then passes with good chance.
_DRAW = 5_000
_SPARE = 20
# Sizes with no more attackers than this are walked through completely before any is drawn.
_MOST_WALKED = 200_000_000


def attackers_needed(eps: float, delta: float, sizes: int, number: int) -> int:
    """How many attackers of each size pass `number` (from 1) draws."""
    share = 6 * delta / (pi**2 * number**2 * sizes)
    return ceil(log(share) / log1p(-eps))


def hoeffding(eps: float, delta: float) -> int:
    """The paper's number of attackers, equation (8)."""
    return ceil(log(1 / delta) / (2 * eps**2))


@paced("sampled")
def suppress_sampled(
    baskets: Baskets,
    sensitive: Sensitive,
    rho: Fraction,
    bits: RandomBits,
    *,
    max_knowledge: int,
    eps: float,
    delta: float,
    literal: bool = False,
    watch: Callable[[str, float], None] | None = None,
) -> Suppression:
    """Suppress until a pass of drawn attackers finds no success."""
    if not (LEAST_SHARE <= eps < 1 and LEAST_SHARE <= delta < 1):
        raise UsageError(
            "--eps and --delta are at least 1e-6 and below 1.", "Example: --eps 0.01 --delta 0.01"
        )
    order = np.arange(len(baskets.names), dtype=np.int64) if literal else None
    layout = lay_out(baskets, sensitive, order)
    rule = make_rule(layout, rho, bits, literal=literal)
    longest = min(max_knowledge, int(baskets.lengths.max(initial=0)))
    steps = np.zeros((longest, 2), np.int64)
    trial = _Trial(layout, start(layout), rule, bits, longest, steps)
    number, found = 0, 1
    while found:
        number += 1
        if watch is not None:
            watch(f"pass {number}", 1 - 1 / (number + 1))
        if literal:
            found = sum(trial.hits(size, hoeffding(eps, delta)) for size in trial.sizes)
            continue
        if number == 1:
            few = _affordable(baskets, trial.longest)
            walked = walk_down(layout, trial.state, rule, few, silent)[2]
            trial.steps[: len(walked)] += np.array(walked, np.int64).reshape(-1, 2)
        trial.mend_until(eps / _SPARE)
        count = attackers_needed(eps, delta, max_knowledge, number)
        found = sum(trial.hits(size, count) for size in trial.sizes)
    made = tuple((int(inferred), int(knowing)) for inferred, knowing in trial.steps)
    return Suppression(kept_of(layout, trial.state), number, 0, trial.longest, made)


@dataclass(frozen=True, eq=False)
class _Trial:
    """The records on trial before drawn attackers."""

    layout: Layout
    state: State
    rule: Rule
    bits: RandomBits
    longest: int
    steps: Places

    @property
    def sizes(self) -> range:
        return range(1, self.longest + 1)

    def hits(self, size: int, count: int) -> int:
        """How many of so many fresh attackers succeed; each is stopped."""
        targets, knowns = draw_attackers(self.layout, size, count, self.bits)
        changed = np.zeros(max(self.layout.records, 1), np.uint8)
        self.rule.tally[:] = 0
        rest = (targets, knowns, size, True, changed)
        hits = again = try_all(self.layout, self.state, self.rule, *rest)
        # A step against one attacker can help another; the paper has all of a sample stopped.
        while self.rule.literal and again:
            again = try_all(self.layout, self.state, self.rule, *rest)
        self.steps[size - 1] += self.rule.tally
        return hits

    def mend_until(self, share: float) -> None:
        """Stop attackers in large draws, which promise nothing, until few are left: a test that
        fails costs some of δ, these do not."""
        count = max(_DRAW, ceil(4 / share))
        while max((self.hits(size, count) for size in self.sizes), default=0) > share * count:
            pass


def _affordable(baskets: Baskets, longest: int) -> int:
    """How many known items all attackers can be walked through, rather than drawn."""
    size = 0
    while size < longest and count_attackers(baskets.lengths, size + 1) <= _MOST_WALKED:
        size += 1
    return size


def count_attackers(lengths: Places, size: int) -> int:
    """How many (u, Q) with so many known items there are."""
    counts = np.bincount(lengths) if len(lengths) else np.zeros(1, np.int64)
    return sum(int(many) * comb(length, size) for length, many in enumerate(counts))


def draw_attackers(layout: Layout, size: int, count: int, bits: RandomBits) -> tuple[Items, Items]:
    """Targets, and what the attacker of each knows, sorted by what is known."""
    lengths = np.diff(layout.at)
    able = np.flatnonzero(lengths >= size)
    chosen = able[uniform_below(bits, np.full(count, len(able), np.int64))]
    # Floyd's way to draw ℓ of n places evenly: for j = n − ℓ … n − 1 a place up to j, or j itself
    # where that place is taken.
    places = np.full((count, size), -1, np.int64)
    for step in range(size):
        top = lengths[chosen] - size + step
        drawn = uniform_below(bits, top + 1)
        taken = (places[:, :step] == drawn[:, None]).any(axis=1)
        places[:, step] = np.where(taken, top, drawn)
    knowns = layout.original[layout.at[chosen][:, None] + np.sort(places, axis=1)]
    order = np.lexsort(knowns.T)
    return chosen[order].astype(np.int32), np.ascontiguousarray(knowns[order].ravel())
